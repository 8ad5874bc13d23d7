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


def check(context, **expected):
    """Compare some features; names with blanks are written with underscores."""
    found = {name: context[name.replace("_", " ")] for name in expected}
    assert found == pytest.approx(expected)


def test_a_no_limit_hand_worked_by_hand():
    """Blinds 100 and 50: the button raises to 300, is called, bets 600 - 300 after a check."""
    check(
        seen(""),
        flop=0,
        no_raise=1,
        pot_odds=50 / 200,
        bet=0.25,
        stack=(19900 / 150) / (1 + 19900 / 150),
        pot=math.log2(1.5) / 10,
        own_share=50 / 150,
        bets=0.5,
        checked_to=0,
        last_to_act=1,
        players=0.2,
        to_act=0.1,
        may_fold=1,
        may_raise=1,
        ace=0,
    )
    check(
        seen("r300"),
        no_raise=0,
        one_raise=1,
        pot_odds=200 / 600,
        bet=0.5,
        bets=1,
        committed=0,
        faced_bet=0,
        last_to_act=0,
        to_act=0,
    )
    check(
        seen("r300c/", BOARD),
        flop=1,
        no_raise=1,
        pot_odds=0,
        bet=0,
        own_share=0.5,
        bets=0.5,
        faced_bet=1,
        raised_last=0,
        led_street_before=0,
        other_led_street_before=1,
        may_fold=0,
        to_act=0.1,
    )
    check(
        seen("r300c/c", BOARD),
        checked_to=1,
        raised_last=1,
        faced_bet=1,
        led_street_before=1,
        other_led_street_before=0,
        to_act=0,
    )
    check(
        seen("r300c/cr600", BOARD),
        one_raise=1,
        pot_odds=300 / 1200,
        bet=0.25,
        bets=2 / 3,
        committed=0,
        checked_to=0,
        may_fold=1,
    )
    with pytest.raises(ValueError, match="the hand is over"):
        seen("r300c/cr600f", BOARD)


def test_limit_hands_and_their_cap():
    """After the last raise that is allowed nobody may raise; stacks without end are 1."""
    limit = load_builtin("hulhe")
    assert seen("", game=limit)["no-limit"] == 0
    check(seen("", game=limit), stack=1, may_raise=1, pot_odds=5 / 20)
    check(seen("rrr", game=limit), more_raises=1, may_raise=0, committed=1, raised_last=1)


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


def test_what_cannot_be_described_is_refused():
    """A board that is too short."""
    with pytest.raises(ValueError, match=r"\b2\b.*street 1"):
        seen("cc/", BOARD[:2])
