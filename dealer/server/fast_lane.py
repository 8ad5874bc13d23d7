"""When a match goes into the fast lane, and how it comes back.

A match begins in the readable path, `dealer.server.match`.  Once the lane's code is loaded each
hand may begin in the lane, and nearly all do; the readable path plays on wherever the lane ends.

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
from typing import TYPE_CHECKING, Final

from dealer.lane.layout import (
    HAND_DONE,
    INBOX_BYTES,
    LOG_CUT,
    MOST_LINE_BYTES,
    PATIENCE_SECONDS,
    TRANSACTION_CUT,
)
from dealer.lane.loading import LaneLoader
from dealer.lane.modes import LaneMode
from dealer.server.clock import Clock, LoopClock
from dealer.server.observers import Observers
from dealer.server.record_file import RecordFile
from dealer.server.recorder import MatchLog, TransactionFile
from dealer.server.seat import Seat
from dealer.server.settings import MatchSettings
from dealer.server.table import Table
from dealer.server.time_limits import TimeAccounts
from protocol.betting import parse_actions

if TYPE_CHECKING:
    from dealer.lane.lane import Lane, LaneExit

_UNHEARD: Final = (
    "hand_started",
    "state_sent",
    "line_received",
    "reply_accepted",
    "action_applied",
    "hand_over",
    "hand_closed",
)
"""Events of which the lane tells nobody, and writes the files of those who write files."""
_SHORTEST_LIMIT: Final = 20 * PATIENCE_SECONDS
"""Seconds for a response; with less the waits of the lane would matter."""
_MOST_UNREAD: Final = INBOX_BYTES - 2 * MOST_LINE_BYTES
_SHORT_VISIT: Final = 16
"""Turns; after a shorter visit some hands stay out, about twice as many each time."""
_LONGEST_REST: Final = 4096
"""Hands."""
_MIXED_VISITS: Final = (0, 1, 2, 3, 7, 12, 30)
"""Turns of the visits of a match that is played in and out, one after the other."""
_MIXED_RESTS: Final = (0, 1, 0, 2)
"""Hands between them."""


class FastLane:
    """The lane of one match."""

    def __init__(
        self,
        mode: LaneMode,
        table: Table,
        settings: MatchSettings,
        observers: Observers,
        clock: Clock,
    ) -> None:
        """Look whether the match can be played in it at all."""
        self._mode = mode
        self._table = table
        self._settings = settings
        self._log = _record(observers, MatchLog)
        self._transactions = _record(observers, TransactionFile)
        self._loader = LaneLoader(clock.monotonic)
        self._lane: Lane | None = None
        self._thread: threading.Thread | None = None
        self._why = HAND_DONE
        self._error: BaseException | None = None
        self._rest = self._last_rest = 0
        self._visits, self._rests = cycle(_MIXED_VISITS), cycle(_MIXED_RESTS)
        self._usable = (
            mode is not LaneMode.OFF
            and sys.platform == "linux"
            and isinstance(clock, LoopClock)
            and table.seed is not None
            and not table.game.dealt_cards
            and all(one.response >= _SHORTEST_LIMIT for one in settings.limits)
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

    async def load(self) -> None:
        """Have the code before the first hand where the mode says so; may take half a minute."""
        if self._usable and self._mode in (LaneMode.ON, LaneMode.MIXED):
            self._loader.begin(compiling=True)
            await self._loader.wait()

    def close(self) -> None:
        """Load nothing more."""
        self._loader.close()

    def takes(self, seats: Sequence[Seat]) -> bool:
        """Return whether the hand on the table, of which nothing was shown, begins in the lane."""
        if not self._usable:
            return False
        if self._lane is None:
            self._look_for_code()
        if self._lane is None:
            return False
        if self._rest > 0:
            self._rest -= 1
            return False
        state = self._table.state
        return not (state.history or state.over) and all(
            seat.fits_lane and seat.end.pending <= _MOST_UNREAD for seat in seats
        )

    def enter(
        self, seats: Sequence[Seat], accounts: TimeAccounts, left: Callable[[], None]
    ) -> None:
        """Take the match over; `left` is called on the event loop when the lane has ended."""
        from dealer.lane.lane import LaneEntry, LaneSeat

        table = self._table
        assert self._lane is not None
        entry = LaneEntry(
            hand_id=table.hand_id,
            finished=table.finished_hands,
            totals=table.totals,
            used=accounts.match,
            seats=[
                LaneSeat(*seat.leave_loop(PATIENCE_SECONDS), seat.left.is_set()) for seat in seats
            ],
        )
        if self._mode is LaneMode.MIXED:
            entry = entry._replace(turns=next(self._visits))
        self._lane.enter(entry)
        self._error = None
        self._thread = threading.Thread(
            target=self._play,
            args=(self._lane, asyncio.get_running_loop(), left),
            name="lane",
            daemon=True,
        )
        self._thread.start()

    def bring_back(self, seats: Sequence[Seat], accounts: TimeAccounts) -> LaneExit:
        """Have the lane end as soon as it can, and bring table, accounts, seats and files there.

        Raises:
            MatchStopped: a file cannot be written to.
        """
        assert self._lane is not None
        assert self._thread is not None
        self._lane.stop()
        self._thread.join()
        self._thread = None
        if self._error is not None:
            raise self._error
        found = self._lane.leave(self._why)
        table = self._table
        table.play_on_to(found.hand_id, parse_actions(found.betting))
        table.finished_hands = found.finished
        table.totals = found.totals
        accounts.hand = found.used_in_hand
        accounts.match = found.used
        for seat, unused in zip(seats, found.unused, strict=True):
            seat.join_loop(unused)
        if found.why == LOG_CUT and self._log is not None:
            self._log.take_back(found.done)
        if found.why == TRANSACTION_CUT and self._transactions is not None:
            self._transactions.write_bytes(found.rest)
        self._plan_rest(found)
        return found

    def _play(self, lane: Lane, loop: asyncio.AbstractEventLoop, left: Callable[[], None]) -> None:
        """Play until something is not ordinary; runs on the lane's thread."""
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        files = self._files
        try:
            while True:
                self._why = lane.play()
                for file in files:
                    file.written_to()
                if not lane.may_continue(self._why) or any(file.failed for file in files):
                    break
        except BaseException as error:
            self._error = error
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(left)

    def _plan_rest(self, found: LaneExit) -> None:
        """Stay out for some hands after a visit that did not pay."""
        if self._mode is LaneMode.MIXED:
            self._rest = next(self._rests)
        elif found.turns >= _SHORT_VISIT:
            self._last_rest = 0
        elif found.why != HAND_DONE:
            self._rest = self._last_rest = min(2 * self._last_rest + 1, _LONGEST_REST)

    def _look_for_code(self) -> None:
        """Use the code if it is loaded, have it loaded if that pays, do without if it fails."""
        loader, table, settings = self._loader, self._table, self._settings
        if not loader.over:
            loader.consider(table.finished_hands, settings.hands)
            return
        if loader.made is None or table.seed is None:
            self._usable = False
            return
        from dealer.lane.lane import LaneTerms

        log, transactions = self._log, self._transactions
        self._lane = loader.made(
            LaneTerms(
                table.game,
                table.seed,
                table.names,
                table.fixed_seats,
                settings.hands,
                [(one.response, one.hand, one.match) for one in settings.limits],
                -1 if log is None else log.descriptor,
                -1 if transactions is None else transactions.descriptor,
            )
        )


def _record(
    observers: Observers, kind: type[MatchLog] | type[TransactionFile]
) -> RecordFile | None:
    """Return the file of the observer of a kind, None where there is none."""
    hearers = (*observers.who_hears("hand_over"), *observers.who_hears("action_applied"))
    return next((one.file for one in hearers if isinstance(one, kind)), None)


def _is_unheard(observers: Observers) -> bool:
    """Return whether nobody but the files' observers hears of what is done in the lane."""
    return all(
        type(one) in (MatchLog, TransactionFile)
        for event in _UNHEARD
        for one in observers.who_hears(event)
    )
