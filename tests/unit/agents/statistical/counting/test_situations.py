"""Hands, decision by decision."""

import pytest

from agents.statistical.counting.situations import (
    CALL,
    CELLS,
    FOLD,
    RAISE,
    actions_of,
    bet_size_of,
    cell_of,
)
from engine.rules.view import replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL, LIMIT = load_builtin("hunl"), load_builtin("hulhe")
BOARD = parse_cards("3h4cJhKs9c")


def test_cells_are_streets_by_raises():
    """Twelve cells; more than one raise is one cell."""
    assert [cell_of(street, raises) for street in range(4) for raises in range(3)] == [
        *range(CELLS)
    ]
    assert cell_of(2, 7) == cell_of(2, 2) == 8


@pytest.mark.parametrize(
    ("to_call", "pot", "size"),
    [(0, 200, 0), (50, 150, 1), (100, 200, 2), (200, 300, 3), (900, 1000, 4)],
)
def test_sizes_of_raises(to_call, pot, size):
    """By chips to call as a share of the pot before them."""
    assert bet_size_of(to_call, pot) == size


def told(betting, position):
    """What one position did: button, cell, kind, size of the bet that it answered, street."""
    state = replay_betting(HUNL, betting)
    return [
        (one.situation.button, one.cell, one.kind, one.situation.size, one.situation.state.street)
        for one in actions_of(state, BOARD)
        if one.actor == position
    ]


def test_actions_with_cell_position_and_size():
    """Of the button (position 1 of this game), and of the big blind."""
    betting = "r250r750c/cr1500c/cc/r3000r6000f"
    assert told(betting, 1) == [
        (True, cell_of(0, 0), RAISE, 0, 0),
        (True, cell_of(0, 2), CALL, 2, 0),
        (True, cell_of(1, 0), RAISE, 0, 1),
        (True, cell_of(2, 0), CALL, 0, 2),
        (True, cell_of(3, 1), RAISE, 1, 3),
    ]
    assert told(betting, 0) == [
        (False, cell_of(0, 1), RAISE, 2, 0),
        (False, cell_of(1, 0), CALL, 0, 1),
        (False, cell_of(1, 1), CALL, 1, 1),
        (False, cell_of(2, 0), CALL, 0, 2),
        (False, cell_of(3, 0), RAISE, 0, 3),
        (False, cell_of(3, 2), FOLD, 1, 3),
    ]


def test_only_new_actions_are_wanted():
    """A hand that is followed from message to message; each has the board of its street."""
    earlier, later = (replay_betting(HUNL, betting) for betting in ("r250c/", "r250c/cr400c/c"))
    whole = actions_of(later, BOARD)
    assert [*actions_of(earlier, BOARD), *actions_of(later, BOARD, since=2)] == whole
    assert actions_of(later, BOARD, since=6) == []
    assert [len(one.situation.board) for one in whole] == [0, 0, 3, 3, 3, 4]


def test_sizes_of_raises_and_stacks():
    """300 - 100 into 200 after the call; 19 900 of 20 000 left, 230 of the 240 of a limit hand."""
    first, second = actions_of(replay_betting(HUNL, "r300c/"), ())
    assert (first.raised, second.raised) == (200 / 200, 0)
    assert (first.stack, second.stack) == (19_950 / 20_000, 19_900 / 20_000)
    assert actions_of(replay_betting(LIMIT, "rr"), ())[1].stack == 230 / 240
