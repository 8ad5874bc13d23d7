"""The patent's ways, one by one and together."""

import numpy as np
import pytest

from agents.baselines.biased_random import BiasedRandom
from agents.opponents.bot import PoolBot
from agents.statistical.departures import DEPARTURES, departing, preset
from agents.statistical.variants import ModellerVariant, VariantSettings
from engine.equity.strength import OptimisticReader, StrengthReader
from engine.play.learners import play_learning_match
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
LIMIT = load_builtin("hulhe")
SEEN = OptimisticReader()
"""Matches of one seed have the same boards."""
ALIKE = StrengthReader()


def test_each_departure_is_one_setting_that_is_otherwise_by_default():
    """All of them are the preset; each has a name of its own."""
    base = VariantSettings()
    for one in DEPARTURES:
        assert getattr(base, one.setting) != one.value
        assert getattr(departing(one, base), one.setting) == one.value
        assert getattr(preset("patent"), one.setting) == one.value
    for told in ("name", "setting", "patent", "default"):
        assert len({getattr(one, told) for one in DEPARTURES}) == len(DEPARTURES)
    together = base
    for one in DEPARTURES:
        together = departing(one, together)
    assert together == preset("patent")


@pytest.mark.parametrize("game", [HUNL, LIMIT], ids=["no-limit", "limit"])
def test_the_preset_plays(game):
    """Legally, through both phases; `play_hand` refuses what is not."""
    for settings in (preset("patent", bin_samples=0), preset("patent")):
        bot = ModellerVariant(settings, strengths=SEEN)
        play_learning_match(game, 1, 4, [bot, BiasedRandom()])
        assert bot.counters.hands == 4
        assert bot.phase == (2 if settings.bin_samples == 0 else 1)


@pytest.mark.parametrize(
    "departure", [one for one in DEPARTURES if one.setting not in {"optimistic", "learn_reading"}]
)
def test_each_departure_plays(departure):
    """From the first hand in phase 2 where nothing else keeps it from that."""
    settings = departing(departure, VariantSettings(bin_samples=0, confidence=0))
    bot = ModellerVariant(settings, strengths=ALIKE)
    play_learning_match(LIMIT, 1, 12, [bot, PoolBot("O6")])
    assert bot.phase == 2
    assert np.isfinite(bot.counters.scores).all()
