"""One match of a dealer, from opening its files to its SCORE line."""

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Final

from dealer.lane.loading import LaneLoader
from dealer.plan.match_plan import CLOCKS, MatchPlan
from dealer.server.clock import LoopClock
from dealer.server.deal_source import dealt_hands, shown_origin
from dealer.server.endings import Ending, MatchEnd, MatchStopped
from dealer.server.fast_lane import FastLane
from dealer.server.match import Match
from dealer.server.observers import MatchObserver, MatchResumed, MatchStart, Observers
from dealer.server.reconnecting import ReconnectListener
from dealer.server.record_file import RecordFile, keep_synced
from dealer.server.recorder import (
    MatchLog,
    SeatCounts,
    TransactionFile,
    Transcript,
    Warnings,
)
from dealer.server.recovery import Missing, compare_records, put_back, replay_transactions
from dealer.server.seating import SeatSource, seat_everybody
from dealer.server.standard_streams import STDERR_DESCRIPTOR, StandardStreams
from dealer.server.table import Table
from dealer.server.time_limits import MatchSettings, TimeAccounts, TimeLimits, to_seconds
from dealer.server.waits import WaitWatch
from engine.storage.atomic import write_whole
from protocol.deals import DealsNote, DealsOrigin, format_deals_note
from protocol.gamedef import GameDef
from protocol.handlog import Header, TimeLimit, format_header, format_time_limit

_UNLIMITED_IN_HEADER: Final = 18446744073709550
"""The reference dealer's log header shows a negative, endless limit so."""


