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
    inbox    (P, INBOX_BYTES) uint8     bytes received, seats[p, HELD] of them not used up yet
    outbox   (P, OUTBOX_BYTES) uint8    last message to each seat, seats[p, LENGTH] bytes
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

# state
STOP: Final = 0
"""Set from outside to have the lane left as soon as nothing is half done."""
STAGE: Final = 1
"""One of the stages below."""
HAND_ID: Final = 2
DEAL: Final = 3
"""Row of `outputs` that this hand has."""
FINISHED: Final = 4
"""Hands settled."""
WANTED: Final = 5
"""Hands of the match."""
FIXED: Final = 6
"""1 when seat i is position i in every hand."""
LOG: Final = 7
"""Descriptor of the log, -1 for none."""
TRANSACTIONS: Final = 8
"""Descriptor of the transaction file, -1 for none."""
ACTING: Final = 9
"""Seat to act, -1 when the hand is over."""
SEAT: Final = 10
"""Seat whose message is next, or is cut."""
DONE: Final = 11
"""Bytes of a cut line or message that are out."""
BETTING_LENGTH: Final = 12
LINE_LENGTH: Final = 13
SENT_AT: Final = 14
"""When the state was sent: wall time, microseconds."""
TURNS: Final = 15
"""Turns after which the lane is left; counted down."""
SLEEPS: Final = 16
"""Waits to come that are slept through from the start."""
LAST_SLEEPS: Final = 17
"""How many there were last time, 0 after a wait that ended awake."""
DRAWS: Final = 18
"""Cards drawn for a hand."""
DECK: Final = 19
"""Cards in the deck."""
TRANSCRIPT: Final = 20
"""Descriptor that gets every message, -1 for none."""
TELLS: Final = 21
"""1 when somebody wants to hear of each hand."""
HAND_TEXTS_LENGTH: Final = 22
STATE_WIDTH: Final = 23

# seats
DESCRIPTOR: Final = 0
START: Final = 1
"""Where in the inbox they begin."""
HELD: Final = 2
LENGTH: Final = 3
NO_MORE: Final = 4
"""1 when it is known that nothing more will come."""
NAME_END: Final = 5
"""Where its name ends in `names`; it begins where that of the seat before ends."""
SHOWN: Final = 6
"""Bytes by which more was told of what it was sent than of what it sent, in this visit."""
SEAT_WIDTH: Final = 7

# limits
RESPONSE: Final = 0
HAND: Final = 1
MATCH: Final = 2
LIMITS_WIDTH: Final = 3

# clock: seconds of the monotonic clock
ASKED_AT: Final = 0
"""From here on the acting seat is charged."""
UNTIL: Final = 1
"""No hand is begun after this."""
CLOCK_WIDTH: Final = 2

# Stages: what a match in the lane does next.
SHOW: Final = 0
"""Send the state to the seats from state[SEAT] on."""
WAIT: Final = 1
"""Wait for the acting seat."""
BETWEEN: Final = 2
"""Deal the next hand."""
DEALT: Final = 3
"""Begin the hand in row state[DEAL]."""

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
"""The state was sent to the seats before state[SEAT] and to that one only in part."""

_ACTION_BYTES: Final = 11
DEALS: Final = 256
HAND_ROOM: Final = 64
"""What `engine.handlogs.reading.hand_layout` needs; that one loads numpy."""
INBOX_BYTES: Final = 1 << 17
MOST_LINE_BYTES: Final = 4095
"""Of an agent's line; see `protocol.lines`."""
BETTING_BYTES: Final = MAX_STREETS * (1 + (MAX_ACTIONS_PER_STREET + MAX_PLAYERS) * _ACTION_BYTES)
"""At least the longest betting text."""
LINE_ROOM: Final = 512
"""Bytes of a state or a log line beside betting and names."""
OUTBOX_BYTES: Final = BETTING_BYTES + LINE_ROOM
"""At least the longest state, with a colon, an action and a line end."""
LOOKS: Final = 200
"""At a socket, some 60 us in all, before the lane sleeps until bytes come."""
MOST_SLEEPS: Final = 1023
HAND_TEXTS_BYTES: Final = 1 << 14
"""When so much is to be told of hands, no other is begun; the last one may take more room."""
PATIENCE_SECONDS: Final = 0.01
"""How long the lane waits for bytes; longer waits are for the event loop."""
