"""Tables of tournaments, from the files of their standings."""

import csv
from typing import Final

from tests.documents.figures import ROOT, number, percent, read, table

STANDINGS: Final = "docs/data/tournament/standings.json"
HOLDEM: Final = "docs/data/tournament/holdem/ranking.csv"


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
    """Return the ranking of all shipped hold'em bots."""
    with (ROOT / HOLDEM).open(encoding="utf-8", newline="") as file:
        bots = list(csv.DictReader(file))
    rows = [
        [
            bot["rank"],
            f"`{bot['bot']}`",
            interval(float(bot["mbb_per_hand"]), float(bot["ci95"])),
            percent(float(bot["is_first"])),
            percent(float(bot["above_next"])) if bot["above_next"] else "",
            bot["run_off_rank"],
        ]
        for bot in bots
    ]
    return table(["rank", "bot", "mbb/h", "is first", "above the next", "run-off"], rows)
