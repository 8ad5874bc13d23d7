"""What decisions gained over their expectation, and how much they weigh by it.

The expectation is a line through the features of all decisions, by least squares.  A decision that
gained a pots more weighs e^(2 a), a being cut at -1 and 1.  So a player who learns from its own
play repeats more of what went well, and bad luck takes little weight away.
Source: Peng, Kumar, Zhang, Levine, "Advantage-weighted regression", 2019.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.poker_cnn.train.states import States

SHARPNESS: Final = 2.0
MOST_POTS: Final = 1.0
_AT_ONCE: Final = 1 << 16


def chip_weights(states: States) -> NDArray[np.float32]:
    """Return (S,) weights, 1 in the mean."""
    parts = [
        states.features(np.arange(first, min(first + _AT_ONCE, len(states)))).inputs.numpy()
        for first in range(0, len(states), _AT_ONCE)
    ]
    rows = np.concatenate(parts).astype(np.float64)
    expected = rows @ np.linalg.lstsq(rows, states.gains.astype(np.float64), rcond=None)[0]
    weights = np.exp(SHARPNESS * np.clip(states.gains - expected, -MOST_POTS, MOST_POTS))
    scaled: NDArray[np.float32] = (weights / weights.mean()).astype(np.float32)
    return scaled
