"""Smaller models: which rows change, by how much, and where play comes."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.blueprint.compacting import Limits, compacted, repacked
from agents.blueprint.compacting_kernels import compact_rows
from agents.blueprint_model.model import BlueprintModel, load_model
from agents.blueprint_model.reach import sampled_visits
from agents.training.kinds import train as main
from tests.helpers.blueprints import random_model, tiny_config
from tests.oracles import compacting as plain

ALL = Limits(loss=1e9, deals=1024, seed=1)


def quiet(done):
    """Say nothing."""


@pytest.fixture(scope="module")
def model():
    """A model of hold'em; half of its actions are hardly ever taken."""
    return random_model(tiny_config("hunl"), seed=3, alpha=0.2)


@pytest.fixture(scope="module")
def visits(model):
    """Where its play comes."""
    return sampled_visits(model, 2000, 7, quiet)


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 4),
    st.sampled_from([20, 9, 15]),
    st.sampled_from([0.0, 0.01, 0.1, 0.5, 2.0]),
)
def test_rows_are_those_of_the_plain_way(seed, actions, whole, limit):
    """Weights and limits are eighths and the like, so that both ways are exact."""
    rng = np.random.default_rng(seed)
    chances = rng.dirichlet(np.full(actions, 0.5))
    shares = rng.multinomial(whole, chances, size=30).astype(np.uint8)
    weights = rng.choice([0.0, 0.125, 0.25, 1.0], 30)
    steps = np.array([step for step in range(whole - 1, 0, -1) if whole % step == 0])
    found = np.empty_like(shares)
    compact_rows(shares, weights, limit, steps, found)
    assert found.tolist() == plain.compact(shares.tolist(), weights.tolist(), limit)
    cost = weights * np.abs(found.astype(int) - shares).sum(axis=1) / (2 * whole)
    assert (cost <= limit).all()
    assert (found.sum(axis=1) == whole).all()


def test_visits_are_counted_as_one_would_by_hand(model, visits):
    """Before the flop, where a hand has one bucket: up the tree, action by action."""
    tree = model.tree
    assert visits.deals == 2048
    dealt = visits.reach_sums[0]  # nobody has acted yet
    assert dealt.sum() == pytest.approx(1, abs=1e-5)
    before_the_flop = [node for node in visits.nodes if tree.street[node] == 0]
    assert len(before_the_flop) > 5
    for place, node in enumerate(visits.nodes):
        if node not in before_the_flop:
            continue
        share = np.ones(169)
        below, above = node, int(tree.parent[node])
        while above >= 0:
            if tree.kind[above] == tree.kind[node]:
                share *= model.strategy(above)[:, below - int(tree.first_child[above])]
            below, above = above, int(tree.parent[above])
        assert visits.reach_sums[place] == pytest.approx(dealt * share, abs=1e-6)
    assert all(one.sum() <= 1 + 1e-5 for one in visits.reach_sums)


def smaller(model, limits):
    """Return the smaller model."""
    packed = compacted(model, limits, quiet)
    return BlueprintModel(model.config, model.tree, model.cards, packed, {})


def test_without_a_limit_a_decision_is_one_row(model):
    """But before the flop, where rows are few and stay."""
    found = smaller(model, ALL)
    for node in map(int, np.flatnonzero(model._bits)):
        rows = found.strategy(node)
        if model.tree.street[node] == 0:
            assert (rows == model.strategy(node)).all()
        else:
            assert (rows == rows[0]).all()


def test_a_tighter_limit_changes_less_and_the_same_limits_the_same(model):
    """Up to nothing at all; deals and seed decide, nothing else."""
    nodes = [int(node) for node in np.flatnonzero(model._bits)]
    changes, sizes = [], []
    for loss in (1e6, 1.0):
        found = smaller(model, ALL._replace(loss=loss))
        moved = [np.abs(found.strategy(n) - model.strategy(n)).sum() for n in nodes]
        changes.append(float(np.sum(moved)))
        sizes.append(len(found.packed.streams))
    assert changes == sorted(changes, reverse=True)
    assert sizes == sorted(sizes)
    again = smaller(model, ALL._replace(loss=1.0))
    assert (again.packed.streams == found.packed.streams).all()
    assert (repacked(model).streams == model.packed.streams).all()


def test_the_command_writes_a_model_and_how_it_came_about(model, tmp_path, monkeypatch, capsys):
    """What was known of the model before stays; with --loss 0 no row changes."""
    monkeypatch.chdir(tmp_path)
    model.save(tmp_path / "my.blueprint")
    (tmp_path / "my.json").write_text('{"notes": ["mine"], "seed": 3}')
    words = ["compact", "my.blueprint", "--out", "less.blueprint", "--deals", "1000"]
    assert main([*words, "--loss", "100"]) == 0
    less = load_model(tmp_path / "less.blueprint")
    told = json.loads((tmp_path / "less.json").read_text())
    assert told["notes"] == ["mine"]
    assert told["seed"] == 3
    assert told["compacted"] == {"loss": 100.0, "deals": 1000, "seed": 1}
    assert told["commands"] == [f"arena train {' '.join(words)} --loss 100"]
    assert less.provenance.items() <= told.items()
    assert "less.blueprint: " in capsys.readouterr().err
    assert main(["compact", "my.blueprint", "--loss", "0", "--out", "same.blueprint"]) == 0
    same = load_model(tmp_path / "same.blueprint")
    assert (same.packed.streams == model.packed.streams).all()
    assert len(less.packed.streams) < len(same.packed.streams)


def test_the_command_refuses_what_it_cannot_do(tmp_path, monkeypatch, capsys):
    """In one line: no model, a damaged one, one of another game, nowhere to write."""
    monkeypatch.chdir(tmp_path)
    random_model(tiny_config("leduc")).save(tmp_path / "leduc.blueprint")
    (tmp_path / "bad.blueprint").write_bytes(b"GIF89a")
    refused = {
        ("none.blueprint",): (2, "there is no such file"),
        ("bad.blueprint",): (2, "not an artifact file"),
        ("leduc.blueprint",): (2, "only blueprints of hold'em"),
        ("leduc.blueprint", "--loss", "-1"): (2, "want a number from 0 on"),
        ("leduc.blueprint", "--deals", "0"): (2, "want a number from 1"),
        ("leduc.blueprint", "--out", "no/folder"): (2, "there is no folder"),
        ("leduc.blueprint", "--loss", "0", "--out", "/dev/full"): (1, "/dev/full: No space"),
    }
    for words, (code, why) in refused.items():
        try:
            found = main(["compact", "--out", "out.blueprint", *words])
        except SystemExit as end:
            found = end.code
        told = capsys.readouterr().err
        assert (found, why in told) == (code, True), told
        assert told.count("\n") <= 2
    assert not (tmp_path / "out.blueprint").exists()


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("my.blueprint", "belongs to the model that is read"),
        ("link", "belongs to the model that is read"),
        ("my.x", "belongs to the model that is read"),
        ("other.json", "other.json: the file beside the model has that name"),
    ],
)
def test_a_model_is_not_written_over_itself(tmp_path, monkeypatch, model, capsys, out, said):
    """Nor the file beside it, whatever the path is called."""
    monkeypatch.chdir(tmp_path)
    model.save(tmp_path / "my.blueprint")
    (tmp_path / "my.json").write_text('{"seed": 3}')
    (tmp_path / "link").symlink_to("my.blueprint")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(SystemExit) as found:
        main(["compact", "my.blueprint", "--loss", "0", "--out", out])
    assert found.value.code == 2
    assert said in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
