"""How often a player folds, calls and raises: soon, and with caution.

The 36 counters are those of the patent and of Billings, Papp, Schaeffer, Szafron, "Opponent
modeling in poker", AAAI 1998: 12 cells (see `situations`) times 3 actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.statistical.counting.situations import FOLD, RAISE

if TYPE_CHECKING:
    from numpy.typing import NDArray

GENERIC_SHARES: Final = (0.2, 0.5, 0.3)
"""Folds, calls and raises of a player about whom nothing is known."""
MOST_COUNTED: Final = 10**9
"""No counter gets so far; a file in which one has is damaged."""
_GENERIC_PRIOR_ACTIONS: Final = 6.0
_OVERALL_PRIOR_ACTIONS: Final = 6.0


class ActionHabits(NamedTuple):
    """How a player acts in a situation, as far as it is known."""

    fold: float
    call: float
    raise_: float
    evidence: float
    """n / (n + 6) for n actions seen in this situation: 0 for nothing known, 1 for all."""
    fold_overall: float
    """In all situations together."""
    raise_overall: float


def habits_of_cell(counts: NDArray[np.int64], cell: int) -> ActionHabits:
    """Return the habits in a cell of a player with (12, 3) counts.

    Shares of the cell are shrunk to those over all cells, and these to the generic ones: n actions
    have the weight n against 6.
    """
    everywhere = counts.sum(axis=0).tolist()
    most = sum(everywhere) + _GENERIC_PRIOR_ACTIONS
    overall = [
        (count + _GENERIC_PRIOR_ACTIONS * share) / most
        for count, share in zip(everywhere, GENERIC_SHARES, strict=True)
    ]
    here = counts[cell].tolist()
    actions = sum(here)
    fold, call, raise_ = (
        (count + _OVERALL_PRIOR_ACTIONS * share) / (actions + _OVERALL_PRIOR_ACTIONS)
        for count, share in zip(here, overall, strict=True)
    )
    weight = actions / (actions + _OVERALL_PRIOR_ACTIONS)
    return ActionHabits(fold, call, raise_, weight, overall[FOLD], overall[RAISE])


def counted(values: Any, shape: tuple[int, ...] = (), least: int = 0) -> NDArray[np.int64]:
    """Return counters of a shape, read from a file as plain values.

    Raises:
        ValueError: they are no whole numbers, of another shape, below `least` or above
            MOST_COUNTED.
    """
    numbers = np.array(values)
    if numbers.dtype.kind not in "iu" or numbers.shape != shape:
        raise ValueError(f"want {shape or 'one'} whole numbers")
    if (numbers < least).any() or (numbers > MOST_COUNTED).any():
        raise ValueError(f"want {least} to {MOST_COUNTED}")
    return numbers.astype(np.int64)
