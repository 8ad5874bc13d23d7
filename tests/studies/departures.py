"""What the modeller wins more as it is than with one thing as the patent has it.

    make study NAME="departures --game hulhe --hands 600 --matches 4"
    make study NAME="departures --game hunl --hands 400 --matches 4"

The bot, the preset `patent` and, for each of `departures.DEPARTURES`, the bot with that one thing
as in the patent play the same deals in duplicate against each opponent.  About an hour of one
core for both; all cores work.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from agents.statistical.bot import Settings
from agents.statistical.departures import DEPARTURES, departing, preset
from agents.statistical.variants import VariantSettings
from engine.estimates.winrate import WinRate
from tests.studies.frame import finite
from tests.studies.trials import (
    Results,
    add_trials,
    game_word,
    mean_over_opponents,
    played,
    played_facts,
)

OPPONENTS: Final = tuple(f"O{number}" for number in range(1, 9))
PRESET: Final = "patent"
DEFAULT: Final = "default"
SMALL: Final = {"names": ["O1"], "hands": 2, "matches": 1}


def add_options(parser: ArgumentParser) -> None:
    """Add opponents and how much is played."""
    add_trials(parser, matches=4, opponents=OPPONENTS)


def result_name(options: Namespace) -> str:
    """Return the file of the game."""
    return f"departures-{game_word(options.game)}.json"


def run(options: Namespace) -> dict[str, Any]:
    """Return what each departure gains, in the mean and by opponent."""
    return {"report": "departures"} | as_data(played(options, settings_of(options.predictor)))


def settings_of(predictor: str) -> dict[str, Settings]:
    """Return who plays by name: with each departure taken back, the preset, and the bot as it is.

    Args:
        predictor: of all of them, as in `Settings`.
    """
    base = VariantSettings(predictor=predictor)
    return {
        **{one.name: departing(one, base) for one in DEPARTURES},
        PRESET: preset(PRESET, predictor=predictor),
        DEFAULT: base,
    }


def as_data(results: Results) -> dict[str, Any]:
    """Return what the bot wins, and more than each other player, as plain numbers."""
    rates = {opponent: results.rates(opponent)[-1] for opponent in results.played}
    return {
        **played_facts(results),
        "opponents": list(results.played),
        "default": _plain(rates),
        "departures": [
            {**one._asdict(), **_plain(gains_of(results, one.name))} for one in DEPARTURES
        ],
        "preset": {"name": PRESET, **_plain(gains_of(results, PRESET))},
    }


def gains_of(results: Results, name: str) -> dict[str, WinRate]:
    """Return, by opponent, what the modeller as it is wins more than the one of another name."""
    place = list(results.plan.settings).index(name)
    found = {}
    for opponent in results.played:
        less = results.gains(opponent)[place]
        found[opponent] = replace(less, mbb_per_hand=-less.mbb_per_hand)
    return found


def _rates(results: Results) -> dict[str, WinRate]:
    """Return, by opponent, what the modeller wins as it is."""
    return {opponent: results.rates(opponent)[-1] for opponent in results.played}


def _plain(rates: Mapping[str, WinRate]) -> dict[str, Any]:
    """Return the mean, and the rate for each opponent."""
    means = {name: (rate.mbb_per_hand, rate.ci95) for name, rate in rates.items()}
    plain = {
        name: {"mbb_per_hand": mean, "ci95": finite(ci95)}
        for name, (mean, ci95) in {
            "mean": mean_over_opponents(list(rates.values())),
            **means,
        }.items()
    }
    return {**plain.pop("mean"), "by_opponent": plain}
