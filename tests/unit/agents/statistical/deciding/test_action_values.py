"""What actions win, looked one answer ahead."""

from dataclasses import replace

import numpy as np
import pytest

from agents.statistical.counting.situations import CALL, FOLD, RAISE
from agents.statistical.deciding.action_values import Showdowns, values_of
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.opponent_range import OpponentRange
from engine.equity.equity import exact_range_equity
from engine.equity.strength import StrengthReader
from engine.hands.cards import COMBOS
from engine.hands.range_text import parse_range
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.decisions import follow
from tests.helpers.views import view_of

HUNL, LIMIT = load_builtin("hunl"), load_builtin("hulhe")
SEEN = StrengthReader()


class Always:
    """Chances that are the same everywhere."""

    def __init__(self, *shares):
        self._shares = shares

    def shares(self, situation):
        return self._shares


def values(view, chances, trust=1.0):
    """By kind; of raises the best."""
    held = OpponentRange(view.hole, SEEN, ActionInterpretation())
    follow(held, view, chances)
    found = values_of(view, held, chances, SEEN.read(view.board), lambda cell: trust)
    return {kind: max(one.chips for one in found if one.kind == kind) for kind, _, _ in found}


@pytest.mark.parametrize("board", ["", "Ts9s2d", "Ts9s2d3c", "Ts9s2d3c4h"])
def test_equity_against_weighted_hands(board):
    """As ranges have it, on every street."""
    other = parse_range("QQ+:0.5,AQs,76s:0.25")
    expected, _ = exact_range_equity(parse_range("AhKh"), other, parse_cards(board))
    street = {0: "", 3: "cc/", 4: "cc/cc/", 5: "cc/cc/cc/"}[len(board) // 2]
    found = Showdowns(view_of(street, "AhKh", board)).equity(other)
    assert found == pytest.approx(expected.equity, abs=1e-12)
    for nobody in (np.zeros(COMBOS), parse_range("AhKh")):
        with pytest.raises(ValueError, match="weight"):
            Showdowns(view_of(street, "AhKh", board)).equity(nobody)


def test_whoever_always_folds_gives_the_pot():
    """Whatever is raised; a fold wins nothing, and is no choice where checking is free."""
    found = values(view_of("", "3h2d"), Always(1.0, 0.0, 0.0))
    assert found[RAISE] == pytest.approx(150)
    assert found[FOLD] == 0
    assert FOLD not in values(view_of("cc/", "3h2d", "AcKdTs"), Always(1.0, 0.0, 0.0))


def test_folds_that_are_not_believed_are_calls():
    """A bluff is worth less by it."""
    view, folding = view_of("cc/", "3h2d", "AcKdTs"), Always(0.9, 0.1, 0.0)
    assert values(view, folding)[RAISE] > values(view, folding, trust=0.2)[RAISE]


@pytest.mark.parametrize("game", [HUNL, LIMIT], ids=["no-limit", "limit"])
def test_the_best_hand_raises_whoever_always_calls(game):
    """And a bad one does not; the largest raise wins most.  A call wins the pot with the nuts."""
    calling = Always(0.0, 1.0, 0.0)
    river = view_of("cc/cc/cc/r19900", "AhAd", "AcAs2s3d4h")
    assert values(river, calling)[CALL] == pytest.approx(20000)
    nuts = values(view_of("cc/", "AhAd", "AcAs2s", game), calling)
    assert nuts[RAISE] > nuts[CALL]
    worst = values(view_of("cc/", "3h2d", "AcKdTs", game), calling)
    assert worst[RAISE] < worst[CALL]


@pytest.mark.parametrize("deep", [(20_000, 500), (500, 20_000)])
def test_chips_that_cannot_be_called_are_not_at_stake(deep):
    """Whoever has more than the other plays as if both had the smaller stack."""
    short = replace(HUNL, stacks=(500, 500))
    uneven = replace(HUNL, stacks=deep)
    calling, answers = Always(0.0, 1.0, 0.0), Always(0.3, 0.4, 0.3)
    for chances in (calling, answers):
        found, expected = (
            values(view_of("cc/cc/cc/", "8h8s", "AcKdTs7h2c", game), chances)
            for game in (uneven, short)
        )
        assert found[RAISE] == pytest.approx(expected[RAISE])
    met, beyond = (
        values(view_of(f"cr{bet}", "AhAd", game=replace(HUNL, stacks=(bet, 500))), Always(0, 1, 0))
        for bet in (500, 20_000)
    )
    assert met[CALL] == pytest.approx(beyond[CALL])


def test_a_raise_again_is_of_what_is_left_behind():
    """Over a bet to 400 it ends with all 4000 chips in, 1900 of them still to come from us."""
    game = replace(HUNL, stacks=(2000, 2000))
    again = Always(0.0, 0.0, 1.0)
    found = values(view_of("cc/cr400", "AhAd", "AcAs2s", game), again)
    assert found[RAISE] == pytest.approx(4000 - 1900, rel=0.01)
