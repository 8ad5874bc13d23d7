"""The measured pool as text for a terminal and as JSON."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from engine.console.quantities import UNKNOWN, interval, percent
from engine.console.text_table import aligned

if TYPE_CHECKING:
    from agents.studies.pool.crosstable import Crosstable

_COLUMNS: Final = 7
"""Opponents side by side: the table is continued below."""
_EXPLANATION: Final = """\
played: share of hands it does not fold when its first decision is against a raise; raises: share of
its actions but folds where a raise was legal; AF: bets and raises / calls after the flop; showdown:
showdowns / hands that saw the flop.  All results in mbb/h with 95 % intervals.
"""


def as_text(table: Crosstable) -> str:
    """Return the habits of all bots and the crosstable, results of the row against the column."""
    names = [_title(bot.name, bot.also) for bot in table.bots]
    habits = [["bot", "plays", "VPIP", "played", "raises", "AF", "showdown", "won"]]
    for number, bot in enumerate(table.bots):
        own = table.habits(number)
        factor = own.aggression_factor
        habits.append(
            [
                names[number],
                bot.quadrant,
                percent(own.vpip),
                percent(own.played),
                percent(own.raise_share),
                "-" if factor is None else f"{factor:.2f}",
                percent(own.showdown_rate),
                _result(table.mean(number)),
            ]
        )
    lines = [*aligned(habits, 2), ""]
    for first in range(0, len(table.bots), _COLUMNS):
        columns = range(first, min(first + _COLUMNS, len(table.bots)))
        against = [["", *(table.bots[other].name for other in columns)]]
        for one, bot in enumerate(table.bots):
            against.append([bot.name, *(_result(table.rate(one, other)) for other in columns)])
        lines += [*aligned(against, 1), ""]
    return "\n".join([*lines, _EXPLANATION])


def as_data(table: Crosstable) -> dict[str, Any]:
    """Return the same as plain numbers, for JSON; None where nothing is known.

    Where pairs were not played, "complete" is False.
    """
    bots = []
    for number, bot in enumerate(table.bots):
        mean = table.mean(number)
        bots.append(
            {
                "name": bot.name,
                "also": bot.also,
                "group": bot.group,
                "quadrant": bot.quadrant,
                **asdict(table.habits(number)),
                "mbb_per_hand": None if mean is None else mean[0],
                "ci95": None if mean is None else _finite(mean[1]),
            }
        )
    pairs = [
        {
            "one": table.bots[pair.one].name,
            "other": table.bots[pair.other].name,
            "mbb_per_hand": pair.rate.mbb_per_hand,
            "ci95": _finite(pair.rate.ci95),
            "samples": pair.rate.samples,
            "hands": pair.rate.hands,
        }
        for pair in table.pairs
    ]
    return {
        "complete": len(pairs) == table.wanted,
        "pairs_played": len(pairs),
        "pairs_wanted": table.wanted,
        "bots": bots,
        "pairs": pairs,
    }


def _title(name: str, also: str) -> str:
    return f"{name} ({also})" if also else name


def _result(rate: tuple[float, float] | None) -> str:
    return UNKNOWN if rate is None else interval(*rate, 0)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
