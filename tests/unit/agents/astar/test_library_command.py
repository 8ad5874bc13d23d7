"""`arena train library`: what it gathers, and what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

from agents.astar.bot import variant_policy
from agents.astar.ensemble.library import Library, LibraryDamaged
from agents.astar.ensemble_models import library_file, load_models
from agents.astar.family import ASTAR
from agents.astar.library_making import make_library, merged_trees
from agents.evolution.network import EvolvedNetwork, NetworkDamaged
from agents.lookahead.policy import LOOKAHEAD
from agents.patterns import trees_kernels as trees
from agents.patterns.memory_kernels import nodes_of
from agents.patterns.trees_kernels import WIDTH
from agents.recurrent.shape import Stack, random_genome
from agents.training.kinds import train as main
from tests.helpers.evolving import AHEAD
from tests.unit.agents.astar.grown import (
    GAME_ANEW,
    HUNL,
    SHAPE,
    grown,
    memory_of,
    some_genome,
)

OTHER = replace(SHAPE, opponent=Stack(2, 1, 3), head=(4, 4))


def network(seed=1, shape=SHAPE):
    """An evolved network that never evolved."""
    return EvolvedNetwork(ASTAR.name, shape, GAME_ANEW, some_genome(seed), {"seed": seed})


@pytest.fixture
def files(tmp_path):
    """Files of three networks, as NAME=FILE."""
    for seed, name in enumerate(("O2", "O6", "base"), 1):
        network(seed).save(tmp_path / f"{name}.evolved")
    return [f"{name}={tmp_path / name}.evolved" for name in ("O2", "O6", "base")]


def made(folder, words, *options, hands=100):
    """Make a library in a folder; return the models there, or the exit code and what is said."""
    return main(["library", *words, "--out", str(folder), "--hands", str(hands), *options])


def test_a_folder_that_plays(files, tmp_path, capsys):
    """Networks and library are there, and belong together."""
    assert made(tmp_path / "models", files, hands=300) == 0
    models = load_models(tmp_path / "models")
    assert models.library.names == ("O2", "O6")
    assert models.library.facts == {"hands": 300, "seed": 1, "own": 0.5, "base": "base"}
    assert (models.shape, models.resets) == (SHAPE, GAME_ANEW)
    np.testing.assert_array_equal(models.genomes, [some_genome(seed) for seed in (1, 2)])
    np.testing.assert_array_equal(models.base.genome, some_genome(3))
    assert "3 networks" in capsys.readouterr().err
    assert [int(one[0, 0] > 0) for one in models.library.trees] == [1, 1]


def test_other_networks_play_a_share(files, tmp_path):
    """Half of the hands, unless told otherwise; all hands are counted at the roots."""
    for own, name in (("0.5", "half"), ("1", "alone")):
        assert made(tmp_path, files, "--own", own, "--name", name, hands=400) == 0
    half, alone = (load_models(tmp_path, name).library for name in ("half", "alone"))
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


def test_one_folder_may_have_several_libraries(files, tmp_path, capsys):
    """By name, with other networks and another base; no network is replaced by another."""
    folder = tmp_path / "models"
    safe = files[1].replace("O6=", "refuge=")
    assert made(folder, files) == made(folder, files, "--name", "again") == 0
    assert made(folder, [files[0], safe], "--name", "safe", "--base", "refuge") == 0
    usual, other = (load_models(folder, name) for name in ("known", "safe"))
    assert (usual.library.names, other.library.names) == (("O2", "O6"), ("O2",))
    np.testing.assert_array_equal(usual.base.genome, some_genome(3))
    np.testing.assert_array_equal(other.base.genome, some_genome(2))
    before = {path: path.read_bytes() for path in folder.iterdir()}
    swapped = [files[0].replace("O2=", "O6="), files[2]]
    assert made(folder, swapped, "--name", "third") == 2
    assert "O6.network is another network" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_trees_are_those_of_the_match():
    """Half of the hands on the button; the same whoever else is in the library."""
    library = make_library(HUNL, {"O6": network()}, 200, 3)
    (nodes,) = library.trees
    assert nodes[[0, 4], 0].tolist() == [100, 100]
    again = make_library(HUNL, {"O6": network(), "O2": network(2)}, 200, 3, threads=2)
    np.testing.assert_array_equal(again.trees[0], nodes)


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (lambda files: files[:2], 2, "want base=FILE"),
        (lambda files: files[2:], 2, "one opponent or more"),
        (lambda files: [*files, files[0]], 2, "twice"),
        (lambda files: ["nobody" + files[0][2:], files[2]], 2, "nobody"),
        (lambda files: [files[0] + "x", files[2]], 2, "No such file"),
        (lambda files: [*files, "--hands", "2"], 2, "2 hands for 3 networks"),
        (lambda files: [*files, "--name", "../known"], 2, "want letters, digits"),
        (lambda files: [*files, "--name", ""], 2, "want letters, digits"),
        (lambda files: [*files, "--name", "x" * 65], 2, "want letters, digits"),
        (lambda files: [*files, "--out", files[0][3:]], 1, "O2.evolved"),
    ],
)
def test_what_cannot_be_gathered_is_told(files, tmp_path, capsys, change, code, message):
    """In one line; nothing is written, and with a name that is none not even the folder made."""
    out = tmp_path / "models"
    assert main(["library", "--out", str(out), *change(files)]) == code
    assert message in capsys.readouterr().err.strip().splitlines()[-1]
    assert not library_file(folder=out).exists()
    assert "letters" not in message or not out.exists()


@pytest.mark.parametrize("name", ["../escaped", "a/b", ".hidden", "x" * 201])
def test_names_of_networks_stay_in_the_folder(files, tmp_path, capsys, name):
    """The base strategy's, too; a library that names others is no library."""
    out = tmp_path / "models"
    base = files[2].replace("base=", f"{name}=")
    assert made(out, [*files[:2], base], "--base", name) == 2
    assert "want letters, digits" in capsys.readouterr().err
    assert not out.exists()
    out.mkdir()
    Library(("O2",), (np.zeros((8, WIDTH)),), {"base": name}).save(library_file(folder=out))
    with pytest.raises(LibraryDamaged, match="want letters, digits"):
        load_models(out)


