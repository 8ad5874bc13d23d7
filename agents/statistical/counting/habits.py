"""What a player has done so far, in 36 counters: the share of each action, soon and with caution.

A cell is one of 12 situations: the street (0 to 3) and the raises faced on it (none, one, more).
With the three actions these are the 36 counters of the patent and of Billings,
Papp, Schaeffer, Szafron, "Opponent modeling in poker", AAAI 1998.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLD: Final = 0
CALL: Final = 1
"""A check or a call."""
RAISE: Final = 2
ACTIONS: Final = 3
STREETS: Final = 4
RAISES_TOLD_APART: Final = 3
CELLS: Final = STREETS * RAISES_TOLD_APART
MOST_COUNTED: Final = 10**9
"""No counter gets so far; a file in which one has is damaged."""

_PRIOR: Final = (0.2, 0.5, 0.3)
"""Shares of a player about whom nothing is known."""
_PRIOR_ACTIONS: Final = 6.0
"""Actions that the prior counts for, in all situations together."""
_OVERALL_ACTIONS: Final = 6.0
"""Actions that the shares over all situations count for, in one situation."""


def cell_of(street: int, raises: int) -> int:
    """Return the cell, 0 to 11, of a decision on a street on which there were so many raises.

    Raises:
        ValueError: no such street, or a negative number.
    """
    if not 0 <= street < STREETS or raises < 0:
        raise ValueError(f"street {street} after {raises} raises")
    return street * RAISES_TOLD_APART + min(raises, RAISES_TOLD_APART - 1)


def counted(values: Any, shape: tuple[int, ...] = (), least: int = 0) -> NDArray[np.int64]:
    """Return counters of a shape, read from a file as plain values.

    Raises:
        ValueError: they are no whole numbers, of another shape, below `least` or above
            MOST_COUNTED.
    """
    found = np.array(values)
    if found.dtype.kind not in "iu" or found.shape != shape:
        raise ValueError(f"want {shape or 'one'} whole numbers")
    if (found < least).any() or (found > MOST_COUNTED).any():
        raise ValueError(f"want {least} to {MOST_COUNTED}")
    return found.astype(np.int64)


class Shares(NamedTuple):
    """How often a player folds, calls and raises in a situation, as far as it is known."""

    fold: float
    call: float
    raise_: float
    known: float
    """n / (n + 6) for n actions seen in this situation: 0 for nothing known, 1 for all."""
    fold_overall: float
    """In all situations together."""
    raise_overall: float


class Habits:
    """The counters of one player; they grow with `add`."""

    __slots__ = ("_all", "_cells")

    def __init__(self) -> None:
        """Start with nothing counted."""
        self._cells = [[0] * ACTIONS for _ in range(CELLS)]
        self._all = [0] * ACTIONS

    def add(self, cell: int, action: int, times: int = 1) -> None:
        """Count an action, `FOLD`, `CALL` or `RAISE`, in a cell, once or several times."""
        self._cells[cell][action] += times
        self._all[action] += times

    def counts(self) -> tuple[tuple[int, ...], ...]:
        """Return the counters, by cell and action."""
        return tuple(map(tuple, self._cells))

    def shares(self, cell: int) -> Shares:
        """Return the shares in a cell: those counted, drawn to those over all cells.

        These again are drawn to a prior; n actions have the weight n against 6.
        """
        everywhere = self._all
        most = sum(everywhere) + _PRIOR_ACTIONS
        overall = [
            (count + _PRIOR_ACTIONS * share) / most
            for count, share in zip(everywhere, _PRIOR, strict=True)
        ]
        here = self._cells[cell]
        seen = sum(here)
        fold, call, raise_ = (
            (count + _OVERALL_ACTIONS * share) / (seen + _OVERALL_ACTIONS)
            for count, share in zip(here, overall, strict=True)
        )
        known = seen / (seen + _OVERALL_ACTIONS)
        return Shares(fold, call, raise_, known, overall[FOLD], overall[RAISE])
