"""Flops spread evenly over their classes."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from engine.deals.stratified import stratified_flops

FLOPS = 22100


def classes_of(flops):
    """Return for each of (N, 3) flops the smallest that it becomes by renaming suits, as a number.

    Obvious: all 24 ways are tried.
    """
    flops = np.asarray(flops, np.int64)
    ways = [
        np.sort(flops // 4 * 4 + np.array(suits)[flops % 4], axis=1) @ [52 * 52, 52, 1]
        for suits in permutations(range(4))
    ]
    return np.min(ways, axis=0).tolist()


@pytest.fixture(scope="module")
def sizes():
    """How many flops each class has, counted one by one."""
    return Counter(classes_of(list(combinations(range(52), 3))))


@pytest.mark.parametrize("count", [1, 100, 5000])
def test_each_class_comes_up_as_often_as_it_should_or_once_more(sizes, count):
    """Floor or ceil of its share of all flops."""
    flops = stratified_flops(count, 3)
    assert (flops.shape, flops.dtype) == ((count, 3), np.uint8)
    assert all(len(set(flop)) == 3 for flop in flops.tolist())
    found = Counter(classes_of(flops))
    assert len(sizes) == 1755
    for name, size in sizes.items():
        assert count * size // FLOPS <= found[name] <= -(-count * size // FLOPS)


def test_all_flops_and_orders_of_a_class_are_drawn():
    """Suits are renamed and cards shuffled: every ordered flop is as likely as any other one."""
    flops = stratified_flops(4 * FLOPS, 1)
    drawn = np.unique(np.sort(flops, axis=1), axis=0)
    assert len(drawn) > 0.95 * FLOPS
    counts = np.bincount(flops[:, 0], minlength=52)
    assert np.abs(counts / len(flops) * 52 - 1).max() < 0.1


def test_the_same_seed_draws_the_same():
    """And another one others, in another order."""
    assert np.array_equal(stratified_flops(50, 3), stratified_flops(50, 3))
    assert not np.array_equal(stratified_flops(50, 3), stratified_flops(50, 4))
    with pytest.raises(ValueError, match="want one or more"):
        stratified_flops(0, 1)
