"""The random numbers of compiled policies: a function of seed, hand and decision, nothing is kept.

A player with a seed gets for the decisions of a match the same numbers in a bulk match and at a
table, whatever else happens.  With W(key, n) output n of the generator seeded `key`, see
`engine.compiled.splitmix`:

    draw i = upper 53 bits of W(W(seed, 1024 hand + decision + 1), i + 1) / 2 ** 53    i = 0 to 3

The second seating of a duplicate match has a seed of its own, `seating_seed`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.splitmix import plain_word

DRAWS: Final = 4
MOST_DECISIONS: Final = 1024
"""No player can take so many in a hand."""

_ALL_BITS: Final = (1 << 64) - 1


def decision_draws(seed: int, hand: int, decision: int) -> NDArray[np.float64]:
    """Return (4,) float64 in [0, 1): what a policy draws for one decision.

    Args:
        seed: of the player, 0 to 2**64 - 1.
        decision: number of the player's own decision in the hand, 0-based.

    Raises:
        ValueError: a number is out of range.
    """
    if not 0 <= seed <= _ALL_BITS:
        raise ValueError(f"seed {seed} is outside 0..2**64 - 1")
    if hand < 0 or not 0 <= decision < MOST_DECISIONS:
        raise ValueError(f"decision {decision} of hand {hand}")
    key = plain_word(seed, MOST_DECISIONS * hand + decision + 1)
    return np.array([(plain_word(key, i + 1) >> 11) * 2.0**-53 for i in range(DRAWS)])


def seating_seed(seed: int, seating: int) -> int:
    """Return the seed of a player in a seating of a duplicate match, its own in the first."""
    return seed if seating == 0 else plain_word(seed, -seating)
