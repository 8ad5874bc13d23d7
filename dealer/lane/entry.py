"""How the lane's compiled code is entered, by an address alone: a dealer has no numpy."""

from typing import Final

import numpy as np

from dealer.lane.arrays import LaneArrays
from dealer.lane.lane_kernels import play_in_lane
from dealer.lane.layout import (
    BETTING_BYTES,
    CARDS_DRAWN,
    CLOCK_WIDTH,
    DEALS,
    DECK_SIZE,
    HAND_ROOM,
    HAND_TEXTS_BYTES,
    INBOX_BYTES,
    LIMITS_WIDTH,
    OUTBOX_BYTES,
    SEAT_WIDTH,
    STATE_WIDTH,
)
from engine.compiled.c_library import array_at
from engine.rules.packed_game import GAME_WIDTH, PLAYERS

_ARRAYS: Final = len(LaneArrays._fields)


def play_hands_at(directory: int) -> int:
    """Call `play_in_lane` with the arrays whose addresses the directory at this address has."""
    where = array_at(directory, (_ARRAYS,), np.int64)
    state = array_at(where[0], (STATE_WIDTH,), np.int64)
    game = array_at(where[2], (GAME_WIDTH,), np.int64)
    players, draws, deck = game[PLAYERS], state[CARDS_DRAWN], state[DECK_SIZE]
    return play_in_lane(
        LaneArrays(
            state,
            array_at(where[1], (players, SEAT_WIDTH), np.int64),
            game,
            array_at(where[3], (HAND_ROOM,), np.int64),
            array_at(where[4], (DEALS, draws), np.uint32),
            array_at(where[5], (draws,), np.uint8),
            array_at(where[6], (deck,), np.uint8),
            array_at(where[7], (deck,), np.uint8),
            array_at(where[8], (players, LIMITS_WIDTH), np.float64),
            array_at(where[9], (players, LIMITS_WIDTH), np.float64),
            array_at(where[10], (CLOCK_WIDTH,), np.float64),
            array_at(where[11], (players,), np.float64),
            array_at(where[12], (players,), np.float64),
            array_at(where[13], (players, INBOX_BYTES), np.uint8),
            array_at(where[14], (players, OUTBOX_BYTES), np.uint8),
            array_at(where[15], (BETTING_BYTES,), np.uint8),
            array_at(where[16], (OUTBOX_BYTES,), np.uint8),  # and more, as long as the names are
            array_at(where[17], (1,), np.uint8),  # likewise
            array_at(where[18], (2,), np.int64),
            array_at(where[19], (HAND_TEXTS_BYTES,), np.uint8),  # and a line more
        )
    )
