"""`arena train library`: what it gathers, and what it refuses."""

import numpy as np
import pytest

from agents.astar.bot import variant_policy
from agents.astar.ensemble.library import Library, LibraryDamaged
from agents.astar.ensemble_models import library_file, load_models
from agents.astar.family import ASTAR
from agents.astar.library_making import make_library, merged_trees
from agents.evolution.network import EvolvedNetwork
from agents.lookahead.policy import LOOKAHEAD
from agents.lookahead.sizes import FOLD_INPUTS, WIN_INPUTS
from agents.patterns import trees_kernels as trees
from agents.patterns.memory_kernels import nodes_of
from agents.patterns.trees_kernels import WIDTH
from agents.recurrent.shape import NetShape, Stack, random_genome
from agents.training.kinds import train as main
from tests.unit.agents.astar.grown import (
    GAME_ANEW,
    HUNL,
    SHAPE,
    grown,
    memory_of,
    some_genome,
)


def network(seed=1, shape=SHAPE):
    """An evolved network that never evolved."""
    return EvolvedNetwork(ASTAR.name, shape, GAME_ANEW, some_genome(seed), {"seed": seed})


@pytest.fixture
def files(tmp_path):
    """Files of three networks, as NAME=FILE."""
    for seed, name in enumerate(("O2", "O6", "base"), 1):
        network(seed).save(tmp_path / f"{name}.evolved")
    return [f"{name}={tmp_path / name}.evolved" for name in ("O2", "O6", "base")]


def test_a_folder_that_plays(files, tmp_path, capsys):
    """Networks and library are there, and belong together."""
    out = tmp_path / "models"
    assert main(["library", *files, "--out", str(out), "--hands", "300"]) == 0
    models = load_models(out)
    assert models.library.names == ("O2", "O6")
    assert models.library.facts == {"hands": 300, "seed": 1, "own": 0.5, "base": "base"}
    assert (models.shape, models.resets) == (SHAPE, GAME_ANEW)
    np.testing.assert_array_equal(models.genomes, [some_genome(seed) for seed in (1, 2, 3)])
    said = capsys.readouterr().err
    assert "3 networks" in said
    assert [int(one[0, 0] > 0) for one in models.library.trees] == [1, 1]


def test_other_networks_play_a_share(files, tmp_path):
    """Half of the hands, unless told otherwise; all hands are counted at the roots."""
    for own, name in (("0.5", "half"), ("1", "alone")):
        line = ["--out", str(tmp_path), "--hands", "400", "--own", own, "--name", name]
        assert main(["library", *files, *line]) == 0
    half, alone = (load_models(tmp_path, name).library for name in ("half", "alone"))
    assert half.facts == {"hands": 400, "seed": 1, "own": 0.5, "base": "base"}
    for one, other in zip(half.trees, alone.trees, strict=True):
        assert one[[0, 4], 0].sum() == other[[0, 4], 0].sum() == 400
        assert len(one) != len(other)


def test_merged_trees_have_the_counts_of_all():
    """Sequence by sequence, wherever their nodes stand."""
    first, second = nodes_of(memory_of("O6")), nodes_of(memory_of("O2"))
    both = grown(merged_trees([first, second]))
    parts = [grown(first), grown(second)]
    assert both.keys() == parts[0].keys() | parts[1].keys()
    for place, row in both.items():
        counts = sum(one[place][: trees.CHILDREN] for one in parts if place in one)
        np.testing.assert_array_equal(row[: trees.CHILDREN], counts)


def test_one_folder_may_have_several_libraries(files, tmp_path):
    """By name, with other networks."""
    line = ["--out", str(tmp_path / "models"), "--hands", "100"]
    assert main(["library", *files, *line]) == 0
    assert main(["library", *files[:1], files[2], *line, "--name", "small"]) == 0
    assert load_models(tmp_path / "models").library.names == ("O2", "O6")
    assert load_models(tmp_path / "models", "small").library.names == ("O2",)


def test_a_library_has_a_base_strategy_of_its_own(files, tmp_path):
    """By name, beside that of other libraries in the same folder."""
    line = ["--out", str(tmp_path / "models"), "--hands", "100"]
    assert main(["library", *files, *line]) == 0
    safe = files[1].replace("O6=", "refuge=")
    assert main(["library", files[0], safe, *line, "--name", "safe", "--base", "refuge"]) == 0
    usual, other = (load_models(tmp_path / "models", name) for name in ("known", "safe"))
    assert other.library.names == ("O2",)
    np.testing.assert_array_equal(usual.genomes[-1], some_genome(3))
    np.testing.assert_array_equal(other.genomes[-1], some_genome(2))


