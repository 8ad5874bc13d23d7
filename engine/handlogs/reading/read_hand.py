"""One STATE line of a match log, read and judged in one pass over its bytes.

`read_hand` is a fast acceptor: what it accepts is exactly as a dealer would have written it.  It
gives no reasons; a line it does not accept goes to `hand_check`, which is the authority and
explains, unless it is only to be counted.  What betting is legal, `engine.rules.fast_state` says.
A line must end in a newline inside `data`: every step stops at a byte it does not expect, and none
expects a newline, so no step runs beyond it.

What a line says goes to the arrays that `engine.handlogs.reading.hand_layout` describes.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.handlogs.reading.hand_layout import (
    CARD_COUNT,
    HAND_ID,
    HOLES,
    MAX_HAND_ID,
    NOT_A_HAND,
    OTHER_BETTING,
    STRENGTH,
)
from engine.handlogs.reading.settle_hand import read_values, settle_hand
from engine.rules import fast_state as fast
from engine.rules.packed_game import (
    HOLE_CARDS,
    NEW_BOARD,
    NO_LIMIT,
    PLAYERS,
    RANKS,
    STREETS,
    SUITS,
)
from engine.showdown.strength_kernels import strength_of_mask
from protocol.betting import MAX_SIZE_DIGITS

_COLON: Final = ord(":")
_SLASH: Final = ord("/")
_BAR: Final = ord("|")
_ZERO: Final = ord("0")
_NEWLINE: Final = ord("\n")
_RETURN: Final = ord("\r")
_BLANK: Final = ord(" ")
_HASH: Final = ord("#")
_POINT: Final = ord(".")

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
    """Read the line that begins at data[start]; return what `hand_layout` calls its verdict."""
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
    at += 1
    stop = at
    while data[stop] != _COLON:
        if data[stop] == _NEWLINE:
            return NOT_A_HAND
        stop += 1
    status, fault = fast.play_betting(game, data, at, stop, hand, trace)
    legal = status == fast.READ and fast.is_over(hand)
    street = hand[fast.STREET]
    if not legal:
        if not _is_surely_illegal(data, at, stop, game, status, fault):
            return NOT_A_HAND
        hand[fast.ACTOR] = 0  # nothing is shown down
        street = min(_count_slashes(data, stop + 1), game[STREETS] - 1)
    at = _read_cards(data, stop + 1, street, game, hand, cards)
    if at < 0:
        return NOT_A_HAND
    if not legal:
        return OTHER_BETTING if read_values(data, at, game, hand, values) >= 0 else NOT_A_HAND
    settle_hand(game, hand, values)
    return read_values(data, at, game, hand, values)


@kernel
def _is_surely_illegal(
    data: NDArray[np.uint8],
    first: int,
    stop: int,
    game: NDArray[np.int64],
    status: int,
    fault: int,
) -> bool:
    """Return whether betting that was not read to its end is well written, and one action wrong.

    False where it takes the authority to tell: sizes in a limit game, slashes, padded numbers.
    """
    if status == fast.MISPLACED_SLASH:
        return False
    if status == fast.MALFORMED:  # but for a raise without its size
        digit = 0 <= np.int64(data[fault]) - _ZERO <= 9
        if game[NO_LIMIT] == 0 or data[fault - 1] != fast.RAISE or digit:
            return False
    at = first
    while at < stop:
        kind = data[at]
        at += 1
        digits = 0
        while kind == fast.RAISE and 0 <= np.int64(data[at]) - _ZERO <= 9:
            digits += 1
            at += 1
        if digits > MAX_SIZE_DIGITS:
            return False
        if kind != fast.FOLD and kind != fast.CALL and kind != fast.RAISE and kind != _SLASH:
            return False
    return True


@kernel
def _count_slashes(data: NDArray[np.uint8], at: int) -> int:
    count = 0
    while data[at] != _COLON and data[at] != _NEWLINE:
        count += data[at] == _SLASH
        at += 1
    return count


@kernel
def _read_cards(
    data: NDArray[np.uint8],
    at: int,
    last_street: int,
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
    for street in range(last_street + 1):
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


@kernel
def end_of_line(data: NDArray[np.uint8], at: int) -> int:
    """Return the index after the newline if only a " # time" stamp stands before it, else -1."""
    if data[at] == _BLANK:
        if data[at + 1] != _HASH or data[at + 2] != _BLANK:
            return -1
        after = _after_digits(data, at + 3, 12)
        if after == at + 3:
            return -1
        at = after
        if data[at] == _POINT:
            after = _after_digits(data, at + 1, 9)
            if after == at + 1:
                return -1
            at = after
    if data[at] == _RETURN:
        at += 1
    return at + 1 if data[at] == _NEWLINE else -1


@kernel
def _after_digits(data: NDArray[np.uint8], at: int, most: int) -> int:
    """Return the index after a run of digits, of which no more than `most` are read."""
    end = at
    while end - at < most and 0 <= np.int64(data[end]) - _ZERO <= 9:
        end += 1
    return end
