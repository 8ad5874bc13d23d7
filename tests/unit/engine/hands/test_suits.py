"""Exchanges of suits: what they do to cards and combos, and which of them are symmetries."""

import numpy as np
import pytest

from engine.hands.cards import COMBO_CARDS, combo_of
from engine.hands.range_text import parse_range
from engine.hands.suits import (
    CARD_SWAPS,
    COMBO_SWAPS,
    SUIT_SWAPS,
    board_symmetries,
    inverse,
    range_symmetries,
)
from protocol.cards import parse_cards

ALL = range(24)


def test_every_order_of_suits_comes_once_and_the_first_changes_nothing():
    """24 of them, 0 the identity for suits, cards and combos."""
    assert len({tuple(order) for order in SUIT_SWAPS.tolist()}) == 24
    for table in (SUIT_SWAPS, CARD_SWAPS, COMBO_SWAPS):
        assert table[0].tolist() == list(range(table.shape[1]))
        assert not table.flags.writeable


@pytest.mark.parametrize("swap", ALL)
def test_cards_keep_their_rank_and_combos_follow_their_cards(swap):
    """A card takes the new suit, a combo the new cards."""
    for card in range(52):
        assert CARD_SWAPS[swap, card] == 4 * (card // 4) + SUIT_SWAPS[swap, card % 4]
    for combo in range(0, 1326, 7):
        high, low = (int(CARD_SWAPS[swap, card]) for card in COMBO_CARDS[combo])
        assert COMBO_SWAPS[swap, combo] == combo_of(high, low)


@pytest.mark.parametrize("swap", ALL)
def test_the_inverse_undoes_an_exchange(swap):
    """One after the other leaves every card and combo as it was."""
    back = inverse(swap)
    assert CARD_SWAPS[back][CARD_SWAPS[swap]].tolist() == list(range(52))
    assert COMBO_SWAPS[back][COMBO_SWAPS[swap]].tolist() == list(range(1326))


@pytest.mark.parametrize(
    ("board", "count"),
    [("", 24), ("AsKsQs", 6), ("AsAhKd", 2), ("AsAhKsKh", 4), ("AsAhAdAc", 24), ("AsKhQd", 1)],
)
def test_symmetries_map_the_board_to_itself(board, count):
    """As many as leave the set of cards alone, the identity first."""
    cards = parse_cards(board)
    found = board_symmetries(cards)
    assert len(found) == count
    assert found[0] == 0
    for swap in ALL:
        kept = {int(CARD_SWAPS[swap, card]) for card in cards} == set(cards)
        assert (swap in found) == kept


def test_range_symmetries_leave_all_ranges_as_they_are():
    """A suit that one range treats differently breaks those that move it."""
    plain = parse_range("QQ+,AKs").astype(np.float64)
    spades = parse_range("QQ+,AKs,AsKs:0.5").astype(np.float64)
    assert range_symmetries(ALL, plain[None]) == tuple(ALL)
    kept = range_symmetries(ALL, np.stack((plain, spades)))
    assert kept == tuple(swap for swap in ALL if SUIT_SWAPS[swap, 3] == 3)
