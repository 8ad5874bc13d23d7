"""What was tried and is not played."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from agents.baselines.always_call import AlwaysCall
from agents.statistical.bot import DECISIONS_PER_BIN, Settings, Statistical
from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.situations import CALL, FOLD, RAISE
from agents.statistical.predicting.action_chances import PatentChances
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.opponent_range import OpponentRange
from agents.statistical.ranges.thresholds import band_of, sharp_ramps
from agents.statistical.variants import (
    ModellerVariant,
    VariantSettings,
    bot_with,
    candidate_combos,
    weighted_strength,
)
from engine.equity.strength import StrengthReader
from engine.hands.cards import COMBO_CARDS, COMBOS, combo_of
from engine.play.learners import play_learning_match
from engine.showdown.evaluator import strength
from protocol.gamedefs import load_builtin
from tests.helpers.decisions import acted, situated
from tests.helpers.views import view_of

HUNL = load_builtin("hunl")
SEEN = StrengthReader()


def test_a_variant_by_its_defaults_plays_as_the_bot_does():
    """Deal by deal, in both phases."""
    bots = [Statistical(strengths=SEEN), ModellerVariant(VariantSettings(), strengths=SEEN)]
    won = [play_learning_match(HUNL, 1, 70, [bot, AlwaysCall()]) for bot in bots]
    assert [bot.phase for bot in bots] == [2, 2]
    np.testing.assert_array_equal(*won)


def test_candidates_are_the_hands_of_the_highest_weight():
    """After a raise those from the upper bound on; all of them before anything happened."""
    weights = OpponentRange((0, 1), StrengthReader(), ActionInterpretation())
    strengths = np.random.default_rng(11).random(COMBOS)
    assert candidate_combos(weights).sum() == 1225
    weights.multiply(sharp_ramps(band_of(2, 5, 3)).raising.rising(strengths))
    np.testing.assert_array_equal(candidate_combos(weights), weights.live & (strengths >= 0.7))


def test_without_learning_shown_hands_are_not_scored():
    """Everybody is interpreted alike."""
    unread = ModellerVariant(VariantSettings(bin_samples=0, learn_reading=False), strengths=SEEN)
    play_learning_match(HUNL, 1, 25, [unread, AlwaysCall()])
    assert unread.counters.showdowns > 10
    assert unread.counters.scored == 0


def test_settings_name_their_bot():
    """The bot itself where nothing but its own settings is asked for."""
    assert type(bot_with(Settings())) is Statistical
    assert type(bot_with(VariantSettings())) is ModellerVariant
    assert VariantSettings().bin_samples == DECISIONS_PER_BIN
    with pytest.raises(ValueError, match="samples"):
        bot_with(VariantSettings(bin_samples=-1))
    with pytest.raises(ValueError, match="tolerance"):
        bot_with(VariantSettings(tolerance=2))


def test_an_optimistic_bot_counts_its_hands_by_what_may_get_better():
    """The patent's example: EHS .51 and EHS' .67 of ace and queen on a flop without either."""
    for optimistic, place in ((False, 10), (True, 13)):
        bot = ModellerVariant(VariantSettings(optimistic=optimistic))
        bot.start_match(HUNL, 1)
        bot.act(view_of("cc/", "AdQc", "3h4cJh"))
        assert np.flatnonzero(bot.counters.own_bins).tolist() == [place]


def test_opponents_bins_wait_for_hands_that_were_shown():
    """Of every strength; own decisions do not count then."""
    bot = ModellerVariant(VariantSettings(opponent_bins=True, bin_samples=2, confidence=0))
    bot.start_match(HUNL, 1)
    for place in range(20):
        for _ in range(2):
            bot.counters.add_own((place + 0.5) / 20)
            if place or not bot.counters.shown.sum():
                bot.counters.add_shown(place % 12, CALL, (place + 0.5) / 20)
    bot.act(view_of("", "AhAd"))
    assert bot.phase == 1
    bot.counters.add_shown(5, RAISE, 0.01)
    bot.act(view_of("", "AhAd"))
    assert bot.phase == 2


def one_by_one(hole, board, weights):
    """HS, EHS and EHS' of a hand on a turn, by weight, one opponent and river after the other."""
    matrix = np.zeros((3, 3))
    for combo in np.flatnonzero(weights):
        other = COMBO_CARDS[combo].tolist()
        now = _standing(hole, other, board)
        for card in set(range(52)) - {*hole, *other, *board}:
            matrix[now, _standing(hole, other, (*board, card))] += weights[combo]
    ahead, tied, behind = matrix.sum(axis=1)
    hs = (ahead + tied / 2) / matrix.sum()
    better = (matrix[2, 0] + matrix[2, 1] / 2 + matrix[1, 0] / 2) / (behind + tied / 2)
    worse = (matrix[0, 2] + matrix[1, 2] / 2 + matrix[0, 1] / 2) / (ahead + tied / 2)
    return hs * (1 - worse) + (1 - hs) * better, hs + (1 - hs) * better