def test_a_base_strategy_may_look_ahead(files, tmp_path):
    """It is none of the networks that are asked, and plays its share of the hands."""
    genome = random_genome(AHEAD, np.random.default_rng(1))
    EvolvedNetwork(LOOKAHEAD.name, AHEAD, 0, genome).save(tmp_path / "ahead.evolved")
    out = tmp_path / "models"
    assert made(out, [*files[:2], f"base={tmp_path / 'ahead.evolved'}"]) == 0
    models = load_models(out)
    assert len(models.genomes) == 2
    assert models.base.genome.tobytes() == genome.tobytes()
    assert variant_policy(HUNL, 1, folder=out, library="known").family.params > 0


def test_counters_of_two_shapes_are_refused(files, tmp_path, capsys):
    """They do not fit into one player, found out before anything is played; a base may differ."""
    genome = random_genome(OTHER, np.random.default_rng(1))
    EvolvedNetwork(ASTAR.name, OTHER, GAME_ANEW, genome).save(tmp_path / "other")
    out = tmp_path / "models"
    assert made(out, [files[0], f"O6={tmp_path / 'other'}", files[2]]) == 2
    assert "other: of another shape than" in capsys.readouterr().err
    assert not out.exists()
    assert made(out, [*files[:2], f"base={tmp_path / 'other'}"]) == 0
    assert load_models(out).base.shape == OTHER
    assert variant_policy(HUNL, 1, "street", folder=out).family.params > 0


def test_a_library_without_its_networks_is_told(tmp_path):
    """By the name of the file that is missing."""
    Library((), ()).save(library_file(folder=tmp_path))
    with pytest.raises(LibraryDamaged, match="empty"):
        load_models(tmp_path)
    Library(("O2",), (np.zeros((8, WIDTH)),)).save(library_file(folder=tmp_path))
    load_models.cache_clear()
    with pytest.raises(NetworkDamaged, match=r"O2\.network"):
        load_models(tmp_path)
