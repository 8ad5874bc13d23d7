"""Fitness by generation as SVG: of one run, or of several runs beside each other."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any, Final

from engine.console.svg import add_text, new_picture, round_step, svg_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WIDTH: Final = 820
_PLOT: Final = (70, 70, 560, 300)
"""Left, top, width and height of what is drawn."""
_HEIGHT: Final = 440
_FLOOR: Final = -2.0
"""Nothing below is drawn: a generation that has just met new opponents may lose any amount."""
_COLOURS: Final = (
    ("#1b6ca8", "#6cb6ee"),
    ("#b3541e", "#f0a06a"),
    ("#2a7d3f", "#74c98a"),
    ("#8a3a8f", "#d693da"),
    ("#7a6a00", "#d8c452"),
    ("#555555", "#b5b5b5"),
)
"""In light and in dark."""


def fitness_svg(title: str, curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Return the picture.

    Args:
        title: of the picture.
        curves: name -> facts of its generations, see `GenerationResult.facts`; the mean of each
            population is drawn as a line, and of a single run the best as well, dashed.
    """
    svg = new_picture(_WIDTH, _HEIGHT, title, _style())
    add_text(svg, 20, 26, title, "ink", size=16)
    add_text(svg, 20, 46, "fitness: mean of what is won, by what the best wins", "faint")
    lines = [(name, [one["mean_fitness"] for one in told], "") for name, told in curves.items()]
    if len(curves) == 1:
        lines = [(f"{lines[0][0]}, mean", lines[0][1], "")]
        ((name, told),) = curves.items()
        lines.append((f"{name}, best", [one["best_fitness"] for one in told], " dashed"))
    most = max([1, *(len(values) for _, values, _ in lines)])
    _axes(svg, most)
    for number, (name, values, style) in enumerate(lines):
        points = [_place(at + 1, value, most) for at, value in enumerate(values)]
        colour = f"line{number % len(_COLOURS)}{style}"
        if points:
            _line(svg, points, colour)
        left, top = _PLOT[0] + _PLOT[2] + 20, _PLOT[1] + 14 + 22 * number
        _line(svg, [(left, top - 4), (left + 24, top - 4)], colour)
        add_text(svg, left + 32, top, name, "ink")
    return svg_text(svg)


def _axes(svg: ET.Element, most: int) -> None:
    left, top, width, height = _PLOT
    for tick in range(int(2 * _FLOOR), 3):
        value = tick / 2
        _, y = _place(1, value, most)
        _line(svg, [(left, y), (left + width, y)], "grid" if tick else "zero")
        add_text(svg, left - 8, y + 4, f"{value:g}", "faint", anchor="end")
    step = max(int(round_step(most / 6)), 1)
    for generation in range(step, most + 1, step):
        x, _ = _place(generation, 0.0, most)
        add_text(svg, x, top + height + 18, f"{generation}", "faint", anchor="middle")
    add_text(svg, left + width / 2, top + height + 38, "generation", "faint", anchor="middle")


def _place(generation: int, value: float, most: int) -> tuple[float, float]:
    left, top, width, height = _PLOT
    shown = min(max(value, _FLOOR), 1.0)
    x = left + width * (generation - 1) / max(most - 1, 1)
    return x, top + height * (1.0 - shown) / (1.0 - _FLOOR)


def _line(parent: ET.Element, points: Sequence[tuple[float, float]], style: str) -> None:
    written = " L ".join(f"{x:.1f} {y:.1f}" for x, y in points)
    ET.SubElement(parent, "path", {"d": f"M {written}", "class": style})


def _style() -> str:
    light = [f".line{at} {{ stroke: {one}; }}" for at, (one, _) in enumerate(_COLOURS)]
    dark = [f".line{at} {{ stroke: {one}; }}" for at, (_, one) in enumerate(_COLOURS)]
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
