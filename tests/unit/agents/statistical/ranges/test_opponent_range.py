"""The opponent's weights along a hand."""

import numpy as np
import pytest

from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.situations import (
    FOLD,
    RAISE,
    situation_of,
)
from agents.statistical.measuring.variants import PatentInterpretation
from agents.statistical.predicting.action_chances import (
    GenericChances,
    PredictedChances,
)
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.predicting.predictor import FrequencyTable
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.opponent_range import OpponentRange
from agents.statistical.ranges.thresholds import Ramp
from engine.equity.strength import StrengthReader
from engine.hands.cards import parse_combo
from engine.rules.view import PlayerView, replay_betting
from protocol.actions import raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.decisions import acted, follow

HUNL = load_builtin("hunl")
GENERIC = GenericChances()
PLAIN = ActionInterpretation()
BOARD = "3h4cJhKs9c"
STREETS = ("", "3h4cJh", "3h4cJhKs", BOARD)


def spot(betting, position, hole="AdQc", board=None, hand=0):
    """What a position sees after some betting."""
    state = replay_betting(HUNL, betting)
    shown = [(), ()]
    shown[position] = parse_cards(hole)
    cards = parse_cards(STREETS[state.street] if board is None else board)
    return PlayerView(state, hand, position, tuple(shown), cards)


def range_at(betting, position, interpretation=PLAIN, chances=GENERIC):
    """The range of the other one after some betting."""
    view = spot(betting, position)
    held = OpponentRange(view.hole, StrengthReader(), interpretation)
    follow(held, view, chances)
    return held


def after(betting, action):
    """The situation that an action leaves the other one in."""
    return situation_of(replay_betting(HUNL, betting).apply(action), parse_cards(BOARD))


def test_following_in_steps_is_following_at_once():
    """One message after the other, as at a table."""
    steps = ["", "r250", "r250c/", "r250c/c", "r250c/cr400", "r250c/cr400c/r900"]
    held, done = OpponentRange(spot("", 1).hole, StrengthReader(), PLAIN), 0
    for step in steps:
        view = spot(step, 1)
        follow(held, view, GENERIC, since=done)
        done = len(view.history)
    np.testing.assert_array_equal(held.weights.weights, range_at(steps[-1], 1).weights.weights)


def test_dead_cards_go_as_the_board_comes():
    """Our own cards, then the board."""
    left = [range_at(b, 0).weights.possible for b in ("", "cc/", "cc/cc/", "cc/cc/cc/")]
    assert left == [1225, 1081, 1035, 990]


@pytest.mark.parametrize(
    "interpretation", [ActionInterpretation(mirrored=False), PatentInterpretation(mirrored=False)]
)
def test_raises_make_strong_hands_likelier(interpretation):
    """Aces and a set become likelier than what has nothing; the mean strength rises."""
    before = range_at("cc/", 1, interpretation)
    after = range_at("cc/r200c/r500c/r1500", 1, interpretation)
    weights = after.weights.weights
    assert weights[parse_combo("JsJd")] > 3 * weights[parse_combo("7d2d")]
    strengths = StrengthReader()
    means = [
        held.weights.mean_strength(strengths.read(parse_cards(board)))
        for held, board in ((before, STREETS[1]), (after, STREETS[3]))
    ]
    assert means[1] > means[0] + 0.1


def test_the_mirrored_ramp_lowers_what_would_have_raised():
    """Only where it is wanted."""
    aces = parse_combo("AsAh")
    found = {
        mirrored: range_at("r250c/", 1, ActionInterpretation(mirrored=mirrored)).weights
        for mirrored in (0, 1)
    }
    assert found[1].belief()[aces] < 0.7 * found[0].belief()[aces]


def test_a_check_says_nothing_about_folding():
    """Where nothing is to call, hands are not lowered for being weak."""
    held = range_at("cc/c", 1, ActionInterpretation(mirrored=False))
    before = range_at("cc/", 1, ActionInterpretation(mirrored=False))
    np.testing.assert_array_equal(held.weights.weights, before.weights.weights)


