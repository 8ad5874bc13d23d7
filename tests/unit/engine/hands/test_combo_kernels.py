"""Combos in compiled code."""

import numpy as np
import pytest

from engine.compiled.jit import kernel
from engine.hands.cards import COMBO_CARDS, COMBOS, card_bits
from engine.hands.combo_kernels import MASKS, card_set, combo_at


@kernel
def fill(first, second, out):
    """Find the combos of many pairs of cards."""
    for n in range(len(out)):
        out[n] = combo_at(first[n], second[n])


@pytest.mark.parametrize("first", [np.uint8, np.int64, np.uint64])
@pytest.mark.parametrize("second", [np.uint8, np.int64])
def test_every_pair_of_cards_has_its_number(first, second):
    """In either order and of any types: small ones do not overflow."""
    high, low = COMBO_CARDS.T
    found = np.empty((2, COMBOS), np.int64)
    fill(high.astype(first), low.astype(second), found[0])
    fill(low.astype(first), high.astype(second), found[1])
    np.testing.assert_array_equal(found, [np.arange(COMBOS)] * 2)


@kernel
def set_of(cards):
    """Return a set of cards."""
    return card_set(cards)


@pytest.mark.parametrize("cards", [(), (0,), (51, 3, 31, 32), range(52)])
def test_sets_of_cards_are_those_of_plain_code(cards):
    """Up to the highest bit, which no narrow integer holds."""
    assert set_of(np.array(cards, np.uint8)) == card_bits(cards)


def test_masks_of_combos_are_the_sets_of_their_cards():
    """Signed, as the results of shifts in kernels are."""
    assert MASKS.dtype == np.int64
    assert MASKS.tolist() == [set_of(pair) for pair in COMBO_CARDS]
