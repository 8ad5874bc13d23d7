"""The plane of tightness and aggression with the measured bots in it, as SVG.

Across: share of hands played, tight left, loose right; up: share of raises.  The colours follow the
reader's light or dark setting; the shapes tell the groups apart without colour.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Final, TypeAlias

from agents.roster.plane import AGGRESSIVE_ABOVE, LOOSE_ABOVE
from engine.console.svg import add_line, add_text, new_picture, svg_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.studies.pool.crosstable import Crosstable

_WIDTH, _HEIGHT = 760, 580
_LEFT, _TOP, _PLANE_WIDTH, _PLANE_HEIGHT = 70, 70, 640, 430
_RADIUS: Final = 5.0
_TEXT_HEIGHT: Final = 14.0
_LETTER_WIDTH: Final = 7.2
_QUADRANTS: Final = (
    (0.02, 0.95, "tight-aggressive"),
    (0.42, 0.95, "loose-aggressive"),
    (0.02, 0.35, "tight-weak"),
    (0.42, 0.35, "loose-weak"),
)
_Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom of a text."""
_STYLE: Final = """
svg { font-size: 13px; } .line { stroke: #222222; fill: none; }
.bound { stroke: #9a9a9a; stroke-dasharray: 5 4; fill: none; }
.group0 { fill: #1b6ca8; } .group1 { fill: #b3541e; } .group2 { fill: #3d7a35; }
@media (prefers-color-scheme: dark) {
.line { stroke: #e8e8e8; } .bound { stroke: #7a7d82; }
.group0 { fill: #6cb6ee; } .group1 { fill: #f0a06a; } .group2 { fill: #8ed082; }
}
"""


def plane_svg(table: Crosstable, title: str, subtitle: str = "") -> str:
    """Return the picture; bots that had no occasion to show a habit are left out."""
    svg = new_picture(_WIDTH, _HEIGHT, title, _STYLE)
    add_text(svg, _LEFT, 28, title, "ink", size=16)
    add_text(svg, _LEFT, 50, subtitle, "faint")
    _axes(svg)
    groups = list(dict.fromkeys(bot.group for bot in table.bots))
    marks = []
    for number, bot in enumerate(table.bots):
        habits = table.habits(number)
        if habits.played is not None and habits.raise_share is not None:
            name = f"{bot.name} {bot.also}".strip()
            marks.append((_x(habits.played), _y(habits.raise_share), name, groups.index(bot.group)))
    for (x, y, name, group), (left, base) in zip(marks, _label_places(marks), strict=True):
        mark = _mark(svg, x, y, group)
        ET.SubElement(mark, "title").text = name
        add_text(svg, left, base, name, "ink")
    if len(groups) > 1:
        for group, name in enumerate(groups):
            x = _LEFT + _PLANE_WIDTH - 100.0 * (len(groups) - group)
            _mark(svg, x, 24, group)
            add_text(svg, x + 12, 28, name, "ink")
    return svg_text(svg)


def _x(share: float) -> float:
    return _LEFT + _PLANE_WIDTH * share


def _y(share: float) -> float:
    return _TOP + _PLANE_HEIGHT * (1.0 - share)


def _axes(svg: ET.Element) -> None:
    bottom, right = _TOP + _PLANE_HEIGHT, _LEFT + _PLANE_WIDTH
    for step in range(6):
        share = step / 5
        add_line(svg, _x(share), _TOP, _x(share), bottom, "grid")
        add_line(svg, _LEFT, _y(share), right, _y(share), "grid")
        add_text(svg, _x(share), bottom + 18, f"{100 * share:.0f} %", "faint", anchor="middle")
        add_text(svg, _LEFT - 8, _y(share) + 4, f"{100 * share:.0f} %", "faint", anchor="end")
    add_line(svg, _x(LOOSE_ABOVE), _TOP, _x(LOOSE_ABOVE), bottom, "bound")
    add_line(svg, _LEFT, _y(AGGRESSIVE_ABOVE), right, _y(AGGRESSIVE_ABOVE), "bound")
    add_line(svg, _LEFT, bottom, right, bottom, "line")
    add_line(svg, _LEFT, _TOP, _LEFT, bottom, "line")
    for across, up, word in _QUADRANTS:
        add_text(svg, _x(across), _y(up), word, "faint")
    add_text(svg, _x(0.5), bottom + 42, "hands played against a raise", "ink", anchor="middle")
    label = add_text(svg, 0, 0, "raises among actions but folds", "ink", anchor="middle")
    label.set("transform", f"translate(20 {_y(0.5):.0f}) rotate(-90)")


def _label_places(marks: Sequence[tuple[float, float, str, int]]) -> list[tuple[float, float]]:
    """Return where each name begins: beside its mark, moved up or down until it is free."""
    taken = [_box(_x(across), _y(up), word) for across, up, word in _QUADRANTS]
    taken += [(x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS) for x, y, _, _ in marks]
    places = []
    for x, y, name, _ in marks:
        left = x + 9
        if _box(left, y, name)[2] > _WIDTH:
            left = x - 9 - _LETTER_WIDTH * len(name)
        place = (left, y + 4)
        for step in range(40):
            base = y + 4 + (step + 1) // 2 * 7.0 * (-1) ** step
            box = _box(left, base, name)
            inside = box[1] > _TOP and box[3] < _TOP + _PLANE_HEIGHT
            if inside and not any(_overlap(box, other) for other in taken):
                place = (left, base)
                break
        taken.append(_box(*place, name))
        places.append(place)
    return places


def _box(left: float, base: float, text: str) -> _Box:
    return left, base - _TEXT_HEIGHT + 3, left + _LETTER_WIDTH * len(text), base + 3


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _mark(svg: ET.Element, x: float, y: float, group: int) -> ET.Element:
    """Draw a circle, a square or a triangle, by group."""
    style, r = f"group{group % 3}", _RADIUS
    if group % 3 == 0:
        return ET.SubElement(
            svg, "circle", {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": f"{r}", "class": style}
        )
    corners = [(-r, -r), (r, -r), (r, r), (-r, r)] if group % 3 == 1 else [(0, -r), (r, r), (-r, r)]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return ET.SubElement(svg, "polygon", {"points": points, "class": style})
