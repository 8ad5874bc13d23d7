"""Learning curves: what modelling wins, block of deals by block of deals.

A panel for each opponent: deals of the match across, mbb/h up; a line through the blocks' means and
a band of their 95 % intervals for the first setting and for the last, which plays without a model.
There is no band where blocks are single samples, without an interval.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.console.drawing import COLOURS, DARK, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from agents.studies.statistical.trials_report import Results


def curves_figure(results: Results, block: int, subtitle: str = "") -> Figure:
    """Return the figure of everything played; matches are no shorter than a block."""
    title = f"What modelling wins, by blocks of {block} deals"
    figure, panels = new_figure(title, subtitle, len(results.played), 3, (4.0, 2.9))
    names = list(results.plan.settings)
    for axes, opponent in zip(panels, results.played, strict=True):
        rows = results.blocks(opponent, block)
        axes.set_title(opponent, loc="left")
        axes.set_xlabel("deals")
        axes.set_ylabel("mbb/h")
        axes.axhline(0, color=DARK, linewidth=0.8)
        for name, curve, colour, line in (
            (names[0], rows[0], COLOURS[0], "-"),
            (names[-1], rows[-2], COLOURS[1], "--"),
        ):
            at = [(number + 0.5) * block for number in range(len(curve))]
            means = [rate.mbb_per_hand for rate in curve]
            axes.plot(at, means, line, color=colour, label=name)
            if all(math.isfinite(rate.ci95) for rate in curve):
                low = [rate.mbb_per_hand - rate.ci95 for rate in curve]
                high = [rate.mbb_per_hand + rate.ci95 for rate in curve]
                axes.fill_between(at, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.set_xlim(0, len(rows[0]) * block)
    panels[0].legend()
    return figure
