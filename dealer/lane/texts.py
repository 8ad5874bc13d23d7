"""Messages and log lines as bytes; kernels, each the twin of a function of `protocol`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dealer.lane.layout import FIXED_SEATS, HAND_ID, NAME_END
from engine.compiled.jit import inlined_raw_kernel, raw_kernel
from engine.rules.fast_state import FOLDED, STREET, is_showdown
from engine.rules.packed_game import HOLE_CARDS, NEW_BOARD, PLAYERS
from protocol.cards import RANKS, SUITS

_RANKS: Any = np.frombuffer(RANKS.encode(), np.uint8)
_SUITS: Any = np.frombuffer(SUITS.encode(), np.uint8)
_MATCHSTATE: Any = np.frombuffer(b"MATCHSTATE:", np.uint8)
_STATE: Any = np.frombuffer(b"STATE:", np.uint8)
TO: Any = np.frombuffer(b"TO ", np.uint8)
FROM: Any = np.frombuffer(b"FROM ", np.uint8)
_AT: Any = np.frombuffer(b" at ", np.uint8)
_SECONDS_SPENT: Any = np.frombuffer(b"Seconds cumulatively spent in match for seat ", np.uint8)
_COLON: Final = ord(":")
_BAR: Final = ord("|")
_SLASH: Final = ord("/")
_MINUS: Final = ord("-")
_POINT: Final = ord(".")
_BLANK: Final = ord(" ")
_ZERO: Final = ord("0")
_MILLION: Final = 1_000_000
_EVERYBODY: Final = -1

# Kernels: arguments are trusted, nothing is allocated.  Each writes from out[at] on and returns
# where it ended.


@inlined_raw_kernel
def seat_of(state: NDArray[np.int64], players: int, position: int) -> int:
    """Return the seat that is in `position`, see `dealer.server.table`."""
    if state[FIXED_SEATS]:
        return position
    return int(position + state[HAND_ID]) % players


@raw_kernel
def put_number(out: NDArray[np.uint8], at: int, number: int) -> int:
    """Write a whole number."""
    if number < 0:
        out[at] = _MINUS
        at += 1
        number = -number
    digits = 1
    power = 10
    while number >= power and digits < 18:
        power *= 10
        digits += 1
    for index in range(at + digits - 1, at - 1, -1):
        out[index] = _ZERO + number % 10
        number //= 10
    return at + digits


@inlined_raw_kernel
def put_bytes(
    out: NDArray[np.uint8], at: int, text: NDArray[np.uint8], first: int, end: int
) -> int:
    """Write text[first:end]."""
    for index in range(first, end):
        out[at] = text[index]
        at += 1
    return at


@inlined_raw_kernel
def _put_card(out: NDArray[np.uint8], at: int, card: int) -> int:
    out[at] = _RANKS[card >> 2]
    out[at + 1] = _SUITS[card & 3]
    return at + 2


@raw_kernel
def put_cards(
    out: NDArray[np.uint8],
    at: int,
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    cards: NDArray[np.uint8],
    viewer: int,
) -> int:
    """Write hole cards and board as position `viewer` sees them, -1 for all."""
    players = game[PLAYERS]
    each = game[HOLE_CARDS]
    showdown = is_showdown(hand)
    for position in range(players):
        if position:
            out[at] = _BAR
            at += 1
        shown = showdown and not hand[FOLDED + position]
        if shown or viewer in (position, _EVERYBODY):
            for index in range(position * each, (position + 1) * each):
                at = _put_card(out, at, int(cards[index]))
    index = players * each
    for street in range(hand[STREET] + 1):
        if street:
            out[at] = _SLASH
            at += 1
        for _ in range(game[NEW_BOARD + street]):
            at = _put_card(out, at, int(cards[index]))
            index += 1
    return at


@raw_kernel
def put_message(
    out: NDArray[np.uint8],
    state: NDArray[np.int64],
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    cards: NDArray[np.uint8],
    betting: NDArray[np.uint8],
    length: int,
    viewer: int,
) -> int:
    """Write what position `viewer` is sent, terminator included, from out[0] on."""
    at = put_bytes(out, 0, _MATCHSTATE, 0, len(_MATCHSTATE))
    at = put_number(out, at, viewer)
    out[at] = _COLON
    at = put_number(out, at + 1, state[HAND_ID])
    out[at] = _COLON
    at = put_bytes(out, at + 1, betting, 0, length)
    out[at] = _COLON
    at = put_cards(out, at + 1, game, hand, cards, viewer)
    out[at] = 13
    out[at + 1] = 10
    return at + 2


@raw_kernel
def put_hand(
    out: NDArray[np.uint8],
    state: NDArray[np.int64],
    seats: NDArray[np.int64],
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    cards: NDArray[np.uint8],
    betting: NDArray[np.uint8],
    length: int,
    values: NDArray[np.float64],
    names: NDArray[np.uint8],
) -> int:
    """Write the line of a finished hand for the log; `values` are whole."""
    players = game[PLAYERS]
    at = put_bytes(out, 0, _STATE, 0, len(_STATE))
    at = put_number(out, at, state[HAND_ID])
    out[at] = _COLON
    at = put_bytes(out, at + 1, betting, 0, length)
    out[at] = _COLON
    at = put_cards(out, at + 1, game, hand, cards, _EVERYBODY)
    for position in range(players):
        out[at] = _BAR if position else _COLON
        at = put_number(out, at + 1, int(values[position]))
    for position in range(players):
        out[at] = _BAR if position else _COLON
        seat = seat_of(state, players, position)
        first = seats[seat - 1, NAME_END] if seat else 0
        at = put_bytes(out, at + 1, names, first, seats[seat, NAME_END])
    out[at] = 10
    return at + 1


@raw_kernel
def put_transaction(
    out: NDArray[np.uint8],
    hand_id: int,
    action: NDArray[np.uint8],
    first: int,
    end: int,
    sent: int,
    received: int,
) -> int:
    """Write a line of the transaction file; the action is action[first:end], times are in µs."""
    at = put_bytes(out, 0, action, first, end)
    out[at] = _BLANK
    at = put_number(out, at + 1, hand_id)
    out[at] = _BLANK
    at = _put_seconds(out, at + 1, sent)
    out[at] = _BLANK
    at = _put_seconds(out, at + 1, received)
    out[at] = 10
    return at + 1


@raw_kernel
def put_told(
    out: NDArray[np.uint8],
    way: NDArray[np.uint8],
    seat: int,
    when: int,
    text: NDArray[np.uint8],
    first: int,
    end: int,
) -> int:
    """Write what a transcript says of text[first:end]; way is TO or FROM, the time is in µs."""
    at = put_bytes(out, 0, way, 0, len(way))
    at = put_number(out, at, seat + 1)
    at = put_bytes(out, at, _AT, 0, len(_AT))
    at = _put_seconds(out, at, when)
    out[at] = _BLANK
    return int(put_bytes(out, at + 1, text, first, end))


@raw_kernel
def put_time_spent(out: NDArray[np.uint8], seat: int, seconds: int) -> int:
    """Write what a transcript says of the time that a seat has used in the match."""
    at = put_bytes(out, 0, _SECONDS_SPENT, 0, len(_SECONDS_SPENT))
    at = put_number(out, at, seat)
    out[at] = _COLON
    out[at + 1] = _BLANK
    at = put_number(out, at + 2, seconds)
    out[at] = 10
    return int(at + 1)


@raw_kernel
def _put_seconds(out: NDArray[np.uint8], at: int, microseconds: int) -> int:
    at = put_number(out, at, microseconds // _MILLION)
    out[at] = _POINT
    rest = microseconds % _MILLION
    for index in range(at + 6, at, -1):
        out[index] = _ZERO + rest % 10
        rest //= 10
    return at + 7
