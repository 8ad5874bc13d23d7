"""Models and their files."""

import json
import zlib

import numpy as np
import pytest

from agents.blueprint_model.codes import grid_size
from agents.blueprint_model.model import KIND, BlueprintModel, load_model
from agents.blueprint_model.packing import PackedRows
from engine.betting.betting_tree import DEAL
from engine.errors import ArtifactMismatch
from engine.storage.artifacts import load_artifact, save_artifact
from tests.helpers.blueprints import random_model, tiny_config
from tests.helpers.said import refused

REMEDY = "the shipped ones come back with `git checkout -- agents/blueprint_model/models`"


@pytest.fixture(scope="module")
def models():
    """One of each game."""
    return {name: random_model(tiny_config(name), seed=3) for name in ("hunl", "leduc")}


@pytest.fixture
def file(models, tmp_path):
    """A saved model of Leduc hold'em."""
    models["leduc"].save(tmp_path / "my.blueprint")
    return tmp_path / "my.blueprint"


@pytest.mark.parametrize("name", ["hunl", "leduc"])
def test_a_saved_model_is_the_same_model(models, name, tmp_path):
    """Config, cards, provenance and every row; the tables of turn and river stay away."""
    model, path = models[name], tmp_path / "my.blueprint"
    model.save(path)
    found = load_model(path)
    assert found.config == model.config
    assert found.provenance == model.provenance == {"seed": 3}
    assert found.cards.counts == model.cards.counts
    for node in map(int, model.tree.decisions):
        assert (found.strategy(node) == model.strategy(node)).all()
    rng = np.random.default_rng(1)
    deck = np.array(model.config.game.deck)
    for _ in range(3):
        cards = rng.permutation(deck)[:7].tolist()
        own, board = (cards[:2], cards[2:7]) if name == "hunl" else (cards[:1], cards[1:2])
        assert found.cards.bucket(own, board) == model.cards.bucket(own, board)
    found.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_rows_lie_in_the_file(file):
    """Mapped, not read."""
    base = load_model(file).packed.streams
    assert not base.flags.owndata
    while getattr(base, "base", None) is not None and not isinstance(base, np.memmap):
        base = base.base
    assert isinstance(base, np.memmap)


def test_rows_add_to_1_and_are_those_that_were_given(models):
    """Rounded to the grid of their bits: two or three actions after the flop take a byte."""
    for name, model in models.items():
        tree = model.tree
        for node in map(int, tree.decisions):
            rows = model.strategy(node)
            actions = int(tree.child_count[node])
            assert rows.shape == (model.cards.counts[int(tree.street[node])], actions)
            assert rows.sum(axis=1) == pytest.approx(1, abs=1e-6)
            if actions > 1:
                few = name == "leduc" or tree.street[node] == 0
                numbers, bits = model.numbers(node)
                assert bits == (32 if few else 8 if actions <= 3 else 16)
                assert len(numbers) == len(rows)
                whole = grid_size(actions, bits)
                assert np.rint(rows * whole) == pytest.approx(rows * whole, abs=2e-2)


def test_only_decisions_have_strategies(models):
    """Others are refused; how many there are follows from the game."""
    model, tree = models["leduc"], models["leduc"].tree
    for node in (-1, tree.nodes, int(np.flatnonzero(tree.kind == DEAL)[0])):
        with pytest.raises(ValueError, match="is no decision"):
            model.strategy(node)
    fewer = PackedRows(model.packed.streams[: int(model.packed.ends[-2])], model.packed.ends[:-1])
    with pytest.raises(ValueError, match=r"\b35\b.*\b36\b"):
        BlueprintModel(model.config, model.tree, model.cards, fewer, {})


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: b"", "not an artifact file"),
        (lambda data: data[:100], "damaged: the header is incomplete"),
        (lambda data: data[:-1], "damaged: it ends within"),
        (lambda data: data + b"\0", "damaged: "),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "damaged: the checksum of"),
        (None, "No such file"),
    ],
)
def test_damaged_files_say_how_to_get_good_ones(file, change, why):
    """One line: file, damage, remedy."""
    data = file.read_bytes()
    file.unlink()
    if change:
        file.write_bytes(change(data))
    with refused(ArtifactMismatch, REMEDY) as caught:
        load_model(file)
    assert str(caught.value).startswith(f"{file}: {why}")


def test_files_of_other_versions_and_kinds(models, tmp_path):
    """Named with both versions, or with both kinds."""
    path = tmp_path / "old"
    save_artifact(path, KIND._replace(schema=0), {}, {})
    with pytest.raises(ArtifactMismatch, match=r"version 0.*version 4") as caught:
        load_model(path)
    assert REMEDY in str(caught.value)
    save_artifact(path, KIND._replace(name="songs"), {}, {})
    with pytest.raises(ArtifactMismatch, match=r"'songs'.*'blueprint'"):
        load_model(path)


