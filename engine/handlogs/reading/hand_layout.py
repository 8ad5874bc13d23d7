"""Arrays in which one logged hand travels between kernels; the caller allocates them once.

    hand    (HAND_SIZE,) int64   the betting as `engine.rules.fast_state` has it, then the entries
                                 named below
    trace   (MAX_TRACE,) int64   the actions, as there
    cards   (MAX_CARDS,) uint8   hole cards by position, then the board as far as shown
    values  (10,) float64        chips won by position, recomputed

Entries of `hand` behind the betting (printed values in millionths of a chip):

    HAND_ID, CARD_COUNT, NAMES_AT (index in the text where the names begin),
    PRINTED, STRENGTH, HOLES (per position)
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.rules.fast_state import HAND_WIDTH, MAX_TRACE
from protocol.gamedef import MAX_BOARD_CARDS, MAX_HOLE_CARDS, MAX_PLAYERS
from protocol.matchstate import MAX_HAND_ID_DIGITS

ACCEPTED: Final = 0
OTHER_VALUES: Final = 1
"""Readable, betting and cards are right, but the values are not those recomputed."""
OTHER_BETTING: Final = 2
"""Readable, but an action is not allowed, or the betting stops too early: that and no more."""
NOT_A_HAND: Final = -1
"""The line cannot be read, or has something wrong that takes the authority to judge."""

HAND_ID: Final = HAND_WIDTH
CARD_COUNT: Final = HAND_WIDTH + 1
NAMES_AT: Final = HAND_WIDTH + 2
PRINTED: Final = HAND_WIDTH + 3
STRENGTH: Final = PRINTED + MAX_PLAYERS
HOLES: Final = STRENGTH + MAX_PLAYERS
"""64-bit masks of the hole cards per position."""
HAND_SIZE: Final = HOLES + MAX_PLAYERS

MAX_HAND_ID: Final = 10**MAX_HAND_ID_DIGITS - 1
MAX_VALUE: Final = 10**11
"""Chips; more than ten stacks of the largest size, and its millionths fit 64 bits."""
EXACT_VALUE: Final = 10**8
"""Chips; below it a value times a million is right to 1/128, so that texts can be compared."""
MILLION: Final = 1_000_000

MAX_CARDS: Final = MAX_PLAYERS * MAX_HOLE_CARDS + MAX_BOARD_CARDS
"""All that the largest game deals."""


class HandScratch(NamedTuple):
    """What one hand is read into."""

    hand: NDArray[np.int64]
    trace: NDArray[np.int64]
    cards: NDArray[np.uint8]
    values: NDArray[np.float64]


def new_scratch() -> HandScratch:
    """Return the arrays of one hand, all zero."""
    return HandScratch(
        np.zeros(HAND_SIZE, np.int64),
        np.zeros(MAX_TRACE, np.int64),
        np.zeros(MAX_CARDS, np.uint8),
        np.zeros(MAX_PLAYERS, np.float64),
    )
