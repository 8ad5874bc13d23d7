"""What a tournament of `search_variants` came to: a table's figures, and how the winnings ran.

    python -m tests.benchmarks.variants_report TOURNAMENT

Writes docs/data/libratus-variants.json and docs/libratus-variants.svg.
"""

import json
import sys
from pathlib import Path

import numpy as np

from engine.console.line_chart import ChartLine, line_chart

DOCS = Path(__file__).parents[2] / "docs"
BIG_BLIND = 100
POINTS = 200
BASE = "blueprint"


def main(folder):
    """Read the standings and the logs."""
    standings = json.loads((Path(folder) / "standings.json").read_text(encoding="utf-8"))
    won = {}
    for pairing in standings["pairings"]:
        rate = pairing["win_rates"][standings["rated_by"]]
        won[pairing["bot"]] = {
            "mbb_per_hand": round(rate["mbb_per_hand"], 1),
            "ci95": round(rate["ci95_mbb_per_hand"], 1),
        }
        opponent = pairing["opponent"]
    more = {
        one["other"]: {
            "mbb_per_hand": round(-one["mbb_per_hand"], 1),
            "ci95": round(one["ci95"], 1),
        }
        for one in standings["challengers"]
        if one["challenger"] == BASE
    }
    facts = {
        "command": "arena " + " ".join(standings["command"][1:]),
        "opponent": opponent,
        "hands": standings["pairings"][0]["hands"],
        "estimator": standings["rated_by"],
        "variants": {name: {"won": won[name], "more": more.get(name)} for name in won},
    }
    text = json.dumps(facts, indent=2) + "\n"
    (DOCS / "data" / "libratus-variants.json").write_text(text, encoding="utf-8")
    lines = [ChartLine(name, running(Path(folder), name, opponent)) for name in won]
    chart = line_chart(
        f"What parts of libratus win from {opponent}",
        "big blinds won, raw, both seats added",
        "deals",
        lines,
    )
    (DOCS / "libratus-variants.svg").write_text(chart, encoding="utf-8")


def running(folder, name, opponent):
    """Return (deals, big blinds won up to there) at some points, all rounds one after another."""
    match = folder / "pairings" / f"{name}.{opponent}"
    total = []
    rounds = len(list(match.glob(f"{name}.{opponent}.*.0.log")))
    for number in range(rounds):
        legs = [chips(match / f"{name}.{opponent}.{number}.{seat}.log", name) for seat in (0, 1)]
        total.append(np.add(*legs))
    sums = np.cumsum(np.concatenate(total)) / BIG_BLIND
    every = max(1, len(sums) // POINTS)
    return [
        (0.0, 0.0),
        *((float(n), float(sums[n - 1])) for n in range(every, len(sums) + 1, every)),
    ]


def chips(path, name):
    """Return (hands,) what a player won in each hand of a log."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("STATE:"):
            _, _, _, _, values, names = line.split(":")
            found.append(float(values.split("|")[names.split("|").index(name)]))
    return np.array(found)


if __name__ == "__main__":
    main(sys.argv[1])