def test_counters_change_what_a_raise_means():
    """The raise of whoever raises all the time says less than that of whoever hardly does."""
    strength = {}
    for name, usual in (("maniac", RAISE), ("rock", FOLD)):
        counters = OpponentCounters()
        for _ in range(60):
            counters.add(acted(True, 0, usual))
        held = range_at("r250", 0, chances=counters)
        strength[name] = held.weights.mean_strength(StrengthReader().read(()))
    assert strength["rock"] > strength["maniac"] + 0.1


def test_a_predictor_can_take_the_place_of_the_counters():
    """Anything that gives chances for a context: here a table of frequencies."""
    counts = np.zeros((12, 3), np.int64)
    counts[:, FOLD] = 1000
    tight = PredictedChances(FrequencyTable(counts), OpponentCounters())
    strengths = StrengthReader().read(())
    tightly = range_at("r250", 0, chances=tight).weights.mean_strength(strengths)
    assert tightly > range_at("r250", 0).weights.mean_strength(strengths)


def test_generic_chances_are_those_of_the_legal_actions():
    """2:5:3, and 5:3 where folding is none."""
    seen = []

    class Spy:
        def shares(self, situation):
            seen.append(GENERIC.shares(situation))
            return seen[-1]

    range_at("r250c/cc/", 1, chances=Spy())
    assert seen == [pytest.approx((0.2, 0.5, 0.3)), pytest.approx((0, 0.625, 0.375))]


def test_shown_hands_may_give_the_ramp():
    """In strengths, in the place of that by shares; where there is none the shares go on."""

    def shown(cell, action):
        return Ramp(0.8, 0.1) if action == RAISE else None

    told = range_at("r250r750", 1, ActionInterpretation(shown=shown))
    strengths = StrengthReader().read(())
    weights = told.weights.weights[told.weights.live]
    expected = Ramp(0.8, 0.1).rising(strengths[told.weights.live])
    np.testing.assert_allclose(weights, expected)


@pytest.mark.parametrize(
    "interpretation",
    [
        ActionInterpretation(),
        ActionInterpretation(mirrored=False, blur=0.4),
        PatentInterpretation(),
        ActionInterpretation(shown=lambda cell, action: Ramp(0.8, 0.1)),
        ActionInterpretation(curves=load_shipped("curves")),
    ],
    ids=["relative", "not mirrored", "patent", "shown", "curves"],
)
def test_answers_predict_what_the_weights_become(interpretation):
    """With which hands our raise is called and raised, against the hand that goes on so."""
    held = range_at("cr300c/", 0, interpretation)
    strengths = StrengthReader().read(parse_cards(STREETS[1]))
    asked = after("cr300c/", raise_to(800))
    calling, raising = held.answers(
        asked, GENERIC.shares(asked), strengths, held.weights.percentiles(strengths)
    )
    for predicted, betting in ((calling, "cr300c/r800c/"), (raising, "cr300c/r800r2400")):
        view = spot(betting, 0, board=STREETS[1])
        gone_on = OpponentRange(view.hole, StrengthReader(), interpretation)
        follow(gone_on, view, GENERIC)
        found = gone_on.weights.weights
        np.testing.assert_allclose(np.maximum(predicted, 0.01 * (found > 0)), found)


@pytest.mark.parametrize(
    "interpretation", [ActionInterpretation(), ActionInterpretation(curves=load_shipped("curves"))]
)
def test_nobody_raises_an_all_in(interpretation):
    """What is against the rules is likely with no hand."""
    held = range_at("cr300c/", 0, interpretation)
    strengths = StrengthReader().read(parse_cards(STREETS[1]))
    asked = after("cr300c/", raise_to(20_000))
    shares = GENERIC.shares(asked)
    places = held.weights.percentiles(strengths)
    calling, raising = held.answers(asked, shares, strengths, places)
    assert raising.max() <= 0.01
    assert calling.max() > 0.1
