"""Hands settled from betting and cards."""

import pytest

from engine.rules.view import replay_betting
from engine.showdown.hand_values import hand_values
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
HOLES = (parse_cards("7d3d"), parse_cards("2hAc"))
BOARD = parse_cards("5sKs7s9s6h")


@pytest.mark.parametrize(
    ("betting", "values"),
    [
        ("f", (50.0, -50.0)),
        ("cc/cr300f", (-100.0, 100.0)),
        ("r300c/cc/cc/cc", (300.0, -300.0)),
        ("r20000c///", (20000.0, -20000.0)),
    ],
)
def test_folds_and_showdowns(betting, values):
    """Whoever is left takes what the others put in; the sevens beat ace high."""
    assert hand_values(replay_betting(HUNL, betting), HOLES, BOARD) == values


def test_equal_hands_split():
    """The board plays for both."""
    state = replay_betting(HUNL, "r300c/cc/cc/cc")
    board = parse_cards("AsKsQsJsTs")
    assert hand_values(state, HOLES, board) == (0.0, 0.0)


def test_cards_that_nobody_saw_are_not_needed():
    """After a fold no cards are; at a showdown, not those that were folded."""
    assert hand_values(replay_betting(HUNL, "f"), ((), ()), ()) == (50.0, -50.0)
    game = load_builtin("nolimit3")
    state = replay_betting(game, "fcc/cc/cc/cc")
    holes = (*HOLES, parse_cards("AhAd"))
    shown = [() if folded else hole for folded, hole in zip(state.folded, holes, strict=True)]
    assert shown.count(()) == 1
    assert hand_values(state, shown, BOARD) == hand_values(state, holes, BOARD)


def test_a_hand_under_way_has_no_values():
    """Only a finished hand is settled."""
    with pytest.raises(ValueError, match="still to act"):
        hand_values(replay_betting(HUNL, "cc/"), HOLES, BOARD)
