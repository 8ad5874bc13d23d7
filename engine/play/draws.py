"""The random numbers of compiled policies: a function of seed, hand and decision, nothing is kept.

A player with a seed gets for the decisions of a match the same numbers in a bulk match and at a
table, whatever else happens.  With W(key, n) output n = 1, 2, ... of the SplitMix64 generator
seeded `key`:

    draw i = upper 53 bits of W(W(seed, 1024 hand + decision + 1), i + 1) / 2 ** 53    i = 0 to 3

The second seating of a duplicate match has a seed of its own, `seating_seed`.

Source of the generator: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

DRAWS: Final = 4
"""Numbers for each decision."""
MOST_DECISIONS: Final = 1024
"""More than a player can take in a hand."""

_ALL_BITS: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15
_MIX1: Final = 0xBF58476D1CE4E5B9
_MIX2: Final = 0x94D049BB133111EB


def decision_draws(seed: int, hand: int, decision: int) -> NDArray[np.float64]:
    """Return (4,) float64 in [0, 1): what a policy draws for one decision.

    Args:
        seed: of the player, 0 to 2**64 - 1.
        hand: number of the hand in the match.
        decision: number of the player's own decision in the hand, 0-based.

    Raises:
        ValueError: a number is out of range.
    """
    if not 0 <= seed <= _ALL_BITS:
        raise ValueError(f"seed {seed} is outside 0..2**64 - 1")
    if hand < 0 or not 0 <= decision < MOST_DECISIONS:
        raise ValueError(f"decision {decision} of hand {hand}")
    key = _word(seed, MOST_DECISIONS * hand + decision + 1)
    return np.array([(_word(key, i + 1) >> 11) * 2.0**-53 for i in range(DRAWS)])


def seating_seed(seed: int, seating: int) -> int:
    """Return the seed of a player in a seating of a duplicate match, its own in the first."""
    return seed if seating == 0 else _word(seed, -seating)


def _word(key: int, number: int) -> int:
    """Return output `number` of the SplitMix64 generator seeded `key`."""
    word = key + number * _GOLDEN & _ALL_BITS
    word = (word ^ word >> 30) * _MIX1 & _ALL_BITS
    word = (word ^ word >> 27) * _MIX2 & _ALL_BITS
    return word ^ word >> 31
