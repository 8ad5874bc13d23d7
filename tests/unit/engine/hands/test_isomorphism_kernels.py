import numpy as np
import pytest

from engine.compiled.jit import kernel
from engine.hands.isomorphism import CanonicalIndex
from engine.hands.isomorphism_kernels import (
    SCRATCH,
    cards_of_class,
    class_of_cards,
    class_of_suits,
    clear_suits,
    deal_group,
)

STREETS = [(2,), (2, 3), (2, 3, 1), (2, 3, 1, 1)]


@kernel
def street_by_street(preflop, flop, turn, river, suits, cards, classes):
    """Index a hand on all streets, each going on from the one before."""
    clear_suits(suits)
    deal_group(preflop, suits, 0, cards, 0, 2)
    classes[0] = class_of_suits(preflop, suits)
    deal_group(flop, suits, 1, cards, 2, 5)
    classes[1] = class_of_suits(flop, suits)
    deal_group(turn, suits, 2, cards, 5, 6)
    classes[2] = class_of_suits(turn, suits)
    deal_group(river, suits, 3, cards, 6, 7)
    classes[3] = class_of_suits(river, suits)


@kernel
def there_and_back(tables, suits, cards, out):
    """Index a deal and write the deal of its class."""
    index = class_of_cards(tables, suits, cards)
    cards_of_class(tables, suits, index, out)
    return index


@pytest.fixture(scope="module")
def indices():
    """The four streets."""
    return [CanonicalIndex(groups) for groups in STREETS]


@pytest.fixture(scope="module")
def hands():
    """Random hands of seven cards."""
    deck = np.tile(np.arange(52, dtype=np.uint8), (500, 1))
    return np.random.default_rng(8).permuted(deck, axis=1)[:, :7].copy()


def test_a_later_street_goes_on_from_an_earlier_one(indices, hands):
    """The same scratch, group after group, gives what indexing all cards anew gives."""
    suits = np.empty(SCRATCH, np.int64)
    classes = np.empty((len(hands), 4), np.int64)
    for hand, row in zip(hands, classes, strict=True):
        street_by_street(*(index.tables for index in indices), suits, hand, row)
    for street, index in enumerate(indices):
        assert (classes[:, street] == index.index(hands[:, : sum(index.groups)])).all()


def test_calls_from_a_kernel_agree_with_the_checked_ones(indices, hands):
    """Both directions within one kernel, whatever the scratch held before."""
    index = indices[3]
    suits = np.full(SCRATCH, -1, np.int64)
    out = np.empty(7, np.uint8)
    for hand, want in zip(hands, index.index(hands), strict=True):
        assert there_and_back(index.tables, suits, hand, out) == want
        assert (out == index.cards(np.array([want]))[0]).all()
