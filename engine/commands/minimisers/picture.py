"""Pictures of a comparison of minimisers, as SVG: a panel for each game.

Iterations across and exploitability up, both in logarithms: the best member alone, the others, all
in turn, at random, and the choice by either reward, with 95 % intervals over the starts.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.cfr.adaptive_starts import EntrantSummary, MeanOfStarts, StartsSummary
from engine.cfr.solver import StrategyKind
from engine.console.svg import add_line, add_text, new_picture, svg_text

_COLUMNS: Final = 3
_PANEL: Final = (290, 220)
"""Width and height of what is drawn in a panel."""
_CELL: Final = (380, 300)
_MARGIN: Final = (62, 36)
"""Left of and above it."""
_LABEL: Final = 36
"""Width of a number of iterations."""
_TOP: Final = 100
_LEGEND: Final = {
    "best": "best member alone",
    "member": "other members",
    "plain": "in turn, at random",
    StrategyKind.CURRENT.value: "chosen by current",
    StrategyKind.AVERAGE.value: "chosen by average",
}
_STYLE: Final = """
.way { fill: none; stroke-width: 2; } .band { opacity: 0.2; }
.way.best { stroke: #222222; } .band.best { fill: #222222; }
.way.member { stroke: #b9bdc4; stroke-width: 1; }
.way.plain { stroke: #3d7a35; stroke-dasharray: 5 4; }
.way.current { stroke: #b3541e; } .band.current { fill: #b3541e; }
.way.average { stroke: #1b6ca8; } .band.average { fill: #1b6ca8; }
@media (prefers-color-scheme: dark) {
.way.best { stroke: #e8e8e8; } .band.best { fill: #e8e8e8; }
.way.member { stroke: #5d6168; } .way.plain { stroke: #8ed082; }
.way.current { stroke: #f0a06a; } .band.current { fill: #f0a06a; }
.way.average { stroke: #6cb6ee; } .band.average { fill: #6cb6ee; }
}
"""


def minimisers_svg(games: Mapping[str, StartsSummary]) -> str:
    """Return the picture of the games that were measured, at least one, by their names."""
    columns = min(len(games), _COLUMNS)
    width = max(columns * _CELL[0], 760)
    height = _TOP + math.ceil(len(games) / columns) * _CELL[1]
    title = "Regret minimisers alone, and chosen in each iteration"
    svg = new_picture(width, height, title, _STYLE)
    add_text(svg, 20, 26, title, "ink", size=16)
    below = "exploitability of the average strategy, thousandths of a big blind"
    if any(game.starts > 1 for game in games.values()):
        below += "; 95 % intervals over random starts"
    add_text(svg, 20, 48, below, "faint")
    for number, (role, meaning) in enumerate(_LEGEND.items()):
        left = 20 + 147 * number
        _shape(svg, "polyline", [(left, 70), (left + 22, 70)], f"way {role}")
        add_text(svg, left + 28, 74, meaning, "ink")
    for number, (name, game) in enumerate(games.items()):
        left = number % columns * _CELL[0] + _MARGIN[0]
        top = _TOP + number // columns * _CELL[1] + _MARGIN[1]
        group = ET.SubElement(svg, "g", transform=f"translate({left} {top})")
        add_text(group, 0, -10, name, "ink", size=14)
        _panel(group, game)
    return svg_text(svg)


def _panel(group: ET.Element, game: StartsSummary) -> None:
    """Draw a game; exploitability of 0 has no logarithm and is left out."""
    shown = [
        1e3 * found.mean
        for entrant in game.entrants
        for found in entrant.exploitability
        if found.mean > 0
    ]
    powers = (
        math.floor(math.log10(min(shown, default=1))),
        math.ceil(math.log10(max(shown, default=1))),
    )
    least, most = powers[0], max(powers[1], powers[0] + 1)
    width, height = _PANEL
    iterations = game.entrants[0].iterations
    octaves = max(math.log2(iterations[-1]), 1.0)

    def place(iteration: int, value: float) -> tuple[float, float]:
        power = min(max(math.log10(value), least), most) if value > 0 else least
        return width * math.log2(iteration) / octaves, height * (most - power) / (most - least)

    for power in range(least, most + 1):
        y = place(1, 10.0**power)[1]
        add_line(group, 0, y, width, y, "grid")
        add_text(group, -8, y + 4, f"{10.0**power:g}", "faint", anchor="end")
    for iteration in iterations:
        x = place(iteration, 1)[0]
        if iteration == iterations[-1] or (math.log2(iteration) % 2 == 0 and x < width - _LABEL):
            add_text(group, x, height + 18, str(iteration), "faint", anchor="middle")
    add_text(group, width / 2, height + 36, "iterations", "faint", anchor="middle")
    roles = [_role(game, number) for number in range(len(game.entrants))]
    for wanted in (
        "member",
        "plain",
        "best",
        StrategyKind.AVERAGE.value,
        StrategyKind.CURRENT.value,
    ):
        for entrant, role in zip(game.entrants, roles, strict=True):
            if role == wanted:
                _curve(group, entrant, role, place)


def _role(game: StartsSummary, number: int) -> str:
    """Return what an entrant is, which is a name of `_LEGEND`."""
    entrant = game.entrants[number]
    if number >= len(game.entrants) - game.adaptive:
        return next(which.value for which in StrategyKind if which.value in entrant.name)
    if entrant.name == game.best_member:
        return "best"
    return "member" if entrant.name in game.pool else "plain"


def _curve(
    group: ET.Element,
    entrant: EntrantSummary,
    role: str,
    place: Callable[[int, float], tuple[float, float]],
) -> None:
    """Draw the way of an entrant down, with a band where its role has one."""
    known = [
        (iteration, found)
        for iteration, found in zip(entrant.iterations, entrant.exploitability, strict=True)
        if found.mean > 0
    ]
    if role not in ("member", "plain"):
        upper = [place(at, 1e3 * (found.mean + _half(found))) for at, found in known]
        lower = [place(at, 1e3 * (found.mean - _half(found))) for at, found in known]
        _shape(group, "polygon", [*upper, *reversed(lower)], f"band {role}")
    _shape(group, "polyline", [place(at, 1e3 * found.mean) for at, found in known], f"way {role}")


def _half(found: MeanOfStarts) -> float:
    return found.ci95 or 0.0


def _shape(
    parent: ET.Element, kind: str, points: Sequence[tuple[float, float]], style: str
) -> None:
    written = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    ET.SubElement(parent, kind, {"points": written, "class": style})
