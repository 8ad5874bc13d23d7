"""What departures from the patent win, as text for a terminal and as plain numbers for JSON."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from agents.statistical.departures import DEPARTURES
from agents.studies.statistical.trials_report import mean_over_opponents
from engine.console.quantities import interval
from engine.console.text_table import aligned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents.studies.statistical.trials_report import Results
    from engine.estimates.winrate import WinRate

PRESET: Final = "patent"
DEFAULT: Final = "default"
_EXPLANATION: Final = """\
gain: by how much the modeller as it is wins more than with this one thing as in the patent, or with
all of them; mbb/h with 95 % intervals, means over opponents; ?: a single sample has no interval.
What is learnt differs from match to match: where the interval over the means of matches is wider
than that over deals, it is the one that counts.
"""


def as_text(results: Results) -> str:
    """Return a table: a row for each departure, and one for all of them."""
    rows = [
        ["departure", "in the patent", "", "gain"],
        *(
            [one.name, one.patent, one.option, _written(gains_of(results, one.name))]
            for one in DEPARTURES
        ),
        ["all of them", "", f"--preset {PRESET}", _written(gains_of(results, PRESET))],
    ]
    return "\n".join([*aligned(rows, texts=3), "", _met(results), _EXPLANATION])


def as_data(results: Results) -> dict[str, Any]:
    """Return the same as plain numbers, and for each opponent; None for no interval.

    Where matches were not played, "complete" is False.
    """
    plan = results.plan
    return {
        "complete": results.matches == results.wanted,
        "matches_played": results.matches,
        "matches_wanted": results.wanted,
        "deals": plan.hands,
        "seed": plan.seed,
        "opponents": list(results.played),
        "default": _plain(_rates(results)),
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


def _met(results: Results) -> str:
    return f"against {', '.join(results.played)}, from whom it wins {_written(_rates(results))}"


def _written(rates: Mapping[str, WinRate]) -> str:
    return interval(*mean_over_opponents(list(rates.values())), 0)


def _plain(rates: Mapping[str, WinRate]) -> dict[str, Any]:
    """Return the mean, and the rate for each opponent."""
    means = {name: (rate.mbb_per_hand, rate.ci95) for name, rate in rates.items()}
    plain = {
        name: {"mbb_per_hand": mean, "ci95": ci95 if math.isfinite(ci95) else None}
        for name, (mean, ci95) in {
            "mean": mean_over_opponents(list(rates.values())),
            **means,
        }.items()
    }
    return {**plain.pop("mean"), "by_opponent": plain}
