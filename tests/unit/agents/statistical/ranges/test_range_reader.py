"""The opponent's weights along a hand."""

import numpy as np
import pytest

from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.habits import CALL, FOLD, RAISE, cell_of
from agents.statistical.predicting.action_chances import (
    CountedChances,
    GenericChances,
    PredictedChances,
)
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.predicting.predictor import FrequencyTable
from agents.statistical.ranges.range_reader import Deed, RangeReader, Reading
from agents.statistical.ranges.strength import StrengthReader
from agents.statistical.ranges.thresholds import Ramp
from agents.statistical.ranges.weights import ramp_factors
from engine.hands.cards import parse_combo
from engine.rules.view import PlayerView, replay_betting
from protocol.actions import raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
GENERIC = GenericChances()
READING = Reading()
BOARD = "3h4cJhKs9c"
STREETS = ("", "3h4cJh", "3h4cJhKs", BOARD)


def spot(betting, position, hole="AdQc", board=None, hand=0):
    """What a position sees after some betting."""
    state = replay_betting(HUNL, betting)
    shown = [(), ()]
    shown[position] = parse_cards(hole)
    cards = parse_cards(STREETS[state.street] if board is None else board)
    return PlayerView(state, hand, position, tuple(shown), cards)


def reader_at(betting, position, reading=READING, chances=GENERIC):
    """A reader that has followed some betting."""
    view = spot(betting, position)
    reader = RangeReader(view, StrengthReader(), reading)
    reader.follow(view, chances)
    return reader


def test_the_opponents_deeds_with_cell_position_and_size():
    """Of the button (position 1 of this game) as seen by the big blind, and the other way round."""
    betting = "r250r750c/cr1500c/cc/r3000r6000f"
    assert reader_at(betting, 0).deeds == [
        Deed(True, cell_of(0, 0), RAISE, 0, 0),
        Deed(True, cell_of(0, 2), CALL, 0, 2),
        Deed(True, cell_of(1, 0), RAISE, 1, 0),
        Deed(True, cell_of(2, 0), CALL, 2, 0),
        Deed(True, cell_of(3, 1), RAISE, 3, 1),
    ]
    assert reader_at(betting, 1).deeds == [
        Deed(False, cell_of(0, 1), RAISE, 0, 2),
        Deed(False, cell_of(1, 0), CALL, 1, 0),
        Deed(False, cell_of(1, 1), CALL, 1, 1),
        Deed(False, cell_of(2, 0), CALL, 2, 0),
        Deed(False, cell_of(3, 0), RAISE, 3, 0),
        Deed(False, cell_of(3, 2), FOLD, 3, 1),
    ]


def test_following_in_steps_is_following_at_once():
    """One message after the other, as at a table; nothing is counted twice."""
    steps = ["", "r250", "r250c/", "r250c/c", "r250c/cr400", "r250c/cr400c/r900"]
    whole = reader_at(steps[-1], 1)
    reader = RangeReader(spot("", 1), StrengthReader(), READING)
    deeds = [deed for step in steps for deed in reader.follow(spot(step, 1), GENERIC)]
    assert deeds == reader.deeds == whole.deeds
    assert reader.follow(spot(steps[-1], 1), GENERIC) == []
    np.testing.assert_array_equal(reader.weights.weights, whole.weights.weights)


def test_a_view_of_another_hand_is_refused():
    """Other number, other cards, other betting, other board; `goes_on` tells beforehand."""
    reader = reader_at("r250c/", 0)
    assert reader.goes_on(spot("r250c/r350", 0))
    for other in (
        spot("r250c/", 0, hand=1),
        spot("r250c/", 0, hole="AdQd"),
        spot("r250c/", 1),
        spot("r300c/", 0),
        spot("", 0),
        spot("r250c/", 0, board="3h4cJd"),
    ):
        assert not reader.goes_on(other)
        with pytest.raises(ValueError, match="hand"):
            reader.follow(other, GENERIC)


def test_dead_cards_go_as_the_board_comes():
    """Our own cards, then the board."""
    left = [reader_at(b, 0).weights.possible for b in ("", "cc/", "cc/cc/", "cc/cc/cc/")]
    assert left == [1225, 1081, 1035, 990]


@pytest.mark.parametrize("scale", ["relative", "absolute"])
def test_raises_make_strong_hands_likelier(scale):
    """Aces and a set become likelier than what has nothing; the mean strength rises."""
    reading = Reading(scale, mirrored=False)
    before = reader_at("cc/", 1, reading)
    after = reader_at("cc/r200c/r500c/r1500", 1, reading)
    weights = after.weights.weights
    assert weights[parse_combo("JsJd")] > 3 * weights[parse_combo("7d2d")]
    strengths = StrengthReader()
    means = [
        reader.weights.mean_strength(strengths.read(parse_cards(board)))
        for reader, board in ((before, STREETS[1]), (after, STREETS[3]))
    ]
    assert means[1] > means[0] + 0.1


