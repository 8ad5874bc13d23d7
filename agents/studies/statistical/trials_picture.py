"""Learning curves as SVG: what modelling wins, block of deals by block of deals.

A panel for each opponent: deals of the match across, mbb/h up; a line through the blocks' means and
a band of their 95 % intervals for the first setting and for the last, which plays without a model.
There is no band where blocks are single samples, without an interval.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Final

from engine.console.svg import add_text, new_picture, round_step, svg_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.studies.statistical.trials_report import Results
    from engine.estimates.winrate import WinRate

_COLUMNS: Final = 3
_PANEL: Final = (300, 200)
"""Width and height of what is drawn in a panel."""
_MARGIN: Final = (62, 36)
"""Left of and above it."""
_CELL: Final = (390, 280)
_TOP: Final = 92
_TICKS: Final = 4
_STYLE: Final = """
.zero { stroke: #6a6a6a; }
.line0 { stroke: #1b6ca8; fill: none; stroke-width: 2; } .band0 { fill: #1b6ca8; opacity: 0.2; }
.line1 { stroke: #b3541e; fill: none; stroke-width: 2; stroke-dasharray: 6 4; }
.band1 { fill: #b3541e; opacity: 0.2; }
@media (prefers-color-scheme: dark) {
.zero { stroke: #a2a2a2; }
.line0 { stroke: #6cb6ee; } .band0 { fill: #6cb6ee; }
.line1 { stroke: #f0a06a; } .band1 { fill: #f0a06a; }
}
"""


def curves_svg(results: Results, block: int, subtitle: str = "") -> str:
    """Return the picture of everything played; matches are no shorter than a block."""
    count = len(results.played)
    columns = min(count, _COLUMNS)
    width = max(columns * _CELL[0], 760)
    height = _TOP + math.ceil(count / columns) * _CELL[1]
    title = f"What modelling wins, by blocks of {block} deals"
    svg = new_picture(width, height, title, _STYLE)
    add_text(svg, 20, 26, title, "ink", size=16)
    add_text(svg, 20, 46, subtitle, "faint")
    names = list(results.plan.settings)
    for number, name in enumerate((names[0], names[-1])):
        left = 20 + 160 * number
        _path(svg, [(left, 66), (left + 30, 66)], f"line{number}")
        add_text(svg, left + 38, 70, name, "ink")
    for number, opponent in enumerate(results.played):
        group = ET.SubElement(
            svg,
            "g",
            transform=f"translate({number % columns * _CELL[0] + _MARGIN[0]} "
            f"{_TOP + number // columns * _CELL[1] + _MARGIN[1]})",
        )
        rows = results.blocks(opponent, block)
        _panel(group, opponent, (rows[0], rows[-2]), block)
    return svg_text(svg)


def _panel(
    group: ET.Element, opponent: str, curves: Sequence[Sequence[WinRate]], block: int
) -> None:
    width, height = _PANEL
    rates = [rate for curve in curves for rate in curve]
    ticks = _ticks(
        min(0.0, *(rate.mbb_per_hand - _spread(rate) for rate in rates)),
        max(0.0, *(rate.mbb_per_hand + _spread(rate) for rate in rates)),
    )
    least, most = ticks[0], ticks[-1]
    blocks = len(curves[0])

    def place(at: float, rate: float) -> tuple[float, float]:
        return width * at / blocks, height * (most - rate) / (most - least)

    add_text(group, 0, -10, opponent, "ink", size=14)
    for tick in ticks:
        _path(group, [place(0, tick), place(blocks, tick)], "grid" if tick else "zero")
        add_text(group, -8, place(0, tick)[1] + 4, f"{tick:g}", "faint", anchor="end")
    for at in range(0, blocks + 1, max(1, math.ceil(blocks / 6))):
        add_text(group, place(at, 0)[0], height + 18, f"{at * block}", "faint", anchor="middle")
    add_text(group, width / 2, height + 34, "deals", "faint", anchor="middle")
    for number, curve in enumerate(curves):
        if any(math.isinf(rate.ci95) for rate in curve):
            continue
        upper, lower = (
            [place(at + 0.5, rate.mbb_per_hand + sign * rate.ci95) for at, rate in enumerate(curve)]
            for sign in (1, -1)
        )
        _path(group, [*upper, *reversed(lower)], f"band{number}", closed=True)
    for number, curve in enumerate(curves):
        points = [place(at + 0.5, rate.mbb_per_hand) for at, rate in enumerate(curve)]
        _path(group, points, f"line{number}")


def _spread(rate: WinRate) -> float:
    return rate.ci95 if math.isfinite(rate.ci95) else 0.0


def _ticks(least: float, most: float) -> list[float]:
    """Return round numbers at equal distances from at most `least` to at least `most`."""
    step = round_step(max(most - least, 1.0) / _TICKS)
    first, last = math.floor(least / step), math.ceil(most / step)
    return [number * step for number in range(first, max(last, first + 1) + 1)]


def _path(
    parent: ET.Element, points: Sequence[tuple[float, float]], style: str, *, closed: bool = False
) -> None:
    written = " L ".join(f"{x:.1f} {y:.1f}" for x, y in points)
    ET.SubElement(parent, "path", {"d": f"M {written}" + " Z" * closed, "class": style})
