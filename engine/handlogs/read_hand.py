"""One STATE line of a match log, read and judged in one pass over its bytes.

`read_hand` is a fast acceptor: what it accepts is exactly as a dealer would have written it.  It
gives no reasons; a line it does not accept goes to `engine.handlogs.hand_check`, which is the
authority and explains.  What betting is legal, `engine.rules.fast_state` says.  A line must end in
a newline inside `data`: every step stops at a byte it does not expect, and none expects a newline,
so no step runs beyond it.

What a line says goes to the arrays that `engine.handlogs.hand_layout` describes.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.handlogs.hand_layout import (
    CARD_COUNT,
    HAND_ID,
    HOLES,
    MAX_HAND_ID,
    NOT_A_HAND,
    STRENGTH,
)
from engine.handlogs.settle_hand import read_values, settle_hand
from engine.rules import fast_state as fast
from engine.rules.packed_game import HOLE_CARDS, NEW_BOARD, PLAYERS, RANKS, SUITS
from engine.showdown.strength_kernels import strength_of_mask

_COLON: Final = ord(":")
_SLASH: Final = ord("/")
_BAR: Final = ord("|")
_ZERO: Final = ord("0")
_NEWLINE: Final = ord("\n")

# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


@kernel
def read_hand(
    data: NDArray[np.uint8],
    start: int,
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    trace: NDArray[np.int64],
    cards: NDArray[np.uint8],
    values: NDArray[np.float64],
) -> int:
    """Read the line that begins at data[start]; return ACCEPTED, NOT_A_HAND or OTHER_VALUES."""
    if not (
        data[start] == 83  # S
        and data[start + 1] == 84  # T
        and data[start + 2] == 65  # A
        and data[start + 3] == 84  # T
        and data[start + 4] == 69  # E
        and data[start + 5] == _COLON
    ):
        return NOT_A_HAND
    at = start + 6
    number = np.int64(data[at]) - _ZERO
    if number < 0 or number > 9:
        return NOT_A_HAND
    at += 1
    if number:
        while True:
            digit = np.int64(data[at]) - _ZERO
            if digit < 0 or digit > 9:
                break
            number = 10 * number + digit
            if number > MAX_HAND_ID:
                return NOT_A_HAND
            at += 1
    if data[at] != _COLON:
        return NOT_A_HAND
    hand[HAND_ID] = number
    at = _read_betting(data, at + 1, game, hand, trace)
    if at < 0:
        return NOT_A_HAND
    at = _read_cards(data, at, game, hand, cards)
    if at < 0:
        return NOT_A_HAND
    settle_hand(game, hand, values)
    return read_values(data, at, game, hand, values)


@kernel
def _read_betting(
    data: NDArray[np.uint8],
    at: int,
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    trace: NDArray[np.int64],
) -> int:
    """Play the betting text; return the index after its colon, -1 where it is no whole hand."""
    stop = at
    while data[stop] != _COLON:
        if data[stop] == _NEWLINE:
            return -1
        stop += 1
    status, _ = fast.play_betting(game, data, at, stop, hand, trace)
    return stop + 1 if status == fast.READ and fast.is_over(hand) else -1


@kernel
def _read_cards(
    data: NDArray[np.uint8],
    at: int,
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    cards: NDArray[np.uint8],
) -> int:
    """Read hole and board cards; return the index after their colon, -1 where they do not fit."""
    players = game[PLAYERS]
    hole_cards = game[HOLE_CARDS]
    count = 0
    seen = 0
    for position in range(players):
        if position:
            if data[at] != _BAR:
                return -1
            at += 1
        mask = 0
        for _ in range(hole_cards):
            rank = game[RANKS + data[at]]
            if rank < 0:
                return -1
            suit = game[SUITS + data[at + 1]]
            if suit < 0:
                return -1
            bit = 1 << (16 * suit + rank)
            if seen & bit:
                return -1
            seen |= bit
            mask |= bit
            cards[count] = 4 * rank + suit
            count += 1
            at += 2
        hand[HOLES + position] = mask
    board = 0
    for street in range(hand[fast.STREET] + 1):
        if street:
            if data[at] != _SLASH:
                return -1
            at += 1
        for _ in range(game[NEW_BOARD + street]):
            rank = game[RANKS + data[at]]
            if rank < 0:
                return -1
            suit = game[SUITS + data[at + 1]]
            if suit < 0:
                return -1
            bit = 1 << (16 * suit + rank)
            if seen & bit:
                return -1
            seen |= bit
            board |= bit
            cards[count] = 4 * rank + suit
            count += 1
            at += 2
    hand[CARD_COUNT] = count
    if data[at] != _COLON:
        return -1
    if fast.is_showdown(hand):
        for position in range(players):
            if hand[fast.FOLDED + position] == 0:
                hand[STRENGTH + position] = strength_of_mask(hand[HOLES + position] | board)
    return at + 1
