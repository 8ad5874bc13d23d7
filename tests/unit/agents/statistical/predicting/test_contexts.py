"""Decisions as everybody at the table sees them."""

import math

import numpy as np
import pytest

from agents.statistical.counting.habits import habits_of_cell
from agents.statistical.counting.situations import ACTIONS, CELLS, RAISE, situation_of
from agents.statistical.predicting.contexts import FEATURES, context_of, texture
from engine.rules.state import HandState
from engine.rules.view import replay_betting
from protocol.actions import CALL, raise_to
from protocol.actions import RAISE as LIMIT_RAISE
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
BOARD = parse_cards("AhKh7h")


def context(state, board, counts=None):
    """The context of the next decision."""
    situation = situation_of(state, board)
    counts = np.zeros((CELLS, ACTIONS), np.int64) if counts is None else counts
    return context_of(situation, habits_of_cell(counts, situation.cell))


def seen(betting, board=(), counts=None, game=HUNL):
    """The same by name."""
    state = replay_betting(game, betting)
    return dict(zip(FEATURES, context(state, board, counts).tolist(), strict=True))


def check(context, expected):
    """Compare some features."""
    assert {name: context[name] for name in expected} == pytest.approx(expected)


STEPS = {
    ("", 0): {
        **{"flop": 0, "no raise": 1, "pot odds": 50 / 200, "bet": 0.25, "ace": 0, "players": 0.2},
        **{"stack": (19900 / 150) / (1 + 19900 / 150), "pot": math.log2(1.5) / 10, "bets": 0.5},
        **{"own share": 50 / 150, "checked to": 0, "last to act": 1, "to act": 0.1},
        **{"may fold": 1, "may raise": 1},
    },
    ("r300", 0): {
        **{"no raise": 0, "one raise": 1, "pot odds": 200 / 600, "bet": 0.5, "bets": 1},
        **{"committed": 0, "faced bet": 0, "last to act": 0, "to act": 0},
    },
    ("r300c/", 3): {
        **{"flop": 1, "no raise": 1, "pot odds": 0, "bet": 0, "own share": 0.5, "bets": 0.5},
        **{"faced bet": 1, "raised last": 0, "may fold": 0, "to act": 0.1},
        **{"led street before": 0, "other led street before": 1},
    },
    ("r300c/c", 3): {
        **{"checked to": 1, "raised last": 1, "faced bet": 1, "to act": 0},
        **{"led street before": 1, "other led street before": 0},
    },
    ("r300c/cr600", 3): {
        **{"one raise": 1, "pot odds": 300 / 1200, "bet": 0.25, "bets": 2 / 3, "committed": 0},
        **{"checked to": 0, "may fold": 1},
    },
}
"""Betting and cards of the board -> features, worked out by hand."""


@pytest.mark.parametrize("step", STEPS)
def test_a_no_limit_hand_worked_by_hand(step):
    """Blinds 100 and 50: the button raises to 300, is called, bets 600 - 300 after a check."""
    betting, cards = step
    check(seen(betting, BOARD[:cards]), STEPS[step])


def test_what_cannot_be_described_is_refused():
    """A hand that is over, a board that is too short."""
    with pytest.raises(ValueError, match="the hand is over"):
        seen("r300c/cr600f", BOARD)
    with pytest.raises(ValueError, match=r"\b2\b.*street 1"):
        seen("cc/", BOARD[:2])


def test_limit_hands_and_their_cap():
    """After the last raise that is allowed nobody may raise; stacks without end are 1."""
    limit = load_builtin("hulhe")
    first = {"no-limit": 0, "stack": 1, "may raise": 1, "pot odds": 5 / 20}
    check(seen("", game=limit), first)
    last = {"more raises": 1, "may raise": 0, "committed": 1, "raised last": 1}
    check(seen("rrr", game=limit), last)


def test_the_shares_of_the_player_go_in():
    """The last six features are those of the counters, in the cell of the decision."""
    counts = np.zeros((CELLS, ACTIONS), np.int64)
    counts[0, RAISE] = 6
    found = seen("", (), counts)
    assert [found[name] for name in FEATURES[-6:]] == pytest.approx(habits_of_cell(counts, 0))


def test_all_numbers_lie_within_0_and_1_for_any_number_of_players():
    """Whoever acts, however often is raised."""
    random = np.random.default_rng(5)
    for name in ("hunl", "hulhe", "nolimit6", "limit3"):
        for _ in range(20):
            state = HandState.start(load_builtin(name))
            while not state.over:
                found = context(state, parse_cards("2c3d4hKsKc"))
                assert found.dtype == np.float32
                assert ((found >= 0) & (found <= 1)).all()
                legal = state.raise_range()
                if legal is not None and random.random() < 0.4:
                    size = int(random.integers(legal[0], legal[1] + 1))
                    state = state.apply(raise_to(size) if state.game.no_limit else LIMIT_RAISE)
                else:
                    state = state.apply(CALL)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("", (0, 0, 0, 0, 0, 0, 0)),
        ("AhKh7h", (1, 0, 0, 0, 1, 1, 2 / 3)),
        ("2c2d9c", (0, 1, 1, 0, 0, 0, 0)),
        ("Ac3d5h", (0, 0, 0, 1, 1, 0, 1 / 3)),
        ("9cTdKh2s", (0, 0, 0, 1, 0, 1, 1 / 4)),
        ("9cTd2h3s", (0, 0, 0, 0, 0, 0, 0)),
        ("4c4d9h9sQs", (0, 0, 1, 0, 0, 0, 1 / 5)),
    ],
)
def test_textures_of_boards(cards, expected):
    """Flush possible, two of a suit, paired, straight possible, ace, king, share of high cards."""
    assert texture(parse_cards(cards)) == pytest.approx(expected)
