"""Tables of bet sizes that a search found."""

import math
from itertools import chain
from typing import Any, Final

from tests.documents.cells import data, table

_NAMES: Final = {
    "first raise": "first raise before the flop",
    "raise again": "raise after it",
    "flop bet": "bet on the flop",
    "flop raise": "raise of it",
}
_FACTORS: Final = {-4: "0.4", -2: "0.63", -1: "0.79", 1: "1.26", 2: "1.58", 4: "2.5"}
"""By levels of the grid."""


def menus() -> list[str]:
    """Return what the menus win: the starts of the searches, their ends, the shipped one."""
    rows = []
    for found in data("sizes"):
        stack = str(found["stack"])
        for share, search in found["searches"].items():
            rows.append(_menu(stack, f"start at {share} %", search["path"][0]))
            rows.append(_menu(stack, f"found from {share} %", search["path"][-1]))
        rows += [_menu(stack, "the shipped one", one) for one in found["beside"]]
    return table(["blinds", "menu", "before the flop", "on the flop", "mbb/h", "between"], rows)


def losses() -> list[str]:
    """Return what moving each size of the best menu loses, by the factor."""
    rows = []
    for found, (name, loss) in chain.from_iterable(
        [(found, loss) for loss in found["losses"].items()] for found in data("sizes")
    ):
        best = loss["best"]
        lost = {_levels(size, best): f"{mbb:.1f}" for size, mbb in loss["moved"]}
        rows.append(
            [
                str(found["stack"]),
                _NAMES[name],
                f"{best} %",
                *(lost.get(level, "-") for level in _FACTORS),
            ]
        )
    return table(["blinds", "size", "found", *(f"x {one}" for one in _FACTORS.values())], rows)


def _levels(size: int, best: int) -> int:
    return round(10 * math.log10(size / best))


def _menu(stack: str, name: str, won: dict[str, Any]) -> list[str]:
    before, flop = won["menu"].split("/")[:2]
    low, high = (sum(won["by_position"][end]) / 2 for end in ("low", "high"))
    return [
        stack,
        name,
        _shown(before),
        _shown(flop),
        f"{won['mbb_per_hand']:.1f}",
        f"{low:.0f} and {high:.0f}",
    ]


def _shown(street: str) -> str:
    return "; ".join(sizes.replace(",", ", ") for sizes in street.split(";") if sizes)
