"""Arrays in which one logged hand travels between kernels; the caller allocates them once.

    hand    (HAND_SIZE,) int64   the entries named below
    trace   (MAX_TRACE,) int64   one entry per action: position | kind << 4 | street << 8,
                                 kind one of the ACTION_ codes
    cards   (MAX_CARDS,) uint8   hole cards by position, then the board as far as shown
    values  (10,) float64        chips won by position, recomputed

Entries of `hand` (chips in int64, printed values in millionths of a chip):

    HAND_ID, BETTING_STREET (street of the last action), STREET (street reached, showdowns
    reach the last), LIVE (positions not folded), CARD_COUNT, ACTION_COUNT,
    BETTING_AT, CARDS_AT, VALUES_AT, NAMES_AT (index in the text where the field begins),
    SPENT, FOLDED, PRINTED, STRENGTH (per position)
"""

from typing import Final

from engine.handlogs import game_table as t

ACCEPTED: Final = 0
NOT_A_HAND: Final = 1
"""The line cannot be read, or its betting or cards are wrong."""
OTHER_VALUES: Final = 2
"""Readable, betting and cards are right, but the values are not those recomputed."""

ACTION_FOLD: Final = 0
ACTION_CHECK: Final = 1
ACTION_CALL: Final = 2
ACTION_RAISE: Final = 3

HAND_ID: Final = 0
BETTING_STREET: Final = 1
STREET: Final = 2
LIVE: Final = 3
CARD_COUNT: Final = 4
ACTION_COUNT: Final = 5
BETTING_AT: Final = 6
CARDS_AT: Final = 7
VALUES_AT: Final = 8
NAMES_AT: Final = 9
SPENT: Final = 10
FOLDED: Final = SPENT + t.MAX_PLAYERS
PRINTED: Final = FOLDED + t.MAX_PLAYERS
STRENGTH: Final = PRINTED + t.MAX_PLAYERS
HOLES: Final = STRENGTH + t.MAX_PLAYERS
"""64-bit masks of the hole cards per position."""
HAND_SIZE: Final = HOLES + t.MAX_PLAYERS

MAX_TRACE: Final = 512
"""More actions than a hand can have: 4 streets of at most 64 actions and one call per player."""
MAX_HAND_ID: Final = 2**32 - 1
MAX_VALUE: Final = 10**11
"""Chips; more than ten stacks of the largest size, and its millionths fit 64 bits."""
EXACT_VALUE: Final = 10**8
"""Chips; below it a value times a million is right to 1/128, so that texts can be compared."""
MILLION: Final = 1_000_000

MAX_CARDS: Final = 37
"""Ten hands of three cards and seven board cards."""
