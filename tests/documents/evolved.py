"""Tables of the evolved players: what they win, whom they lead, and what they cost."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.astar.family import ASTAR
from agents.evolution.config import load_config
from agents.evolution.evolution import EvolutionPlan
from engine.estimates.winrate import half_interval
from engine.search.network_leaves import NETWORK_OF_STREET
from tests.documents.cells import ROOT, data, number, read, rounded, table, whole
from tests.documents.modeller import mean
from tests.studies.astar_duels import (
    ARTICLE,
    KNOWLEDGE,
    LEARNED_SECTION,
    RANDOM,
    Section,
    sections,
)

FOLDER: Final = "docs/data/astar"
COUNTER: Final = "counter"
CLAIMS: Final = (
    ("A_tar", "O1", "counter-O1", ""),
    ("A_base", RANDOM, "astar --variant base", "astar --variant refuge"),
    ("A_ave", RANDOM, "astar --variant average", ""),
    ("A_int", RANDOM, "astar --variant similar", "astar --variant sure"),
    ("A*", RANDOM, "astar --variant street", "astar"),
    ("Slumbot", RANDOM, "blueprint", ""),
    ("A*", KNOWLEDGE, "astar --variant street", "astar"),
    ("ASHE", KNOWLEDGE, "ashe", "ashe-2"),
    ("Slumbot", KNOWLEDGE, "blueprint", ""),
)
"""Agent of the article, its opponents, and our agents: by the article's rule, and by our own."""
PILOTS: Final = {
    "curricula": ("curriculum, figure 10", "S4", {"S1": ".1212", "S2": ".3312", "S4": ".6654"}),
    "widths": ("width of the head, figure 8", "50", {}),
    "survival": ("survival, figure 9", "0.25", {}),
}
"""Pilot -> its title, the variant that the others are compared with, and published fitness."""
LAST_GENERATIONS: Final = 5
"""Whose mean fitness is that at the end."""
RESOURCES: Final = (
    ("A*", "30 GB", "2000 CPU h", "below 0.1 s", "astar"),
    ("ASHE", "30 GB", "more than half of A*", "", "ashe"),
    ("Slumbot", "500 GB and more", "a cluster", "", "blueprint"),
    ("NFSP", "50 GB and more", "a cluster", "", ""),
    ("DeepStack", "500 GB and more", "a million CPU h, 1000 GPU h", "above A*", "deepstack-fast"),
)
"""What the article says of each system, storage, training and time of an action, and our agent."""
EQUITIES_MB: Final = 31
"""Of equities by hand and board, made once, that every evolved player reads."""
BASE_CONFIGS: Final = ("base", "article", "article-part")
"""Of the base strategy, whose parameters stand beside the article's."""


def section(name: str) -> list[str]:
    """Return a section of the report: a row for each opponent, a column for each agent."""
    (asked,) = [one for one in sections() if one.name == name]
    own = name == LEARNED_SECTION
    return section_rows(asked, read(f"{FOLDER}/{name}.jsonl") if own else duels())


def duels() -> list[dict[str, Any]]:
    """Return what was played."""
    return read(f"{FOLDER}/duels.jsonl")


def section_rows(asked: Section, duels: Sequence[dict[str, Any]]) -> list[str]:
    """Return the table of a section whose duels are given; what was not played is left empty.

    Where one agent leads, opponents that a mean has are not shown one by one.
    """
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

    in_means = {one for _, opponents in asked.means for one in opponents}
    alone = [one for one in asked.opponents if not (asked.leader and one in in_means)]
    rows = [line for opponent in alone for line in row(opponent, agents, (opponent,))]
    for title, opponents in asked.means:
        rows += row(title, agents, opponents)
    return table(["opponent", *(f"`{agent}`" for agent in agents)], rows)


def claims() -> list[str]:
    """Return all win rates of the article's ablation and comparison beside ours."""
    found = {(one["one"], one["other"]): one for one in duels()}
    (ablation,) = [one for one in sections() if one.name == "ablation"]
    several = dict(ablation.means)

    def cell(agent: str, opponent: str) -> str:
        if not agent:
            return ""
        rate = mean([found[agent, one] for one in several.get(opponent, (opponent,))])
        return f"`{agent}`: {whole(rate)}"

    rows = [
        [
            title,
            opponent,
            _published(agents, opponent),
            *(cell(agent, opponent) for agent in agents),
        ]
        for title, opponent, *agents in CLAIMS
    ]
    return table(["agent", "opponent", "article", "by its rule", "by ours"], rows)


