"""The style of all figures: panels, colours, and a figure as a text that is always the same."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

from matplotlib import rc_context
from matplotlib.figure import Figure

_STYLE: Final[Any] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 9,
    "grid.color": "#d4d4d4",
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "acpc-arena",
}
"""With a fixed salt the same figure has the same bytes; text stays text."""
COLOURS: Final = ("#1b6ca8", "#b3541e", "#3d7a35", "#8a8f98")
"""Blue, orange, green, grey: of series, in this order unless a figure says otherwise."""
DARK: Final = "#222222"
LINES: Final = (*COLOURS[:3], "#8a4fb0", "#c79a1e", "#4aa3a0", DARK)
"""Of figures of many lines."""


def new_figure(
    title: str, subtitle: str, panels: int, columns: int, size: tuple[float, float]
) -> tuple[Figure, list[Any]]:
    """Return a figure with empty panels, and the axes of each, row by row.

    Args:
        panels: how many; `columns` of them beside each other.
        size: of a panel with its labels, width and height in inches.
    """
    columns = min(panels, columns)
    rows = -(-panels // columns)
    with rc_context(_STYLE):
        figure = Figure((columns * size[0], rows * size[1] + 0.6), layout="constrained")
        figure.suptitle(title + "\n" * (1 + subtitle.count("\n")), x=0.01, ha="left", fontsize=12)
        below = 1 - 0.3 / figure.get_figheight()
        figure.text(0.01, below, subtitle, color="#6a6a6a", va="top")
        axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for unused in axes[panels:]:
        unused.remove()
    return figure, axes[:panels]


def figure_svg(figure: Figure) -> str:
    """Return a figure as the text of an SVG file, which is the same each time."""
    written = io.StringIO()
    with rc_context(_STYLE):
        figure.savefig(written, format="svg", metadata={"Date": None})
    return written.getvalue()


def percents(share: float, _: int | None = None) -> str:
    """Return the label of a share on an axis."""
    return f"{100 * share:.0f} %"


def line_figure(
    title: str, across: str, up: str, lines: Mapping[str, Sequence[tuple[float, float]]]
) -> tuple[Figure, Any]:
    """Return a figure of one panel with a line for each name, and its axes.

    Args:
        across: what the horizontal axis shows, and `up` the vertical one.
        lines: name -> points.
    """
    figure, [axes] = new_figure(title, "", 1, 1, (7.0, 4.2))
    axes.set_prop_cycle(color=LINES)
    for name, points in lines.items():
        axes.plot(*zip(*points, strict=True), label=name, linewidth=1.2)
    axes.set(xlabel=across, ylabel=up)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure, axes
