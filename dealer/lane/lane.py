"""One match in the lane: what goes in, playing, what comes out.  The twin of `dealer.server.match`.

A visit begins with a hand that was dealt and not shown, and ends anywhere.  The arrays are Python's
own: a dealer has no numpy.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable
from ctypes import addressof, c_char
from itertools import accumulate
from mmap import mmap
from struct import calcsize
from typing import Any, Final, Literal, TypeAlias

from dealer.lane import layout as at
from dealer.lane.arrays import LaneArrays
from dealer.lane.handover import LaneEntry, LaneExit, LaneTerms
from engine.rules.keyed_dealing import dealing_outputs
from engine.rules.packed_game import GAME_WIDTH, game_row

Numbers: TypeAlias = "memoryview[Any]"
_Code: TypeAlias = Literal["B", "I", "q", "d"]

SLICE_SECONDS: Final = 0.2
"""After about this time the interpreter looks in, between two hands."""
_ALIGNMENT: Final = 8


class Lane:
    """Plays a match, one visit after the other; `stop` may be called from another thread."""

    def __init__(self, play_hands_at: Callable[[int], int], match: LaneTerms) -> None:
        """`play_hands_at` is that of `dealer.lane.entry`, compiled."""
        game, names = match.game, [name.encode("utf-8", "surrogateescape") for name in match.names]
        self._play_hands_at = play_hands_at
        self._outputs = dealing_outputs(game, match.seed)
        self._first_dealt = -at.DEALS
        self._turns = 0
        self.arrays, addresses = _new_arrays(match, sum(map(len, names)))
        """As `dealer.lane.layout` has them, all of one dimension."""
        self._directory = array("q", addresses)
        arrays = self.arrays
        self._state, self._seats = arrays["state"], arrays["seats"]
        state = self._state
        state[at.HANDS_WANTED] = match.hands
        state[at.FIXED_SEATS] = match.fixed_seats
        state[at.LOG_DESCRIPTOR] = match.log
        state[at.TRANSACTIONS_DESCRIPTOR] = match.transactions
        state[at.TRANSCRIPT_DESCRIPTOR] = match.transcript
        state[at.HANDS_ARE_TOLD] = match.tells
        state[at.CARDS_DRAWN], state[at.DECK_SIZE] = game.cards_per_hand, len(game.deck)
        arrays["game"][:] = array("q", game_row(game))
        arrays["fresh"][:] = array("B", game.deck)
        arrays["limits"][:] = array("d", [seconds for seat in match.limits for seconds in seat])
        arrays["names"][:] = array("B", b"".join(names))
        self._seats[at.NAME_END :: at.SEAT_WIDTH] = array("q", accumulate(map(len, names)))

    def enter(self, entry: LaneEntry) -> None:
        """Take the match over; its sockets and files are the lane's until `leave`."""
        arrays, state, seats = self.arrays, self._state, self._seats
        state[at.STOP] = state[at.HAND_TEXTS_LENGTH] = 0
        state[at.HAND_ID] = entry.hand_id
        state[at.HANDS_FINISHED] = entry.finished
        state[at.TURNS_LEFT] = self._turns = entry.turns
        if not 0 <= entry.hand_id - self._first_dealt < at.DEALS:
            self._deal(entry.hand_id)
        state[at.OUTPUT_ROW] = entry.hand_id - self._first_dealt
        arrays["totals"][:] = array("d", entry.totals)
        arrays["used"][at.MATCH :: at.LIMITS_WIDTH] = array("d", entry.used)
        for index, seat in enumerate(entry.seats):
            row, inbox = index * at.SEAT_WIDTH, index * at.INBOX_BYTES
            seats[row + at.DESCRIPTOR] = seat.descriptor
            seats[row + at.INBOX_START] = 0
            seats[row + at.INBOX_LENGTH] = len(seat.unused)
            seats[row + at.NO_MORE] = seat.no_more
            seats[row + at.SHOWN_SURPLUS] = seats[row + at.IS_HELD] = 0
            arrays["inbox"][inbox : inbox + len(seat.unused)] = array("B", seat.unused)
        state[at.STAGE] = at.BEGIN_HAND

    def play(self, looks: int) -> int:
        """Play for a while; return why not for longer, `HAND_DONE` where it may go on.

        `looks` says how often it is looked for bytes before the lane sleeps until some come.
        """
        state = self._state
        state[at.LOOKS] = looks
        if state[at.STAGE] == at.DEAL_NEXT and state[at.OUTPUT_ROW] + 1 >= at.DEALS:
            self._deal(state[at.HAND_ID] + 1)
            state[at.OUTPUT_ROW] = -1
        self.arrays["clock"][at.NO_HAND_AFTER] = time.monotonic() + SLICE_SECONDS
        return self._play_hands_at(self._directory.buffer_info()[0])

    def may_continue(self, why: int) -> bool:
        """Return whether another hand can be played after `play` returned `why`.

        Not where hands are told, which is done when the lane is left.
        """
        state = self._state
        return bool(
            why == at.HAND_DONE
            and state[at.HANDS_FINISHED] < state[at.HANDS_WANTED]
            and state[at.TURNS_LEFT] > 0
            and not state[at.STOP]
            and not state[at.HANDS_ARE_TOLD]
        )

    def stop(self) -> None:
        """Have `play` return as soon as nothing is half done."""
        self._state[at.STOP] = 1

    def leave(self, why: int) -> LaneExit:
        """Give the match back; `why` is what `play` returned last."""
        arrays, state = self.arrays, self._state
        done, length = state[at.BYTES_DONE], state[at.LINE_LENGTH]
        return LaneExit(
            why=why,
            hand_id=state[at.HAND_ID],
            betting=arrays["betting"][: state[at.BETTING_LENGTH]].tobytes().decode("ascii"),
            finished=state[at.HANDS_FINISHED],
            totals=list(arrays["totals"]),
            used_in_hand=list(arrays["used"][at.HAND :: at.LIMITS_WIDTH]),
            used=list(arrays["used"][at.MATCH :: at.LIMITS_WIDTH]),
            unused=[self._unused(seat) for seat in range(len(arrays["totals"]))],
            asked_at=arrays["clock"][at.CHARGED_FROM],
            asked_at_wall=state[at.SENT_AT_MICROSECONDS] / 1e6,
            seat=state[at.MESSAGE_SEAT],
            done=done,
            rest=arrays["line"][done:length].tobytes(),
            turns=self._turns - state[at.TURNS_LEFT],
            shown=self._seats[at.SHOWN_SURPLUS :: at.SEAT_WIDTH].tolist(),
            hand_texts=arrays["hand_texts"][: state[at.HAND_TEXTS_LENGTH]].tobytes(),
        )

    def _unused(self, seat: int) -> bytes:
        row = seat * at.SEAT_WIDTH
        start = seat * at.INBOX_BYTES + self._seats[row + at.INBOX_START]
        return self.arrays["inbox"][start : start + self._seats[row + at.INBOX_LENGTH]].tobytes()

    def _deal(self, first: int) -> None:
        """Provide for hand `first` and those after it; none of them was provided for before."""
        self._outputs.skip(first - (self._first_dealt + at.DEALS))
        memoryview(self.arrays["outputs"]).cast("B")[:] = self._outputs.take(at.DEALS)
        self._first_dealt = first


