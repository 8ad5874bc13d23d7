"""Arrays in which a match is in the lane; P seats, D cards drawn for a hand.

    state    (STATE_WIDTH,) int64       entries below
    seats    (P, SEAT_WIDTH) int64      per seat: entries below
    hand     (HAND_ROOM,) int64         see `engine.handlogs.reading.hand_layout`
    outputs  (DEALS, D) uint32          what the generator gave for successive hands, see `Outputs`
    cards    (D,) uint8                 of this hand: hole cards by position, then the board
    fresh    (C,) uint8                 the deck in its order, C cards
    deck     (C,) uint8                 for dealing
    limits   (P, 3) float64             seconds each seat may take: entries below; inf is no limit
    used     (P, 3) float64             seconds it has used of them; that of one response is unused
    clock    (CLOCK_WIDTH,) float64     entries below
    totals   (P,) float64               chips won per seat in the hands that are settled
    inbox    (P, INBOX_BYTES) uint8     received, seats[p, INBOX_LENGTH] bytes not used up yet
    outbox   (P, OUTBOX_BYTES) uint8    last message to each seat, seats[p, OUTBOX_LENGTH] bytes
    betting  (BETTING_BYTES,) uint8     betting text, state[BETTING_LENGTH] bytes
    line     (n,) uint8                 last line for a file, state[LINE_LENGTH] bytes
    names    (n,) uint8                 names of the seats, one after the other, in seat order
    moment   (2,) int64                 a time as the system tells it: seconds, nanoseconds
    hand_texts (n,) uint8               log lines of hands to tell, state[HAND_TEXTS_LENGTH] bytes

A directory int64 has their addresses, in the order of `dealer.lane.arrays.LaneArrays`.

Seats are seat indices, positions are places in one hand, both 0-based.
"""

from __future__ import annotations

from typing import Final

from engine.rules.state import MAX_ACTIONS_PER_STREET
from protocol.gamedef import MAX_PLAYERS, MAX_STREETS

# state: a descriptor is -1 for no file, the acting seat when the hand is over
STOP: Final = 0
"""Set from outside, it has the lane left as soon as nothing is half done."""
STAGE: Final = 1
HAND_ID: Final = 2
OUTPUT_ROW: Final = 3
HANDS_FINISHED: Final = 4
HANDS_WANTED: Final = 5
FIXED_SEATS: Final = 6
LOG_DESCRIPTOR: Final = 7
TRANSACTIONS_DESCRIPTOR: Final = 8
ACTING_SEAT: Final = 9
MESSAGE_SEAT: Final = 10
"""Its message is next, or is cut."""
BYTES_DONE: Final = 11
"""Bytes of a cut line or message are out so far."""
BETTING_LENGTH: Final = 12
LINE_LENGTH: Final = 13
SENT_AT_MICROSECONDS: Final = 14
TURNS_LEFT: Final = 15
SLEEPS_LEFT: Final = 16
"""So many waits to come are slept through from the start."""
LAST_SLEEPS: Final = 17
"""A wait that ends awake sets it to 0."""
CARDS_DRAWN: Final = 18
DECK_SIZE: Final = 19
TRANSCRIPT_DESCRIPTOR: Final = 20
HANDS_ARE_TOLD: Final = 21
HAND_TEXTS_LENGTH: Final = 22
LOOKS: Final = 23
"""So often it is looked for bytes before the lane sleeps until some come."""
STATE_WIDTH: Final = 24

# seats
DESCRIPTOR: Final = 0
INBOX_START: Final = 1
INBOX_LENGTH: Final = 2
OUTBOX_LENGTH: Final = 3
NO_MORE: Final = 4
NAME_END: Final = 5
"""A name begins in `names` where that of the seat before ends."""
SHOWN_SURPLUS: Final = 6
"""In this visit so many bytes more were told of what it was sent than of what it sent."""
IS_HELD: Final = 7
"""Whether the system holds what it was sent last."""
SEAT_WIDTH: Final = 8

# limits
RESPONSE: Final = 0
HAND: Final = 1
MATCH: Final = 2
LIMITS_WIDTH: Final = 3

# clock: seconds of the monotonic clock
CHARGED_FROM: Final = 0
NO_HAND_AFTER: Final = 1
CLOCK_WIDTH: Final = 2

# Stages: what a match in the lane does next.
SHOW_STATE: Final = 0
"""It goes to the seats from state[MESSAGE_SEAT] on."""
WAIT_FOR_SEAT: Final = 1
DEAL_NEXT: Final = 2
BEGIN_HAND: Final = 3

# Why the lane was left, and what is to be done next.
HAND_DONE: Final = 0
"""The hand is settled and shown: the next one, or the end of the match."""
ASKED: Final = 1
"""The acting seat was asked, and has sent nothing for a while, or something not ordinary."""
ACTED: Final = 2
"""An action was applied: settle the hand if it is over, then show the state."""
TRANSACTION_CUT: Final = 3
"""The same, and first the rest of a line must be written to the transaction file."""
LOG_CUT: Final = 4
"""The same, and first what is in the log of the hand's line must be taken back."""
MESSAGE_CUT: Final = 5
"""The state was sent to the seats before state[MESSAGE_SEAT] and to that one only in part."""

_ACTION_BYTES: Final = 11
DEALS: Final = 256
HAND_ROOM: Final = 64
"""What `engine.handlogs.reading.hand_layout` needs; that one loads numpy."""
INBOX_BYTES: Final = 1 << 17
MOST_LINE_BYTES: Final = 4095
"""An agent's line may be as long, see `protocol.lines`."""
BETTING_BYTES: Final = MAX_STREETS * (1 + (MAX_ACTIONS_PER_STREET + MAX_PLAYERS) * _ACTION_BYTES)
LINE_ROOM: Final = 512
OUTBOX_BYTES: Final = BETTING_BYTES + LINE_ROOM
SOCKET_LOOKS: Final = 200
"""They take some 60 us."""
MOST_SLEEPS: Final = 1023
HAND_TEXTS_BYTES: Final = 1 << 14
"""When so much is to be told of hands, no other is begun; the last one may take more."""
HOLD_SECONDS: Final = 0.001
"""What a seat is sent that is not to act is held so long for more; the system rounds it up."""
PATIENCE_SECONDS: Final = 0.01
"""The lane waits so long for bytes; longer waits are for the event loop."""
