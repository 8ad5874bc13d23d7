"""What predictors of actions have in common, and the table of frequencies that each must beat.

A predictor gets the contexts of N decisions, (N, F) float32 as in `contexts`, and returns (N, 3)
float64, the probabilities of FOLD, CALL and RAISE.  Actions that the context calls illegal get 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

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
from agents.statistical.predicting.trained import REMEDY, TrainedModel
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
    if contexts.dtype != np.float32 or contexts.shape[1:] != (FEATURE_COUNT,):
        raise ValueError(
            f"contexts: want (N, {FEATURE_COUNT}) float32, got {contexts.shape} {contexts.dtype}"
        )


class FrequencyTable(TrainedModel):
    """How often the players of some logs did what in each cell of the counters.

    Attributes:
        counts: (12, 3) int64 the 36 counters.
        personal: whether a player's own counters, as far as the context tells them, take the place
            of the table's, more and more as they grow.
    """

    KIND: ClassVar = Kind("frequency table", 1, REMEDY)
    ARRAYS: ClassVar = ("counts",)
    FACTS: ClassVar = ("personal",)

    def __init__(
        self,
        counts: NDArray[np.int64],
        *,
        personal: bool = False,
        provenance: Mapping[str, Any] | None = None,
    ) -> None:
        """Smooth the counters.

        Raises:
            ValueError: not (12, 3) counts.
        """
        if counts.shape != (CELLS, ACTIONS) or counts.dtype != np.int64 or (counts < 0).any():
            raise ValueError(f"want ({CELLS}, {ACTIONS}) int64 counts, none negative")
        super().__init__(provenance=provenance)
        self.counts: Final = counts
        self.personal: Final = personal
        smooth = counts + SMOOTHING
        self._shares: Final[NDArray[np.float64]] = smooth / smooth.sum(axis=1, keepdims=True)

    @classmethod
    def counting(
        cls, cells: NDArray[np.integer], actions: NDArray[np.integer], *, personal: bool = False
    ) -> FrequencyTable:
        """Return the table of (N,) cells and (N,) what was done in them."""
        flat = np.bincount(
            cells.astype(np.int64) * ACTIONS + actions, minlength=CELLS * ACTIONS
        ).astype(np.int64)
        return cls(flat.reshape(CELLS, ACTIONS), personal=personal)

    def probabilities(self, contexts: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return (N, 3) as `Predictor` tells."""
        shares = self._shares[cells_of(contexts)]
        if self.personal:
            known = contexts[:, KNOWN_HERE : KNOWN_HERE + 1].astype(np.float64)
            own = contexts[:, FOLDS_HERE : FOLDS_HERE + ACTIONS]
            shares = known * own + (1 - known) * shares
        return among_legal(shares, contexts)
