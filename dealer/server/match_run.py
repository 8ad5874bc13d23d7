"""One match of a dealer, from opening its files to its SCORE line."""

import asyncio
import contextlib
import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from dealer.lane.loading import LaneLoader
from dealer.lane.modes import LaneMode
from dealer.server.clock import LoopClock
from dealer.server.endings import Ending, MatchEnd, MatchStopped
from dealer.server.fast_lane import FastLane
from dealer.server.given_deals import dealt_hands
from dealer.server.listener import Ports, seat_everybody
from dealer.server.match import Match
from dealer.server.match_waits import match_wait
from dealer.server.observers import MatchObserver, MatchResumed, MatchStart, Observers
from dealer.server.options import UNLIMITED_SHOWN, Options
from dealer.server.reconnect_listener import ReconnectListener
from dealer.server.record_file import RecordFile, keep_synced
from dealer.server.recorder import (
    MatchLog,
    SeatCounts,
    TransactionFile,
    Transcript,
    Warnings,
)
from dealer.server.recovery import Missing, compare_records, put_back
from dealer.server.resume import replay_transactions
from dealer.server.settings import MatchSettings
from dealer.server.standard_streams import STDERR, StandardStreams
from dealer.server.table import Table
from dealer.server.time_limits import TimeAccounts, TimeLimits
from dealer.server.waits import WaitWatch
from engine.storage.atomic import write_whole
from protocol.deals import DealsNote, format_deals_note
from protocol.gamedef import GameDef
from protocol.handlog import Header, TimeLimit, format_header, format_time_limit