def test_the_mirrored_ramp_lowers_what_would_have_raised():
    """Only where it is wanted."""
    aces = parse_combo("AsAh")
    found = {
        mirrored: reader_at("r250c/", 1, Reading(mirrored=mirrored)).weights for mirrored in (0, 1)
    }
    assert found[1].belief()[aces] < 0.7 * found[0].belief()[aces]


def test_a_check_says_nothing_about_folding():
    """Where nothing is to call, hands are not lowered for being weak."""
    reader = reader_at("cc/c", 1, Reading(mirrored=False))
    before = reader_at("cc/", 1, Reading(mirrored=False))
    np.testing.assert_array_equal(reader.weights.weights, before.weights.weights)


def test_counters_change_what_a_raise_means():
    """The raise of whoever raises all the time says less than that of whoever hardly does."""
    strength = {}
    for name, usual in (("maniac", RAISE), ("rock", FOLD)):
        counters = OpponentCounters()
        for _ in range(60):
            counters.add(True, 0, usual)
        reader = reader_at("r250", 0, chances=CountedChances(counters))
        strength[name] = reader.weights.mean_strength(StrengthReader().read(()))
    assert strength["rock"] > strength["maniac"] + 0.1


def test_a_predictor_can_take_the_place_of_the_counters():
    """Anything that gives chances for a context: here a table of frequencies."""
    counts = np.zeros((12, 3), np.int64)
    counts[:, FOLD] = 1000
    tight = PredictedChances(FrequencyTable(counts), OpponentCounters())
    strengths = StrengthReader().read(())
    tightly = reader_at("r250", 0, chances=tight).weights.mean_strength(strengths)
    assert tightly > reader_at("r250", 0).weights.mean_strength(strengths)


def test_generic_chances_are_those_of_the_legal_actions():
    """2:5:3, and 5:3 where folding is none."""
    seen = []

    class Spy:
        def shares(self, spot):
            seen.append(GENERIC.shares(spot))
            return seen[-1]

    reader_at("r250c/cc/", 1, chances=Spy())
    assert seen == [pytest.approx((0.2, 0.5, 0.3)), pytest.approx((0, 0.625, 0.375))]


def test_an_unknown_scale_is_refused():
    """At once."""
    with pytest.raises(ValueError, match="scale"):
        RangeReader(spot("", 0), StrengthReader(), Reading("sideways"))


def test_shown_hands_may_give_the_ramp():
    """In strengths, in the place of that by shares; where there is none the shares go on."""

    def shown(cell, action):
        return Ramp(0.8, 0.1) if action == RAISE else None

    told = RangeReader(spot("", 1), StrengthReader(), Reading(shown=shown))
    told.follow(spot("r250r750", 1), GENERIC)
    strengths = StrengthReader().read(())
    weights = told.weights.weights[told.weights.live]
    expected = ramp_factors(strengths[told.weights.live], Ramp(0.8, 0.1))
    np.testing.assert_allclose(weights, expected)


@pytest.mark.parametrize(
    "reading",
    [
        Reading(),
        Reading(mirrored=False, blur=0.4),
        Reading("absolute"),
        Reading(shown=lambda cell, action: Ramp(0.8, 0.1)),
        Reading(curves=load_shipped("curves")),
    ],
    ids=["relative", "not mirrored", "absolute", "shown", "curves"],
)
def test_answers_foretell_what_the_weights_become(reading):
    """With which hands our raise is called and raised, against the hand that goes on so."""
    reader = reader_at("cr300c/", 0, reading)
    strengths = StrengthReader().read(parse_cards(STREETS[1]))
    asked = reader.answer_to(raise_to(800))
    calling, raising = reader.answers(
        asked, GENERIC.shares(asked), strengths, reader.weights.percentiles(strengths)
    )
    for foretold, betting in ((calling, "cr300c/r800c/"), (raising, "cr300c/r800r2400")):
        view = spot(betting, 0, board=STREETS[1])
        gone_on = RangeReader(view, StrengthReader(), reading)
        gone_on.follow(view, GENERIC)
        found = gone_on.weights.weights
        np.testing.assert_allclose(np.maximum(foretold, 0.01 * (found > 0)), found)


@pytest.mark.parametrize("reading", [Reading(), Reading(curves=load_shipped("curves"))])
def test_nobody_raises_an_all_in(reading):
    """What is against the rules is likely with no hand."""
    reader = reader_at("cr300c/", 0, reading)
    strengths = StrengthReader().read(parse_cards(STREETS[1]))
    asked = reader.answer_to(raise_to(20_000))
    shares = GENERIC.shares(asked)
    places = reader.weights.percentiles(strengths)
    calling, raising = reader.answers(asked, shares, strengths, places)
    assert raising.max() <= 0.01
    assert calling.max() > 0.1


def test_a_smaller_raise_is_not_the_beginning_of_a_larger_one():
    """Though its text is."""
    reader = reader_at("r300", 0)
    assert reader.goes_on(spot("r300r900", 0))
    assert not reader.goes_on(spot("r3000", 0))
