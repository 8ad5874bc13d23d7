"""A game definition as one flat array, the form in which kernels get it.

Columns of a packed game, (`GAME_WIDTH`,) int64, chips and counts as in `GameDef`; per-position
entries have room for `MAX_PLAYERS`, per-street entries for `MAX_STREETS`:

    NO_LIMIT (0 or 1), PLAYERS, STREETS, HOLE_CARDS    scalars
    BIG_BLIND      what a new street adds to the bet for its smallest raise, chips
    LARGEST_BLIND  what there is to match right after the blinds, chips
    FIRST_POSITIONS, MAX_RAISES, RAISE_SIZES           per street
    NEW_BOARD      cards that a street adds            per street
    STACKS, BLINDS                                     per position
    RANKS, SUITS   256 entries each: rank 0..12 or suit 0..3 that a byte stands for, -1 where the
                   byte is no rank or suit of this game's deck
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from protocol.cards import RANKS as RANK_LETTERS
from protocol.cards import SUITS as SUIT_LETTERS
from protocol.gamedef import MAX_PLAYERS, MAX_STREETS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

_BYTES: Final = 256

NO_LIMIT: Final = 0
PLAYERS: Final = 1
STREETS: Final = 2
HOLE_CARDS: Final = 3
BIG_BLIND: Final = 4
LARGEST_BLIND: Final = 5
FIRST_POSITIONS: Final = 6
MAX_RAISES: Final = FIRST_POSITIONS + MAX_STREETS
RAISE_SIZES: Final = MAX_RAISES + MAX_STREETS
NEW_BOARD: Final = RAISE_SIZES + MAX_STREETS
STACKS: Final = NEW_BOARD + MAX_STREETS
BLINDS: Final = STACKS + MAX_PLAYERS
RANKS: Final = BLINDS + MAX_PLAYERS
SUITS: Final = RANKS + _BYTES
GAME_WIDTH: Final = SUITS + _BYTES


def pack_game(game: GameDef) -> NDArray[np.int64]:
    """Return the game as one row for the kernels, (`GAME_WIDTH`,) int64."""
    import numpy as np  # not for a dealer

    return np.array(game_row(game), np.int64)


def game_row(game: GameDef) -> list[int]:
    """Return the numbers of the packed game."""
    packed = [0] * RANKS + [-1] * (GAME_WIDTH - RANKS)
    packed[NO_LIMIT] = game.no_limit
    packed[PLAYERS] = game.players
    packed[STREETS] = game.streets
    packed[HOLE_CARDS] = game.hole_cards
    packed[BIG_BLIND] = game.big_blind
    packed[LARGEST_BLIND] = max(game.blinds)
    for column, values in (
        (FIRST_POSITIONS, game.first_positions),
        (MAX_RAISES, game.max_raises),
        (RAISE_SIZES, game.raise_sizes),
        (NEW_BOARD, game.board_cards),
        (STACKS, game.stacks),
        (BLINDS, game.blinds),
    ):
        packed[column : column + len(values)] = values
    for card in game.deck:
        packed[RANKS + ord(RANK_LETTERS[card >> 2])] = card >> 2
        packed[SUITS + ord(SUIT_LETTERS[card & 3])] = card & 3
    return packed
