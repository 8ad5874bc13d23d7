"""A game definition as one flat array, the form in which kernels get it.

Offsets into the table (T,) int64, chips and counts as in `GameDef`; per-position entries have room
for ten positions, per-street entries for four streets:

    PLAYERS, STREETS, NO_LIMIT (0 or 1), HOLE_CARDS    scalars
    TO_MATCH      largest blind, chips
    MIN_RAISE_TO  smallest raise-to right after the blinds, chips
    BIG_BLIND     what a new street adds to the bet for its smallest raise, chips
    STACKS, BLINDS                                     per position
    RAISE_SIZES, FIRST_POSITIONS, MAX_RAISES           per street
    NEW_BOARD     cards that a street adds             per street
    RANKS, SUITS  256 entries each: rank 0..12 or suit 0..3 that a byte stands for, -1 where the
                  byte is no rank or suit of this game's deck
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from protocol.cards import RANKS as RANK_LETTERS
from protocol.cards import SUITS as SUIT_LETTERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

MAX_PLAYERS: Final = 10
MAX_STREETS: Final = 4

PLAYERS: Final = 0
STREETS: Final = 1
NO_LIMIT: Final = 2
HOLE_CARDS: Final = 3
TO_MATCH: Final = 4
MIN_RAISE_TO: Final = 5
BIG_BLIND: Final = 6
STACKS: Final = 8
BLINDS: Final = STACKS + MAX_PLAYERS
RAISE_SIZES: Final = BLINDS + MAX_PLAYERS
FIRST_POSITIONS: Final = RAISE_SIZES + MAX_STREETS
MAX_RAISES: Final = FIRST_POSITIONS + MAX_STREETS
NEW_BOARD: Final = MAX_RAISES + MAX_STREETS
RANKS: Final = NEW_BOARD + MAX_STREETS
SUITS: Final = RANKS + 256
TABLE_SIZE: Final = SUITS + 256


def game_table(game: GameDef) -> NDArray[np.int64]:
    """Return the table (TABLE_SIZE,) int64 of a game."""
    table = np.zeros(TABLE_SIZE, np.int64)
    largest = max(game.blinds)
    table[PLAYERS] = game.players
    table[STREETS] = game.streets
    table[NO_LIMIT] = game.no_limit
    table[HOLE_CARDS] = game.hole_cards
    table[TO_MATCH] = largest
    table[MIN_RAISE_TO] = 2 * largest if largest else 1
    table[BIG_BLIND] = game.big_blind
    table[STACKS : STACKS + game.players] = game.stacks[: game.players]
    table[BLINDS : BLINDS + game.players] = game.blinds[: game.players]
    for offset, values in (
        (RAISE_SIZES, game.raise_sizes),
        (FIRST_POSITIONS, game.first_positions),
        (MAX_RAISES, game.max_raises),
        (NEW_BOARD, game.board_cards),
    ):
        used = values[: game.streets]
        table[offset : offset + len(used)] = used
    table[RANKS : SUITS + 256] = -1
    for card in game.deck:
        table[RANKS + ord(RANK_LETTERS[card >> 2])] = card >> 2
        table[SUITS + ord(SUIT_LETTERS[card & 3])] = card & 3
    return table
