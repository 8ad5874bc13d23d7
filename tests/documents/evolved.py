"""Tables of the evolved players: what `arena astar report`, `pilots` and `sweep` wrote."""

import json
import math
import statistics
from collections.abc import Sequence
from typing import Any, Final

from agents.ashe.bot import MODEL as ASHE_MODEL
from agents.ashe.bot import SECOND_MODEL as ASHE_2_MODEL
from agents.astar.measuring.costs import ALL
from agents.astar.measuring.report_sections import ARTICLE, Section, sections
from agents.astar.measuring.report_tables import shares
from agents.astar.models import BASE, MODELS, WIDE, load_models, network_file
from agents.evolution.network import KIND
from agents.measuring.duels import DuelLedger
from engine.estimates.winrate import half_interval
from engine.storage.artifacts import load_artifact
from protocol.gamedefs import load_builtin
from tests.documents.figures import ROOT, data, number, read, rounded, table, whole
from tests.documents.modeller import mean

FOLDER: Final = "docs/data/astar"
"""Where `arena astar report` wrote to."""
COUNTER: Final = "counter"
PILOTS: Final = ("stacks", "curricula", "widths", "survival", "budgets")
"""Pilots that were run, of docs/data/astar-pilots.json."""
SWEEPS: Final = ("forms", "confidence", "memory", "doubt")
"""Files of docs/data, after "astar-"."""
LAST: Final = 10
"""Generations whose mean fitness is told."""


def section(name: str) -> list[str]:
    """Return a section of the report: a row for each opponent, a column for each agent."""
    (asked,) = [one for one in sections() if one.name == name]
    text = (ROOT / FOLDER / "duels.jsonl").read_text(encoding="utf-8")
    return section_rows(asked, [json.loads(line) for line in text.splitlines()])


def section_rows(asked: Section, duels: Sequence[dict[str, Any]]) -> list[str]:
    """Return the table of a section whose duels are given; what was not played is left empty."""
    found = {(one["one"], one["other"]): one for one in duels}
    agents = [one for one in asked.agents if not one.startswith(f"{COUNTER}-")]
    if asked.only_own:
        agents.insert(0, COUNTER)

    def row(title: str, names: Sequence[str], opponents: Sequence[str]) -> list[list[str]]:
        cells = []
        for agent in names:
            own = [found.get((met_by(agent, opponent), opponent)) for opponent in opponents]
            known = [one for one in own if one is not None]
            cells.append(whole(mean(known)) if len(known) == len(own) else "")
        told = [ARTICLE.get((met_by(agent, title), title)) for agent in names]
        rows = [[f"`{title}`" if len(opponents) == 1 else f"mean of {title}", *cells]]
        if any(told):
            rows.append(["published", *("" if one is None else number(round(one)) for one in told)])
        return rows

    rows = [line for opponent in asked.opponents for line in row(opponent, agents, (opponent,))]
    for title, opponents in asked.means:
        rows += row(title, agents, opponents)
    return table(["opponent", *(f"`{agent}`" for agent in agents)], rows)


def compared() -> list[str]:
    """Return from how many strangers the ensemble wins more than each other agent."""
    (asked,) = [one for one in sections() if one.leader]
    ledger = DuelLedger(ROOT / FOLDER / "duels.jsonl", load_builtin("hunl"))
    results = {(one.duel.one, one.duel.other): one for one in ledger.known()}
    rows = [
        [
            f"`{one.other}`",
            one.group,
            *map(str, (one.of, one.more, one.surely_more, one.surely_less)),
        ]
        for one in shares(asked, results)
    ]
    return table(["beside", "from", "of them", "more", "surely more", "surely less"], rows)


def met_by(agent: str, opponent: str) -> str:
    """Return the agent that a cell is of: in the column of counters, the one to the opponent."""
    return f"{agent}-{opponent}" if agent == COUNTER else agent


