"""Walking over the lines of a block of log text as long as every line is right.

The streams come as the arrays that `engine.handlogs.stream_layout` describes; besides

    deals     (H, D) uint8             cards of the hands from state[DEALS_FROM] on, as dealt

Entries of `state` (STATE_SIZE,) int64: AT (index in the data), LINES (consumed by the call),
STREAMS (in use), STRICT (1: exactly one stream, ids rise by one), LIMIT (no id reaches it),
DEALS_FROM, DEALS_COUNT (-1: cards are not compared), RESTARTS (times that ids of a stream went
back), ANEW (1 if one of them went back to 0, which starts its totals anew).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.handlogs import hand_layout as h
from engine.handlogs.read_hand import read_hand
from engine.handlogs.stream_layout import FIXED, GAPS, HANDS, NEXT_ID, POSSIBLE, ROTATING
from engine.rules.packed_game import PLAYERS

AT: Final = 0
LINES: Final = 1
STREAMS: Final = 2
STRICT: Final = 3
LIMIT: Final = 4
DEALS_FROM: Final = 5
DEALS_COUNT: Final = 6
RESTARTS: Final = 7
ANEW: Final = 8
STATE_SIZE: Final = 9

AT_END: Final = 0
"""Everything was read."""
LOOK_HERE: Final = 1
"""The line at state[AT] is not accepted, or is no STATE line."""
NEED_DEALS: Final = 2
"""The cards of the hand at state[AT] are not among `deals`."""

_NEWLINE: Final = ord("\n")
_RETURN: Final = ord("\r")
_BLANK: Final = ord(" ")
_HASH: Final = ord("#")
_POINT: Final = ord(".")
_ZERO: Final = ord("0")

# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


@kernel
def verify_block(
    data: NDArray[np.uint8],
    game: NDArray[np.int64],
    texts: NDArray[np.uint8],
    text_at: NDArray[np.int64],
    text_size: NDArray[np.int64],
    deals: NDArray[np.uint8],
    hand: NDArray[np.int64],
    trace: NDArray[np.int64],
    cards: NDArray[np.uint8],
    values: NDArray[np.float64],
    order: NDArray[np.int64],
    streams: NDArray[np.int64],
    totals: NDArray[np.float64],
    state: NDArray[np.int64],
) -> int:
    """Consume lines from state[AT] on; return AT_END, LOOK_HERE or NEED_DEALS.

    `data` ends in a newline.  A line that is not consumed has changed nothing but `order`.
    """
    players = game[PLAYERS]
    at = state[AT]
    while at < data.size:
        if data[at] == _NEWLINE:
            at += 1
            state[LINES] += 1
            continue
        if read_hand(data, at, game, hand, trace, cards, values) != h.ACCEPTED:
            state[AT] = at
            return LOOK_HERE
        hand_id = hand[h.HAND_ID]
        if hand_id >= state[LIMIT]:
            state[AT] = at
            return LOOK_HERE
        end = -1
        possible = 0
        stream = 0
        for place in range(state[STREAMS]):
            stream = int(order[place])
            possible = 0
            if streams[stream, POSSIBLE] & ROTATING:
                field = hand_id % players
                end = _end_of_names(
                    data, hand[h.NAMES_AT], texts, text_at[stream, field], text_size[stream, field]
                )
                if end >= 0:
                    possible = ROTATING
            if streams[stream, POSSIBLE] & FIXED:
                other = _end_of_names(
                    data,
                    hand[h.NAMES_AT],
                    texts,
                    text_at[stream, players],
                    text_size[stream, players],
                )
                if other >= 0:
                    possible |= FIXED
                    end = other
            if possible:
                for later in range(place, 0, -1):
                    order[later] = order[later - 1]
                order[0] = stream
                break
        if possible == 0:
            state[AT] = at
            return LOOK_HERE
        gap = hand_id - streams[stream, NEXT_ID]
        if gap != 0 and (state[STRICT] or (hand_id == 0 and not possible & ROTATING)):
            state[AT] = at
            return LOOK_HERE
        if state[DEALS_COUNT] >= 0:
            row = hand_id - state[DEALS_FROM]
            if not 0 <= row < state[DEALS_COUNT]:
                state[AT] = at
                return NEED_DEALS
            same = True
            for card in range(hand[h.CARD_COUNT]):
                if cards[card] != deals[row, card]:
                    same = False
                    break
            if not same:
                state[AT] = at
                return LOOK_HERE
        if gap < 0:
            state[RESTARTS] += 1
            if hand_id == 0:
                state[ANEW] = 1
                streams[stream, GAPS] = 0
                totals[stream] = 0.0
                possible = ROTATING | FIXED
                text_at[stream, players] = text_at[stream, 0]
                text_size[stream, players] = text_size[stream, 0]
        streams[stream, NEXT_ID] = hand_id + 1
        streams[stream, POSSIBLE] = possible
        streams[stream, HANDS] += 1
        streams[stream, GAPS] += max(gap, 0)
        seat = hand_id % players
        for position in range(players):
            totals[stream, 0, seat] += values[position]
            totals[stream, 1, position] += values[position]
            seat += 1
            if seat == players:
                seat = 0
        state[LINES] += 1
        at = end
    state[AT] = at
    return AT_END


@kernel
def _end_of_names(
    data: NDArray[np.uint8], at: int, texts: NDArray[np.uint8], text_at: int, size: int
) -> int:
    """Return the index after the line if its names field is the expected text, else -1."""
    for i in range(size):
        if data[at + i] != texts[text_at + i]:
            return -1
    return end_of_line(data, at + size)


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