class MatchRun:
    """One match, on the running event loop: `open` it, `play` it, and `close` it in any case."""

    def __init__(
        self,
        options: Options,
        game: GameDef,
        note: DealsNote | None,
        streams: StandardStreams,
        loader: LaneLoader,
    ) -> None:
        """`note` says which deals file is played, `loader` has the fast lane."""
        self.name = options.match
        self._options = options
        self._game = game
        self._note = note
        self._loader = loader
        self.streams = streams
        """Where the match says what it has to say."""
        self._began = time.time()
        self._resuming = options.append and options.transactions
        self._log_path = Path(f"{options.match}.log")
        self._transactions_path = Path(f"{options.match}.tlog")
        self._sizes: dict[Path, int] = {}
        """Bytes of each file when it was looked at."""
        self._records: list[RecordFile] = []
        self._open_things = contextlib.AsyncExitStack()
        self._clock = LoopClock()
        self._counts = SeatCounts(game.players)
        self._waits = WaitWatch(options.names, self._clock, options.waits)
        self._observers = Observers()
        self._log: MatchLog | None = None
        self._missing = Missing()
        self._ports: Ports
        limits = tuple(
            TimeLimits.from_milliseconds(*options.limits_of(seat), options.hands)
            for seat in range(game.players)
        )
        self._settings = MatchSettings(options.hands, limits, options.invalid, options.reconnect_s)
        self._accounts = TimeAccounts(limits)
        self._prepared = False
        self._table: Table | None = None
        self._match: Match | None = None
        self._task: asyncio.Task[object] | None = None
        self._interrupted = False

    def open(self) -> tuple[int, ...]:
        """Open the files and listen; return the port numbers in seat order.

        Raises:
            MatchStopped: a file cannot be opened or resumed from, or a port is taken.
        """
        options = self._options
        self._missing = self._look_for_missing()
        self._log = self._open_log()
        self._observers = Observers([*self._open_observers(), self._waits])
        syncing = asyncio.create_task(keep_synced(self._records, self._clock))
        self._open_things.callback(syncing.cancel)
        with self._telling_failures():
            self._ports = Ports(options.listen, options.ports, self._game.players)
        self._open_things.callback(self._ports.close)
        return self._ports.numbers

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
                self._waits.begin(self._ports.numbers, self._observers)
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
        path = self._options.summary
        if path is not None:
            try:
                write_whole(Path(path), json.dumps(self._report(end), indent=2) + "\n")
            except OSError as error:
                words = f"could not write summary file {path}: {error.strerror}"
                self.streams.err(f"ERROR: {words}\n")
                return MatchEnd(Ending.ERROR, words)
        return end

    def _report(self, end: MatchEnd) -> dict[str, object]:
        options, table, match = self._options, self._table, self._match
        return {
            "match": options.match,
            "game": options.gamedef,
            "hands_wanted": options.hands,
            "seed": options.seed,
            "deals": None if self._note is None else asdict(self._note),
            "names": list(options.names),
            "ending": end.ending.value,
            "detail": end.detail,
            "seat": None if end.seat is None else end.seat + 1,
            "hands": 0 if table is None else table.finished_hands,
            "score": [] if table is None else table.totals,
            "warnings": [] if match is None else [dict(faults) for faults in self._counts.faults],
            "connections": [dict(counts) for counts in self._counts.connections],
            "seconds": round(time.time() - self._began, 3),
        }

    # Files.

    def _look_for_missing(self) -> Missing:
        """Return what the files of a match to be resumed lack, before any of them is written to."""
        options = self._options
        if not (self._resuming and options.log):
            return Missing()
        paths = self._log_path, self._transactions_path
        self._sizes = {path: path.stat().st_size if path.is_file() else 0 for path in paths}
        table = self._fresh_table()
        return compare_records(*paths, options.seed, options.hands, table, self._note)

    def _open_log(self) -> MatchLog | None:
        if not self._options.log:
            return None
        path = self._log_path
        if self._missing.within:
            size = self._sizes[path]
            with contextlib.closing(
                RecordFile(path, "log", append=True, drop_torn=True, size=size)
            ):
                put_back(path, self._options.seed, self._missing.within)
            self._sizes[path] = path.stat().st_size
        return MatchLog(self._open_record(path, "log", drop=self._resuming))

    def _open_record(self, path: Path, kind: str, *, drop: bool) -> RecordFile:
        file = RecordFile(
            path, kind, append=self._options.append, drop_torn=drop, size=self._sizes.get(path)
        )
        self._open_things.push_async_callback(asyncio.to_thread, file.close)
        self._records.insert(0, file)  # transactions first: they say what hands there are
        return file

    def _open_observers(self) -> list[MatchObserver]:
        """Return the observers of the match, in order."""
        options = self._options
        observers: list[MatchObserver] = [self._counts]
        if self._log is not None:
            observers.append(self._log)
        if options.transactions:
            file = self._open_record(self._transactions_path, "transaction", drop=True)
            if self._missing.transactions:
                file.write(self._missing.transactions)
                file.sync()
            observers.append(TransactionFile(file))
        if not options.quiet:
            descriptor = -1 if self.streams.label else STDERR
            observers.append(Transcript(self.streams.err, descriptor))
        observers.append(Warnings(self.streams.err))
        if options.events is not None:
            from dealer.server.event_log import EventLog

            events = EventLog(Path(options.events), self._clock)
            self._open_things.callback(events.close)
            observers.append(events)
        return observers

    def _write_header(self) -> None:
        header = log_header(self._options, self._note)
        self.streams.err("".join(f"{line}\n" for line in header))
        if self._log is not None:
            self._log.write(*header)

    # Playing.

    def _fresh_table(self) -> Table:
        options = self._options
        return Table(
            self._game,
            options.seed,
            options.names,
            fixed_seats=options.fixed_seats,
            deals=dealt_hands(options, self._game),
        )

    def _replay(self, table: Table) -> None:
        """Bring a fresh table to where the interrupted match was left."""
        if self._resuming:
            path, lost = self._transactions_path, self._missing.hands
            relog = None if self._log is None else self._log.write
            replay_transactions(path, table, self._accounts, relog, lost)

    async def _play_with_seats(self) -> None:
        options, observers, clock, waits = self._options, self._observers, self._clock, self._waits
        seats = await seat_everybody(
            self._ports,
            math.inf if options.start_ms is None else options.start_ms / 1000,
            observers,
            waits,
            keep_listening=options.reconnect_s > 0,
            tokens=options.tokens,
        )
        settings, accounts = self._settings, self._accounts
        table = self._table = self._table or self._fresh_table()
        mode = options.lane or LaneMode.OFF
        lane = FastLane(mode, table, settings, observers, clock, self._loader)
        match = Match(table, seats, settings, accounts, observers, clock)
        try:
            self._tell_start()
            if not self._prepared:
                self._replay(table)
            if self._resuming:
                _tell_resumed(table, accounts, observers)
            self._match = match
            waits.look_at(partial(match_wait, match, seats, waits, options.reconnect_s))
            listener = ReconnectListener(self._ports, clock, observers, options.tokens)
            await match.play(listener.welcome, lane)
        finally:
            await match.close()
        await self._tell_score(table.score())

    def _tell_start(self) -> None:
        options, limits = self._options, self._settings.limits
        start = MatchStart(
            options.match, self._game, options.names, options.hands, limits, self._clock.wall()
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
            words = repr(error) if isinstance(error, Exception) else "the dealer crashed"
            self.tell_end(MatchEnd(Ending.ERROR, words))
            raise


def _tell_resumed(table: Table, accounts: TimeAccounts, observers: Observers) -> None:
    resumed = MatchResumed(table.finished_hands, tuple(table.totals), tuple(accounts.match))
    for tell in observers.match_resumed:
        tell(resumed)


def port_line(ports: Sequence[int]) -> str:
    """Return what stdout says of the ports of a match."""
    return " ".join(map(str, ports)) + "\n"


def log_header(options: Options, note: DealsNote | None = None) -> list[str]:
    """Return the header lines of log and stderr, without terminators."""
    limits = (
        ("t_response", options.response_ms),
        ("t_hand", options.hand_ms),
        ("t_per_hand", options.per_hand_ms),
    )
    return [
        format_header(Header(options.match, options.gamedef, options.hands, options.seed)),
        *(
            format_time_limit(TimeLimit(name, UNLIMITED_SHOWN if ms is None else ms))
            for name, ms in limits
        ),
        *([] if note is None else [format_deals_note(note)]),
        *(
            f"# seat {own.seat + 1} has --{own.option} "
            f"{UNLIMITED_SHOWN if own.milliseconds is None else own.milliseconds}"
            for own in options.seat_limits
        ),
    ]
