"""Pictures of a strength study, as SVG: three panels, one above the other.

histogram       hands by strength, the four streets on top of each other
win chance      share of hands that won by strength, all streets, with 95 % intervals
by street       the same for each street
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Final

from agents.studies.statistical.strength_study import merged
from engine.console.svg import add_line, add_text, new_picture, round_step, svg_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.studies.statistical.strength_study import StrengthCounts

STREET_NAMES: Final = ("before the flop", "flop", "turn", "river")
BARS: Final = 50
POINTS: Final = 20
LEAST_HANDS: Final = 10
"""Points of fewer hands are left out of the lines by street."""

_WIDTH, _LEFT, _ACROSS, _UP = 760, 70, 640, 230
_FIRST_TOP: Final = 96
_PITCH: Final = 320
_STYLE: Final = """
svg { font-size: 13px; } .line { stroke: #222222; fill: none; }
.bar0 { fill: #8a8f98; } .bar1 { fill: #1b6ca8; } .bar2 { fill: #3d7a35; } .bar3 { fill: #b3541e; }
.way { fill: none; stroke-width: 2; }
.way0 { stroke: #8a8f98; } .way1 { stroke: #1b6ca8; } .way2 { stroke: #3d7a35; }
.way3 { stroke: #b3541e; } .all { stroke: #222222; } .dot { fill: #222222; }
@media (prefers-color-scheme: dark) {
.line { stroke: #e8e8e8; }
.bar0 { fill: #8f949d; } .bar1 { fill: #6cb6ee; } .bar2 { fill: #8ed082; } .bar3 { fill: #f0a06a; }
.way0 { stroke: #8f949d; } .way1 { stroke: #6cb6ee; } .way2 { stroke: #8ed082; }
.way3 { stroke: #f0a06a; } .all { stroke: #e8e8e8; } .dot { fill: #e8e8e8; }
}
"""


def study_svg(counts: StrengthCounts, subtitle: str = "") -> str:
    """Return the picture."""
    title = "Hand strengths of two modellers who play each other"
    svg = new_picture(_WIDTH, _FIRST_TOP + 3 * _PITCH - 30, title, _STYLE)
    add_text(svg, _LEFT, 28, title, "ink", size=16)
    add_text(svg, _LEFT, 50, subtitle, "faint")
    _histogram(svg, counts, _FIRST_TOP)
    _win_chance(svg, counts, _FIRST_TOP + _PITCH)
    _by_street(svg, counts, _FIRST_TOP + 2 * _PITCH)
    return svg_text(svg)


def _histogram(svg: ET.Element, counts: StrengthCounts, top: float) -> None:
    bars = merged(counts.hands, BARS)
    step = round_step(max(int(bars.sum(axis=0).max()) / 4, 1), (1, 2, 2.5, 5, 10))
    y = _axes(svg, top, "hands that reached a street", 4 * step, lambda value: f"{value:,.0f}")
    width = _ACROSS / BARS
    for place, column in enumerate(bars.T.tolist()):
        under = 0
        for street, count in enumerate(column):
            if count:
                box = {
                    "x": f"{_LEFT + place * width + 0.5:.1f}",
                    "y": f"{y(under + count):.1f}",
                    "width": f"{width - 1:.1f}",
                    "height": f"{y(under) - y(under + count):.1f}",
                    "class": f"bar{street}",
                }
                ET.SubElement(svg, "rect", box)
            under += count
    _legend(svg, top)


def _win_chance(svg: ET.Element, counts: StrengthCounts, top: float) -> None:
    label = "share that won, all streets, 95 % intervals; hands per point above"
    y = _axes(svg, top, label, 1.0, lambda value: f"{100 * value:.0f} %")
    found = counts.win_chances(bins=POINTS)
    line = []
    for place, (hands, chance, low, high) in enumerate(zip(*found, strict=True)):
        x = _x((place + 0.5) / POINTS)
        add_text(svg, x, top - 4, _short(int(hands)), "faint", anchor="middle", size=10)
        if hands:
            line.append(f"{x:.1f},{y(chance):.1f}")
            add_line(svg, x, y(low), x, y(high), "all")
            dot = {"cx": f"{x:.1f}", "cy": f"{y(chance):.1f}", "r": "3", "class": "dot"}
            ET.SubElement(svg, "circle", dot)
    ET.SubElement(svg, "polyline", {"points": " ".join(line), "class": "way all"})


def _by_street(svg: ET.Element, counts: StrengthCounts, top: float) -> None:
    label = f"share that won, by street; points of {LEAST_HANDS} hands or more"
    y = _axes(svg, top, label, 1.0, lambda value: f"{100 * value:.0f} %")
    for street in range(len(STREET_NAMES)):
        found = counts.win_chances(street, POINTS)
        line = [
            f"{_x((place + 0.5) / POINTS):.1f},{y(float(found.chance[place])):.1f}"
            for place in range(POINTS)
            if found.hands[place] >= LEAST_HANDS
        ]
        ET.SubElement(svg, "polyline", {"points": " ".join(line), "class": f"way way{street}"})
    _legend(svg, top)
    add_text(svg, _x(0.5), top + _UP + 38, "effective hand strength", "ink", anchor="middle")


def _axes(
    svg: ET.Element, top: float, label: str, most: float, written: Callable[[float], str]
) -> Callable[[float], float]:
    """Draw the frame of a panel; return where a value lies."""

    def y(value: float) -> float:
        return top + _UP * (1 - value / most)

    for step in range(5):
        value = most * step / 4
        add_line(svg, _LEFT, y(value), _LEFT + _ACROSS, y(value), "grid")
        add_text(svg, _LEFT - 8, y(value) + 4, written(value), "faint", anchor="end")
    for step in range(11):
        add_text(svg, _x(step / 10), top + _UP + 18, f"{step / 10:.1f}", "faint", anchor="middle")
    add_line(svg, _LEFT, top + _UP, _LEFT + _ACROSS, top + _UP, "line")
    add_line(svg, _LEFT, top, _LEFT, top + _UP, "line")
    add_text(svg, _LEFT, top - 20, label, "ink")
    return y


def _legend(svg: ET.Element, top: float) -> None:
    for street, name in enumerate(STREET_NAMES):
        x = _LEFT + _ACROSS - 330 + 120 * min(street, 1) + 70 * max(street - 1, 0)
        box = {"x": f"{x}", "y": f"{top - 30}", "width": "10", "height": "10"}
        ET.SubElement(svg, "rect", box | {"class": f"bar{street}"})
        add_text(svg, x + 15, top - 20, name, "ink")


def _x(strength: float) -> float:
    return _LEFT + _ACROSS * strength


def _short(count: int) -> str:
    """Return a count in few letters: 999, 1.2k, 45k."""
    if count < 1000:
        return str(count)
    return f"{count / 1000:.1f}k" if count < 9950 else f"{count / 1000:.0f}k"
