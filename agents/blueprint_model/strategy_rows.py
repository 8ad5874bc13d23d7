"""What some buckets do at a decision of a blueprint, decoded from its model, and sharpened."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.blueprint_model.codes import decode, decoding

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.blueprint_model.model import BlueprintModel

_MOST_BITS_IN_A_TABLE: Final = 16
_UNPACKED_DECISIONS: Final = 2048
"""A decision of hold'em takes 4 to 8 KB; a match of 1500 hands comes to 600 of them."""


class StrategyRows:
    """Probabilities of actions; those that are too improbable are left out."""

    def __init__(self, model: BlueprintModel, threshold: float) -> None:
        """Take a model; probabilities below `threshold` are dropped, but never the largest."""
        self._model = model
        self._threshold = threshold
        self._actions: Final = [model.own_actions(node) for node in range(model.tree.nodes)]
        self._tables: Final[dict[tuple[int, int], NDArray[np.float32]]] = {}
        self._unpacked: Final = lru_cache(_UNPACKED_DECISIONS)(self._unpack)

    def __call__(self, node: int, buckets: NDArray[np.int32] | int) -> NDArray[np.float32]:
        """Return (H, A) float32, what some buckets (H,) do at a decision; (A,) for a single one."""
        if self._actions[node] == 1:
            return self._model.widened(node, np.ones((*np.shape(buckets), 1), np.float32))
        rows, numbers = self._unpacked(node)
        return rows[buckets if numbers is None else numbers[buckets]]

    def _unpack(self, node: int) -> tuple[NDArray[np.float32], NDArray[Any] | None]:
        """Return the distinct rows of a decision, and each bucket's row; None where each has its
        own.
        """
        numbers, bits = self._model.numbers(node)
        actions = self._actions[node]
        if bits > _MOST_BITS_IN_A_TABLE:
            return self._model.widened(node, self._sharpened(decode(numbers, actions, bits))), None
        return self._table(actions, bits), numbers

    def _table(self, actions: int, bits: int) -> NDArray[np.float32]:
        table = self._tables.get((actions, bits))
        if table is None:
            table = self._sharpened(decoding(actions, bits))
            self._tables[actions, bits] = table
        return table

    def _sharpened(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        if not self._threshold:
            return rows
        best = rows.max(axis=1, keepdims=True)
        likely = np.where(rows >= np.minimum(self._threshold, best), rows, 0)
        shares: NDArray[np.float32] = (likely / likely.sum(axis=1, keepdims=True)).astype(
            np.float32
        )
        return shares
