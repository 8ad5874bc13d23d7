"""Figure of a search for bet sizes: what each size loses where it is moved alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.console.drawing import COLOURS, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def sizes_figure(facts: Mapping[str, Any]) -> Figure:
    """Return the figure of what `arena experiment sizes` found, a panel for each size.

    Args:
        facts: its JSON, of a search that has ended.
    """
    losses = {name: found["moved"] for name, found in facts["losses"].items()}
    title = f"Bet sizes with {facts['stack']} big blinds"
    subtitle = f"mbb per hand lost where one size of {facts['best']['menu']} is moved"
    figure, panels = new_figure(title, subtitle, len(losses), 4, (2.6, 2.6))
    most = max(lost for points in losses.values() for _, lost in points)
    for axes, (name, points) in zip(panels, losses.items(), strict=True):
        sizes = [size for size, _ in points]
        axes.set_title(name, loc="left")
        axes.set_xscale("log")
        axes.set_xticks(sizes[::2], [str(size) for size in sizes[::2]])
        axes.minorticks_off()
        axes.set_xlabel("% of the pot")
        axes.set_ylim(-0.1 * most - 1, 1.1 * most + 1)
        axes.plot(sizes, [lost for _, lost in points], ".-", color=COLOURS[0])
    return figure
