"""Charts of lines as SVG: some quantity by another, a line for each of a few names."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.console.svg import add_text, new_picture, round_step, svg_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH: Final = 820
_PLOT_BOX: Final = (70, 70, 540, 300)
"""The numbers are left, top, width and height."""
_HEIGHT: Final = 440
_TICKS: Final = 6
_LINE_COLOURS: Final = (
    ("#1b6ca8", "#6cb6ee"),
    ("#b3541e", "#f0a06a"),
    ("#2a7d3f", "#74c98a"),
    ("#8a3a8f", "#d693da"),
    ("#7a6a00", "#d8c452"),
    ("#555555", "#b5b5b5"),
)


class ChartLine(NamedTuple):
    """A line of a chart."""

    name: str
    points: Sequence[tuple[float, float]]
    dashed: bool = False


class _Frame(NamedTuple):
    """The ranges of both axes."""

    left: float
    right: float
    bottom: float
    top: float

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point is drawn; what is above or below is drawn at the edge."""
        left, top, width, height = _PLOT_BOX
        shown = min(max(y, self.bottom), self.top)
        return (
            left + width * (x - self.left) / (self.right - self.left),
            top + height * (self.top - shown) / (self.top - self.bottom),
        )


def line_chart(
    title: str,
    subtitle: str,
    across: str,
    lines: Sequence[ChartLine],
    limits: tuple[float, float] | None = None,
) -> str:
    """Return a line chart as SVG.

    Args:
        subtitle: the quantity on the vertical axis.
        across: the quantity on the horizontal axis.
        lines: may begin at different points.
        limits: least and greatest value of the vertical axis; None: of the points.
    """
    svg = new_picture(_WIDTH, _HEIGHT, title, _style())
    add_text(svg, 20, 26, title, "ink", size=16)
    add_text(svg, 20, 46, subtitle, "faint")
    frame = _frame([point for line in lines for point in line.points], limits)
    _axes(svg, frame, across)
    for number, line in enumerate(lines):
        style = f"line{number % len(_LINE_COLOURS)}" + " dashed" * line.dashed
        if line.points:
            _path(svg, [frame.place(*point) for point in line.points], style)
        left, top = _PLOT_BOX[0] + _PLOT_BOX[2] + 20, _PLOT_BOX[1] + 14 + 22 * number
        _path(svg, [(left, top - 4), (left + 24, top - 4)], style)
        add_text(svg, left + 32, top, line.name, "ink")
    return svg_text(svg)


def _frame(points: Sequence[tuple[float, float]], limits: tuple[float, float] | None) -> _Frame:
    xs = [x for x, _ in points] or [0.0]
    left, right = min(xs), max(xs)
    if limits is None:
        ys = [y for _, y in points] or [0.0]
        step = round_step(max(max(ys) - min(ys), 1.0) / _TICKS)
        limits = step * math.floor(min(ys) / step), step * (math.floor(max(ys) / step) + 1)
    return _Frame(left, right if right > left else left + 1.0, *limits)


def _axes(svg: ET.Element, frame: _Frame, across: str) -> None:
    left, top, width, height = _PLOT_BOX
    step = round_step((frame.top - frame.bottom) / _TICKS)
    for tick in range(math.ceil(frame.bottom / step), math.floor(frame.top / step) + 1):
        _, y = frame.place(frame.left, tick * step)
        _path(svg, [(left, y), (left + width, y)], "grid" if tick else "zero")
        add_text(svg, left - 8, y + 4, f"{tick * step:g}", "faint", anchor="end")
    step = round_step((frame.right - frame.left) / _TICKS)
    for tick in range(math.ceil(frame.left / step), math.floor(frame.right / step) + 1):
        x, _ = frame.place(tick * step, frame.bottom)
        add_text(svg, x, top + height + 18, f"{tick * step:g}", "faint", anchor="middle")
    add_text(svg, left + width / 2, top + height + 38, across, "faint", anchor="middle")


def _path(parent: ET.Element, points: Sequence[tuple[float, float]], style: str) -> None:
    written = " L ".join(f"{x:.1f} {y:.1f}" for x, y in points)
    ET.SubElement(parent, "path", {"d": f"M {written}", "class": style})


def _style() -> str:
    light = [f".line{at} {{ stroke: {colour}; }}" for at, (colour, _) in enumerate(_LINE_COLOURS)]
    dark = [f".line{at} {{ stroke: {colour}; }}" for at, (_, colour) in enumerate(_LINE_COLOURS)]
    return "\n".join(
        [
            "path { fill: none; stroke-width: 2; } .grid, .zero { stroke-width: 1; }",
            ".dashed { stroke-dasharray: 6 4; } .zero { stroke: #6a6a6a; }",
            *light,
            "@media (prefers-color-scheme: dark) { .zero { stroke: #a2a2a2; }",
            *dark,
            "}",
        ]
    )
