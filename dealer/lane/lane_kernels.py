"""A match in the lane, compiled: its turns one after the other until something is not ordinary.

Ordinary is a line that is the state as it was sent, a colon, an action as we write it that the
rules allow, and a line end, in time; messages that leave in one piece; lines that the disk takes;
whole chips.  Anything else is left as it is found, for `dealer.server.match`, of which this is the
fast twin: what is sent, logged and counted is the same.

Arrays as in `dealer.lane.layout`; nothing is allocated, and the interpreter is not needed.
"""

from __future__ import annotations

import socket
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dealer.lane.arrays import LaneArrays
from dealer.lane.layout import (
    ACTED,
    ACTING_SEAT,
    ASKED,
    BEGIN_HAND,
    BETTING_LENGTH,
    BYTES_DONE,
    CHARGED_FROM,
    DEAL_NEXT,
    DEALS,
    DESCRIPTOR,
    FIXED_SEATS,
    HAND,
    HAND_DONE,
    HAND_ID,
    HAND_TEXTS_BYTES,
    HAND_TEXTS_LENGTH,
    HANDS_ARE_TOLD,
    HANDS_FINISHED,
    HANDS_WANTED,
    INBOX_LENGTH,
    INBOX_START,
    IS_HELD,
    LINE_LENGTH,
    LOG_CUT,
    LOG_DESCRIPTOR,
    MATCH,
    MESSAGE_CUT,
    MESSAGE_SEAT,
    MOST_LINE_BYTES,
    NO_HAND_AFTER,
    OUTBOX_BYTES,
    OUTBOX_LENGTH,
    OUTPUT_ROW,
    RESPONSE,
    SENT_AT_MICROSECONDS,
    SHOW_STATE,
    SHOWN_SURPLUS,
    STAGE,
    STOP,
    TRANSACTION_CUT,
    TRANSACTIONS_DESCRIPTOR,
    TRANSCRIPT_DESCRIPTOR,
    TURNS_LEFT,
    WAIT_FOR_SEAT,
)
from dealer.lane.texts import (
    FROM,
    TO,
    put_bytes,
    put_hand,
    put_message,
    put_number,
    put_time_spent,
    put_told,
    put_transaction,
    seat_of,
)
from dealer.lane.waiting import NOTHING, monotonic, wait_for_line, wall_time
from engine.compiled.c_library import INT, LONG, c_function
from engine.compiled.jit import inlined_raw_kernel, raw_kernel
from engine.handlogs.reading.hand_layout import STRENGTH
from engine.handlogs.reading.settle_hand import settle_hand
from engine.rules.dealing_kernels import deal_hand
from engine.rules.fast_state import (
    ACTOR,
    CALL,
    FOLD,
    FOLDED,
    RAISE,
    STREET,
    act,
    is_showdown,
    start,
)
from engine.rules.packed_game import HOLE_CARDS, NO_LIMIT, PLAYERS
from engine.showdown.strength_kernels import card_mask, strength_of_mask
from protocol.transcript import HANDS_BETWEEN_TIMES

_send: Any = c_function("send", LONG, INT, LONG, LONG, INT)
_write: Any = c_function("write", LONG, INT, LONG, LONG)