def recognised() -> list[str]:
    """Return whom the ensemble takes opponents for."""
    rows = [
        [
            f"`{one['opponent']}`",
            f"`{one['nearest']}`",
            f"{one['divergence']:.2f}",
            f"`{one['second']}`",
            f"{one['second_divergence']:.2f}",
        ]
        for one in data("astar-recognised")["opponents"]
    ]
    return table(["opponent", "nearest", "nats", "second", "nats"], rows)


def costs() -> list[str]:
    """Return what the evolved players cost; of training the sums, `networks` tells of each."""
    rows = [
        [f"`{one['whose']}`", one["what"], f"{rounded(one['number'])} {one['unit']}"]
        for one in read(f"{FOLDER}/costs.json")
        if "training" not in one["what"] or one["whose"] == ALL
    ]
    return table(["whose", "what", ""], rows)


def pilot(name: str) -> list[str]:
    """Return what the variants of a pilot came to, means over seeds."""
    runs: dict[str, list[dict[str, Any]]] = {}
    for one in data("astar-pilots")["pilots"][name]:
        runs.setdefault(one["variant"], []).append(one)
    return pilot_rows(runs)


def pilot_rows(runs: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Return the table of a pilot: a row for each variant, whose runs differ in their seed."""
    opponents = list(next(iter(runs.values()))[0]["won"])
    rows = []
    for variant, own in runs.items():
        won = [[one["won"][name]["mbb_per_hand"] for name in opponents] for one in own]
        each = [statistics.fmean(row) for row in won]
        spread = statistics.stdev(each) if len(each) > 1 else 0.0
        half = half_interval(spread, len(each))
        fitness = statistics.fmean(one["fitness"][-1] for one in own)
        rows.append(
            [
                variant,
                f"{statistics.fmean(sum(one['fitness'][-LAST:]) / LAST for one in own):.2f}"
                if min(len(one["fitness"]) for one in own) >= LAST
                else f"{fitness:.2f}",
                *(number(round(statistics.fmean(column))) for column in zip(*won, strict=True)),
                number(round(statistics.fmean(each)))
                + (f" ± {number(round(half))}" if math.isfinite(half) else ""),
                f"{rounded(statistics.fmean(one['training_hands'] for one in own) / 1e6)} M",
            ]
        )
    heads = ["", "fitness", *(f"`{name}`" for name in opponents), "all eight", "hands"]
    return table(heads, rows)


def sweep(name: str) -> list[str]:
    """Return what the ensemble wins by its settings."""
    settings = data(name)["settings"]
    opponents = list(settings[0]["won"])
    rows = [
        [
            one["form"],
            f"{one['sharpness']:g}",
            str(one["confidence"]),
            f"{one['half_life']:g}",
            str(one["carry"]),
            f"{one['doubt']:g}",
            f"{one.get('patience', 0):g}",
            *(whole(one["won"][opponent]) for opponent in opponents),
            whole(mean(list(one["won"].values()))),
        ]
        for one in settings
    ]
    heads = ["form", "sharpness", "c_min", "half-life", "carry", "doubt", "patience"]
    return table([*heads, *(f"`{one}`" for one in opponents), "mean"], rows)


def networks() -> list[str]:
    """Return how the shipped networks were made: from their files."""
    names = load_models(MODELS, WIDE).library.names
    files = [(f"`counter-{name}`", network_file(name)) for name in names]
    files += [("`astar-base`", network_file(BASE))]
    files += [("`ashe`", ASHE_MODEL), ("`ashe-2`", ASHE_2_MODEL)]
    rows = []
    for title, path in files:
        found = load_artifact(path, KIND).facts
        made = found["made"]
        plan, final = made["plan"], made["final"]
        won = zip(final["opponents"], final["best_won"], strict=True)
        rows.append(
            [
                title,
                f"`{made['commands'][0]}`",
                f"{sum(stage['generations'] for stage in plan['stages'])} of {plan['population']}",
                f"{2 * made['deals'] / 1e6:.1f} M",
                f"{made['seconds'] / 60:.0f} min",
                ", ".join(f"{name} {number(round(rate))}" for name, rate in won),
            ]
        )
    heads = ["network", "command", "generations", "hands", "time", "final, mbb/h"]
    return table(heads, rows)