def article_part() -> list[str]:
    """Return what two base strategies win, alone and in the ensemble: shipped, article-part."""
    (asked,) = [one for one in sections() if one.name == "article"]
    ledgers = [
        {(one["one"], one["other"]): one for one in rows}
        for rows in (duels(), read(f"{FOLDER}/article-part.jsonl"))
    ]
    several = dict(asked.means)

    def row(title: str) -> list[str]:
        opponents = several.get(title, (title,))
        rates = [
            mean([found[agent, one] for one in opponents])
            for agent in asked.agents
            for found in ledgers
        ]
        return [f"mean of {title}" if title in several else f"`{title}`", *map(whole, rates)]

    columns = [
        f"{title}, {base}"
        for title in ("alone", "ensemble")
        for base in ("shipped", "article-part")
    ]
    return table(["opponent", *columns], [row(one) for one in (*asked.opponents[:9], *several)])


def _published(agents: Sequence[str], opponent: str) -> str:
    rates = [ARTICLE[agent, opponent] for agent in agents if (agent, opponent) in ARTICLE]
    return number(round(rates[0])) if rates else ""


def parameters() -> list[str]:
    """Return the article's parameters of the base strategy beside those of our configs."""
    plans = [load_config(ASTAR, name).plan for name in BASE_CONFIGS]

    def row(title: str, article: str, shown: Callable[[EvolutionPlan], str]) -> list[str]:
        return [title, article, *map(shown, plans)]

    rows = [
        row("individuals", "100", lambda plan: str(plan.population)),
        row("generations", "300", lambda plan: str(plan.generations)),
        row(
            "deals with each opponent, from both seats",
            "10 000",
            lambda plan: _span([stage.deals for stage in plan.stages]),
        ),
        row(
            "LSTM layers of a stack",
            "several",
            lambda plan: _span([plan.shape.opponent.layers, plan.shape.game.layers]),
        ),
        row("hidden layers of the head", "300", lambda plan: ", ".join(map(str, plan.shape.head))),
        row("share that survives", ".25", lambda plan: f"{plan.breeding.survival:g}"),
        row("weights", "", lambda plan: number(plan.shape.genome)),
        row("hands, millions", "3200", lambda plan: number(round(2 * plan.deals / 1e6))),
    ]
    return table(["", "article", *(f"`{name}`" for name in BASE_CONFIGS)], rows)


def _span(values: Sequence[int]) -> str:
    """Return the least and the greatest of some numbers, or the only one."""
    least, greatest = min(values), max(values)
    return number(least) if least == greatest else f"{number(least)} to {number(greatest)}"


def seeds() -> list[str]:
    """Return what small populations come to by one setting: from one seed, and from several."""
    rows = []
    for pilot, (title, usual, published) in PILOTS.items():
        single, several = (_by_variant(name, pilot) for name in ("astar-pilots", "astar-seeds"))
        won = {variant: list(map(_won, runs)) for variant, runs in several.items()}
        for variant, runs in single.items():
            cells = ["", "", ""]
            if variant in several:
                cells = [
                    _over_seeds(list(map(_end, several[variant])), 2),
                    _over_seeds(won[variant]),
                ]
                gain = np.subtract(won[variant], won[usual])
                cells.append("" if variant == usual else _over_seeds(gain))
            ends = ", ".join(f"{_end(run):.2f}" for run in runs)
            rows.append([title, variant, published.get(variant, ""), ends, *cells])
    head = ["setting", "", "article: fitness", "one seed: fitness", "several seeds: fitness"]
    return table([*head, "mbb/h from all eight", "gain"], rows)


def _by_variant(name: str, pilot: str) -> dict[str, list[dict[str, Any]]]:
    """Return the runs of each variant of a pilot in the order of their seeds, if it was run."""
    variants: dict[str, list[dict[str, Any]]] = {}
    runs = data(name)["pilots"].get(pilot, ())
    for run in sorted(runs, key=lambda run: run["seed"]):
        variants.setdefault(run["variant"], []).append(run)
    return variants


def _end(run: dict[str, Any]) -> float:
    """Return the population's mean fitness over the last generations."""
    return float(np.mean(run["fitness"][-LAST_GENERATIONS:]))


def _won(run: dict[str, Any]) -> float:
    """Return what the best network of a run wins on average, in mbb/h."""
    return float(np.mean([rate["mbb_per_hand"] for rate in run["won"].values()]))


