from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest

from engine.hands.cards import COMBO_CARDS
from engine.hands.isomorphism import CanonicalIndex

SIZES = {
    (2,): 169,
    (2, 3): 1_286_792,
    (2, 3, 1): 55_190_538,
    (2, 3, 1, 1): 2_428_287_420,
    (2, 4): 13_960_050,
    (2, 5): 123_156_254,
    (3,): 1_755,
    (4,): 16_432,
    (5,): 134_459,
    (3, 1): 63_193,
    (3, 1, 1): 2_554_656,
    (2, 2): 93_769,
}
"""The first four as published with the idea; all follow from counting orbits of the 24 renamings
(`test_sizes_follow_from_counting_fixed_deals`)."""
SMALL = [(2,), (2, 3), (3,), (4,), (5,), (3, 1), (2, 2)]
CHUNK = 1 << 20


index_of = cache(CanonicalIndex)


def all_deals(groups):
    """Return how many deals there are."""
    free, deals = 52, 1
    for cards in groups:
        deals *= comb(free, cards)
        free -= cards
    return deals


def fixed_deals(groups, cycle_lengths):
    """Return how many deals a renaming leaves alone, by the lengths of its cycles of suits.

    Such a deal has, in each group and rank, all suits of a cycle or none.
    """
    coefficients = {(0,) * len(groups): 1}
    for length in cycle_lengths:
        for _ in range(13):
            more = dict(coefficients)
            for held, ways in coefficients.items():
                for g in range(len(groups)):
                    key = (*held[:g], held[g] + length, *held[g + 1 :])
                    if key[g] <= groups[g]:
                        more[key] = more.get(key, 0) + ways
            coefficients = more
    return coefficients.get(tuple(groups), 0)


@pytest.mark.parametrize("groups", [*SIZES, (1, 1, 1, 1), (2, 1, 1, 1), (1, 2), (7,), (3, 2, 2)])
def test_sizes_follow_from_counting_fixed_deals(groups):
    """Burnside: the mean over all renamings of the deals they leave alone."""
    renamings = [((1, 1, 1, 1), 1), ((2, 1, 1), 6), ((2, 2), 3), ((3, 1), 8), ((4,), 6)]
    fixed = sum(many * fixed_deals(groups, lengths) for lengths, many in renamings)
    assert index_of(groups).size * 24 == fixed


@pytest.mark.parametrize("groups", SMALL)
def test_every_class_has_a_deal_that_leads_back(groups):
    """Class to cards to class, for all classes."""
    index = index_of(groups)
    classes = np.arange(index.size)
    assert (index.index(index.cards(classes)) == classes).all()


@pytest.mark.parametrize("groups", SMALL)
def test_classes_share_out_all_deals(groups):
    """The deals that the classes stand for add up to all there are."""
    index = index_of(groups)
    assert int(index.deals(np.arange(index.size)).sum(dtype=np.int64)) == all_deals(groups)


def test_every_flop_dealt_to_every_hand_falls_into_its_class():
    """All 25 989 600: each class is hit exactly as often as it says."""
    index = index_of((2, 3))
    hits = np.zeros(index.size, np.int64)
    boards = np.array(list(combinations(range(50), 3)), np.int16)
    cards = np.empty((len(boards), 5), np.uint8)
    ones = np.ones(len(boards), np.int64)
    for high, low in COMBO_CARDS.astype(np.int16):
        cards[:, 0], cards[:, 1] = high, low
        cards[:, 2:] = boards + (boards >= low) + (boards + 1 >= high)
        np.add.at(hits, index.index(cards), ones)
    assert (hits == index.deals(np.arange(index.size))).all()


def test_every_board_falls_into_its_class():
    """All 2 598 960 boards of five cards."""
    index = index_of((5,))
    boards = np.array(list(combinations(range(52), 5)), np.uint8)
    hits = np.bincount(index.index(boards), minlength=index.size)
    assert (hits == index.deals(np.arange(index.size))).all()


@pytest.mark.parametrize("groups", SIZES)
def test_cards_of_a_class_are_in_order(groups):
    """The highest card of each group comes first."""
    index = index_of(groups)
    cards = index.cards(np.random.default_rng(6).integers(0, index.size, 2000)).astype(int)
    start = 0
    for size in groups:
        assert (np.diff(cards[:, start : start + size]) < 0).all()
        start += size


def test_no_deals():
    """Nothing in, nothing out."""
    index = index_of((2,))
    assert index.index(np.empty((0, 2), np.uint8)).shape == (0,)
    assert index.cards(np.empty(0, np.int64)).shape == (0, 2)
    assert index.deals(np.empty(0, np.int64)).shape == (0,)


def test_strided_and_read_only_arrays_are_fine():
    """Arrays need not be laid out as the kernels want them."""
    index = index_of((2,))
    deals = np.random.default_rng(7).permuted(
        np.tile(np.arange(52, dtype=np.uint8), (9, 1)), axis=1
    )
    deals.flags.writeable = False
    assert (index.index(deals[:, :2]) == index.index(deals[:, :2].copy())).all()
    classes = np.arange(169)
    classes.flags.writeable = False
    assert (index.cards(classes[::2]) == index.cards(classes)[::2]).all()


@pytest.mark.parametrize("groups", [(), (0,), (2, 0, 1), (-1, 3), (8,), (2, 3, 3)])
def test_refuses_groups(groups):
    """At most seven cards, and no group without any."""
    with pytest.raises(ValueError, match="groups"):
        CanonicalIndex(groups)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (np.zeros((1, 5), np.int64), "uint8"),
        (np.zeros((1, 4), np.uint8), r"\(N, 5\)"),
        (np.zeros(5, np.uint8), r"\(N, 5\)"),
        (np.array([[0, 1, 2, 3, 52]], np.uint8), "52 is no card"),
        (np.array([[0, 1, 2, 3, 4], [7, 9, 9, 1, 2]], np.uint8), "row 1 names a card twice"),
        (np.array([[7, 9, 1, 2, 7]], np.uint8), "row 0 names a card twice"),
    ],
)
def test_refuses_cards(cards, message):
    """Cards that cannot be dealt are named, not numbered."""
    with pytest.raises(ValueError, match=message):
        index_of((2, 3)).index(cards)


@pytest.mark.parametrize("method", ["cards", "deals"])
@pytest.mark.parametrize(
    "classes", [np.array([169]), np.array([-1]), np.array([[1]]), np.array([1], np.int32)]
)
def test_refuses_classes(method, classes):
    """There are 169 classes of hole cards, as int64."""
    with pytest.raises(ValueError, match="classes"):
        getattr(index_of((2,)), method)(classes)


@pytest.mark.slow
@pytest.mark.parametrize("groups", [(2, 3, 1), (2, 4), (2, 5), (3, 1, 1)])
def test_every_class_of_later_streets_leads_back(groups):
    """55 190 538 turns in order, 13 960 050 and 123 156 254 with boards as sets."""
    index = index_of(groups)
    deals = 0
    for first in range(0, index.size, CHUNK):
        classes = np.arange(first, min(first + CHUNK, index.size))
        assert (index.index(index.cards(classes)) == classes).all()
        deals += int(index.deals(classes).sum(dtype=np.int64))
    assert deals == all_deals(groups)


@pytest.mark.slow
def test_many_rivers_lead_back():
    """A million-class window every so often out of 2 428 287 420."""
    index = index_of((2, 3, 1, 1))
    for first in range(0, index.size, 97 * CHUNK):
        classes = np.arange(first, min(first + CHUNK, index.size))
        assert (index.index(index.cards(classes)) == classes).all()
