"""What predictors of actions have in common, and the table of frequencies that each must beat.

A predictor gets the contexts of N decisions, (N, F) float32 as in `contexts`, and returns (N, 3)
float64, the probabilities of FOLD, CALL and RAISE.  Actions that the context calls illegal get 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

import numpy as np

from agents.statistical.counting.situations import (
    ACTIONS,
    CALL,
    CELLS,
    FOLD,
    RAISE,
    RAISES_TOLD_APART,
    STREETS,
)
from agents.statistical.predicting.contexts import (
    FEATURE_COUNT,
    FOLDS_HERE,
    KNOWN_HERE,
    MAY_FOLD,
    MAY_RAISE,
    NO_RAISE,
)
from agents.statistical.predicting.trained import REMEDY, TrainedModel, check_array, check_counts
from engine.storage.artifacts import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMOOTHING: Final = 1.0
"""Actions of each kind that a cell is taken to have seen beforehand."""


class Predictor(Protocol):
    """Says what a player will do."""

    def probabilities(self, contexts: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return (N, 3), rows that sum to 1; illegal actions have probability 0.

        Raises:
            ValueError: not (N, F) contexts.
        """


def legal_actions(contexts: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return (N, 3) bool, which actions the contexts say are legal; a call always is.

    Raises:
        ValueError: not (N, F) contexts.
    """
    check_contexts(contexts)
    legal = np.ones((len(contexts), ACTIONS), np.bool_)
    legal[:, FOLD] = contexts[:, MAY_FOLD] > 0
    legal[:, RAISE] = contexts[:, MAY_RAISE] > 0
    return legal


def among_legal(chances: NDArray[np.float64], contexts: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return (N, 3) chances with the illegal ones taken out; a call where nothing is left."""
    kept = np.where(legal_actions(contexts), chances, 0.0)
    sums = kept.sum(axis=1, keepdims=True)
    nothing = sums[:, 0] <= 0
    kept[nothing, CALL] = sums[nothing] = 1.0
    shares: NDArray[np.float64] = kept / sums
    return shares


def cells_of(contexts: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return (N,) the cells of the counters, 0..11, that contexts belong to.

    Raises:
        ValueError: not (N, F) contexts.
    """
    check_contexts(contexts)
    street = contexts[:, : STREETS - 1] @ np.arange(1, STREETS, dtype=np.float32)
    faced = contexts[:, NO_RAISE : NO_RAISE + RAISES_TOLD_APART]
    cells: NDArray[np.int64] = RAISES_TOLD_APART * street.astype(np.int64) + faced.argmax(axis=1)
    return cells


def check_contexts(contexts: NDArray[np.float32]) -> None:
    """Raise ValueError unless `contexts` are (N, F) float32."""
    check_array("contexts", contexts, "float32", (len(contexts), FEATURE_COUNT))


@dataclass(eq=False)
class FrequencyTable(TrainedModel):
    """How often the players of some logs did what in each cell of the counters."""

    counts: NDArray[np.int64]
    """(12, 3) the 36 counters."""
    personal: bool = field(default=False, kw_only=True)
    """Whether a player's own counters, as far as the context tells them, take the place of the
    table's, more and more as they grow."""

    KIND: ClassVar = Kind("frequency table", 1, REMEDY)
    ARRAYS: ClassVar = ("counts",)

    def __post_init__(self) -> None:
        """Smooth the counters."""
        check_counts(self.counts, (CELLS, ACTIONS))
        if not isinstance(self.personal, bool):
            raise ValueError("personal: want true or false")
        smooth = self.counts + SMOOTHING
        self._shares: NDArray[np.float64] = smooth / smooth.sum(axis=1, keepdims=True)

    @classmethod
    def counting(
        cls, cells: NDArray[np.integer], actions: NDArray[np.integer], *, personal: bool = False
    ) -> FrequencyTable:
        """Return the table of (N,) cells and (N,) what was done in them."""
        counts = np.zeros((CELLS, ACTIONS), np.int64)
        np.add.at(counts, (cells, actions), 1)
        return cls(counts, personal=personal)

    def probabilities(self, contexts: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return (N, 3) as `Predictor` tells."""
        shares = self._shares[cells_of(contexts)]
        if self.personal:
            known = contexts[:, KNOWN_HERE : KNOWN_HERE + 1].astype(np.float64)
            own = contexts[:, FOLDS_HERE : FOLDS_HERE + ACTIONS]
            shares = known * own + (1 - known) * shares
        return among_legal(shares, contexts)
