"""Tables of tournaments, from the files of their standings."""

import csv
from typing import Final

from tests.documents.figures import ROOT, number, read, table

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
    rows = [
        [
            str(bot["rank"]),
            f"`{bot['label']}`",
            interval(bot["bankroll_mbb_per_hand"], bot["bankroll_ci95"]),
            f"{100 * bot['rank_shares'][0]:.1f} %",
            str(bot["run_off_rank"]),
        ]
        for bot in sorted(told["bots"], key=lambda bot: bot["rank"])
    ]
    return table(["rank", "bot", "mbb/h", "is first", "run-off"], rows)


def holdem() -> list[str]:
    """Return the shipped hold'em bots by what they win from the Nash mixture."""
    with (ROOT / HOLDEM).open(encoding="utf-8", newline="") as file:
        bots = list(csv.DictReader(file))
    bots.sort(key=lambda bot: -float(bot["nash_mbb_per_hand"]))
    rows = [
        [
            str(place),
            f"`{bot['bot']}`",
            "{} ({} to {})".format(*(whole(bot[f"nash_{one}"]) for one in NASH)),
            f"{bot['wins']}-{bot['losses']}",
            bot["run_off_rank"],
            bot["rank"],
            interval(float(bot["mbb_per_hand"]), float(bot["ci95"])),
        ]
        for place, bot in enumerate(bots, start=1)
    ]
    heads = ["place", "bot", "from the Nash mixture, mbb/h", "wins-losses", "run-off"]
    return table([*heads, "by bankroll", "bankroll, mbb/h"], rows)