@pytest.mark.parametrize("missing", ["config", "provenance", "streams", "ends"])
def test_files_without_a_part_are_damaged(models, missing, tmp_path):
    """Whichever it is."""
    model = models["leduc"]
    facts = {"config": json.loads(json.dumps(model.config.facts())), "provenance": {}}
    arrays = dict(model.packed.arrays)
    facts.pop(missing, None)
    arrays.pop(missing, None)
    save_artifact(tmp_path / "part", KIND, facts, arrays)
    with pytest.raises(ArtifactMismatch, match=f"damaged: .*{missing}"):
        load_model(tmp_path / "part")


def as_version_3(model, path, *, packed_table=True):
    """Write a model as the program before did."""
    numbers = [model.numbers(int(node))[0] for node in np.flatnonzero(model._bits)]
    streams = [zlib.compress(one.tobytes(), 9) for one in numbers]
    arrays = {
        "rows": np.frombuffer(b"".join(streams), np.uint8),
        "ends": np.cumsum([len(stream) for stream in streams]).astype(np.uint64),
    }
    if model.config.cards is not None:
        arrays |= {f"cards.{name}": part for name, part in model.cards.parts.items()}
        if packed_table:
            table = zlib.compress(model.cards.parts["flop_table"].tobytes())
            arrays["cards.flop_table"] = np.frombuffer(table, np.uint8)
    facts = {"config": model.config.facts(), "provenance": model.provenance}
    save_artifact(path, KIND._replace(schema=3), facts, arrays)


@pytest.mark.parametrize(("name", "packed_table"), [("hunl", 1), ("hunl", 0), ("leduc", 0)])
def test_files_of_version_3_are_the_same_models(models, name, packed_table, tmp_path):
    """Rows and buckets; the flop's table was compressed there, or not."""
    model = models[name]
    as_version_3(model, tmp_path / "before", packed_table=packed_table)
    found = load_model(tmp_path / "before")
    for node in map(int, model.tree.decisions):
        assert (found.strategy(node) == model.strategy(node)).all()
    if name == "hunl":
        for part, array in model.cards.parts.items():
            assert (found.cards.parts[part] == array).all()
        model.save(tmp_path / "now")
        assert (tmp_path / "now").stat().st_size < (tmp_path / "before").stat().st_size


@pytest.mark.parametrize(
    ("shapes", "why"),
    [
        ({}, "flop_table"),
        ({"flop_table": [9]}, "a table has other than 9 entries"),
        ({"flop_table": [1 << 62]}, "a table of "),
        ({"flop_table": ["x"]}, "invalid literal"),
        ([], "indices must be"),
    ],
)
def test_tables_of_other_shapes_are_damage(models, shapes, why, tmp_path):
    """Missing, too small, endless, or no numbers."""
    model, path = models["hunl"], tmp_path / "bad"
    model.save(path)
    found = load_artifact(path, KIND)
    save_artifact(path, KIND, found.facts | {"shapes": shapes}, found.arrays)
    with pytest.raises(ArtifactMismatch, match=f"damaged: .*{why}"):
        load_model(path)


def test_rows_of_another_game_are_damage(models, tmp_path):
    """A config that makes more rows than there are."""
    facts = {"config": tiny_config("hulhe").facts(), "provenance": {}}
    arrays = dict(models["leduc"].packed.arrays)
    arrays |= {f"cards.{name}": part for name, part in models["hunl"].cards.parts.items()}
    save_artifact(tmp_path / "other", KIND, facts, arrays)
    with pytest.raises(ArtifactMismatch, match=r"damaged: .*(decisions where|nodes)"):
        load_model(tmp_path / "other")


def test_numbers_of_no_probabilities_are_damage(models, tmp_path):
    """Where they are not coded, though every stream is whole."""
    model = models["leduc"]
    nodes = map(int, np.flatnonzero(model._bits))
    rows = [(model.numbers(node)[0], int(model.tree.child_count[node])) for node in nodes]
    rows[-1] = np.full_like(rows[-1][0], 2**32 - 1), rows[-1][1]
    bad = BlueprintModel(model.config, model.tree, model.cards, PackedRows.pack(rows), {})
    bad.save(tmp_path / "bad")
    with pytest.raises(
        ArtifactMismatch, match=r"damaged: a row of \d actions has number 4294967295"
    ):
        load_model(tmp_path / "bad")
