"""The actions of a hand so far, as rows of numbers, and what they say of an opponent's hand.

    history  (MOST_ROWS, ROW) float64   an action a row: STREET, WHO, KIND, SIZE, TOP

WHO is 0 for the player itself, and another number for each opponent.  SIZE, in pots,
is what a raise adds to the pot as it is after calling.  Of a call it is what it pays of the pot as
it was before the bet.

TOP is the share of all hands, the best ones, with which the actor plays on.  Everybody begins with
all; a call or bet of b pots keeps the best 1 / (1 + b) of what it had, the frequency of defence
that makes bluffs of that size break even.  So the mean percentile of an opponent's hand is
1 - TOP / 2: the estimate of its hand, from what everybody sees.
Source of the frequency: Chen, Ankenman, "The mathematics of poker", 2006.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel
from engine.play.spot import Spot
from engine.rules.fast_state import FOLD, RAISE

STREET: Final = 0
WHO: Final = 1
KIND: Final = 2
SIZE: Final = 3
TOP: Final = 4
ROW: Final = 5

CHECKED: Final = 0
CALLED: Final = 1
RAISED: Final = 2
FOLDED: Final = 3

MOST_ROWS: Final = 96
"""Actions of a hand; later ones take the place of the last."""


@inlined_kernel
def note_action(
    history: NDArray[np.float64], count: int, spot: Spot, who: int, kind: int, raise_to: int
) -> int:
    """Write an action behind the first `count` rows of the history; return how many there are then.

    Args:
        spot: in which it was taken; its cards and strength are not read.
        who: took it, 0 for the player whose history it is.
        kind: FOLD, CALL or RAISE of `engine.rules.fast_state`.
        raise_to: chips over the whole hand, of a raise.
    """
    top = 1.0
    for i in range(count):
        if history[i, WHO] == who:
            top = history[i, TOP]
    at = min(count, MOST_ROWS - 1)
    size = 0.0
    if kind == RAISE:
        size = (raise_to - spot.to_match) / (spot.pot + spot.to_call)
        history[at, KIND] = RAISED
    elif kind == FOLD:
        history[at, KIND] = FOLDED
    elif spot.to_call > 0:
        size = spot.to_call / max(spot.pot - spot.to_call, 1)
        history[at, KIND] = CALLED
    else:
        history[at, KIND] = CHECKED
    history[at, STREET] = spot.street
    history[at, WHO] = who
    history[at, SIZE] = size
    history[at, TOP] = top / (1.0 + size)
    return at + 1


@inlined_kernel
def estimate_of(history: NDArray[np.float64], count: int) -> float:
    """Return the mean percentile of the hand of that opponent in play who showed most strength."""
    folded = 0
    for i in range(count):
        if history[i, KIND] == FOLDED:
            folded |= 1 << int(history[i, WHO])
    least = 1.0
    for i in range(count):
        who = int(history[i, WHO])
        if who > 0 and folded >> who & 1 == 0:
            least = min(least, history[i, TOP])
    return 1.0 - 0.5 * least