def _new_arrays(match: LaneTerms, name_bytes: int) -> tuple[dict[str, Numbers], list[int]]:
    """Return all arrays of a match, with zeros in them, and their addresses.

    They are one block of the system's memory, of which only what is touched takes any.
    """
    players, draws, deck = match.game.players, match.game.cards_per_hand, len(match.game.deck)
    lengths: dict[str, tuple[_Code, int]] = {
        "state": ("q", at.STATE_WIDTH),
        "seats": ("q", players * at.SEAT_WIDTH),
        "game": ("q", GAME_WIDTH),
        "hand": ("q", at.HAND_ROOM),
        "outputs": ("I", at.DEALS * draws),
        "cards": ("B", draws),
        "fresh": ("B", deck),
        "deck": ("B", deck),
        "limits": ("d", players * at.LIMITS_WIDTH),
        "used": ("d", players * at.LIMITS_WIDTH),
        "clock": ("d", at.CLOCK_WIDTH),
        "totals": ("d", players),
        "values": ("d", players),
        "inbox": ("B", players * at.INBOX_BYTES),
        "outbox": ("B", players * at.OUTBOX_BYTES),
        "betting": ("B", at.BETTING_BYTES),
        "line": ("B", at.OUTBOX_BYTES + name_bytes),
        "names": ("B", name_bytes),
        "moment": ("q", 2),
        "hand_texts": ("B", at.HAND_TEXTS_BYTES + at.OUTBOX_BYTES + name_bytes),
    }
    *starts, end = accumulate(map(_room, lengths.values()), initial=0)
    block = mmap(-1, end)
    start_of = dict(zip(lengths, starts, strict=True))
    first = addressof(c_char.from_buffer(block))
    arrays = {
        name: memoryview(block)[start_of[name] :][: count * calcsize(code)].cast(code)
        for name, (code, count) in lengths.items()
    }
    return arrays, [first + start_of[name] for name in LaneArrays._fields]


def _room(array_shape: tuple[_Code, int]) -> int:
    """Return the bytes of an array, its end rounded up to where another may begin."""
    code, count = array_shape
    return -(-count * calcsize(code) // _ALIGNMENT) * _ALIGNMENT