def _standing(hole, other, board):
    mine, theirs = strength((*hole, *board)), strength((*other, *board))
    return 0 if mine > theirs else 1 + (mine < theirs)


def test_the_own_strength_may_be_against_weighted_hands():
    """On a turn by enumeration, of a few hands; before the flop by the weight of weaker ones."""
    view = view_of("cc/cc/", "AdQc", "3h4cJhQs")
    held = OpponentRange(view.hole, SEEN, ActionInterpretation())
    held.remove(view.board)
    held.multiply(np.random.default_rng(4).random(COMBOS))
    weights = np.where(np.arange(COMBOS) % 160 == 0, held.weights, 0.0)
    few = SimpleNamespace(weights=weights)
    ehs, optimistic = one_by_one(view.hole, view.board, weights)
    found = [
        weighted_strength(view, few, SEEN.read(view.board), optimistic=hopeful)
        for hopeful in (False, True)
    ]
    assert found == pytest.approx([ehs, optimistic])
    preflop = view_of("", "AdQc")
    percentile = SEEN.read(())[combo_of(*preflop.hole)]
    alike = SimpleNamespace(weights=np.ones(COMBOS))
    told = weighted_strength(preflop, alike, SEEN.read(()), optimistic=True)
    assert told == pytest.approx(percentile)


def test_phase_one_of_the_generic_model_goes_by_weighted_strength():
    """A hand is weaker against one who raises: the row of the table is another."""
    bot = ModellerVariant(VariantSettings(generic=True), strengths=SEEN)
    plain = ModellerVariant(VariantSettings(), strengths=SEEN)
    folds = []
    for one in (bot, plain):
        one.start_match(HUNL, 1)
        view = view_of("cc/r400r1200", "9d8d", "Ac9h2s")
        acts = [one.act(replace(view, hand_id=hand)) for hand in range(200)]
        folds.append(sum(act.kind == "f" for act in acts))
    assert folds[0] > folds[1]


def test_frequencies_of_the_patent():
    """Generic until phase 2; then the counters as they are, before the flop all together."""
    counters = OpponentCounters()
    for cell, kind in ((0, CALL), (0, RAISE), (1, RAISE), (2, RAISE), (4, FOLD), (4, CALL)):
        counters.add(acted(True, cell, kind))
    generic = [True]
    asked = {
        "plain": PatentChances(counters, counters, plain=True, initial=False, generic=bool),
        "initial": PatentChances(counters, counters, plain=False, initial=True, generic=bool),
        "generic": PatentChances(
            counters, counters, plain=True, initial=True, generic=lambda: generic[0]
        ),
    }
    first, later, never = situated(True, 0), situated(True, 4, size=2), situated(True, 7)
    free = situated(False, 4, legal=(False, True, True))
    assert asked["plain"].shares(first) == (0, 0.5, 0.5)
    assert asked["plain"].shares(later) == (0.5, 0.5, 0)
    assert asked["plain"].shares(free) == (0, 1, 0)
    assert asked["plain"].shares(never) == pytest.approx((0.2, 0.5, 0.3))
    assert asked["initial"].shares(first) == (0, 0.25, 0.75)
    assert asked["initial"].shares(later) == counters.shares(later)
    assert asked["generic"].shares(later) == pytest.approx((0.2, 0.5, 0.3))
    generic[0] = False
    assert asked["generic"].shares(later) == (0.5, 0.5, 0)


def test_a_trained_predictor_counts_for_more_than_plain_counters():
    """With the preset, too, what the network says is played."""
    tried = [{"plain": True}, {"plain": True, "predictor": "ann"}, {"predictor": "ann"}]
    settings = [VariantSettings(bin_samples=0, confidence=0, **one) for one in tried]
    bots = [ModellerVariant(one, strengths=SEEN) for one in settings]
    counted, plain, predicted = (
        play_learning_match(HUNL, 1, 25, [bot, AlwaysCall()]) for bot in bots
    )
    np.testing.assert_array_equal(plain, predicted)
    assert (counted != predicted).any()


def test_the_tree_may_say_what_hands_are_held():
    """Whatever predicts actions; shown hands settle nothing then."""
    settings = VariantSettings(bin_samples=0, confidence=0, weights="tree")
    bot = ModellerVariant(settings, strengths=SEEN)
    play_learning_match(HUNL, 1, 25, [bot, AlwaysCall()])
    assert bot.phase == 2
    assert bot.counters.showdowns > 0
    assert bot.counters.scored == 0
