"""The table and the figure of learners: exploitability by decisions, of several seeds."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from matplotlib.figure import Figure

from tests.documents.cells import data, number, rounded, table
from tests.documents.drawing import LINES, new_figure

LEDUC: Final = "learners-leduc-1000000"
LONG: Final = "learners-leduc-10000000"
OPENSPIEL: Final = "openspiel-nfsp"
POINTS: Final = (10_000, 100_000, 300_000, 1_000_000)
LONG_POINTS: Final = (1_000_000, 3_000_000, 10_000_000)
NAMES: Final = {
    "nfsp": "NFSP, all learn at once",
    "nfsp-alternating": "NFSP, one learns, one stays",
    "ppo": "PPO",
    "mmd": "MMD",
    "sdcfr": "single deep CFR",
    "escfr": "external-sampling CFR, a table",
}


def _at(curve: list[list[float]], decisions: float) -> float:
    """Return the exploitability at so many decisions, between two points by their logarithms."""
    steps, values = np.array(curve).T
    return float(np.interp(np.log(decisions), np.log(steps), values))


def _by_learner(facts: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in NAMES}
    for learned in facts["runs"]:
        runs[learned["learner"]].append(learned)
    return {name: learned for name, learned in runs.items() if learned}


def leduc() -> list[str]:
    """Return median, least and largest at a few numbers of decisions, and decisions a second."""
    return _curves(data(LEDUC), POINTS, (0.0, 1.0))


def long() -> list[str]:
    """Return the same of longer runs, with quartiles."""
    return _curves(data(LONG), LONG_POINTS, (0.25, 0.75))


def _curves(facts: dict[str, Any], points: Sequence[int], ends: tuple[float, float]) -> list[str]:
    rows = []
    for name, runs in _by_learner(facts).items():
        cells = []
        for decisions in points:
            values = [_at(learned["curve"], decisions) for learned in runs]
            low, middle, high = np.quantile(values, (ends[0], 0.5, ends[1]))
            cells.append(f"{middle:.3f} ({low:.3f} to {high:.3f})")
        rows.append([NAMES[name], str(len(runs)), *cells, _speed(runs)])
    heads = [f"{number(decisions)}" for decisions in points]
    return table(["learner", "seeds", *heads, "decisions a second"], rows)


def _speed(runs: Sequence[dict[str, Any]]) -> str:
    """Return decisions a second of some runs."""
    decisions = sum(learned["curve"][-1][0] for learned in runs)
    speed = decisions / sum(learned["seconds"] for learned in runs)
    return number(int(rounded(speed, 2).replace(" ", "")))


def openspiel() -> list[str]:
    """Return exploitability and speed of OpenSpiel's learner and of ours, learning in turn."""
    points = POINTS[1:]
    rows = [
        [run["by"], *(f"{_at(run['curve'], at):.2f}" for at in points), _speed([run])]
        for run in data(OPENSPIEL)["runs"]
    ]
    return table(["NFSP of", *map(number, points), "decisions a second"], rows)


def falling() -> Figure:
    """Return the curves: medians over the seeds, and bands from the least to the largest."""
    title = "Leduc hold'em: exploitability by decisions"
    figure, (axes,) = new_figure(
        title, "chips; medians, least and largest of the seeds", 1, 1, (7.0, 4.2)
    )
    across = np.geomspace(2000, POINTS[-1], 60)
    for (name, runs), colour in zip(_by_learner(data(LEDUC)).items(), LINES, strict=False):
        values = np.array([[_at(learned["curve"], at) for at in across] for learned in runs])
        axes.plot(across, np.median(values, axis=0), color=colour, label=NAMES[name])
        axes.fill_between(
            across, values.min(axis=0), values.max(axis=0), color=colour, alpha=0.2, linewidth=0
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("decisions of both players")
    axes.set_ylabel("exploitability, chips")
    axes.legend()
    return figure
