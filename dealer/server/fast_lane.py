"""When a match goes into the fast lane, and how it comes back.

A match begins in the readable path, `dealer.server.match`.  The lane's code is loaded between two
hands, when nobody's time runs.  From then on each hand may begin in the lane, and nearly all do;
the readable path plays on wherever the lane ends.

While a match is in the lane its table, accounts, sockets and files are the lane's.  `bring_back`
waits for it, some milliseconds at most, and may be called at any time.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Final, NamedTuple

from dealer.lane.handover import ENDLESS, LaneEntry, LaneExit, LaneSeat, LaneTerms
from dealer.lane.layout import (
    ASKED,
    HAND_DONE,
    HOLD_SECONDS,
    INBOX_BYTES,
    LOG_CUT,
    MESSAGE_CUT,
    MOST_LINE_BYTES,
    TRANSACTION_CUT,
)
from dealer.lane.loading import LaneLoader
from dealer.plan.match_plan import SHORTEST_LANE_RESPONSE_MS, LaneMode
from dealer.server.clock import Clock, LoopClock
from dealer.server.observers import Observers
from dealer.server.record_file import RecordFile
from dealer.server.recorder import MatchLog, TransactionFile, Transcript
from dealer.server.seat import Seat
from dealer.server.table import Table
from dealer.server.time_limits import MatchSettings, TimeAccounts
from protocol.betting import parse_actions

if TYPE_CHECKING:
    from dealer.lane.lane import Lane

_LANE_EVENTS: Final = (
    "hand_started",
    "state_sent",
    "line_received",
    "reply_accepted",
    "action_applied",
    "hand_over",
    "hand_closed",
)
"""Of these the lane tells nobody; it writes what those write who only write."""
_MOST_UNREAD: Final = INBOX_BYTES - 2 * MOST_LINE_BYTES
_SHORT_VISIT_TURNS: Final = 16
"""After a shorter visit some hands stay out, about twice as many each time."""
_LONGEST_REST_HANDS: Final = 4096
_MIXED_VISIT_TURNS: Final = (0, 1, 2, 3, 7, 12, 30)
_MIXED_REST_HANDS: Final = (0, 1, 0, 2)


class VisitEnd(NamedTuple):
    """What the match still has to do where a visit to the lane has ended."""

    sent: int
    """The state was sent to so many seats, in seat order; -1: to none, and the hand, should it be
    over, is not settled."""
    done: int = 0
    """Bytes of it that the next seat has been sent."""
    asked_at: float | None = None
    """When everybody had the state, seconds of the monotonic clock; None before that."""
    asked_at_wall: float = 0.0
    """The same, seconds of the wall clock."""


class FastLane:
    """The lane of one match."""

    def __init__(
        self,
        mode: LaneMode,
        table: Table,
        settings: MatchSettings,
        observers: Observers,
        clock: Clock,
        loader: LaneLoader,
    ) -> None:
        """Decide whether the match can use the lane at all; `loader` is that of all matches."""
        self._mode = mode
        self._table = table
        self._settings = settings
        self._observers = observers
        self._log = _record(observers, MatchLog)
        self._transactions = _record(observers, TransactionFile)
        hearers = observers.who_hears("state_sent")
        self._transcript = next((each for each in hearers if isinstance(each, Transcript)), None)
        self._loader = loader
        self._lane: Lane | None = None
        self._thread: threading.Thread | None = None
        self._entry: LaneEntry
        self._stopping = self._began = False
        self._why = HAND_DONE
        self._error: BaseException | None = None
        self.last_visit: LaneExit | None = None
        """How it ended."""
        self._rest = self._last_rest = 0
        self._visits, self._rests = cycle(_MIXED_VISIT_TURNS), cycle(_MIXED_REST_HANDS)
        self._usable = (
            mode is not LaneMode.OFF
            and sys.platform == "linux"
            and isinstance(clock, LoopClock)
            and table.seed is not None
            and not table.game.dealt_cards
            and all(
                limits.response * 1000 >= SHORTEST_LANE_RESPONSE_MS for limits in settings.limits
            )
            and all(file.descriptor >= 0 for file in self._files)
            and _is_unheard(observers)
        )

    @property
    def _files(self) -> list[RecordFile]:
        return [file for file in (self._log, self._transactions) if file is not None]

    @property
    def playing(self) -> bool:
        """Whether the match is in the lane, or waits to be brought back."""
        return self._thread is not None

    def takes(self, seats: Sequence[Seat]) -> bool:
        """Return whether the hand on the table, of which nothing was shown, begins in the lane."""
        if not self._usable:
            return False
        table = self._table
        if self._lane is None and self._mode is LaneMode.AUTO:
            if not self._loader.ready(self._settings.hands - table.finished_hands):
                return False
        elif self._rest > 0:
            self._rest -= 1
            return False
        if self._transcript is not None and self._transcript.hears_much:
            return False
        state = table.state
        return not (state.history or state.over) and all(
            seat.fits_lane and seat.end.pending <= _MOST_UNREAD for seat in seats
        )

    def enter(
        self, seats: Sequence[Seat], accounts: TimeAccounts, when_left: Callable[[], None]
    ) -> None:
        """Take the match over; `left` is called on the event loop when the lane has ended."""
        table = self._table
        self._entry = entry = LaneEntry(
            hand_id=table.hand_id,
            finished=table.finished_hands,
            totals=table.totals,
            used=accounts.match,
            seats=[
                LaneSeat(*seat.leave_loop(HOLD_SECONDS), seat.departure.is_set()) for seat in seats
            ],
            turns=next(self._visits) if self._mode is LaneMode.MIXED else ENDLESS,
        )
        self._stopping = self._began = False
        self._error = None
        self._thread = threading.Thread(
            target=self._run,
            args=(entry, asyncio.get_running_loop(), when_left),
            name="lane",
            daemon=True,
        )
        self._thread.start()
        self._loader.visits += 1

    def bring_back(self, seats: Sequence[Seat], accounts: TimeAccounts) -> VisitEnd:
        """End the lane as soon as possible, and bring table, accounts, seats and files to where it
        stood.

        Raises:
            MatchStopped: a file cannot be written to, or a required observer failed.
        """
        self.last_visit = lane_exit = self._end_visit()
        self._plan_rest(lane_exit)
        table = self._table
        table.play_on_to(lane_exit.hand_id, parse_actions(lane_exit.betting))
        table.finished_hands = lane_exit.finished
        table.totals = lane_exit.totals
        accounts.hand = lane_exit.used_in_hand
        accounts.match = lane_exit.used
        for seat, unused in zip(seats, lane_exit.unused, strict=True):
            seat.join_loop(unused)
        if self._transcript is not None:
            for index, count in enumerate(lane_exit.shown):
                self._transcript.shown(index, count)
        try:
            self._mend_files(lane_exit)
        finally:
            for line in lane_exit.hand_texts.decode("utf-8", "surrogateescape").split("\n")[:-1]:
                self._observers.tell_played(table.hand_in(line))
        if lane_exit.why in (HAND_DONE, ASKED):
            return VisitEnd(len(seats), 0, lane_exit.asked_at, lane_exit.asked_at_wall)
        if lane_exit.why == MESSAGE_CUT:
            return VisitEnd(lane_exit.seat, lane_exit.done)
        return VisitEnd(-1)

    def _end_visit(self) -> LaneExit:
        """End the lane as soon as possible; return where."""
        assert self._thread is not None
        self._stopping = True  # before the lane is told, which it may just be entered
        if self._lane is not None:
            self._lane.stop()
        elif self._mode is not LaneMode.AUTO:  # which may wait for the compiler
            self._loader.close()
        self._thread.join()
        self._thread = None
        self._loader.visits -= 1
        if self._error is not None:
            raise self._error
        if self._lane is not None and self._began:
            return self._lane.leave(self._why)
        return self._entry.unchanged()

    def _mend_files(self, lane_exit: LaneExit) -> None:
        """Repair the files so that they hold whole lines."""
        if lane_exit.why == LOG_CUT and self._log is not None:
            self._log.take_back(lane_exit.done)
        if lane_exit.why == TRANSACTION_CUT and self._transactions is not None:
            self._transactions.write_bytes(lane_exit.rest)

    def _run(
        self, entry: LaneEntry, loop: asyncio.AbstractEventLoop, when_left: Callable[[], None]
    ) -> None:
        """Load the code if need be, and play until something is not ordinary; runs in the lane's
        thread.
        """
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            if self._lane is None:
                self._lane = self._load()
            if self._lane is not None:
                self._lane.enter(entry)
                self._play(self._lane)
        except BaseException as error:
            self._error = error
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(when_left)

    def _play(self, lane: Lane) -> None:
        files = self._files
        while not self._stopping:
            self._began = True
            self._why = lane.play(self._loader.looks)
            for file in files:
                file.written_to()
            if not lane.may_continue(self._why) or any(file.failed for file in files):
                break

    def _load(self) -> Lane | None:
        table, log, transactions = self._table, self._log, self._transactions
        transcript = self._transcript
        make = self._loader.load(compiling=self._mode is not LaneMode.AUTO)
        if make is None or table.seed is None:
            self._usable = self._mode is LaneMode.AUTO  # in which it may be compiled later
            return None
        return make(
            LaneTerms(
                table.game,
                table.seed,
                table.names,
                table.fixed_seats,
                self._settings.hands,
                [(limits.response, limits.hand, limits.match) for limits in self._settings.limits],
                -1 if log is None else log.descriptor,
                -1 if transactions is None else transactions.descriptor,
                -1 if transcript is None else transcript.descriptor,
                bool(self._observers.hand_played),
            )
        )

    def _plan_rest(self, lane_exit: LaneExit) -> None:
        """Stay out for some hands after a visit that did not pay."""
        if self._mode is LaneMode.MIXED:
            self._rest = next(self._rests)
        elif lane_exit.turns >= _SHORT_VISIT_TURNS:
            self._last_rest = 0
        elif lane_exit.why != HAND_DONE:
            self._rest = self._last_rest = min(2 * self._last_rest + 1, _LONGEST_REST_HANDS)


def _record(
    observers: Observers, kind: type[MatchLog] | type[TransactionFile]
) -> RecordFile | None:
    """Return the file of the observer of a kind, None where there is none."""
    hearers = (*observers.who_hears("hand_over"), *observers.who_hears("action_applied"))
    return next((observer.file for observer in hearers if isinstance(observer, kind)), None)


def _is_unheard(observers: Observers) -> bool:
    """Return whether all observers of the lane's events only write what it writes as well."""
    return all(
        type(observer) in (MatchLog, TransactionFile)
        or (type(observer) is Transcript and observer.descriptor >= 0)
        for event in _LANE_EVENTS
        for observer in observers.who_hears(event)
    )
