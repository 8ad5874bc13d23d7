"""Figures of the modeller's trained predictors: the decision tree and a small network."""

from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agents.statistical.predicting.contexts import FEATURES
from agents.statistical.predicting.decision_tree import DecisionTree
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.predicting.strength_bins import LEAF, STRENGTH_BINS
from tests.documents.cells import data
from tests.documents.drawing import COLOURS, DARK, new_figure

OUTPUTS: Final = ("fold", "call", "raise")
WIDEST_LINE: Final = 3.0
LEVELS: Final = 3
"""Splits between the root and the histograms."""
ACTION_COLOURS: Final = {"folds": COLOURS[3], "calls": COLOURS[0], "raises": COLOURS[1]}
SWITCHES: Final = {
    "flop": ("not the flop", "flop"),
    "no raise": ("a raise", "no raise"),
    "pot odds": ("nothing to call", "a bet to call"),
}
"""Inputs split at 0 or between 0 and 1 -> what the sides are called."""


def tree() -> Figure:
    """Return the upper splits of the shipped tree, and what is held and done below each.

    A histogram shows the decisions that come to a node of the last level by strength of the hand,
    weakest left, and by action.
    """
    model = load_shipped("tree")
    ends = 2**LEVELS
    figure, [axes] = new_figure(
        "The decision tree's first splits, and the strengths below them",
        f"{len(model.feature)} nodes, {np.count_nonzero(model.feature == LEAF)} of them leaves; "
        f"decisions by strength of the hand, weakest left",
        1,
        1,
        (10.0, 5.0),
    )
    axes.set(xlim=(0, ends), ylim=(0, LEVELS + 1.6))
    axes.set_axis_off()
    _subtree(axes, model, 0, 0, 0)
    for name, colour in ACTION_COLOURS.items():
        axes.bar(0, 0, color=colour, label=name)
    axes.legend(loc="upper right")
    return figure


def _subtree(axes: Axes, model: DecisionTree, node: int, level: int, column: int) -> float:
    """Draw a node and what is below it; return where across it stands."""
    width = 2 ** (LEVELS - level)
    across, up = (column + 0.5) * width, LEVELS + 1.2 - level
    if level == LEVELS or model.feature[node] == LEAF:
        _histogram(axes, model, node, across)
        return across
    sides = _sides(FEATURES[model.feature[node]], float(model.threshold[node]))
    for side, child in enumerate(model.children[node].tolist()):
        below = _subtree(axes, model, child, level + 1, 2 * column + side)
        end = up - (1 if level < LEVELS - 1 else 0.8)
        axes.plot((across, below), (up, end), color=COLOURS[3], zorder=0)
        share = 0.62 if level < LEVELS - 1 else 0.9
        at = across + share * (below - across), up + share * (end - up)
        box = {"color": "white", "pad": 1}
        axes.text(*at, sides[side], ha="center", va="center", fontsize=7.5, bbox=box)
    axes.text(
        across,
        up,
        f"{int(model.counts[node].sum()):,}",
        ha="center",
        va="center",
        bbox={"boxstyle": "round", "facecolor": "white", "edgecolor": COLOURS[3]},
    )
    return across


def _sides(feature: str, threshold: float) -> tuple[str, str]:
    """Return what the two sides of a split are called."""
    if feature == "stack":
        pots = threshold / (1 - threshold)
        return f"stack ≤ {pots:.0f} pots", f"stack > {pots:.0f} pots"
    return SWITCHES.get(feature, (f"{feature} ≤ {threshold:.2g}", f"{feature} > {threshold:.2g}"))


def _histogram(axes: Axes, model: DecisionTree, node: int, across: float) -> None:
    counts: Any = model.counts[node, :, :STRENGTH_BINS] / model.counts[node].sum()
    at = across - 0.42 + 0.84 * (np.arange(STRENGTH_BINS) + 0.5) / STRENGTH_BINS
    highest = counts.sum(axis=0).max()
    under = np.full(STRENGTH_BINS, 0.45)
    for shares, colour in zip(counts, ACTION_COLOURS.values(), strict=True):
        heights = shares / highest * 0.85
        axes.bar(at, heights, 0.84 / STRENGTH_BINS, under, color=colour)
        under = under + heights
    done = " / ".join(f"{100 * share:.0f}" for share in model.chances[node])
    decisions = f"{int(model.counts[node].sum()):,} decisions"
    axes.text(across, 0.38, f"{decisions}\n{done} %", ha="center", va="top", fontsize=7.5)


def network() -> Figure:
    """Return the patent's picture of a network: node values as shades, weights as lines.

    White nodes are 0, black ones 1, hidden ones -1 to 1.  Dark lines are weights above 0, light
    ones below; the wider, the larger.
    """
    facts = data("network")
    hidden, output = np.array(facts["hidden"])[:-1], np.array(facts["output"])[:-1]
    figure, [axes] = new_figure(
        "A network with four hidden units, at one decision",
        f"betting {facts['betting']} on {facts['board']}, in no-limit hold'em; dark lines are "
        f"positive weights, light ones negative",
        1,
        1,
        (10.5, 5.6),
    )
    axes.set_axis_off()
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.25, 1.5))
    rows = [(np.arange(count) + 0.5) / count for count in (*hidden.shape, output.shape[1])]
    heights = (1.0, 0.5, 0.0)
    for weights, above, below, up, down in (
        (hidden, rows[0], rows[1], heights[0], heights[1]),
        (output, rows[1], rows[2], heights[1], heights[2]),
    ):
        largest = np.abs(weights).max()
        for one, other in np.ndindex(weights.shape):
            weight = weights[one, other] / largest
            axes.plot(
                (above[one], below[other]),
                (up, down),
                color=DARK if weight > 0 else "#b9b9b9",
                linewidth=WIDEST_LINE * abs(weight),
                zorder=0,
            )
    values = (facts["inputs"], (np.array(facts["units"]) + 1) / 2, facts["outputs"])
    for across, up, shades in zip(rows, heights, values, strict=True):
        shown = [str(1 - min(max(shade, 0), 1)) for shade in shades]
        axes.scatter(across, np.full(len(across), up), 90, shown, edgecolors=DARK)
    for across, name in zip(rows[0], facts["features"], strict=True):
        axes.text(across, 1.05, name, rotation=90, ha="center", va="bottom", fontsize=7)
    for across, name, chance in zip(rows[2], OUTPUTS, facts["outputs"], strict=True):
        axes.text(across, -0.08, f"{name} {chance:.2f}", ha="center", va="top")
    return figure