class MatchRun:
    """One match, on the running event loop: `open` it, `play` it, and `close` it in any case."""

    def __init__(
        self,
        plan: MatchPlan,
        game: GameDef,
        source: SeatSource,
        streams: StandardStreams,
        loader: LaneLoader,
        note: DealsNote | None = None,
    ) -> None:
        """`loader` has the fast lane, `note` says which deals file is played."""
        self._plan = plan
        self._source = source
        self.name = plan.name
        self._game = game
        self._note = shown_origin(plan, note)
        self._loader = loader
        self.streams = streams
        """Where the match says what it has to say."""
        self._began = time.time()
        self._resuming = plan.records.resuming
        self._sizes: dict[Path, int] = {}
        """Bytes of each file when it was looked at."""
        self._records: list[RecordFile] = []
        self._open_things = contextlib.AsyncExitStack()
        self._clock = LoopClock()
        self._counts = SeatCounts(game.players)
        self._waits = WaitWatch(plan.names, self._clock, plan.records.waits)
        self._observers = Observers()
        self._log: MatchLog | None = None
        self._missing = Missing()
        limits = tuple(
            TimeLimits.of(plan.limits_of(seat), plan.hands) for seat in range(game.players)
        )
        self._settings = MatchSettings(
            plan.hands, limits, plan.limits.invalid, plan.limits.reconnect
        )
        self._accounts = TimeAccounts(limits)
        self._prepared = False
        self._table: Table | None = None
        self._match: Match | None = None
        self._task: asyncio.Task[object] | None = None
        self._interrupted = False

    def open(self) -> tuple[int, ...]:
        """Open the files and let agents come; return the source's port numbers in seat order.

        Raises:
            MatchStopped: a file cannot be opened or resumed from, or the source cannot be opened.
        """
        self._missing = self._look_for_missing()
        self._log = self._open_log()
        self._observers = Observers([*self._open_observers(), self._waits])
        syncing = asyncio.create_task(keep_synced(self._records, self._clock))
        self._open_things.callback(syncing.cancel)
        with self._telling_failures():
            self._source.open()
        self._open_things.callback(self._source.close)
        return self._source.ports

    def prepare(self) -> None:
        """Do in advance the slow parts of `play`, such as resuming, before anybody connects.

        Raises:
            MatchStopped: the log cannot be written, or the transaction file is not usable.
        """
        with self._telling_failures():
            self._write_header()
            self._table = self._fresh_table()
            self._replay(self._table)
        self._prepared = True

    async def play(self) -> None:
        """Play to the SCORE line.

        Raises:
            MatchStopped: the match ended early.
        """
        self._task = asyncio.current_task()
        if self._interrupted and self._task is not None:
            self._task.cancel()
        try:
            with self._telling_failures():
                if not self._prepared:
                    self._write_header()
                self._open_things.callback(self._waits.end)
                self._waits.begin(self._source.ports, self._observers)
                await self._play_with_seats()
        finally:
            self._task = None
        self.tell_end(MatchEnd(Ending.FINISHED))

    def interrupt(self) -> None:
        """Stop the match now, or as soon as it is played."""
        self._interrupted = True
        self._waits.freeze()
        if self._match is not None:
            self._match.interrupt("interrupted")
        elif self._task is not None:
            self._task.cancel()

    @property
    def finished_hands(self) -> int:
        """Hands that are over, those before a resumed match was interrupted included."""
        return 0 if self._table is None else self._table.finished_hands

    def tell_end(self, end: MatchEnd) -> None:
        """Tell the observers that the match is over; `open`, `prepare` and `play` do it, too."""
        for tell in self._observers.match_over:
            with contextlib.suppress(MatchStopped):
                tell(end)

    async def close(self) -> None:
        """Close files and ports; idempotent.  What waits for the disk does so beside the loop."""
        await self._open_things.aclose()

    def complain(self, stop: MatchStopped) -> None:
        """Say on stderr why the match ended early."""
        self.streams.err("".join(f"{line}\n" for line in stop.lines))

    def sum_up(self, end: MatchEnd) -> MatchEnd:
        """Write the summary if one is wanted; return `end`, or that it could not be written."""
        path = self._plan.records.summary
        if path is not None:
            try:
                write_whole(Path(path), json.dumps(self._report(end), indent=2) + "\n")
            except OSError as error:
                message = f"could not write summary file {path}: {error.strerror}"
                self.streams.err(f"ERROR: {message}\n")
                return MatchEnd(Ending.ERROR, message)
        return end

    def _report(self, end: MatchEnd) -> dict[str, object]:
        plan, table, match = self._plan, self._table, self._match
        return {
            "match": plan.name,
            "game": plan.game,
            "hands_wanted": plan.hands,
            "seed": plan.seed,
            "deals": None if self._note is None else asdict(self._note),
            "names": list(plan.names),
            "ending": end.ending.value,
            "detail": end.detail,
            "seat": None if end.seat is None else end.seat + 1,
            "hands": self.finished_hands,
            "score": [] if table is None else table.totals,
            "warnings": [] if match is None else [dict(faults) for faults in self._counts.faults],
            "connections": [dict(counts) for counts in self._counts.connections],
            "seconds": round(time.time() - self._began, 3),
        }

    # Files.

    def _look_for_missing(self) -> Missing:
        """Return what the files of a match to be resumed lack, before any of them is written to."""
        plan, records = self._plan, self._plan.records
        if records.log is None or records.transactions is None or not self._resuming:
            return Missing()
        paths = Path(records.log), Path(records.transactions)
        self._sizes = {path: path.stat().st_size if path.is_file() else 0 for path in paths}
        table = self._fresh_table()
        return compare_records(*paths, plan.seed, plan.hands, table, self._note)

    def _open_log(self) -> MatchLog | None:
        if self._plan.records.log is None:
            return None
        path = Path(self._plan.records.log)
        if self._missing.within:
            size = self._sizes[path]
            with contextlib.closing(
                RecordFile(path, "log", append=True, drop_torn=True, size=size)
            ):
                put_back(path, self._plan.seed, self._missing.within)
            self._sizes[path] = path.stat().st_size
        return MatchLog(self._open_record(path, "log", drop=self._resuming))

    def _open_record(self, path: Path, kind: str, *, drop: bool) -> RecordFile:
        file = RecordFile(
            path, kind, append=self._plan.records.append, drop_torn=drop, size=self._sizes.get(path)
        )
        self._open_things.push_async_callback(asyncio.to_thread, file.close)
        self._records.insert(0, file)  # transactions first: they say what hands there are
        return file

    def _open_observers(self) -> list[MatchObserver]:
        """Return the observers of the match, in order."""
        records = self._plan.records
        observers: list[MatchObserver] = [self._counts]
        if self._log is not None:
            observers.append(self._log)
        if records.transactions is not None:
            file = self._open_record(Path(records.transactions), "transaction", drop=True)
            if self._missing.transactions:
                file.write(self._missing.transactions)
                file.sync()
            observers.append(TransactionFile(file))
        if records.transcript:
            descriptor = -1 if self.streams.label else STDERR_DESCRIPTOR
            observers.append(Transcript(self.streams.err, descriptor))
        observers.append(Warnings(self.streams.err))
        if records.events is not None:
            from dealer.server.event_log import EventLog

            events = EventLog(Path(records.events), self._clock)
            self._open_things.callback(events.close)
            observers.append(events)
        return observers

    def _write_header(self) -> None:
        header = log_header(self._plan, self._note)
        self.streams.err("".join(f"{line}\n" for line in header))
        if self._log is not None:
            self._log.write(*header)

    # Playing.

    def _fresh_table(self) -> Table:
        plan = self._plan
        return Table(
            self._game,
            plan.dealt_from,
            plan.names,
            fixed_seats=plan.fixed_seats,
            deals=dealt_hands(plan, self._game),
        )

    def _replay(self, table: Table) -> None:
        """Bring a fresh table to where the interrupted match was left."""
        path = self._plan.records.transactions
        if self._resuming and path is not None:
            relog = None if self._log is None else self._log.write
            replay_transactions(Path(path), table, self._accounts, relog, self._missing.hands)

    async def _play_with_seats(self) -> None:
        plan, observers, clock, waits = self._plan, self._observers, self._clock, self._waits
        reconnect_s = plan.limits.reconnect
        tokens = tuple(seat.token for seat in plan.seats)
        seats = await seat_everybody(
            self._source,
            to_seconds(plan.limits.start_timeout),
            observers,
            waits,
            keep_listening=reconnect_s > 0,
            tokens=tokens,
        )
        settings, accounts = self._settings, self._accounts
        table = self._table = self._table or self._fresh_table()
        lane = FastLane(plan.lane, table, settings, observers, clock, self._loader)
        match = Match(table, seats, settings, accounts, observers, clock)
        try:
            self._tell_start()
            if not self._prepared:
                self._replay(table)
            if self._resuming:
                _tell_resumed(table, accounts, observers)
            self._match = match
            waits.look_at(partial(match.current_wait, waits))
            listener = ReconnectListener(self._source, clock, observers, tokens)
            await match.play(listener.welcome, lane)
        finally:
            await match.close()
        await self._tell_score(table.score())

    def _tell_start(self) -> None:
        plan, limits = self._plan, self._settings.limits
        start = MatchStart(
            plan.name, self._game, plan.names, plan.hands, limits, self._clock.wall()
        )
        for tell in self._observers.match_started:
            tell(start)

    async def _tell_score(self, score: str) -> None:
        """Write the score to the log, and once it is on the disk to stderr and stdout."""
        for tell in self._observers.match_scored:
            tell(score)
        for file in self._records:
            await asyncio.to_thread(file.sync)
        self.streams.err(score + "\n")
        self.streams.out(score + "\n")

    # The end.

    @contextlib.contextmanager
    def _telling_failures(self) -> Iterator[None]:
        """Tell the observers how the match ended when the block is left by an exception."""
        try:
            yield
        except asyncio.CancelledError:
            end = MatchEnd(Ending.INTERRUPTED, "interrupted")
            self.tell_end(end)
            raise MatchStopped(end) from None
        except MatchStopped as stop:
            self.tell_end(stop.end)
            raise
        except BaseException as error:
            message = repr(error) if isinstance(error, Exception) else "the dealer crashed"
            self.tell_end(MatchEnd(Ending.ERROR, message))
            raise


def _tell_resumed(table: Table, accounts: TimeAccounts, observers: Observers) -> None:
    resumed = MatchResumed(table.finished_hands, tuple(table.totals), tuple(accounts.match))
    for tell in observers.match_resumed:
        tell(resumed)


def port_line(ports: Sequence[int]) -> str:
    """Return what stdout says of the ports of a match."""
    return " ".join(map(str, ports)) + "\n"


def log_header(plan: MatchPlan, note: DealsOrigin | None = None) -> list[str]:
    """Return the header lines of log and stderr, without terminators."""
    limits = [TimeLimit(name, _milliseconds_shown(getattr(plan.limits, name))) for name in CLOCKS]
    return [
        format_header(Header(plan.name, plan.game, plan.hands, plan.seed)),
        *map(format_time_limit, limits),
        *([] if note is None else [format_deals_note(note)]),
        *(
            f"# seat {number} has --{clock.option} {_milliseconds_shown(clock.milliseconds)}"
            for number, seat in enumerate(plan.seats, 1)
            for clock in seat.clocks
        ),
    ]


def _milliseconds_shown(milliseconds: int) -> int:
    return milliseconds if milliseconds >= 0 else _UNLIMITED_IN_HEADER
