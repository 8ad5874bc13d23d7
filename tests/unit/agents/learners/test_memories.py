"""Memories of learners."""

import numpy as np
import pytest

from agents.learners.memories import CHOICE, ReservoirMemory, RingMemory


def rows(*numbers):
    """Rows of these information sets."""
    made = np.zeros(len(numbers), CHOICE)
    made["info_set"] = numbers
    return made


def test_a_ring_has_the_latest_rows():
    """Added in parts of any size, larger than itself too."""
    rng = np.random.default_rng(1)
    memory, plain = RingMemory(10, CHOICE), []
    for size in (3, 0, 4, 5, 25, 9, 10):
        numbers = range(len(plain), len(plain) + size)
        memory.add(rows(*numbers), rng)
        plain += numbers
        assert sorted(memory.rows["info_set"]) == plain[-10:]
        assert memory.met == len(plain)


def test_a_reservoir_has_an_even_sample():
    """Each of 60 rows stays in a sixth of the runs, whatever the parts they came in."""
    counts = np.zeros(60)
    runs = 3000
    rng = np.random.default_rng(2)
    for _ in range(runs):
        memory = ReservoirMemory(10, CHOICE)
        for first, last in ((0, 4), (4, 17), (17, 18), (18, 60)):
            memory.add(rows(*range(first, last)), rng)
        assert len(memory) == 10
        assert len(set(memory.rows["info_set"])) == 10
        counts[memory.rows["info_set"]] += 1
    share = 1 / 6
    assert np.abs(counts / runs - share).max() < 4.5 * (share * (1 - share) / runs) ** 0.5


def test_samples_come_from_what_is_remembered():
    """Not from rows that were only reserved."""
    rng = np.random.default_rng(3)
    memory = RingMemory(100, CHOICE)
    memory.add(rows(5, 6, 7), rng)
    assert set(memory.sample(200, rng)["info_set"]) == {5, 6, 7}


@pytest.mark.parametrize("kind", [RingMemory, ReservoirMemory])
def test_a_memory_is_restored(kind):
    """And adds as the first one would."""
    rng = np.random.default_rng(4)
    memory, copy = kind(10, CHOICE), kind(10, CHOICE)
    memory.add(rows(*range(25)), rng)
    copy.restore("it", memory.arrays("it"))
    for both in (memory, copy):
        both.add(rows(*range(40, 60)), np.random.default_rng(5))
    assert (memory.rows == copy.rows).all()
    assert memory.met == copy.met == 45


def test_a_damaged_state_is_refused():
    """Missing columns, other sizes, impossible counts."""
    memory = RingMemory(10, CHOICE)
    memory.add(rows(1, 2), np.random.default_rng(6))
    good = memory.arrays("it")
    with pytest.raises(KeyError):
        memory.restore("it", {name: good[name] for name in good if name != "it.action"})
    for change in ({"it.met": np.array(-1)}, {"it.met": np.array(3)}):
        with pytest.raises(ValueError, match="it"):
            memory.restore("it", good | change)
