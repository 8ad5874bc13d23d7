"""One STATE line of a match log, read and judged in one pass over its bytes.

`read_hand` is a fast acceptor: what it accepts is exactly as a dealer would have written it.  It
gives no reasons; a line it does not accept goes to `engine.handlogs.hand_check`, which is the
authority and explains.  A line must end in a newline inside `data`: every step stops at a byte it
does not expect, and none expects a newline, so no step runs beyond it.

What a line says goes to the arrays that `engine.handlogs.hand_layout` describes.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.handlogs import game_table as t
from engine.handlogs.hand_layout import (
    ACTION_CALL,
    ACTION_CHECK,
    ACTION_COUNT,
    ACTION_FOLD,
    ACTION_RAISE,
    BETTING_AT,
    BETTING_STREET,
    CARD_COUNT,
    CARDS_AT,
    FOLDED,
    HAND_ID,
    HOLES,
    LIVE,
    MAX_HAND_ID,
    NOT_A_HAND,
    SPENT,
    STREET,
    STRENGTH,
    VALUES_AT,
)
from engine.handlogs.settle_hand import read_values, settle_hand
from engine.showdown.strength_kernels import strength_of_mask

_C: Final = ord("c")
_F: Final = ord("f")
_R: Final = ord("r")
_COLON: Final = ord(":")
_SLASH: Final = ord("/")
_BAR: Final = ord("|")
_ZERO: Final = ord("0")

# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


@kernel
def read_hand(
    data: NDArray[np.uint8],
    start: int,
    table: NDArray[np.int64],
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
    hand[BETTING_AT] = at + 1
    at = _read_betting(data, at + 1, table, hand, trace)
    if at < 0:
        return NOT_A_HAND
    hand[CARDS_AT] = at
    at = _read_cards(data, at, table, hand, cards)
    if at < 0:
        return NOT_A_HAND
    hand[VALUES_AT] = at
    settle_hand(table, hand, values)
    return read_values(data, at, table, hand, values)


@kernel
def _read_betting(
    data: NDArray[np.uint8],
    at: int,
    table: NDArray[np.int64],
    hand: NDArray[np.int64],
    trace: NDArray[np.int64],
) -> int:
    """Play the betting text; return the index after its colon, -1 where it is not legal."""
    players = table[t.PLAYERS]
    streets = table[t.STREETS]
    no_limit = table[t.NO_LIMIT]
    live = players
    able = 0
    for position in range(players):
        blind = table[t.BLINDS + position]
        hand[SPENT + position] = blind
        hand[FOLDED + position] = 0
        if blind < table[t.STACKS + position]:
            able += 1
    to_match = table[t.TO_MATCH]
    min_raise_to = table[t.MIN_RAISE_TO]
    street = 0
    raises = 0
    actions = 0
    settled = 0
    taken = 0
    slashes = streets - 1
    actor = _next_able(table, hand, players, table[t.FIRST_POSITIONS]) if able else -1
    while actor >= 0:
        letter = data[at]
        at += 1
        paid = hand[SPENT + actor]
        stack = table[t.STACKS + actor]
        if letter == _C:
            kind = ACTION_CALL if to_match > paid else ACTION_CHECK
            if to_match < stack:
                hand[SPENT + actor] = to_match
                settled += 1
            else:
                hand[SPENT + actor] = stack
                able -= 1
        elif letter == _F:
            if paid == to_match:
                return -1
            kind = ACTION_FOLD
            hand[FOLDED + actor] = 1
            live -= 1
            able -= 1
        elif letter == _R:
            kind = ACTION_RAISE
            if (
                raises >= table[t.MAX_RAISES + street]
                or actions + players > 64
                or stack <= to_match
                or able < 2
            ):
                return -1
            if no_limit:
                total = np.int64(data[at]) - _ZERO
                if total < 1 or total > 9:
                    return -1
                at += 1
                while True:
                    digit = np.int64(data[at]) - _ZERO
                    if digit < 0 or digit > 9:
                        break
                    total = 10 * total + digit
                    at += 1
                    if total > stack:
                        return -1
                if total > stack or total < min(min_raise_to, stack):
                    return -1
                min_raise_to = max(min_raise_to, 2 * total - to_match)
            else:
                total = min(to_match + table[t.RAISE_SIZES + street], stack)
            to_match = total
            hand[SPENT + actor] = total
            raises += 1
            if total < stack:
                settled = 1
            else:
                settled = 0
                able -= 1
        else:
            return -1
        trace[taken] = actor | kind << 4 | street << 8
        taken += 1
        actions += 1
        if live == 1:
            slashes = 0
            break
        if settled < able:
            actor = _next_able(table, hand, players, actor + 1)
        elif able > 1 and street + 1 < streets:
            if data[at] != _SLASH:
                return -1
            at += 1
            street += 1
            slashes = streets - 1 - street
            min_raise_to = to_match + table[t.BIG_BLIND]
            raises = 0
            actions = 0
            settled = 0
            actor = _next_able(table, hand, players, table[t.FIRST_POSITIONS + street])
        else:
            actor = -1
    hand[BETTING_STREET] = street
    hand[LIVE] = live
    hand[ACTION_COUNT] = taken
    for _ in range(slashes):
        if data[at] != _SLASH:
            return -1
        at += 1
    hand[STREET] = street + slashes
    if data[at] != _COLON:
        return -1
    return at + 1


@kernel
def _next_able(
    table: NDArray[np.int64], hand: NDArray[np.int64], players: int, position: int
) -> int:
    """Return the first position from `position` on that can act; one must exist."""
    while True:
        if position >= players:
            position -= players
        if hand[FOLDED + position] == 0 and hand[SPENT + position] < table[t.STACKS + position]:
            return position
        position += 1


@kernel
def _read_cards(
    data: NDArray[np.uint8],
    at: int,
    table: NDArray[np.int64],
    hand: NDArray[np.int64],
    cards: NDArray[np.uint8],
) -> int:
    """Read hole and board cards; return the index after their colon, -1 where they do not fit."""
    players = table[t.PLAYERS]
    hole_cards = table[t.HOLE_CARDS]
    count = 0
    seen = 0
    for position in range(players):
        if position:
            if data[at] != _BAR:
                return -1
            at += 1
        mask = 0
        for _ in range(hole_cards):
            rank = table[t.RANKS + data[at]]
            if rank < 0:
                return -1
            suit = table[t.SUITS + data[at + 1]]
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
    for street in range(hand[STREET] + 1):
        if street:
            if data[at] != _SLASH:
                return -1
            at += 1
        for _ in range(table[t.NEW_BOARD + street]):
            rank = table[t.RANKS + data[at]]
            if rank < 0:
                return -1
            suit = table[t.SUITS + data[at + 1]]
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
    if hand[LIVE] > 1:
        for position in range(players):
            if hand[FOLDED + position] == 0:
                hand[STRENGTH + position] = strength_of_mask(hand[HOLES + position] | board)
    return at + 1
