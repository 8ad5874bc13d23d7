"""Figure of techniques of subgame solving: exploitability by buckets, measured and published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from engine.console.drawing import COLOURS, DARK, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BLUE, _ORANGE, _GREEN, _GREY = COLOURS
_LOOKS: Final = {
    "blueprint": (DARK, "-"),
    "unsafe": (_ORANGE, "-"),
    "resolve": (_GREY, "-"),
    "max-margin": (_GREEN, "-"),
    "reach-max-margin": (_GREEN, "--"),
    "reach-max-margin, not split": (_GREEN, ":"),
    "estimate": (_BLUE, "-"),
    "estimate + distributional": (_BLUE, "--"),
    "reach-estimate + distributional": (_BLUE, "-."),
    "reach-estimate + distributional, not split": (_BLUE, ":"),
}
"""Colour and line by technique."""


def techniques_figure(
    measured: Mapping[str, Mapping[int, float]],
    published: Mapping[str, Sequence[float]],
    buckets: Sequence[int],
    subtitle: str,
) -> Figure:
    """Return the figure of both tables.

    Args:
        measured: mbb per hand, by technique and number of buckets.
        published: the same, by technique and `buckets`.
        subtitle: what was measured.
    """
    figure, panels = new_figure("Techniques of subgame solving", subtitle, 2, 2, (4.2, 3.6))
    told = {name: dict(zip(buckets, row, strict=True)) for name, row in published.items()}
    handles: dict[str, Any] = {}
    for axes, title, rows in zip(panels, ("measured", "published"), (measured, told), strict=True):
        axes.set_title(title, loc="left")
        handles |= {name: _draw(axes, name, row) for name, row in rows.items()}
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(sorted(rows["blueprint"]), minor=False)
        axes.set_xticks([], minor=True)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.set_xlabel("buckets")
    panels[0].set_ylabel("exploitability, mbb per hand")
    figure.legend(handles.values(), handles.keys(), loc="outside lower left", ncols=3)
    return figure


def _draw(axes: Axes, name: str, row: Mapping[int, float]) -> Any:
    colour, line = _LOOKS[name]
    (drawn,) = axes.plot(list(row), list(row.values()), line, color=colour, marker=".", label=name)
    return drawn
