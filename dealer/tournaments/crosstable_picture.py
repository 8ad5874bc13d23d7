"""The crosstable as SVG: a cell for each pair, the greener the more the row's bot won."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from dataclasses import dataclass, replace
from typing import Final

from dealer.tournaments.standing import Standings
from dealer.tournaments.standing_text import cells_of
from engine.console.svg import add_text, new_picture, svg_text

_MOST_WITH_INTERVALS: Final = 14
"""Bots; of more the cells are small, with means alone."""
_STRENGTHS: Final = 5
_FAINTEST_MBB: Final = 10.0
"""Each strength of a colour is of four times as much."""
_TEN_THOUSAND: Final = 9950.0


@dataclass(frozen=True, slots=True)
class _Look:
    """How cells look; lengths in pixels."""

    width: int
    height: int
    character: float
    """Room for a letter of a label."""
    size: int
    """Of the numbers in cells."""
    note: str


_LARGE: Final = _Look(104, 30, 7.5, 11, "mbb/h with 95 % intervals; *: significant at 5 % (Holm)")
_SMALL: Final = _Look(34, 19, 6.6, 9, "mbb/h; bold: significant at 5 % (Holm); k: thousands")


def crosstable_svg(found: Standings) -> str:
    """Return the picture; rows and columns from the best bot to the last."""
    won = {(cell.one, cell.other): cell.mbb_per_hand for cell in found.cells}
    won |= {(other, one): -mbb for (one, other), mbb in won.items()}
    large = len(found.bots) <= _MOST_WITH_INTERVALS
    look = _LARGE if large else _SMALL
    texts = cells_of(found) if large else {pair: _thousands(mbb) for pair, mbb in won.items()}
    sure = (
        set()
        if large
        else {frozenset((cell.one, cell.other)) for cell in found.cells if cell.decided}
    )
    if large:
        longest = max(map(len, texts.values()), default=0)
        look = replace(look, width=max(look.width, round(12 + 6.4 * longest)))
    order = [found.bots.index(bot) for bot in found.ranked()]
    labels = [bot.label for bot in found.bots]
    left = 20 + look.character * max(map(len, labels))
    first = 84 if large else 56 + left
    svg = new_picture(
        left + look.width * len(order) + 20,
        first + look.height * len(order) + 20,
        "Crosstable",
        _style(look.size),
    )
    add_text(svg, 10, 26, "What the row's bot won from the column's", "ink", size=16)
    add_text(svg, 10, 46, look.note, "faint")
    paths: dict[str, list[str]] = {}
    for row, one in enumerate(order):
        top = first + look.height * row
        base = top + look.height / 2 + 4
        add_text(svg, left - 8, base, labels[one], "ink", anchor="end")
        _column_label(svg, left + look.width * (row + 0.5), first - 8, labels[one], look)
        cells = ET.SubElement(svg, "text", {"class": "ink cell", "y": f"{base:.1f}"})
        for column, other in enumerate(order):
            x = left + look.width * column
            if large or (one, other) in won:
                across, down = look.width - 2, look.height - 2
                paths.setdefault(_class(won.get((one, other))), []).append(
                    f"M{x + 1:.0f} {top + 1:.0f}h{across}v{down}h{-across}z"
                )
            if text := texts.get((one, other)):
                cell = ET.SubElement(cells, "tspan", {"x": f"{x + look.width / 2:.0f}"})
                cell.text = text.strip()
                if frozenset((one, other)) in sure:
                    cell.set("class", "sure")
    for at, name in enumerate(sorted(paths)):
        svg.insert(3 + at, ET.Element("path", {"class": name, "d": "".join(paths[name])}))
    return svg_text(svg)


def _style(size: int) -> str:
    colours = {"win": "#1a9641", "loss": "#d7191c"}
    lines = [
        f".{name}{at} {{ fill: {colour}; fill-opacity: {0.12 + 0.15 * at:.2f}; }}"
        for name, colour in colours.items()
        for at in range(_STRENGTHS)
    ]
    lines.append(".none { fill: #888888; fill-opacity: 0.08; }")
    lines.append(f".cell {{ font-size: {size}px; text-anchor: middle; }}")
    return "\n".join([*lines, ".sure { font-weight: bold; }"])


def _column_label(svg: ET.Element, x: float, y: float, label: str, look: _Look) -> None:
    """Write a label above its column: shortened where that is wide, else turned."""
    if look.size == _LARGE.size:
        most = int(look.width / look.character)
        short = label if len(label) <= most else label[: most - 1] + "…"
        add_text(svg, x, y, short, "ink", anchor="middle")
    else:
        turned = add_text(svg, x + 4, y, label, "ink")
        turned.set("transform", f"rotate(-90 {x + 4:.1f} {y:.1f})")


def _class(won: float | None) -> str:
    if won is None or abs(won) < _FAINTEST_MBB:
        return "none"
    strength = min(int(math.log(abs(won) / _FAINTEST_MBB, 4)), _STRENGTHS - 1)
    return f"{'win' if won > 0 else 'loss'}{strength}"


def _thousands(mbb: float) -> str:
    """Return a win rate in at most five characters: -985, 1.2k, -12k."""
    if abs(mbb) < 999.5:
        return str(round(mbb))
    return f"{mbb / 1000:.0f}k" if abs(mbb) >= _TEN_THOUSAND else f"{mbb / 1000:.1f}k"
