import numpy as np
import pytest

from engine.equity.allin import allin_expectation
from engine.evaluation.lbr_rollouts import chances
from engine.hands.cards import card_bits, live_combos, parse_combo
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")


@pytest.mark.parametrize("board", ["", "7h2c9d", "7h2c9dQs", "7h2c9dQs9c"])
def test_chances_are_those_of_the_exact_enumeration(board):
    """The same numbers as the settlement of all-in hands."""
    hole = parse_cards("AhTh")
    found = chances(hole, parse_cards(board))
    for other in ("AsTd", "9h9s", "KcQc", "3h4h"):
        mean, _ = allin_expectation(
            HUNL, (1, 1), (False, False), (hole, parse_cards(other)), parse_cards(board)
        )
        assert found[parse_combo(other)] == pytest.approx((1 + mean) / 2, abs=1e-12)


@pytest.mark.parametrize("board", ["", "7h2c9d", "7h2c9dQs9c"])
def test_blocked_combos_have_no_chance(board):
    """Cards of the hand or the board cannot be the opponent's."""
    hole = parse_cards("AhTh")
    live = live_combos(card_bits((*hole, *parse_cards(board))))
    found = chances(hole, parse_cards(board))
    assert not found[~live].any()
    assert np.count_nonzero(found[live]) == live.sum() or board  # behind on a full board is 0


@pytest.mark.parametrize(
    ("hole", "board"),
    [("Ah", ""), ("AhTh9h", ""), ("AhTh", "7h"), ("AhTh", "Ah2c9d"), ("AhTh", "7h2c9dQs9c2d")],
)
def test_other_numbers_of_cards_are_refused(hole, board):
    """Two hole cards, and the board of a street."""
    cards = parse_cards(hole), (*parse_cards(board[:4]), *parse_cards(board[4:]))
    with pytest.raises(ValueError):
        chances(*cards)
