"""Files of networks: what is written is read, and what is damaged is refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.ashe.policy import ASHE
from agents.astar.family import ASTAR
from agents.evolution.network import KIND, EvolvedNetwork, NetworkDamaged
from agents.recurrent.shape import GAME_ANEW
from engine.storage.artifacts import load_artifact, save_artifact
from tests.helpers.evolving import SHAPE, small_genomes
from tests.helpers.said import refused

FACTS = {"commands": ["arena train ashe"], "final": {"best_won": [12.5]}}
(GENOME,) = small_genomes(1)
NETWORK = EvolvedNetwork("ashe", SHAPE, GAME_ANEW, GENOME, FACTS)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A file of a network, and its bytes."""
    path = tmp_path_factory.mktemp("network") / "mine.network"
    NETWORK.save(path)
    return path, path.read_bytes()


def test_what_is_written_is_read(saved):
    """Sizes, weights to the bit, facts; the weights are free to be changed."""
    found = EvolvedNetwork.load(saved[0], ASHE)
    assert (found.family, found.shape, found.resets) == ("ashe", SHAPE, GAME_ANEW)
    assert found.facts == FACTS
    assert found.genome.dtype == np.float32
    np.testing.assert_array_equal(found.genome, GENOME)
    found.genome[:] = 0
    assert saved[0].read_bytes() == saved[1]


@given(data=st.data())
def test_flipped_bits_are_noticed(saved, tmp_path, data):
    """One byte changed anywhere; but for the padding between header and weights, which is 0."""
    _, whole = saved
    at = data.draw(st.integers(0, len(whole) - 1))
    flipped = data.draw(st.integers(1, 255))
    damaged = bytearray(whole)
    damaged[at] ^= flipped
    path = tmp_path / "damaged.network"
    path.write_bytes(damaged)
    padding = range(len(whole[: -4 * len(GENOME)].rstrip(b"\0")), len(whole) - 4 * len(GENOME))
    if at in padding:
        np.testing.assert_array_equal(EvolvedNetwork.load(path, ASHE).genome, GENOME)
        return
    with pytest.raises(NetworkDamaged, match=r"damaged\.network"):
        EvolvedNetwork.load(path, ASHE)


@given(data=st.data())
def test_a_part_of_a_file_is_refused(saved, tmp_path, data):
    """Or one with something behind its end."""
    _, whole = saved
    path = tmp_path / "damaged.network"
    part = whole[: data.draw(st.integers(0, len(whole) - 1))]
    for damaged in (part, whole + data.draw(st.binary(min_size=1, max_size=9))):
        path.write_bytes(damaged)
        with pytest.raises(NetworkDamaged):
            EvolvedNetwork.load(path, ASHE)


def test_what_is_no_file_is_refused(saved, tmp_path):
    """Missing, or a folder, in one line that names it; nor is a network of another family."""
    for path in (tmp_path / "none.network", tmp_path):
        with refused(NetworkDamaged, path):
            EvolvedNetwork.load(path, ASHE)
    with refused(NetworkDamaged, "ashe", "astar"):
        EvolvedNetwork.load(saved[0], ASTAR)


def test_sizes_that_the_family_has_not_are_refused(tmp_path):
    """Kernels would read beyond what they are given."""
    path, shape = tmp_path / "other.network", replace(SHAPE, opponent_inputs=9)
    EvolvedNetwork("ashe", shape, GAME_ANEW, np.zeros(shape.genome, np.float32)).save(path)
    with pytest.raises(NetworkDamaged, match="other inputs or outputs"):
        EvolvedNetwork.load(path, ASHE)


GENOMES = {
    "shorter": GENOME[:-1],
    "longer": np.append(GENOME, np.float32(0)),
    "a table": GENOME[np.newaxis],
    "of float64": GENOME.astype(np.float64),
    "of integers": GENOME.view(np.int32),
    "far too large": np.where(np.arange(len(GENOME)) == 0, np.float32(3e38), GENOME),
    "not a number": np.where(np.arange(len(GENOME)) == 0, np.float32(np.nan), GENOME),
    "infinite": np.where(np.arange(len(GENOME)) == 7, np.float32(np.inf), GENOME),
}


@pytest.mark.parametrize("genome", GENOMES.values(), ids=GENOMES)
def test_weights_that_are_none_are_refused(genome, tmp_path):
    """Of another number, of another kind, not finite."""
    path = tmp_path / "other.network"
    EvolvedNetwork("ashe", SHAPE, GAME_ANEW, genome).save(path)
    with pytest.raises(NetworkDamaged, match="weights"):
        EvolvedNetwork.load(path, ASHE)


HOSTILE = (None, True, -1, 4, 2.5, 1e308, 10**400, "", "x", [], {}, [[1]], {"x": 1})


@pytest.mark.parametrize("name", ["family", "shape", "resets", "made"])
def test_other_facts_are_refused(saved, tmp_path, name):
    """Those with a right checksum, too; what is read plays by its sizes."""
    found = load_artifact(saved[0], KIND)
    path = tmp_path / "other.network"
    changed = [{**found.facts, name: wrong} for wrong in HOSTILE]
    changed.append({key: told for key, told in found.facts.items() if key != name})
    if name == "shape":
        sizes = found.facts["shape"]
        changed += [
            {**found.facts, "shape": {**sizes, part: wrong}} for part in sizes for wrong in HOSTILE
        ]
    refused = 0
    for facts in changed:
        save_artifact(path, KIND, facts, found.arrays)
        try:
            read = EvolvedNetwork.load(path, ASHE)
        except NetworkDamaged:
            refused += 1
            continue
        assert (read.family, read.shape) == ("ashe", SHAPE)
        assert read.resets in range(4)
        assert isinstance(read.facts, dict)
    assert refused > len(changed) / 2
