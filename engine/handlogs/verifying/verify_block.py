"""Walking over the lines of a block of log text as long as every line is right.

The streams come as `engine.handlogs.verifying.streams` has them; besides

    deals     (H, D) uint8             cards of the hands from state[DEALS_FROM] on, as dealt

Entries of `state` (STATE_SIZE,) int64: AT (index in the data), LINES (consumed by the call),
STREAMS (in use), STRICT (1: exactly one stream, ids rise by one), LIMIT (no id reaches it),
DEALS_FROM, DEALS_COUNT (-1: cards are not compared), RESTARTS (times that ids of a stream went
back), DOUBTFUL (1 if a hand was wrong since the match or table began: a SCORE cannot be checked),
COUNTING (1: wrong hands are counted and passed, where it is plain what is wrong with them; 0: the
walk stops at them), FAULTS (counted by the call), WRONG + kind (hands with faults of that kind).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.handlogs.reading import hand_layout as h
from engine.handlogs.reading.hand_layout import HandScratch
from engine.handlogs.reading.read_hand import end_of_line, read_hand
from engine.handlogs.verifying.streams import (
    FIXED,
    GAPS,
    HANDS,
    NEXT_ID,
    POSSIBLE,
    ROTATING,
    StreamArrays,
)
from engine.rules.packed_game import HOLE_CARDS, PLAYERS
from engine.showdown.hand_check import BETTING, DEALS, IDS, KINDS, NAMES, VALUES

AT: Final = 0
LINES: Final = 1
STREAMS: Final = 2
STRICT: Final = 3
LIMIT: Final = 4
DEALS_FROM: Final = 5
DEALS_COUNT: Final = 6
RESTARTS: Final = 7
DOUBTFUL: Final = 8
COUNTING: Final = 9
FAULTS: Final = 10
WRONG: Final = 11
STATE_SIZE: Final = WRONG + KINDS

AT_END: Final = 0
"""Everything was read."""
LOOK_HERE: Final = 1
"""The line at state[AT] is not accepted, or is no STATE line."""
NEED_DEALS: Final = 2
"""The cards of the hand at state[AT] are not among `deals`."""

_NEWLINE: Final = ord("\n")
_BAR: Final = ord("|")
_COLON: Final = ord(":")
_HASH: Final = ord("#")
_STRANGE_END: Final = -2

# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


@kernel
def verify_block(
    data: NDArray[np.uint8],
    game: NDArray[np.int64],
    streams: StreamArrays,
    deals: NDArray[np.uint8],
    scratch: HandScratch,
    state: NDArray[np.int64],
) -> int:
    """Consume lines from state[AT] on; return AT_END, LOOK_HERE or NEED_DEALS.

    `data` ends in a newline.  A line that is not consumed has changed nothing but `streams.order`.
    """
    hand, trace, cards, values = scratch
    rows, text_at, text_size = streams.rows, streams.text_at, streams.text_size
    players = game[PLAYERS]
    at = state[AT]
    while at < data.size:
        if data[at] == _NEWLINE:
            at += 1
            state[LINES] += 1
            continue
        state[AT] = at
        verdict = read_hand(data, at, game, hand, trace, cards, values)
        if verdict != h.ACCEPTED and (state[COUNTING] == 0 or verdict == h.NOT_A_HAND):
            return LOOK_HERE
        hand_id = hand[h.HAND_ID]
        stream, possible, end = _find_stream(data, hand, streams, state, players)
        if stream < 0:
            return LOOK_HERE
        gap = hand_id - rows[stream, NEXT_ID]
        fresh = gap < 0 and hand_id == 0
        if fresh and (state[STRICT] or not possible & ROTATING or verdict != h.ACCEPTED):
            return LOOK_HERE
        wrong_id = int(hand_id >= state[LIMIT]) + int(state[STRICT] and gap != 0)
        wrong_deal = 0
        if state[DEALS_COUNT] >= 0:
            row = hand_id - state[DEALS_FROM]
            if not 0 <= row < state[DEALS_COUNT]:
                return NEED_DEALS
            wrong_deal = _count_other_cards(game, hand, cards, deals[row])
        wrong_values = (
            _count_other_values(players, hand, values) if verdict == h.OTHER_VALUES else 0
        )
        faults = wrong_id + wrong_deal + (possible == 0) + (verdict == h.OTHER_BETTING)
        if wrong_values < 0 or (faults and (state[COUNTING] == 0 or fresh)):
            return LOOK_HERE
        if faults or wrong_values:
            state[FAULTS] += faults + wrong_values
            state[DOUBTFUL] = 1
            state[WRONG + BETTING] += verdict == h.OTHER_BETTING
            state[WRONG + VALUES] += wrong_values > 0
            state[WRONG + IDS] += wrong_id > 0
            state[WRONG + NAMES] += possible == 0
            state[WRONG + DEALS] += wrong_deal > 0
        if gap < 0 and not state[STRICT]:
            state[RESTARTS] += 1
            if hand_id == 0:
                state[DOUBTFUL] = 0
                rows[stream, GAPS] = 0
                streams.totals[stream] = 0.0
                possible = ROTATING | FIXED
                text_at[stream, players] = text_at[stream, 0]
                text_size[stream, players] = text_size[stream, 0]
        rows[stream, NEXT_ID] = hand_id + 1
        if possible:
            rows[stream, POSSIBLE] = possible
        rows[stream, HANDS] += 1
        rows[stream, GAPS] += max(gap, 0)
        if verdict != h.OTHER_BETTING:
            _add_values(players, hand_id, values, streams.totals[stream])
        state[LINES] += 1
        at = end
    state[AT] = at
    return AT_END


@kernel
def _find_stream(
    data: NDArray[np.uint8],
    hand: NDArray[np.int64],
    streams: StreamArrays,
    state: NDArray[np.int64],
    players: int,
) -> tuple[int, int, int]:
    """Return the hand's stream, the seat modes that its names allow, and the index after its line.

    -1 as the stream where the names fit none; but the only stream, and no mode, for names that
    surely are other ones if faults are counted.
    """
    names_at = hand[h.NAMES_AT]
    field = hand[h.HAND_ID] % players
    order, rows = streams.order, streams.rows
    for place in range(state[STREAMS]):
        stream = int(order[place])
        possible = 0
        end = -1
        for mode, turn in ((ROTATING, field), (FIXED, players)):
            if rows[stream, POSSIBLE] & mode:
                begin, size = streams.text_at[stream, turn], streams.text_size[stream, turn]
                after = _end_of_names(data, names_at, streams.texts, begin, size)
                if after >= 0:
                    possible |= mode
                    end = after
                elif after == _STRANGE_END:
                    return -1, 0, 0
        if possible:
            for later in range(place, 0, -1):
                order[later] = order[later - 1]
            order[0] = stream
            return stream, possible, end
    if state[COUNTING] and state[STRICT] and state[STREAMS] == 1:
        bars = 0
        at = names_at
        while data[at] != _NEWLINE:
            if data[at] == _COLON or data[at] == _HASH:
                return -1, 0, 0  # two records may have run together
            bars += data[at] == _BAR
            at += 1
        if bars >= players - 1:
            return 0, 0, at + 1
    return -1, 0, 0


@kernel
def _count_other_cards(
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    cards: NDArray[np.uint8],
    dealt: NDArray[np.uint8],
) -> int:
    """Return how many positions, the board being one more, do not show what was dealt."""
    count = 0
    at = 0
    for position in range(game[PLAYERS] + 1):
        end = at + game[HOLE_CARDS] if position < game[PLAYERS] else hand[h.CARD_COUNT]
        same = True
        for card in range(at, end):
            same = same and cards[card] == dealt[card]
        count += not same
        at = end
    return count


@kernel
def _count_other_values(players: int, hand: NDArray[np.int64], values: NDArray[np.float64]) -> int:
    """Return how many printed values are surely not those recomputed, -1 where one may be."""
    count = 0
    for position in range(players):
        printed = float(hand[h.PRINTED + position])
        off = abs(values[position] * 1e6 - printed)
        if abs(printed) >= 1e6 * h.EXACT_VALUE or 0.49 < off < 0.51:
            return -1
        count += off > 0.5
    return count


@kernel
def _add_values(
    players: int, hand_id: int, values: NDArray[np.float64], totals: NDArray[np.float64]
) -> None:
    seat = hand_id % players
    for position in range(players):
        totals[0, seat] += values[position]
        totals[1, position] += values[position]
        seat += 1
        if seat == players:
            seat = 0


@kernel
def _end_of_names(
    data: NDArray[np.uint8], at: int, texts: NDArray[np.uint8], text_at: int, size: int
) -> int:
    """Return the index after the line if its names field is the expected text.

    -1 where it is another one, _STRANGE_END where it begins with that text and goes on oddly.
    """
    for i in range(size):
        if data[at + i] != texts[text_at + i]:
            return -1
    end = end_of_line(data, at + size)
    return end if end >= 0 else _STRANGE_END
