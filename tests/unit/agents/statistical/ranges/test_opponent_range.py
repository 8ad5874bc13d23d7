"""The opponent's weights along a hand."""

import numpy as np
import pytest

from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.situations import (
    FOLD,
    RAISE,
    situation_of,
)
from agents.statistical.predicting.action_chances import (
    GenericChances,
    PredictedChances,
)
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.opponent_range import OpponentRange
from agents.statistical.ranges.thresholds import LEAST_WEIGHT_FACTOR, Ramp
from engine.equity.strength import StrengthReader
from engine.hands.cards import COMBOS, parse_combo
from engine.rules.view import replay_betting
from protocol.actions import raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.decisions import acted, follow
from tests.helpers.views import view_of

HUNL = load_builtin("hunl")
GENERIC = GenericChances()
PLAIN = ActionInterpretation()
BOARD = "3h4cJhKs9c"
STREETS = ("", "3h4cJh", "3h4cJhKs", BOARD)


RNG = np.random.default_rng(11)
ANY_STRENGTHS = RNG.random(COMBOS).round(2)  # many ties


def one_by_one(weights, strengths):
    """Weighted percentiles by definition."""
    live = [combo for combo in range(COMBOS) if weights[combo] > 0]
    total = sum(weights[combo] for combo in live)
    return {
        combo: sum(
            weights[other] * (1.0 if strengths[other] < strengths[combo] else 0.5)
            for other in live
            if strengths[other] <= strengths[combo]
        )
        / total
        for combo in live
    }


def range_of(dead=()):
    """All that is possible beside some cards."""
    return OpponentRange(dead, StrengthReader(), PLAIN)


def spot(betting, position, board=None):
    """What a position sees after some betting."""
    board = STREETS[betting.count("/")] if board is None else board
    return view_of(betting, "AdQc", board, viewer=position)


def range_at(betting, position, interpretation=PLAIN, chances=GENERIC):
    """The range of the other one after some betting."""
    view = spot(betting, position)
    held = OpponentRange(view.hole, StrengthReader(), interpretation)
    follow(held, view, chances)
    return held


def test_following_in_steps_is_following_at_once():
    """One message after the other, as at a table."""
    steps = ["", "r250", "r250c/", "r250c/c", "r250c/cr400", "r250c/cr400c/r900"]
    held, done = OpponentRange(spot("", 1).hole, StrengthReader(), PLAIN), 0
    for step in steps:
        view = spot(step, 1)
        follow(held, view, GENERIC, since=done)
        done = len(view.history)
    np.testing.assert_array_equal(held.weights, range_at(steps[-1], 1).weights)


def test_dead_cards_go_as_the_board_comes():
    """Our own cards, then the board; each dies once, and weights handed out are copies."""
    left = [range_at(b, 0).possible for b in ("", "cc/", "cc/cc/", "cc/cc/cc/")]
    assert left == [1225, 1081, 1035, 990]
    weights = range_at("cc/cc/cc/", 0)
    weights.weights[:] = 0
    assert (weights.weights > 0).sum() == 990
    assert weights.weights[parse_combo("Jh5s")] == 0
    for cards in ((3, 3), (52,)):
        with pytest.raises(ValueError, match="card"):
            range_of((1, 2)).remove(cards)


@pytest.mark.parametrize(
    "interpretation",
    [
        ActionInterpretation(mirrored=False),
        ActionInterpretation(mirrored=False, absolute=True, sharp=True),
    ],
)
def test_raises_make_strong_hands_likelier(interpretation):
    """Aces and a set become likelier than what has nothing; the mean strength rises."""
    before = range_at("cc/", 1, interpretation)
    after = range_at("cc/r200c/r500c/r1500", 1, interpretation)
    weights = after.weights
    assert weights[parse_combo("JsJd")] > 3 * weights[parse_combo("7d2d")]
    strengths = StrengthReader()
    means = [
        held.mean_strength(strengths.read(parse_cards(board)))
        for held, board in ((before, STREETS[1]), (after, STREETS[3]))
    ]
    assert means[1] > means[0] + 0.1


def test_the_mirrored_ramp_lowers_what_would_have_raised():
    """Only where it is wanted."""
    aces = parse_combo("AsAh")
    found = {
        mirrored: range_at("r250c/", 1, ActionInterpretation(mirrored=mirrored))
        for mirrored in (0, 1)
    }
    assert found[1].belief()[aces] < 0.7 * found[0].belief()[aces]


