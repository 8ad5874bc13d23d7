"""Tables of tournaments, from the files of their standings."""

import csv
from typing import Final

import numpy as np

from engine.estimates.places import place_ranges, range_text
from tests.documents.cells import ROOT, number, read, table

STANDINGS: Final = "docs/data/tournament/standings.json"
HOLDEM: Final = "docs/data/tournament/holdem/ranking.csv"


NASH: Final = ("mbb_per_hand", "low", "high")
"""A win rate from the Nash mixture and the ends of its interval."""


def whole(told: str) -> str:
    """Return a figure of a file in whole mbb/h."""
    return number(round(float(told)))


def interval(mean: float, ci95: float) -> str:
    """Return a win rate in whole mbb/h."""
    return f"{number(round(mean))} ± {number(round(ci95))}"


def ranking() -> list[str]:
    """Return the ranking."""
    told = read(STANDINGS)
    above = np.array([bot["above"] for bot in told["bots"]])
    ranges = place_ranges(above)
    rows = [
        [
            ranges.text(at),
            f"`{bot['label']}`",
            interval(bot["bankroll_mbb_per_hand"], bot["bankroll_ci95"]),
            f"{100 * bot['rank_shares'][0]:.1f} %",
            f"{100 * bot['run_off_rank_shares'][0]:.1f} %",
        ]
        for at, bot in sorted(enumerate(told["bots"]), key=lambda one: one[1]["rank"])
    ]
    return table(["rank", "bot", "mbb/h", "is first", "first in the run-off"], rows)


def holdem() -> list[str]:
    """Return the shipped hold'em bots by what they win from the Nash mixture."""
    with (ROOT / HOLDEM).open(encoding="utf-8", newline="") as file:
        bots = list(csv.DictReader(file))
    bots.sort(key=lambda bot: -float(bot["nash_mbb_per_hand"]))
    rows = [
        [
            _range(bot, "nash"),
            f"`{bot['bot']}`",
            "{} ({} to {})".format(*(whole(bot[f"nash_{one}"]) for one in NASH)),
            f"{bot['wins']}-{bot['losses']}",
            _range(bot, "run_off"),
            _range(bot, "rank"),
            interval(float(bot["mbb_per_hand"]), float(bot["ci95"])),
            _bound(bot),
            number(int(bot["hands"])),
        ]
        for bot in bots
    ]
    heads = ["place", "bot", "from the Nash mixture, mbb/h", "wins-losses", "run-off"]
    return table([*heads, "by bankroll", "bankroll, mbb/h", "exploitable by", "hands"], rows)


def _range(bot: dict[str, str], ranking: str) -> str:
    return range_text((int(bot[f"{ranking}_best"]), int(bot[f"{ranking}_worst"])))


def _bound(bot: dict[str, str]) -> str:
    if not bot["exploitable_by"]:
        return ""
    return interval(float(bot["exploitable_by"]), float(bot["exploitable_ci95"]))
