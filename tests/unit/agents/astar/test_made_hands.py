"""Straights and flushes that can be held, against dealing out every hand."""

from itertools import combinations

import numpy as np
import pytest

from agents.astar.play.made_hands_kernels import straight_or_flush
from agents.astar.play.senses_kernels import pairs_on

RANKS = "23456789TJQKA"


def cards(text):
    """Card numbers of cards in words."""
    return [4 * RANKS.index(text[at]) + "cdhs".index(text[at + 1]) for at in range(0, len(text), 2)]


def share_by_hand(hole, board):
    """Deal every hand that nobody else holds."""
    left = [card for card in range(52) if card not in (*hole, *board)]
    made = 0
    for held in combinations(left, 2):
        seen = [*held, *board]
        ranks = {card // 4 for card in seen} | ({-1} if any(c // 4 == 12 for c in seen) else set())
        straight = any({low, low + 1, low + 2, low + 3, low + 4} <= ranks for low in range(-1, 9))
        flush = any(sum(card % 4 == suit for card in seen) >= 5 for suit in range(4))
        made += straight or flush
    return made / (len(left) * (len(left) - 1) / 2)


@pytest.mark.parametrize("street", [1, 2, 3])
def test_shares_are_those_of_all_hands(street):
    """On random boards, and with cards to come left out."""
    rng = np.random.default_rng(street)
    for _ in range(12):
        dealt = rng.permutation(52)[: 4 + street].tolist()
        hole, board = dealt[:2], dealt[2:]
        padded = np.array(board + [-1] * (5 - len(board)))
        assert straight_or_flush(np.array(hole), padded) == pytest.approx(
            share_by_hand(hole, board), abs=1e-12
        )


@pytest.mark.parametrize(
    "board", ["2c3c4c5c6c", "TsJsQsKsAs", "AsAh2c3d4h", "5s5h5c5d6s", "7h8h9hThJd", "AdKd2d3dQd"]
)
def test_boards_that_are_special(board):
    """Straights and flushes on the board, wheels, four of a kind."""
    hole = [card for card in cards("8c8d") if card not in cards(board)]
    found = straight_or_flush(np.array(hole), np.array(cards(board)))
    assert found == pytest.approx(share_by_hand(hole, cards(board)), abs=1e-12)
    assert straight_or_flush(np.array(hole), np.full(5, -1)) == 0


@pytest.mark.parametrize(
    ("board", "pairs"), [("2c3c4c5c6c", 0), ("2c2d4c5c6c", 1), ("2c2d4c4d6c", 2), ("2c2d2h4c4d", 2)]
)
def test_pairs_on_the_board(board, pairs):
    """Ranks that are there more than once."""
    assert pairs_on(np.array(cards(board))) == pairs
    assert pairs_on(np.array([*cards(board[:4]), -1, -1, -1])) == (board[0] == board[2])
