"""The crosstable of many bots as SVG: small cells, their means without intervals."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Final

from engine.console.svg import add_text, new_picture, svg_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dealer.tournaments.standing import Standings

_CELL: Final = (34, 19)
"""Width and height."""
_CHARACTER: Final = 6.6
_HEAD: Final = 56
_TEN_THOUSAND: Final = 9950.0
_STYLE: Final = ".cell { font-size: 9px; text-anchor: middle; } .sure { font-weight: bold; }"


def heat_svg(
    found: Standings, won: Mapping[tuple[int, int], float], classes: Sequence[str], style: str
) -> str:
    """Return the picture; rows and columns from the best bot to the last.

    Args:
        won: mbb/h of each pair of bots that has met.
        classes: of each of these, in the order of `won`.
    """
    order = [found.bots.index(bot) for bot in found.ranked()]
    places = {bot: place for place, bot in enumerate(order)}
    labels = [found.bots[bot].label for bot in order]
    room = 14 + _CHARACTER * max(map(len, labels))
    width, height = _CELL
    top = _HEAD + room
    svg = new_picture(
        room + width * len(order) + 20,
        top + height * len(order) + 16,
        "Crosstable",
        f"{style}\n{_STYLE}",
    )
    add_text(svg, 10, 26, "What the row's bot won from the column's", "ink", size=16)
    add_text(svg, 10, 46, "mbb/h; bold: significant at 5 % (Holm); k: thousands", "faint")
    for place, label in enumerate(labels):
        add_text(svg, room - 6, top + height * place + 13.5, label, "ink", anchor="end")
        x, y = room + width * (place + 0.5) + 4, top - 6
        turned = add_text(svg, x, y, label, "ink")
        turned.set("transform", f"rotate(-90 {x:.1f} {y:.1f})")
    paths: dict[str, list[str]] = {}
    rows = [
        ET.SubElement(svg, "text", {"class": "ink cell", "y": f"{top + height * place + 13:.0f}"})
        for place in range(len(order))
    ]
    sure = _decided(found)
    for (one, other), name in sorted(
        zip(won, classes, strict=True), key=lambda cell: places[cell[0][1]]
    ):
        row, column = places[one], places[other]
        x, y = room + width * column + 1, top + height * row + 1
        paths.setdefault(name, []).append(f"M{x:.0f} {y:.0f}h{width - 2}v{height - 2}h{2 - width}z")
        cell = ET.SubElement(rows[row], "tspan", {"x": f"{x - 1 + width / 2:.0f}"})
        cell.text = _short(won[one, other])
        if (one, other) in sure:
            cell.set("class", "sure")
    for at, name in enumerate(sorted(paths)):
        svg.insert(3 + at, ET.Element("path", {"class": name, "d": "".join(paths[name])}))
    return svg_text(svg)


def _decided(found: Standings) -> set[tuple[int, int]]:
    pairs = [(pairing.one, pairing.other) for pairing in found.pairings if pairing.decided]
    return {pair for one, other in pairs for pair in ((one, other), (other, one))}


def _short(mbb: float) -> str:
    """Return a win rate in at most five characters: -985, 1.2k, -12k."""
    if abs(mbb) < 999.5:
        return str(round(mbb))
    return f"{mbb / 1000:.0f}k" if abs(mbb) >= _TEN_THOUSAND else f"{mbb / 1000:.1f}k"
