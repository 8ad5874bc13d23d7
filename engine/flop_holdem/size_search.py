"""Local search over the bet sizes of a small menu, on a grid.

A point of the grid is a tuple of levels, whole numbers; level n stands for 10 ** (n / 10) of the
pot, so that four levels are a factor of 2.5.  With K sizes of a first bet a point has 2 K + 2:

    K sizes of the first raise before the flop, one of a raise after it, K of the first bet on the
    flop, one of a raise of it

Against a bet all-in is offered as well: three raises at most before the flop, two on it.  Equal
sizes are offered once.

Sources: Hawkin, Holte, Szafron, "Automated action abstraction of imperfect information
extensive-form games", AAAI 2011; Brown, Sandholm, "Superhuman AI for heads-up no-limit poker:
Libratus beats top professionals", Science 359, 2018, which says that sizes of early rounds came
from a search that ends in a local optimum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

Point = tuple[int, ...]
"""Levels of the sizes."""

LEVELS: Final = range(-10, 11)
"""From a tenth of the pot to ten pots."""
_LEAST_RAISE: Final = -3
"""Of the first raise: half the pot, below which the rules allow none."""
_A_FACTOR_TEN: Final = 10
_BETWEEN: Final = 4
"""Levels between sizes of one bet at a start."""
_STRIDES: Final = (2, 1)
"""Levels of a step: first wide ones, then those between."""
_CURVE: Final = (-4, -2, -1, 0, 1, 2, 4)
"""Levels that one size is moved by to see what that loses."""


class Search(NamedTuple):
    """How far a search has come."""

    path: list[Point]
    """From the start on, each better than the one before."""
    wanted: Point | None
    """What must be valued for it to go on; None: it has ended."""


def follow(start: Point, value: Callable[[Point], float | None], least: float) -> Search:
    """Take all steps of a search whose values are known.

    One size after the other is moved up and down.  The better one of both is gone to if it gains
    more than `least`, and the same size is moved again; the search ends where none gains.

    Args:
        value: of a point; None: it is not known yet.
        least: what chance may make of a step.
    """
    path = [start]
    if value(start) is None:
        return Search(path, start)
    for stride in _STRIDES:
        size, without_gain = 0, 0
        while without_gain < len(start):
            best, gained = path[-1], least
            for other in _moved(path[-1], size, (-stride, stride)):
                worth, before = value(other), value(path[-1])
                if worth is None or before is None:
                    return Search(path, other)
                if worth - before > gained:
                    best, gained = other, worth - before
            if best == path[-1]:
                size, without_gain = (size + 1) % len(start), without_gain + 1
            else:
                path.append(best)
                without_gain = 0
    return Search(path, None)


def curve(point: Point, size: int) -> list[Point]:
    """Return a point with one of its sizes moved, by much or little, the least size first."""
    return list(_moved(point, size, _CURVE))


def _moved(point: Point, size: int, strides: tuple[int, ...]) -> Iterator[Point]:
    first_raise = size < len(point) // 2 - 1
    least = _LEAST_RAISE if first_raise else LEVELS[0]
    for stride in strides:
        if least <= (level := point[size] + stride) <= LEVELS[-1]:
            yield (*point[:size], level, *point[size + 1 :])


def nearest_level(share: float) -> int:
    """Return the level that is nearest to a share of the pot."""
    found = round(_A_FACTOR_TEN * math.log10(share))
    return min(max(found, LEVELS[0]), LEVELS[-1])


def percent_of_pot(level: int) -> int:
    """Return how many hundredths of the pot a level is."""
    return round(100 * 10 ** (level / _A_FACTOR_TEN))


def start_at(share: float, bets: int) -> Point:
    """Return the point whose sizes all are a share of the pot, `bets` of a first bet around it.

    They are moved into the grid where that ends before.
    """
    middle = nearest_level(share)
    spread = [middle + _BETWEEN * n - _BETWEEN * (bets - 1) // 2 for n in range(bets)]
    first = [min(max(level, LEVELS[0]), LEVELS[-1]) for level in spread]
    return (*(max(level, _LEAST_RAISE) for level in first), middle, *first, middle)


def names_of_sizes(bets: int) -> list[str]:
    """Return what each size of a point is for."""
    numbers = [f" {number + 1}" if bets > 1 else "" for number in range(bets)]
    return [
        *(f"first raise{number}" for number in numbers),
        "raise again",
        *(f"flop bet{number}" for number in numbers),
        "flop raise",
    ]


def menu_text(point: Point) -> str:
    """Return the menu of a point as `engine.betting.bet_menu.parse_menu` reads it."""
    *before, again = point[: len(point) // 2]
    *bets, raised = point[len(point) // 2 :]
    first, bet = (
        ",".join(str(percent_of_pot(n)) for n in sorted(set(some))) for some in (before, bets)
    )
    return f"{first};{percent_of_pot(again)},a;a;/{bet};{percent_of_pot(raised)},a;"