def test_trees_are_those_of_the_match():
    """Half of the hands on the button; the same whoever else is in the library."""
    library = make_library(HUNL, {"O6": network()}, 200, 3)
    (nodes,) = library.trees
    assert nodes[[0, 4], 0].tolist() == [100, 100]
    again = make_library(HUNL, {"O6": network(), "O2": network(2)}, 200, 3, threads=2)
    np.testing.assert_array_equal(again.trees[0], nodes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda files: files[:2], "want base=FILE"),
        (lambda files: files[2:], "one opponent or more"),
        (lambda files: [*files, files[0]], "twice"),
        (lambda files: ["nobody" + files[0][2:], files[2]], "nobody"),
        (lambda files: [files[0] + "x", files[2]], "No such file"),
        (lambda files: [*files, "--hands", "2"], "2 hands for 3 networks"),
    ],
)
def test_what_cannot_be_gathered_is_told(files, tmp_path, capsys, change, message):
    """In one line, with exit code 2; nothing is written."""
    out = tmp_path / "models"
    assert main(["library", "--hands", "50", *change(files), "--out", str(out)]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert message in said[-1]
    assert not library_file(folder=out).exists()


@pytest.mark.parametrize("name", ["a/b", "../known", "", ".hidden", "x" * 65, "two words"])
def test_a_name_that_is_no_file_is_told_before_anything_is_played(files, tmp_path, capsys, name):
    """In one line, with exit code 2; not even the folder is made."""
    out = tmp_path / "models"
    assert main(["library", *files, "--out", str(out), "--name", name]) == 2
    assert "want letters, digits" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("name", ["../escaped", "a/b", ".hidden", "x" * 201])
def test_names_of_networks_stay_in_the_folder(files, tmp_path, capsys, name):
    """The base strategy's, too; a library that names others is no library."""
    out = tmp_path / "models"
    base = files[2].replace("base=", f"{name}=")
    assert main(["library", *files[:2], base, "--base", name, "--out", str(out)]) == 2
    assert "want letters, digits" in capsys.readouterr().err
    assert not out.exists()
    out.mkdir()
    Library(("O2",), (np.zeros((8, WIDTH)),), {"base": name}).save(library_file(folder=out))
    with pytest.raises(LibraryDamaged, match="want letters, digits"):
        load_models(out)


def test_networks_of_other_libraries_are_not_replaced(files, tmp_path, capsys):
    """The same ones are no matter; another by the same name is told, and nothing is written."""
    line = ["--out", str(tmp_path / "models"), "--hands", "100"]
    assert main(["library", *files, *line]) == 0
    assert main(["library", *files, *line, "--name", "again"]) == 0
    before = {path: path.read_bytes() for path in (tmp_path / "models").iterdir()}
    swapped = [files[0].replace("O2=", "O6="), files[2]]
    assert main(["library", *swapped, *line, "--name", "third"]) == 2
    assert "O6.network is another network" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in (tmp_path / "models").iterdir()} == before


def test_a_base_strategy_may_look_ahead(files, tmp_path):
    """It is none of the networks that are asked, and plays its share of the hands."""
    shape = NetShape(Stack(1, 1, 3), Stack(1, 1, 2), (4,), WIN_INPUTS, FOLD_INPUTS, 2, "tanh")
    genome = random_genome(shape, np.random.default_rng(1))
    EvolvedNetwork(LOOKAHEAD.name, shape, 0, genome).save(tmp_path / "ahead.evolved")
    out = tmp_path / "models"
    named = [*files[:2], f"base={tmp_path / 'ahead.evolved'}"]
    assert main(["library", *named, "--out", str(out), "--hands", "100"]) == 0
    models = load_models(out)
    assert len(models.genomes) == 2
    assert models.ahead.genome.tobytes() == genome.tobytes()
    assert variant_policy(HUNL, 1, folder=out, library="known").family.params > 0


def test_a_folder_that_is_a_file_is_told_before_anything_is_played(files, tmp_path, capsys):
    """In one line, with exit code 1; the file stays."""
    out = tmp_path / "O2.evolved"
    held = out.read_bytes()
    assert main(["library", *files, "--out", str(out)]) == 1
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1
    assert str(out) in said[0]
    assert out.read_bytes() == held


def test_an_argument_without_a_name_is_told(tmp_path, capsys):
    """By the parser."""
    with pytest.raises(SystemExit) as caught:
        main(["library", "file.network", "--out", str(tmp_path)])
    assert caught.value.code == 2
    assert "NAME=FILE" in capsys.readouterr().err


def test_networks_of_two_shapes_are_refused(files, tmp_path, capsys):
    """They do not fit into one player; it is found out before anything is played."""
    from dataclasses import replace

    from agents.recurrent.shape import random_genome

    other = replace(SHAPE, head=(4, 4))
    genome = random_genome(other, np.random.default_rng(1))
    EvolvedNetwork(ASTAR.name, other, GAME_ANEW, genome).save(tmp_path / "other")
    out = tmp_path / "models"
    named = [files[0], f"base={tmp_path / 'other'}"]
    assert main(["library", *named, "--out", str(out), "--hands", "50"]) == 2
    assert "another shape" in capsys.readouterr().err
    assert not out.exists()


def test_a_library_without_its_networks_is_told(tmp_path):
    """By the name of the file that is missing."""
    from agents.evolution.network import NetworkDamaged

    Library((), ()).save(library_file(folder=tmp_path))
    with pytest.raises(LibraryDamaged, match="empty"):
        load_models(tmp_path)
    Library(("O2",), (np.zeros((8, WIDTH)),)).save(library_file(folder=tmp_path))
    load_models.cache_clear()
    with pytest.raises(NetworkDamaged, match=r"base\.network"):
        load_models(tmp_path)
