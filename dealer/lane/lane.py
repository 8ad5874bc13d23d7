"""One match in the lane: what goes in, playing, what comes out.  The twin of `dealer.server.match`.

A visit begins with a hand that was dealt and not shown, and ends anywhere.
"""

from __future__ import annotations

import time
from typing import Final

import numpy as np

from dealer.lane import layout as at
from dealer.lane.handover import LaneEntry, LaneExit, LaneTerms
from dealer.lane.kernels import LaneArrays, play_hands
from engine.handlogs.hand_layout import HAND_SIZE
from engine.rules.dealing_blocks import DealBlocks
from engine.rules.packed_game import pack_game

SLICE_SECONDS: Final = 0.2
"""After about this time the interpreter looks in, between two hands."""


class Lane:
    """Plays a match, one visit after the other; `stop` may be called from another thread."""

    def __init__(self, match: LaneTerms) -> None:
        game, players = match.game, match.game.players
        names = [name.encode("utf-8", "surrogateescape") for name in match.names]
        self._blocks = DealBlocks(game, match.seed)
        self._first_dealt = -at.DEALS
        self._turns = 0
        self._arrays = LaneArrays(
            state=np.zeros(at.STATE_WIDTH, np.int64),
            seats=np.zeros((players, at.SEAT_WIDTH), np.int64),
            game=pack_game(game),
            hand=np.zeros(HAND_SIZE, np.int64),
            deals=np.zeros((at.DEALS, game.cards_per_hand), np.uint8),
            limits=np.array(match.limits, np.float64),
            used=np.zeros((players, 3)),
            clock=np.zeros(at.CLOCK_WIDTH),
            totals=np.zeros(players),
            values=np.zeros(players),
            inbox=np.zeros((players, at.INBOX_BYTES), np.uint8),
            outbox=np.zeros((players, at.OUTBOX_BYTES), np.uint8),
            betting=np.zeros(at.BETTING_BYTES, np.uint8),
            line=np.zeros(at.OUTBOX_BYTES + sum(map(len, names)), np.uint8),
            names=np.frombuffer(b"".join(names) or b"\0", np.uint8).copy(),
            moment=np.zeros(2, np.int64),
        )
        state, seats = self._arrays.state, self._arrays.seats
        state[at.WANTED] = match.hands
        state[at.FIXED] = match.fixed_seats
        state[at.LOG] = match.log
        state[at.TRANSACTIONS] = match.transactions
        seats[:, at.NAME_END] = np.cumsum([len(name) for name in names])

    def rehearse(self) -> None:
        """Have all code loaded, or compiled; to be called before anything is played."""
        self._arrays.state[at.STAGE] = at.BETWEEN
        self._deal(0)
        play_hands(self._arrays)

    def enter(self, entry: LaneEntry) -> None:
        """Take the match over; its sockets and files are the lane's until `leave`."""
        arrays = self._arrays
        state, seats = arrays.state, arrays.seats
        state[at.STOP] = 0
        state[at.HAND_ID] = entry.hand_id
        state[at.FINISHED] = entry.finished
        state[at.TURNS] = self._turns = entry.turns
        if not 0 <= entry.hand_id - self._first_dealt < at.DEALS:
            self._deal(entry.hand_id)
        state[at.DEAL] = entry.hand_id - self._first_dealt
        arrays.totals[:] = entry.totals
        arrays.used[:, at.MATCH] = entry.used
        for index, seat in enumerate(entry.seats):
            seats[index, at.DESCRIPTOR] = seat.descriptor
            seats[index, at.START] = 0
            seats[index, at.HELD] = len(seat.unused)
            seats[index, at.NO_MORE] = seat.no_more
            arrays.inbox[index, : len(seat.unused)] = np.frombuffer(seat.unused, np.uint8)
        state[at.STAGE] = at.DEALT

    def play(self) -> int:
        """Play for a while; return why not for longer, `HAND_DONE` where it may go on."""
        state, clock = self._arrays.state, self._arrays.clock
        if state[at.STAGE] == at.BETWEEN and state[at.DEAL] + 1 >= at.DEALS:
            self._deal(int(state[at.HAND_ID]) + 1)
            state[at.DEAL] = -1
        clock[at.UNTIL] = time.monotonic() + SLICE_SECONDS
        return play_hands(self._arrays)

    def may_continue(self, why: int) -> bool:
        """Return whether another hand can be played after `play` returned `why`."""
        state = self._arrays.state
        return bool(
            why == at.HAND_DONE
            and state[at.FINISHED] < state[at.WANTED]
            and state[at.TURNS] > 0
            and not state[at.STOP]
        )

    def stop(self) -> None:
        """Have `play` return as soon as nothing is half done."""
        self._arrays.state[at.STOP] = 1

    def leave(self, why: int) -> LaneExit:
        """Give the match back; `why` is what `play` returned last."""
        arrays, state, seats = self._arrays, self._arrays.state, self._arrays.seats
        done, length = int(state[at.DONE]), int(state[at.LINE_LENGTH])
        return LaneExit(
            why=why,
            hand_id=int(state[at.HAND_ID]),
            betting=arrays.betting[: state[at.BETTING_LENGTH]].tobytes().decode("ascii"),
            finished=int(state[at.FINISHED]),
            totals=arrays.totals.tolist(),
            used_in_hand=arrays.used[:, at.HAND].tolist(),
            used=arrays.used[:, at.MATCH].tolist(),
            unused=[
                inbox[seat[at.START] : seat[at.START] + seat[at.HELD]].tobytes()
                for seat, inbox in zip(seats, arrays.inbox, strict=True)
            ],
            asked_at=float(arrays.clock[at.ASKED_AT]),
            asked_at_wall=int(state[at.SENT_AT]) / 1e6,
            seat=int(state[at.SEAT]),
            done=done,
            rest=arrays.line[done:length].tobytes(),
            turns=self._turns - int(state[at.TURNS]),
        )

    def _deal(self, first: int) -> None:
        """Deal hand `first` and those after it; it comes after all that were dealt before."""
        self._blocks.skip(first - (self._first_dealt + at.DEALS))
        self._blocks.deal(self._arrays.deals)
        self._first_dealt = first
