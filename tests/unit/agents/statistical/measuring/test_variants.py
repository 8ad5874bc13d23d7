"""What was tried and is not played."""

import numpy as np
import pytest

from agents.baselines.always_call import AlwaysCall
from agents.statistical.bot import BIN_SAMPLES, Settings, Statistical
from agents.statistical.measuring.variants import (
    ModellerVariant,
    VariantSettings,
    bot_with,
    candidates,
    patent_ramps,
)
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.opponent_range import OpponentRange
from agents.statistical.ranges.thresholds import band_of
from engine.equity.strength import StrengthReader
from engine.hands.cards import COMBOS
from engine.play.learners import play_match
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
SEEN = StrengthReader()


def test_a_variant_by_its_defaults_plays_as_the_bot_does():
    """Deal by deal, in both phases."""
    bots = [Statistical(strengths=SEEN), ModellerVariant(VariantSettings(), strengths=SEEN)]
    won = [play_match(HUNL, 1, 120, [bot, AlwaysCall()]) for bot in bots]
    assert [bot.phase for bot in bots] == [2, 2]
    np.testing.assert_array_equal(*won)


def test_candidates_are_the_hands_of_the_highest_weight():
    """After a raise those from the upper bound on; all of them before anything happened."""
    weights = OpponentRange((0, 1), StrengthReader(), ActionInterpretation())
    strengths = np.random.default_rng(11).random(COMBOS)
    assert candidates(weights).sum() == 1225
    weights.multiply(patent_ramps(band_of(2, 5, 3)).raising.rising(strengths))
    np.testing.assert_array_equal(candidates(weights), weights.live & (strengths >= 0.7))


def test_without_learning_shown_hands_are_not_scored():
    """Everybody is interpreted alike."""
    unread = ModellerVariant(VariantSettings(bin_samples=0, learn_reading=False), strengths=SEEN)
    play_match(HUNL, 1, 25, [unread, AlwaysCall()])
    assert unread.counters.showdowns > 10
    assert unread.counters.scored == 0


def test_settings_name_their_bot():
    """The bot itself where nothing but its own settings is asked for."""
    assert type(bot_with(Settings())) is Statistical
    assert type(bot_with(VariantSettings())) is ModellerVariant
    assert VariantSettings().bin_samples == BIN_SAMPLES
    with pytest.raises(ValueError, match="samples"):
        bot_with(VariantSettings(bin_samples=-1))
    with pytest.raises(ValueError, match="tolerance"):
        bot_with(VariantSettings(tolerance=2))
