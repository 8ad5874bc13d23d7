"""The planes of a decision as a picture: 16 grids, darker where a cell is nearer 1."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import groupby
from typing import TYPE_CHECKING, Final

from agents.poker_cnn.planes import NAMES, PLANES, SIDE
from engine.console.svg import add_text, new_picture, svg_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CELL: Final = 9.0
_ACROSS: Final = 4
_LEFT: Final = 34.0
_TOP: Final = 84.0
_STEP: Final = (SIDE * _CELL + 34.0, SIDE * _CELL + 42.0)
_SUITS: Final = "shdc"
_RANKS: Final = "23456789TJQKA"
_STYLE: Final = """
.cell { fill: #1f5fa8; } .edge { fill: none; stroke: #b8b8b8; }
.cards { fill: none; stroke: #d08a2e; stroke-dasharray: 3 2; }
@media (prefers-color-scheme: dark) { .cell { fill: #7fb2ea; } .edge { stroke: #4a4d52; } }
"""


def planes_svg(planes: NDArray[np.float32], title: str, lines: tuple[str, ...]) -> str:
    """Return the picture of (16, 17, 17) planes; `lines` tell of the hand."""
    rows = PLANES // _ACROSS
    width, height = _LEFT + _ACROSS * _STEP[0], _TOP + rows * _STEP[1]
    svg = new_picture(width, height, title, _STYLE)
    add_text(svg, _LEFT, 26, title, "ink", size=16)
    for number, line in enumerate(lines):
        add_text(svg, _LEFT, 46 + 16 * number, line, "faint")
    for plane in range(PLANES):
        left = _LEFT + plane % _ACROSS * _STEP[0]
        top = _TOP + plane // _ACROSS * _STEP[1] + 18
        add_text(svg, left, top - 5, f"{plane + 1} {NAMES[plane]}", "ink")
        _draw(svg, planes[plane], left, top, cards=plane < 8)
    return svg_text(svg)


def _draw(
    svg: ET.Element, plane: NDArray[np.float32], left: float, top: float, *, cards: bool
) -> None:
    side = SIDE * _CELL
    _rectangle(svg, left, top, side, side, "edge")
    if cards:
        _rectangle(svg, left, top, 13 * _CELL, 4 * _CELL, "cards")
        for row, suit in enumerate(_SUITS):
            add_text(svg, left - 3, top + (row + 0.85) * _CELL, suit, "faint", anchor="end", size=9)
        for column, rank in enumerate(_RANKS):
            x = left + (column + 0.5) * _CELL
            add_text(svg, x, top + 5.2 * _CELL, rank, "faint", anchor="middle", size=8)
    for row in range(SIDE):
        column = 0
        for value, cells in groupby(plane[row].tolist()):
            count = len(list(cells))
            if value:
                x, y = left + column * _CELL, top + row * _CELL
                lit = _rectangle(svg, x, y, count * _CELL, _CELL, "cell")
                if value < 1:
                    lit.set("fill-opacity", f"{value:.2f}")
            column += count


def _rectangle(
    svg: ET.Element, x: float, y: float, width: float, height: float, style: str
) -> ET.Element:
    numbers = {"x": x, "y": y, "width": width, "height": height}
    written = {name: f"{number:.1f}" for name, number in numbers.items()}
    return ET.SubElement(svg, "rect", written | {"class": style})