def test_a_check_says_nothing_about_folding():
    """Where nothing is to call, hands are not lowered for being weak."""
    held = range_at("cc/c", 1, ActionInterpretation(mirrored=False))
    before = range_at("cc/", 1, ActionInterpretation(mirrored=False))
    np.testing.assert_array_equal(held.weights, before.weights)


def test_counters_change_what_a_raise_means():
    """The raise of whoever raises all the time says less than that of whoever hardly does."""
    strength = {}
    for name, usual in (("maniac", RAISE), ("rock", FOLD)):
        counters = OpponentCounters()
        for _ in range(60):
            counters.add(acted(True, 0, usual))
        held = range_at("r250", 0, chances=counters)
        strength[name] = held.mean_strength(StrengthReader().read(()))
    assert strength["rock"] > strength["maniac"] + 0.1


def test_a_predictor_can_take_the_place_of_the_counters():
    """What gives chances for a context: here that of somebody who nearly always folds."""

    class Folder:
        def probabilities(self, contexts):
            return np.tile([0.98, 0.01, 0.01], (len(contexts), 1))

    tight = PredictedChances(Folder(), OpponentCounters())
    strengths = StrengthReader().read(())
    tightly = range_at("r250", 0, chances=tight).mean_strength(strengths)
    assert tightly > range_at("r250", 0).mean_strength(strengths)


def test_shown_hands_may_give_the_ramp():
    """In strengths, in the place of that by shares; where there is none the shares go on."""

    def shown(cell, action):
        return Ramp(0.8, 0.1) if action == RAISE else None

    told = range_at("r250r750", 1, ActionInterpretation(shown=shown))
    strengths = StrengthReader().read(())
    weights = told.weights[told.live]
    expected = Ramp(0.8, 0.1).rising(strengths[told.live])
    np.testing.assert_allclose(weights, expected)


def answers(betting, raised, interpretation, board):
    """The range after some betting, and with which hands our raise is then called and raised."""
    held = range_at(betting, 0, interpretation)
    strengths = StrengthReader().read(parse_cards(board))
    asked = situation_of(replay_betting(HUNL, betting).apply(raise_to(raised)), parse_cards(board))
    places = held.percentiles(strengths)
    return held.answers(asked, GENERIC.shares(asked), strengths, places)


@pytest.mark.parametrize(
    ("interpretation", "betting"),
    [
        (ActionInterpretation(), "cr300c/"),
        (ActionInterpretation(mirrored=False, blur=0.4), "cr300c/"),
        (ActionInterpretation(absolute=True, sharp=True), "cr300c/"),
        (ActionInterpretation(shown=lambda cell, action: Ramp(0.8, 0.1)), "cr300c/"),
        (ActionInterpretation(curves=load_shipped("curves")), "cr300c/"),
        (ActionInterpretation(by_street=True), "r250c/cr400c/"),
        (ActionInterpretation(initial=True, by_street=True), "r250c/cr400c/"),
    ],
    ids=["relative", "not mirrored", "patent", "shown", "curves", "by street", "initial"],
)
def test_answers_predict_what_the_weights_become(interpretation, betting):
    """With which hands our raise is called and raised, against the hand that goes on so."""
    board = STREETS[betting.count("/")]
    predicted = answers(betting, 900, interpretation, board)
    for weights, answer in zip(predicted, ("r900c/", "r900r2700"), strict=True):
        view = spot(betting + answer, 0, board=board)
        gone_on = OpponentRange(view.hole, StrengthReader(), interpretation)
        follow(gone_on, view, GENERIC)
        found = gone_on.weights
        np.testing.assert_allclose(np.maximum(weights, 0.01 * (found > 0)), found)


@pytest.mark.parametrize(
    "interpretation", [ActionInterpretation(), ActionInterpretation(curves=load_shipped("curves"))]
)
def test_nobody_raises_an_all_in(interpretation):
    """What is against the rules is likely with no hand."""
    calling, raising = answers("cr300c/", 20_000, interpretation, STREETS[1])
    assert raising.max() <= 0.01
    assert calling.max() > 0.1


