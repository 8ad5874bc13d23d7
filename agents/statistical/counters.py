"""What one opponent has done, and with what: the 36 counters, and the hands it has shown.

    counts   (2, 12, 3)  int64   decisions by position (1: with the button), cell and action
    shown    (12, 3, 20) int64   hands shown later, by the cell and action they were played in and
                                 by strength, 20 equal bins
    own_bins (20,)       int64   decisions that were made against this opponent, by the strength of
                                 the hand that made them

Cells (street x raises faced) and actions are those of `agents.statistical.habits`; 12 cells times
3 actions are the 36 counters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.statistical.base_strategy import BINS, bin_of
from agents.statistical.habits import ACTIONS, CELLS, Habits
from agents.statistical.thresholds import GENERIC_SHARES

if TYPE_CHECKING:
    from numpy.typing import NDArray

POSITIONS: Final = 2
POSITION_PRIOR: Final = 8.0
"""Decisions that a cell's shares over both positions count for, in one position."""
CELL_PRIOR: Final = 4.0
"""Decisions that the generic shares count for in a cell."""


class OpponentCounters:
    """Counts one opponent's decisions; everything starts at 0.

    Attributes:
        counts: (2, 12, 3) see the module.
        shown: (12, 3, 20)
        own_bins: (20,)
        hands: hands played against it.
        showdowns: hands of it seen.
        habits: the decisions counted here, of both positions, as predictors of actions want them.
    """

    def __init__(self) -> None:
        self.counts: NDArray[np.int64] = np.zeros((POSITIONS, CELLS, ACTIONS), np.int64)
        self.shown: NDArray[np.int64] = np.zeros((CELLS, ACTIONS, BINS), np.int64)
        self.own_bins: NDArray[np.int64] = np.zeros(BINS, np.int64)
        self.hands = 0
        self.showdowns = 0
        self.habits = Habits()

    def __eq__(self, other: object) -> bool:
        """Two are equal that have counted the same."""
        if not isinstance(other, OpponentCounters):
            return NotImplemented
        mine, its = self.plain(), other.plain()
        return mine == its

    __hash__ = None  # type: ignore[assignment]

    def add(self, button: bool, cell: int, action: int) -> None:
        """Count a decision.

        Raises:
            ValueError: no such cell or action.
        """
        _check(cell, action)
        self.counts[int(button), cell, action] += 1
        self.habits.add(cell, action)

    def add_shown(self, cell: int, action: int, strength: float) -> None:
        """Count the strength, 0 to 1, at which a hand that was shown later took an action.

        Raises:
            ValueError: no such cell, action or strength.
        """
        _check(cell, action)
        self.shown[cell, action, bin_of(strength)] += 1

    def add_own(self, strength: float) -> None:
        """Count a decision of our own that was made with a hand of some strength.

        Raises:
            ValueError: no such strength.
        """
        self.own_bins[bin_of(strength)] += 1

    def seen(self, cell: int) -> int:
        """Return how many decisions were counted in a cell, in both positions."""
        return int(self.counts[:, cell].sum())

    def shares(self, button: bool, cell: int, legal: Sequence[bool]) -> tuple[float, float, float]:
        """Return how often the opponent folds, calls and raises in a cell and position.

        What was counted in the position is drawn to what was counted in both, and that to the
        generic 2:5:3, by prior decisions; illegal actions have share 0.

        Args:
            button: whether it has the button.
            cell: 0 to 11.
            legal: whether fold, call and raise are; call always is.
        """
        may = np.array(legal, np.float64)
        generic = _scaled(np.array(GENERIC_SHARES) * may)
        both = _scaled(self.counts[:, cell].sum(axis=0) * may + CELL_PRIOR * generic)
        here = _scaled(self.counts[int(button), cell] * may + POSITION_PRIOR * both)
        fold, call, raise_ = here.tolist()
        return fold, call, raise_

    def full_bins(self, least: int) -> bool:
        """Return whether every strength bin holds at least so many decisions of our own."""
        return bool((self.own_bins >= least).all())

    def shown_strengths(self, cell: int, action: int) -> tuple[int, float, float]:
        """Return how many hands were shown that took an action in a cell, their mean and deviation.

        Both are those of the bins' middles; nan where there is none.
        """
        bins = self.shown[cell, action]
        count = int(bins.sum())
        if not count:
            return 0, float("nan"), float("nan")
        middles = (np.arange(BINS) + 0.5) / BINS
        mean = float(bins @ middles / count)
        return count, mean, float(np.sqrt(bins @ (middles - mean) ** 2 / count))

    def plain(self) -> dict[str, Any]:
        """Return everything as plain values, to be kept in a file."""
        return {
            "counts": self.counts.tolist(),
            "shown": self.shown.tolist(),
            "own_bins": self.own_bins.tolist(),
            "hands": self.hands,
            "showdowns": self.showdowns,
        }

    @classmethod
    def of_plain(cls, values: Any) -> OpponentCounters:
        """Return counters of what `plain` gave.

        Raises:
            ValueError: something is missing or of another shape; the message says what.
        """
        made = cls()
        if not isinstance(values, dict):
            raise ValueError("counters without names")
        for name in ("counts", "shown", "own_bins"):
            with _said_of(name):
                found = np.array(values[name])
                wanted = getattr(made, name)
                if found.dtype.kind != "i" or found.shape != wanted.shape or (found < 0).any():
                    raise ValueError(f"want {wanted.shape} whole numbers, none negative")
                wanted[:] = found
        for name in ("hands", "showdowns"):
            with _said_of(name):
                number = values[name]
                if not isinstance(number, int) or isinstance(number, bool) or number < 0:
                    raise ValueError("want a whole number, not negative")
                setattr(made, name, number)
        for (cell, action), count in np.ndenumerate(made.counts.sum(axis=0)):
            for _ in range(count):
                made.habits.add(cell, action)
        return made


@contextmanager
def _said_of(name: str) -> Iterator[None]:
    """Say in a ValueError which field it is about."""
    try:
        yield
    except KeyError as error:
        raise ValueError(f"{name}: missing") from error
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{name}: {error}") from error


def _scaled(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    total: NDArray[np.float64] = shares / shares.sum()
    return total


def _check(cell: int, action: int) -> None:
    if not (0 <= cell < CELLS and 0 <= action < ACTIONS):
        raise ValueError(f"cell {cell}, action {action}: want 0..{CELLS - 1}, 0..{ACTIONS - 1}")
