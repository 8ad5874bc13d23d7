"""Figures of the evolved players: adaptation as hands go by, and the curves of pilots."""

from itertools import accumulate
from statistics import mean
from typing import Any, Final

from matplotlib.figure import Figure

from tests.documents.cells import data
from tests.documents.drawing import line_figure
from tests.documents.evolved import duels
from tests.studies.astar_duels import SEARCHER

ADAPTING: Final = ("astar", "ashe", "blueprint", "statistical", SEARCHER)
RANDOM: Final = "O_random"
WINDOW: Final = 10
"""Blocks of a moving mean: 5000 hands."""
BLOCK_HANDS: Final = 500
PILOTS: Final = {
    "stacks": "Sizes of the stacks, and which of them begin each hand anew",
    "curricula": "Whom a population meets when",
    "widths": "Widths of the head's two layers",
    "survival": "Share of a generation that survives",
}
LEAST_FITNESS: Final = -2.0
"""Nothing below is drawn: a generation that has just met new opponents may lose any amount."""


def adaptation() -> Figure:
    """Return what is won as time goes by from an opponent that changes."""
    lines = {}
    for duel in duels():
        if duel["one"] in ADAPTING and duel["other"] == RANDOM:
            sums = list(accumulate(duel["blocks"], initial=0.0))
            lines[duel["one"]] = [
                (BLOCK_HANDS * end, (sums[end] - sums[end - WINDOW]) / WINDOW)
                for end in range(WINDOW, len(sums))
            ]
    title = "Against an opponent that changes every 500 hands"
    return line_figure(title, "hands", "mbb/h, moving mean of 5000 hands", lines)[0]


def by_variant(name: str) -> dict[str, list[dict[str, Any]]]:
    """Return the runs of each variant of a pilot."""
    variants: dict[str, list[dict[str, Any]]] = {}
    for run in data("astar-pilots")["pilots"][name]:
        variants.setdefault(run["variant"], []).append(run)
    return variants


def pilot(name: str) -> Figure:
    """Return the population's mean fitness by generation, a line for each variant: of all seeds."""
    lines = {
        variant: list(enumerate(map(mean, zip(*(run["fitness"] for run in runs), strict=True)), 1))
        for variant, runs in by_variant(name).items()
    }
    up = "fitness: what is won, by what the best wins"
    figure, axes = line_figure(PILOTS[name], "generation", up, lines)
    axes.set_ylim(LEAST_FITNESS, 1)
    return figure


def budget() -> Figure:
    """Return what is won from all eight opponents by what was played, a point for each run."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for runs in by_variant("budgets").values():
        for run in runs:
            won = mean(rate["mbb_per_hand"] for rate in run["won"].values())
            lines.setdefault(f"seed {run['seed']}", []).append((run["training_hands"], won))
    points = {name: sorted(line) for name, line in lines.items()}
    title = "What more evolution is worth"
    figure, axes = line_figure(title, "hands in training", "mbb/h, mean over all eight", points)
    axes.set_xscale("log")
    for line in axes.get_lines():
        line.set_marker("o")
    return figure
