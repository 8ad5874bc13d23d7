"""An opponent that is partly known: at each information set it mostly does what it was seen to do.

    fixed    (C,) float32   laid out as `engine.betting.info_sets` has tables: in the places of
                            regrets what the opponent does, in the first place of the sums its trust
    free     (C,) float32   regrets and sums of what it does else

With probability `trust` the opponent plays its row of `fixed`, else as an opponent who wants to win
(`engine.mccfr.restrained_kernels`).  A solution of this game is a data biased response: it wins
from the opponent that was seen, and loses little to another one.

Source: Johanson, Bowling, "Data biased robust counter strategies", AISTATS 2009; with the same
trust everywhere: Johanson, Zinkevich, Bowling, "Computing robust counter-strategies", NIPS 2007.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.lanes import aligned_zeros

if TYPE_CHECKING:
    from engine.betting.info_sets import InfoSets


@dataclass(frozen=True, slots=True, eq=False)
class Restraint:
    """Tables of an opponent; see the module's text."""

    fixed: NDArray[np.float32]
    free: NDArray[np.float32]

    @classmethod
    def of_counts(
        cls, info_sets: InfoSets, counts: NDArray[np.float32], trust: float, doubt: float
    ) -> Restraint:
        """Trust what was seen often: trust * n / (n + doubt), n times seen.

        Args:
            counts: (C,) how often each action was taken, in the places of its regret.
            trust: 0 to 1.
            doubt: 0 or more; n at which the trust is half of that.

        Raises:
            ValueError: a number is out of range, or counts are negative or not of this game.
        """
        if not 0 <= trust <= 1 or not 0 <= doubt < np.inf:
            raise ValueError(f"trust {trust}, doubt {doubt}: want 0 to 1, and 0 or more")
        if counts.shape != (info_sets.cells,) or not (counts >= 0).all():
            raise ValueError("counts are negative, or of another game")

        def rows(node: int) -> tuple[NDArray[Any], NDArray[Any]]:
            actions = int(info_sets.tree.child_count[node])
            seen = info_sets.rows_of(counts, node)[:, :actions].astype(np.float64)
            times = seen.sum(axis=1)
            shares = seen / np.where(times > 0, times, 1)[:, None]
            return shares, trust * times / np.where(times > 0, times + doubt, 1)

        return cls._of_rows(info_sets, rows)

    @classmethod
    def of_strategy(
        cls, info_sets: InfoSets, strategy: Callable[[int], NDArray[np.float32]], trust: float = 1.0
    ) -> Restraint:
        """Trust a whole strategy everywhere alike; with 1 it is not free at all.

        Args:
            strategy: from a decision to (B, A) probabilities.

        Raises:
            ValueError: the trust is no probability.
        """
        if not 0 <= trust <= 1:
            raise ValueError(f"trust {trust}: want 0 to 1")
        return cls._of_rows(info_sets, lambda node: (strategy(node), trust))

    @classmethod
    def _of_rows(cls, info_sets: InfoSets, rows: Callable[[int], tuple[Any, Any]]) -> Restraint:
        fixed = aligned_zeros(info_sets.cells, np.float32)
        for node in np.flatnonzero(info_sets.offset >= 0).tolist():
            actions = int(info_sets.tree.child_count[node])
            table = info_sets.rows_of(fixed, node)
            table[:, :actions], table[:, actions] = rows(node)
        return cls(fixed, aligned_zeros(info_sets.cells, np.float32))