def test_no_weight_of_a_possible_combo_ever_falls_below_a_hundredth():
    """However often the weakest hand does what only strong ones should; dead ones may do it."""
    weights = range_of((0, 1))
    for _ in range(5):
        weights.multiply(Ramp(0.6, 0.2).rising(ANY_STRENGTHS))
    found = weights.weights[weights.live]
    assert (found.min(), found.max()) == (LEAST_WEIGHT_FACTOR, 1.0)
    weights.multiply(np.where(weights.live, 0.0, np.nan))
    assert (weights.weights[weights.live] == LEAST_WEIGHT_FACTOR).all()
    assert (weights.weights[~weights.live] == 0).all()


def test_factors_multiply():
    """One half, then one half of it; then a call that the best would have raised."""
    weights = range_of()
    strengths = np.full(COMBOS, 0.5)
    weights.multiply(Ramp(0.5, 0.2).rising(strengths))
    weights.multiply(Ramp(0.5, 0.1).rising(strengths))
    np.testing.assert_allclose(weights.weights, 0.25)
    weights.multiply(Ramp(0.2, 0.1).rising(strengths) * Ramp(0.5, 0.2).falling(strengths))
    np.testing.assert_allclose(weights.weights, 0.125)


def test_percentiles_are_weighted_shares_of_weaker_hands():
    """Against the definition, one combo after the other."""
    weights = range_of(range(40))
    weights.multiply(Ramp(0.5, 0.4).rising(ANY_STRENGTHS))
    found = weights.percentiles(ANY_STRENGTHS)
    expected = one_by_one(weights.weights, ANY_STRENGTHS)
    for combo, share in expected.items():
        assert found[combo] == pytest.approx(share)
    assert np.isnan(found[~weights.live]).all()


def test_the_mean_strength_is_weighted():
    """Two combos left, of weights 1 and 0.5."""
    weights = range_of(range(48))
    strengths = np.full(COMBOS, np.nan)
    live = np.flatnonzero(weights.live)
    assert len(live) == 6
    strengths[live] = [0.9, 0.3, 0.3, 0.3, 0.3, 0.3]
    weights.multiply(Ramp(0.3, 0.2).rising(strengths))
    assert weights.mean_strength(strengths) == pytest.approx((0.9 + 5 * 0.15) / 3.5)
    assert weights.belief().sum() == pytest.approx(1)
    assert weights.belief()[live[0]] == pytest.approx(1 / 3.5)


def test_what_cannot_be_is_refused():
    """Unknown strengths of live combos, other shapes, factors above 1, nothing left."""
    weights = range_of((0, 1))
    unknown = ANY_STRENGTHS.copy()
    unknown[1325] = np.nan
    for factors in (unknown, np.ones(3), np.full(COMBOS, 1.5)):
        with pytest.raises(ValueError, match="factor"):
            weights.multiply(factors)
    for strengths in (unknown, np.zeros(169)):
        with pytest.raises(ValueError, match="strength"):
            weights.mean_strength(strengths)
        with pytest.raises(ValueError, match="strength"):
            weights.percentiles(strengths)
    with pytest.raises(ValueError, match="no combo"):
        range_of(range(52)).mean_strength(np.full(COMBOS, np.nan))
    with pytest.raises(ValueError, match="no combo"):
        range_of(range(52)).belief()


def test_streets_start_over_with_what_there_was_before_the_flop():
    """The same weights as if nothing was done on the streets between; dead cards stay out."""
    over = ActionInterpretation(by_street=True)
    raised = range_at("r250c/cr400c/cr900", 0, over)
    called = range_at("r250c/cc/cr900", 0, over)
    np.testing.assert_array_equal(raised.weights > 0, raised.live)
    np.testing.assert_allclose(raised.weights, called.weights)
    assert (raised.weights != range_at("r250c/cr400c/cr900", 0).weights).any()
    before = range_at("r250c/cr400c/", 0, over)  # nothing is forgotten before the next action
    np.testing.assert_allclose(
        before.weights[before.live], range_at("r250c/cr400c/", 0).weights[before.live]
    )


def test_the_strongest_action_before_the_flop_sets_the_initial_weights():
    """A call or a raise after a raise says nothing more; a raise after a call does."""
    initial = ActionInterpretation(initial=True)
    raised = range_at("r250", 0, initial)
    np.testing.assert_array_equal(raised.weights, range_at("r250", 0).weights)
    for betting in ("r250r750c/", "r250r750r2000", "cr750r2000"):
        found = range_at(betting, 0, initial)
        np.testing.assert_allclose(found.weights[found.live], raised.weights[found.live])
    assert (range_at("cr750r2000", 0).weights != raised.weights).any()
