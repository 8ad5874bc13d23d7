"""The crosstable as SVG: a cell for each pair, the greener the more the row's bot won."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import Final

from dealer.tournaments.crosstable_heat import heat_svg
from dealer.tournaments.standing import Standings
from dealer.tournaments.standing_text import cells_of
from engine.console.svg import add_text, new_picture, svg_text

_CELL: Final = (104, 30)
"""Width and height."""
_CHARACTER: Final = 7.5
_TOP: Final = 84
_MOST_WITH_INTERVALS: Final = 14
"""Bots; of more the cells are small, see `crosstable_heat`."""
_STRENGTHS: Final = 5
_FAINTEST_MBB: Final = 10.0
"""Each strength of a colour is of four times as much."""
_STYLE: Final = "\n".join(
    [
        *(
            f".win{at} {{ fill: #1a9641; fill-opacity: {0.12 + 0.15 * at:.2f}; }}"
            for at in range(5)
        ),
        *(
            f".loss{at} {{ fill: #d7191c; fill-opacity: {0.12 + 0.15 * at:.2f}; }}"
            for at in range(5)
        ),
        ".none { fill: #888888; fill-opacity: 0.08; }",
    ]
)


def crosstable_svg(found: Standings) -> str:
    """Return the picture; rows and columns from the best bot to the last."""
    won = _won(found)
    if len(found.bots) > _MOST_WITH_INTERVALS:
        return heat_svg(found, won, [_class(mbb) for mbb in won.values()], _STYLE)
    order = [found.bots.index(bot) for bot in found.ranked()]
    labels = [bot.label for bot in found.bots]
    left = 20 + _CHARACTER * max(map(len, labels))
    width, height = _CELL
    svg = new_picture(
        left + width * len(order) + 20, _TOP + height * len(order) + 20, "Crosstable", _STYLE
    )
    add_text(svg, 10, 26, "What the row's bot won from the column's", "ink", size=16)
    add_text(svg, 10, 46, "mbb/h with 95 % intervals; *: significant at 5 % (Holm)", "faint")
    cells = cells_of(found)
    for row, one in enumerate(order):
        top = _TOP + height * row
        add_text(svg, left - 8, top + height / 2 + 4, labels[one], "ink", anchor="end")
        middle = left + width * (row + 0.5)
        add_text(svg, middle, _TOP - 8, _short(labels[one]), "ink", anchor="middle")
        for column, other in enumerate(order):
            place = {"x": left + width * column + 1, "y": top + 1}
            style = _class(won.get((one, other)))
            size = {"width": width - 2, "height": height - 2, "class": style}
            ET.SubElement(
                svg, "rect", {key: str(value) for key, value in {**place, **size}.items()}
            )
            if text := cells.get((one, other)):
                x = left + width * (column + 0.5)
                add_text(
                    svg, x, top + height / 2 + 4, text.strip(), "ink", anchor="middle", size=11
                )
    return svg_text(svg)


def _won(found: Standings) -> dict[tuple[int, int], float]:
    won = {}
    for pairing in found.pairings:
        if pairing.quoted.samples:
            won[pairing.one, pairing.other] = pairing.quoted.mbb_per_hand
            won[pairing.other, pairing.one] = -pairing.quoted.mbb_per_hand
    return won


def _class(won: float | None) -> str:
    if won is None or abs(won) < _FAINTEST_MBB:
        return "none"
    strength = min(int(math.log(abs(won) / _FAINTEST_MBB, 4)), _STRENGTHS - 1)
    return f"{'win' if won > 0 else 'loss'}{strength}"


def _short(label: str) -> str:
    most = int(_CELL[0] / _CHARACTER)
    return label if len(label) <= most else label[: most - 1] + "…"