_AT_ONCE: Final = int(socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
_MORE_FOLLOWS: Final = 0x8000
"""MSG_MORE of Linux."""
_COLON: Final = ord(":")
_SLASH: Final = ord("/")
_ZERO: Final = ord("0")
_RETURN: Final = ord("\r")
_MOST_DIGITS: Final = 10


@raw_kernel
def play_in_lane(lane: LaneArrays) -> int:
    """Play on from where the match stands; return why it does not go on in the lane."""
    state, hand = lane.state, lane.hand
    is_last = False
    while True:
        if state[STAGE] == SHOW_STATE:
            if not _show(lane, hand[ACTOR] < 0 and not is_last):
                return MESSAGE_CUT
            state[STAGE] = WAIT_FOR_SEAT if hand[ACTOR] >= 0 else DEAL_NEXT
        if state[STAGE] == WAIT_FOR_SEAT:
            seat = state[ACTING_SEAT]
            line_length = wait_for_line(lane, seat)
            if line_length == NOTHING or state[TURNS_LEFT] <= 0 or state[STOP]:
                return ASKED
            received = monotonic(lane)
            seconds = received - lane.clock[CHARGED_FROM]
            if not _in_time(lane, seat, seconds):
                return ASKED
            action_start = state[BETTING_LENGTH]
            street = hand[STREET]
            if not _take_action(lane, seat, line_length):
                return ASKED
            if state[TRANSCRIPT_DESCRIPTOR] >= 0:
                _tell(
                    lane, FROM, seat, lane.inbox[seat], lane.seats[seat, INBOX_START], line_length
                )
            if seconds > 0:
                lane.used[seat, HAND] += seconds
                lane.used[seat, MATCH] += seconds
            lane.seats[seat, INBOX_START] += line_length
            lane.seats[seat, INBOX_LENGTH] -= line_length
            state[TURNS_LEFT] -= 1
            action_end = state[BETTING_LENGTH]
            for _ in range(hand[STREET] - street):
                lane.betting[state[BETTING_LENGTH]] = _SLASH
                state[BETTING_LENGTH] += 1
            players = lane.game[PLAYERS]
            actor = hand[ACTOR]
            state[ACTING_SEAT] = seat_of(state, players, actor) if actor >= 0 else -1
            if state[TRANSACTIONS_DESCRIPTOR] >= 0 and not _write_transaction(
                lane, action_start, action_end, seconds
            ):
                return TRANSACTION_CUT
            if actor < 0:
                if not _value(lane):
                    return ACTED
                if (state[LOG_DESCRIPTOR] >= 0 or state[HANDS_ARE_TOLD]) and not _write_hand(lane):
                    return LOG_CUT
                _settle(lane)
                is_last = _is_last_hand(lane)
            state[STAGE] = SHOW_STATE
            state[MESSAGE_SEAT] = 0
        elif state[STAGE] == BEGIN_HAND:
            _begin_hand(lane)
        else:
            if is_last:
                return HAND_DONE
            if state[TRANSCRIPT_DESCRIPTOR] >= 0 and state[HAND_ID] % HANDS_BETWEEN_TIMES == 0:
                _tell_times(lane)
            state[OUTPUT_ROW] += 1
            state[HAND_ID] += 1
            state[STAGE] = BEGIN_HAND


@inlined_raw_kernel
def _is_last_hand(lane: LaneArrays) -> bool:
    """Return whether no hand follows the settled one before the interpreter has looked."""
    state = lane.state
    return bool(
        state[STOP]
        or state[HANDS_FINISHED] >= state[HANDS_WANTED]
        or state[TURNS_LEFT] <= 0
        or state[OUTPUT_ROW] + 1 >= DEALS
        or state[HAND_TEXTS_LENGTH] >= HAND_TEXTS_BYTES
        or monotonic(lane) > lane.clock[NO_HAND_AFTER]
    )


@inlined_raw_kernel
def _begin_hand(lane: LaneArrays) -> None:
    """Deal, and set everything for a new hand."""
    state = lane.state
    deal_hand(lane.outputs[state[OUTPUT_ROW]], lane.fresh, lane.deck, lane.cards)
    start(lane.game, lane.hand)
    for seat in range(lane.game[PLAYERS]):
        lane.used[seat, HAND] = 0.0
    state[BETTING_LENGTH] = 0
    state[ACTING_SEAT] = seat_of(state, lane.game[PLAYERS], lane.hand[ACTOR])
    state[MESSAGE_SEAT] = 0
    state[STAGE] = SHOW_STATE


@inlined_raw_kernel
def _show(lane: LaneArrays, more_follows: bool) -> bool:
    """Send the state to all seats; return False where a message does not leave in one piece.

    The system holds what a seat gets that is not to act, or all where `more_follows`, until the
    next message, so as to send both at once: this halves what a turn costs both ends.
    """
    state, seats, players = lane.state, lane.seats, lane.game[PLAYERS]
    for seat in range(state[MESSAGE_SEAT], players):
        state[MESSAGE_SEAT] = seat
        position = seat if state[FIXED_SEATS] else (seat - state[HAND_ID]) % players
        length = put_message(
            lane.outbox[seat],
            state,
            lane.game,
            lane.hand,
            lane.cards,
            lane.betting,
            state[BETTING_LENGTH],
            position,
        )
        seats[seat, OUTBOX_LENGTH] = length
        at = lane.outbox.ctypes.data + seat * OUTBOX_BYTES
        is_held = more_follows or (state[ACTING_SEAT] >= 0 and seat != state[ACTING_SEAT])
        how = np.int32(_AT_ONCE | _MORE_FOLLOWS if is_held else _AT_ONCE)
        sent = _send(np.int32(seats[seat, DESCRIPTOR]), at, length, how)
        if sent != length:
            state[BYTES_DONE] = max(sent, 0)
            return False
        seats[seat, IS_HELD] = is_held
        if state[TRANSCRIPT_DESCRIPTOR] >= 0:
            _tell(lane, TO, seat, lane.outbox[seat], 0, length)
    lane.clock[CHARGED_FROM] = monotonic(lane)
    if state[TRANSACTIONS_DESCRIPTOR] >= 0:
        state[SENT_AT_MICROSECONDS] = wall_time(lane)
    return True


@raw_kernel
def _tell(
    lane: LaneArrays,
    way: NDArray[np.uint8],
    seat: int,
    text: NDArray[np.uint8],
    first: int,
    length: int,
) -> None:
    """Tell the transcript of a message; way is TO or FROM."""
    length = put_told(lane.line, way, seat, wall_time(lane), text, first, first + length)
    lane.seats[seat, SHOWN_SURPLUS] += length if len(way) == len(TO) else -length
    _say(lane, length)


@inlined_raw_kernel
def _tell_times(lane: LaneArrays) -> None:
    for seat in range(lane.game[PLAYERS]):
        _say(lane, put_time_spent(lane.line, seat, int(lane.used[seat, MATCH])))


@inlined_raw_kernel
def _say(lane: LaneArrays, length: int) -> None:
    """Write the line to the transcript; like `to_stderr`, as far as somebody takes it."""
    done = 0
    while done < length:
        at = lane.line.ctypes.data + done
        written = _write(np.int32(lane.state[TRANSCRIPT_DESCRIPTOR]), at, length - done)
        if written <= 0:
            return
        done += written


@inlined_raw_kernel
def _in_time(lane: LaneArrays, seat: int, seconds: float) -> bool:
    """Return whether the limits allow an answer, see `TimeAccounts.charge`."""
    limits, used = lane.limits, lane.used
    return bool(
        seconds <= limits[seat, RESPONSE]
        and used[seat, HAND] + seconds <= limits[seat, HAND]
        and used[seat, MATCH] + seconds <= limits[seat, MATCH]
    )


@inlined_raw_kernel
def _take_action(lane: LaneArrays, seat: int, length: int) -> bool:
    """Apply the action of an ordinary line and add it to the betting; return False for others."""
    text, inbox = lane.outbox[seat], lane.inbox[seat]
    first = lane.seats[seat, INBOX_START]
    colon = lane.seats[seat, OUTBOX_LENGTH] - 2
    end = length - 1
    if end > 0 and inbox[first + end - 1] == _RETURN:
        end -= 1
    if end < colon + 2 or length > MOST_LINE_BYTES:
        return False
    for offset in range(colon):
        if inbox[first + offset] != text[offset]:
            return False
    if inbox[first + colon] != _COLON:
        return False
    kind = int(inbox[first + colon + 1])
    chips = 0
    digits = end - colon - 2
    if kind == RAISE and lane.game[NO_LIMIT]:
        if not 0 < digits <= _MOST_DIGITS or inbox[first + colon + 2] == _ZERO:
            return False
        for offset in range(colon + 2, end):
            digit = int(inbox[first + offset]) - _ZERO
            if not 0 <= digit <= 9:
                return False
            chips = 10 * chips + digit
    elif digits or (kind != CALL and kind != FOLD and kind != RAISE):
        return False
    if not act(lane.game, lane.hand, kind, chips):
        return False
    at = lane.state[BETTING_LENGTH]
    lane.betting[at] = kind
    at += 1
    if chips:
        at = put_number(lane.betting, at, chips)
    lane.state[BETTING_LENGTH] = at
    return True


@inlined_raw_kernel
def _write_line(lane: LaneArrays, file: int) -> bool:
    """Append the line to a file; return False where that was not done in one piece."""
    state = lane.state
    written = _write(np.int32(file), lane.line.ctypes.data, state[LINE_LENGTH])
    state[BYTES_DONE] = max(written, 0)
    return bool(written == state[LINE_LENGTH])


@inlined_raw_kernel
def _write_transaction(lane: LaneArrays, first: int, end: int, seconds: float) -> bool:
    state = lane.state
    received = state[SENT_AT_MICROSECONDS] + np.int64(seconds * 1e6)
    state[LINE_LENGTH] = put_transaction(
        lane.line, state[HAND_ID], lane.betting, first, end, state[SENT_AT_MICROSECONDS], received
    )
    return _write_line(lane, state[TRANSACTIONS_DESCRIPTOR])


@inlined_raw_kernel
def _write_hand(lane: LaneArrays) -> bool:
    """Write the hand to the log, and keep it for those who are told of hands."""
    state = lane.state
    state[LINE_LENGTH] = put_hand(
        lane.line,
        state,
        lane.seats,
        lane.game,
        lane.hand,
        lane.cards,
        lane.betting,
        state[BETTING_LENGTH],
        lane.values,
        lane.names,
    )
    if state[LOG_DESCRIPTOR] >= 0 and not _write_line(lane, state[LOG_DESCRIPTOR]):
        return False
    if state[HANDS_ARE_TOLD]:
        length = state[LINE_LENGTH]
        state[HAND_TEXTS_LENGTH] = put_bytes(
            lane.hand_texts, state[HAND_TEXTS_LENGTH], lane.line, 0, length
        )
    return True


@inlined_raw_kernel
def _value(lane: LaneArrays) -> bool:
    """Work out what the hand was worth; return False where that is no whole number of chips."""
    hand, players, each = lane.hand, lane.game[PLAYERS], lane.game[HOLE_CARDS]
    cards = lane.cards
    if is_showdown(hand):
        board = 0
        for index in range(players * each, len(cards)):
            board |= card_mask(int(cards[index]))
        for position in range(players):
            if not hand[FOLDED + position]:
                mask = board
                for index in range(position * each, (position + 1) * each):
                    mask |= card_mask(int(cards[index]))
                hand[STRENGTH + position] = strength_of_mask(mask)
    settle_hand(lane.game, hand, lane.values)
    for position in range(players):
        if lane.values[position] != np.int64(lane.values[position]):
            return False
    return True


@inlined_raw_kernel
def _settle(lane: LaneArrays) -> None:
    """Add the hand's values to the totals."""
    for position in range(lane.game[PLAYERS]):
        seat = seat_of(lane.state, lane.game[PLAYERS], position)
        lane.totals[seat] += lane.values[position]
    lane.state[HANDS_FINISHED] += 1
