"""Figures of studies, drawn by matplotlib, which the optional extra `studies` brings."""

from __future__ import annotations

import argparse
import io
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from engine.console.arguments import output_file

if TYPE_CHECKING:
    from pathlib import Path

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


def figure_file(text: str) -> Path:
    """Type of an argument: the file of a figure, refused where matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise argparse.ArgumentTypeError(
            "figures are drawn by matplotlib, which is not installed: pip install '.[studies]'"
        )
    return output_file(text)


def new_figure(
    title: str, subtitle: str, panels: int, columns: int, size: tuple[float, float]
) -> tuple[Figure, list[Any]]:
    """Return a figure with empty panels, and the axes of each, row by row.

    Args:
        panels: how many; `columns` of them beside each other.
        size: of a panel with its labels, width and height in inches.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

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
    from matplotlib import rc_context

    written = io.StringIO()
    with rc_context(_STYLE):
        figure.savefig(written, format="svg", metadata={"Date": None})
    return written.getvalue()