def _over_seeds(values: Sequence[float] | NDArray[np.float64], digits: int = 0) -> str:
    """Return a mean over seeds and its 95 % interval."""
    half = half_interval(float(np.std(values, ddof=1)), len(values))
    if digits:
        return f"{np.mean(values):.{digits}f} ± {half:.{digits}f}"
    return f"{number(round(float(np.mean(values))))} ± {number(round(half))}"


def met_by(agent: str, opponent: str) -> str:
    """Return the agent that a cell is of: in the column of counters, the one to the opponent."""
    return f"{agent}-{opponent}" if agent == COUNTER else agent


def led(leader: str, other: str, opponents: Sequence[str]) -> tuple[int, int, int]:
    """Return from how many opponents one agent wins more than another, and surely more or less.

    By paired differences over blocks of the same deals and their 95 % intervals, two blocks at a
    time, so that whole periods of one who changes every 500 hands are compared.
    """
    found = {(one["one"], one["other"]): one for one in duels()}
    gains = []
    for opponent in opponents:
        one, two = found[leader, opponent], found[other, opponent]
        whole = len(one["blocks"]) // 2 * 2
        pairs = np.subtract(one["blocks"], two["blocks"])[:whole].reshape(-1, 2).mean(axis=1)
        half = half_interval(float(pairs.std(ddof=1)), len(pairs))
        gains.append((one["mbb_per_hand"] - two["mbb_per_hand"], half))
    more = sum(gain > 0 for gain, _ in gains)
    surely = sum(gain > half for gain, half in gains)
    return more, surely, sum(gain < -half for gain, half in gains)


def priors() -> list[str]:
    """Return what `astar` wins in its first hands by the prior of the base strategy."""
    groups = {
        "O1 to O8": lambda name: name.startswith("O"),
        "points": lambda name: name.startswith("plane"),
        "knowledge bots": lambda name: not name.startswith(("O", "plane")),
    }
    rows = [
        [
            f"{one['prior']:g}",
            str(one["first"]),
            *(
                whole(mean([won for name, won in one["won"].items() if chosen(name)]))
                for chosen in groups.values()
            ),
        ]
        for one in sorted(data("astar-prior")["settings"], key=lambda one: one["first"])
    ]
    return table(["prior, nats", "deals", *(f"mean of {title}" for title in groups)], rows)


def resources() -> list[str]:
    """Return what the article says that systems take beside what ours take."""
    measured = {
        (one["whose"], one["what"], one["unit"]): one["number"]
        for one in read(f"{FOLDER}/costs.json")
    }
    note = read("agents/blueprint_model/models/hunl.json")
    models = "agents/blueprint_model/models/hunl.blueprint"
    networks = [ROOT / f"engine/search/models/{name}" for name in NETWORK_OF_STREET]
    training = {
        "astar": measured["all networks", "training", "h"],
        "ashe": measured["ashe", "training", "h"],
        "blueprint": note["hours"],
        "deepstack-fast": sum(
            json.loads(path.with_suffix(".json").read_text())["hours"] for path in networks
        ),
    }
    megabytes = {
        "astar": measured["all models", "disk", "MB"] + EQUITIES_MB,
        "ashe": (ROOT / "agents/ashe/models/ashe.network").stat().st_size / 1e6 + EQUITIES_MB,
        "blueprint": (ROOT / models).stat().st_size / 1e6,
        "deepstack-fast": sum(path.stat().st_size for path in networks) / 1e6,
    }

    def ours(agent: str) -> list[str]:
        if not agent:
            return [""] * 4
        action = measured[agent, "action, mean", "ms"]
        return [
            f"`{agent}`",
            f"{rounded(megabytes[agent])} MB",
            f"{rounded(training[agent])} h",
            f"{rounded(action)} ms",
        ]

    rows = [[*article, *ours(agent)] for *article, agent in RESOURCES]
    head = ["article", "storage", "training", "an action", "here", "storage", "training"]
    return table([*head, "an action"], rows)


def costs() -> list[str]:
    """Return how long an action of each player takes."""
    parts = ("mean", "99 %", "longest")
    times: dict[str, dict[str, str]] = {}
    for one in read(f"{FOLDER}/costs.json"):
        action, _, part = one["what"].partition(", ")
        if action == "action":
            told = f"{rounded(one['number'])} {one['unit']}"
            times.setdefault(one["whose"], {})[part] = told
    rows = [[f"`{name}`", *(own[part] for part in parts)] for name, own in times.items()]
    return table(["an action of", *parts], rows)
