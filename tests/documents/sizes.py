"""Tables of bet sizes that a search found."""

import math
from collections.abc import Sequence
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
_RIVER_FACTORS: Final = (-2, -1, 1, 2)


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


def river_losses() -> list[str]:
    """Return what moving each size of the best river menus loses, by the factor."""
    rows = []
    for name, case in data("river-sizes")["cases"].items():
        bets, raises = case["path"][-1][0]
        best = [*bets, *raises]
        values = {_sizes(text): value for text, value in case["values"].items()}
        for place, size in enumerate(best):
            cells = []
            for factor in _RIVER_FACTORS:
                moved = next(
                    (
                        value
                        for sizes, value in values.items()
                        if sizes != tuple(best)
                        and len(sizes) == len(best)
                        and _others(sizes, place) == _others(best, place)
                        and _levels(sizes[place], best[place]) == factor
                    ),
                    None,
                )
                cells.append("-" if moved is None else f"{values[tuple(best)] - moved:.3f}")
            kind = "bet" if place < len(bets) else "raise"
            rows.append([name, f"{kind} of {100 * size:.0f} %", *cells])
    return table(["", "size", *(f"x {_FACTORS[factor]}" for factor in _RIVER_FACTORS)], rows)


def _sizes(text: str) -> tuple[float, ...]:
    return tuple(map(float, text.replace(";", ",").rstrip(", ").split(",")))


def _others(sizes: Sequence[float], place: int) -> list[float]:
    return [size for at, size in enumerate(sizes) if at != place]


def _levels(size: float, best: float) -> int:
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
