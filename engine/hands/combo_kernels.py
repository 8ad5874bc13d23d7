"""Compiled half of `engine.hands.cards`: combos and sets of cards in kernels."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel
from engine.hands.cards import COMBO_MASKS

MASKS: Final[Any] = COMBO_MASKS.astype(np.int64)
"""(1326,) int64 COMBO_MASKS, of a type that goes with the other integers of kernels."""


@inlined_kernel
def card_set(cards: NDArray[np.uint8]) -> Any:
    """Return the set of some cards as a 52-bit mask, int64."""
    found = np.int64(0)
    for card in cards:
        found |= np.int64(1) << np.int64(card)
    return found


@inlined_kernel
def combo_at(first: int, second: int) -> Any:
    """Return the combo of two different cards of any integer types, in either order, as int64."""
    one, other = np.int64(first), np.int64(second)
    high, low = max(one, other), min(one, other)
    return high * (high - 1) // 2 + low
