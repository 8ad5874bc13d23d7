"""The ranks of all combos on one board."""

import numpy as np
import pytest

from engine.hands.cards import COMBO_CARDS, COMBOS, card_bits, live_combos
from engine.showdown.board_ranks import board_ranks
from engine.showdown.ranks import ranks
from protocol.cards import parse_cards

BOARDS = [
    "AsKd7h",
    "AsKsQs",
    "2c2d2h",
    "4s5s6s7h",
    "9c9d9h9s",
    "AhTh8h2h",
    "AsKdQhJcTs",
    "2c4c6c8c9d",
]
SUITED = ["2c4c6c8cTc", "5s6s7s8s9s", "AhKhQhJhTh"]


def expected(board):
    """One evaluation per combo."""
    rows = np.empty((COMBOS, 2 + len(board)), np.uint8)
    rows[:, :2] = COMBO_CARDS
    rows[:, 2:] = board
    live = live_combos(card_bits(board))
    found = np.zeros(COMBOS, np.uint16)
    found[live] = ranks(rows[live])
    return found


@pytest.mark.parametrize("text", BOARDS + SUITED)
def test_every_combo_has_the_rank_of_its_cards(text):
    """With no flush, a few, or one on the board; 0 for blocked combos."""
    board = parse_cards(text)
    found = board_ranks(board)
    assert found.dtype == np.uint16
    np.testing.assert_array_equal(found, expected(board))


def test_random_boards():
    """Of each size."""
    rng = np.random.default_rng(11)
    for size in (3, 4, 5) * 40:
        board = rng.choice(52, size, replace=False).tolist()
        np.testing.assert_array_equal(board_ranks(board), expected(board))


@pytest.mark.parametrize("text", ["", "AsKd", "AsKdAs", "AsKd7h2c3c4c"])
def test_what_is_no_board_is_refused(text):
    """Too few cards, too many, one twice."""
    with pytest.raises(ValueError):
        board_ranks(parse_cards(text))
