"""`arena dealer`: one match with the command line, output and exit codes of the original dealer."""

import asyncio
import contextlib
import json
import math
import os
import signal
import sys
import time
from collections.abc import Collection, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

from dealer.lane.modes import LaneMode
from dealer.server.clock import Clock, LoopClock
from dealer.server.endings import Ending, MatchEnd, MatchStopped
from dealer.server.fast_lane import FastLane
from dealer.server.given_deals import deals_note, dealt_hands
from dealer.server.lane_match import LaneMatch
from dealer.server.listener import Ports, seat_everybody
from dealer.server.match import Match
from dealer.server.match_waits import MatchWaits
from dealer.server.newcomers import Newcomers
from dealer.server.observers import MatchObserver, MatchResumed, MatchStart, Observers
from dealer.server.options import (
    UNLIMITED_SHOWN,
    Options,
    UsageError,
    parse_options,
    with_seats,
)
from dealer.server.record_file import RecordFile, keep_on_disk
from dealer.server.recorder import (
    ConnectionCounts,
    FaultCounts,
    MatchLog,
    TransactionFile,
    Transcript,
    Warnings,
)
from dealer.server.recovery import Missing, compare_records
from dealer.server.resume import replay_transactions
from dealer.server.settings import MatchSettings
from dealer.server.standard_streams import fill_standard_streams, to_stderr, to_stdout
from dealer.server.table import Table
from dealer.server.time_limits import TimeAccounts, TimeLimits
from dealer.server.usage import USAGE
from dealer.server.waits import WaitWatch
from engine.storage.atomic import write_whole
from protocol.deals import DealsNote, format_deals_note
from protocol.errors import GameDefError
from protocol.gamedef import GameDef, parse_gamedef
from protocol.gamedefs import load_builtin
from protocol.handlog import Header, TimeLimit, format_header, format_time_limit

_MOST_GAME_BYTES: Final = 1 << 20
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main(argv: list[str] | None = None) -> int:
    """Run the dealer; return its exit code."""
    fill_standard_streams()
    try:
        options, words = parse_options(sys.argv[1:] if argv is None else argv)
        if options.help:
            to_stdout(USAGE)
            return 0
        game = _read_game(options.gamedef)
        options = with_seats(options, words, game.players, os.environ)
        note = deals_note(options, game)
    except UsageError as error:
        if error.usage:
            to_stdout(USAGE)
        to_stderr("".join(f"{line}\n" for line in error.lines))
        return Ending.ERROR.exit_code
    end, report = _Run(options, game, note).run()
    if options.summary is not None and not _write_summary(Path(options.summary), report):
        return Ending.ERROR.exit_code
    if end.ending is Ending.INTERRUPTED or options.ending_codes:
        return end.ending.exit_code
    return 0 if end.ending is Ending.FINISHED else Ending.ERROR.exit_code


def _read_game(name: str) -> GameDef:
    """Return the game in the file `name`, or the built-in game of that name.

    Raises:
        UsageError: neither is there, or the file is no game definition.
    """
    try:
        with Path(name).open("rb") as file:  # a pipe will do, a device may have no end
            data = file.read(_MOST_GAME_BYTES + 1)
    except (OSError, ValueError):
        try:
            return load_builtin(name)
        except GameDefError:
            raise UsageError(f"ERROR: could not open game definition {name}") from None
    if len(data) > _MOST_GAME_BYTES:
        raise UsageError(f"ERROR: could not read game {name}: more than {_MOST_GAME_BYTES:,} bytes")
    try:
        return parse_gamedef(data)
    except GameDefError as error:
        raise UsageError(error.message, f"ERROR: could not read game {name}") from error


class _Run:
    """One run of the dealer, from opening the files to the SCORE line."""

    def __init__(self, options: Options, game: GameDef, note: DealsNote | None) -> None:
        self._options = options
        self._game = game
        self._note = note
        self._resuming = options.append and options.transactions
        self._log_path = Path(f"{options.match}.log")
        self._transactions_path = Path(f"{options.match}.tlog")
        self._sizes: dict[Path, int] = {}
        """Bytes of each file when it was looked at."""
        self._records: list[RecordFile] = []
        self._faults = FaultCounts(game.players)
        self._connections = ConnectionCounts(game.players)
        self._table: Table | None = None
        self._match: Match | None = None
        self._waits: WaitWatch | None = None

    def run(self) -> tuple[MatchEnd, dict[str, object]]:
        """Play; return how it ended and the summary."""
        started = time.time()
        try:
            asyncio.run(self._play())
            end = MatchEnd(Ending.FINISHED)
        except MatchStopped as stop:
            to_stderr("".join(f"{line}\n" for line in stop.lines))
            end = stop.end
        return end, self._report(end, started)

    async def _play(self) -> None:
        options = self._options
        header = log_header(options, self._note)
        with contextlib.ExitStack() as files, contextlib.ExitStack() as before_files_close:
            self._listen_to_signals()
            before_files_close.callback(_ignore_signals)  # only the summary is left to write
            missing = self._missing()
            log = self._open_log(files)
            clock = LoopClock()
            waits = self._waits = WaitWatch(options.names, clock, options.waits)
            observers = Observers([*self._open_observers(files, log, clock, missing), waits])
            syncing = asyncio.create_task(keep_on_disk(self._records, clock))
            files.callback(syncing.cancel)
            with _announcing_the_end(observers):
                ports = Ports(options.listen, options.ports, self._game.players)
                files.callback(ports.close)
                to_stdout(" ".join(map(str, ports.numbers)) + "\n")
                to_stderr("".join(f"{line}\n" for line in header))
                if log is not None:
                    log.write(*header)
                files.callback(waits.end)
                waits.begin(ports.numbers, observers)
                await self._with_seats(ports, observers, waits, log, missing.hands)

    def _fresh_table(self) -> Table:
        options = self._options
        return Table(
            self._game,
            options.seed,
            options.names,
            fixed_seats=options.fixed_seats,
            deals=dealt_hands(options, self._game),
        )

    def _missing(self) -> Missing:
        """Return what the files of a match to be resumed lack, before any of them is written to."""
        options = self._options
        if not (self._resuming and options.log):
            return Missing()
        paths = self._log_path, self._transactions_path
        self._sizes = {path: path.stat().st_size if path.is_file() else 0 for path in paths}
        table = self._fresh_table()
        return compare_records(*paths, options.seed, options.hands, table, self._note)

    def _open_log(self, files: contextlib.ExitStack) -> MatchLog | None:
        if not self._options.log:
            return None
        return MatchLog(self._open_record(files, self._log_path, "log", drop=self._resuming))

    def _open_record(
        self, files: contextlib.ExitStack, path: Path, kind: str, *, drop: bool
    ) -> RecordFile:
        file = RecordFile(
            path, kind, append=self._options.append, drop_torn=drop, size=self._sizes.get(path)
        )
        files.callback(file.close)
        self._records.insert(0, file)  # transactions first: they say what hands there are
        return file

    def _open_observers(
        self,
        files: contextlib.ExitStack,
        log: MatchLog | None,
        clock: Clock,
        missing: Missing,
    ) -> list[MatchObserver]:
        """Return who is told of the match, in order."""
        options = self._options
        observers: list[MatchObserver] = [self._faults, self._connections]
        if log is not None:
            observers.append(log)
        if options.transactions:
            path = self._transactions_path
            file = self._open_record(files, path, "transaction", drop=True)
            if missing.transactions:
                file.write(missing.transactions)
                file.sync()
            observers.append(TransactionFile(file))
        if not options.quiet:
            observers.append(Transcript())
        observers.append(Warnings())
        if options.events is not None:
            from dealer.server.event_log import EventLog

            events = EventLog(Path(options.events), clock)
            files.callback(events.close)
            observers.append(events)
        return observers

    async def _with_seats(
        self,
        ports: Ports,
        observers: Observers,
        waits: WaitWatch,
        log: MatchLog | None,
        lost: Collection[int],
    ) -> None:
        options = self._options
        clock = waits.clock
        seats = await seat_everybody(
            ports,
            math.inf if options.start_ms is None else options.start_ms / 1000,
            observers,
            waits,
            keep_listening=options.reconnect_s > 0,
            tokens=options.tokens,
        )
        limits = tuple(
            TimeLimits.from_milliseconds(*options.limits_of(seat), options.hands)
            for seat in range(len(seats))
        )
        accounts = TimeAccounts(limits)
        self._table = table = self._fresh_table()
        settings = MatchSettings(options.hands, limits, options.invalid, options.reconnect_s)
        lane = FastLane(options.lane or LaneMode.AUTO, table, settings, observers, clock)
        match = LaneMatch(table, seats, settings, accounts, observers, clock, lane)
        try:
            start = MatchStart(
                options.match, self._game, options.names, options.hands, limits, clock.wall()
            )
            for tell in observers.match_started:
                tell(start)
            if self._resuming:
                relog = None if log is None else log.write
                replay_transactions(self._transactions_path, table, accounts, relog, lost)
                _tell_resumed(table, accounts, observers)
            self._match = match
            waits.look_at(MatchWaits(match, seats, waits, options.reconnect_s).look)
            await match.play(Newcomers(ports, clock, observers, options.tokens).welcome)
        finally:
            lane.close()
            await match.close()
        score = table.score()
        for tell_score in observers.match_scored:
            tell_score(score)
        for file in self._records:
            file.sync()
        to_stderr(score + "\n")
        to_stdout(score + "\n")

    def _listen_to_signals(self) -> None:
        """Let the first signal end the match in order, and a second one end the process.

        The handlers are the interpreter's, not the event loop's: they are heard even while a
        write to a stderr that nobody reads blocks the loop.
        """
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        heard = False

        def hear(_number: int, _frame: object) -> None:
            nonlocal heard
            if heard:
                os._exit(Ending.INTERRUPTED.exit_code)
            heard = True
            loop.call_soon_threadsafe(self._interrupt, task)

        for number in _SIGNALS:
            if number is not signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, hear)  # under nohup, a terminal that goes away is no matter

    def _interrupt(self, task: "asyncio.Task[None] | None") -> None:
        if self._waits is not None:
            self._waits.freeze()
        if self._match is not None:
            self._match.interrupt("interrupted")
        elif task is not None:
            task.cancel()

    def _report(self, end: MatchEnd, started: float) -> dict[str, object]:
        """Return the summary: how the match ended and what was played."""
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
            "warnings": [] if match is None else [dict(faults) for faults in self._faults.by_seat],
            "connections": [dict(counts) for counts in self._connections.by_seat],
            "seconds": round(time.time() - started, 3),
        }


def _tell_resumed(table: Table, accounts: TimeAccounts, observers: Observers) -> None:
    resumed = MatchResumed(table.finished_hands, tuple(table.totals), tuple(accounts.match))
    for tell in observers.match_resumed:
        tell(resumed)


@contextlib.contextmanager
def _announcing_the_end(observers: Observers) -> Iterator[None]:
    """Tell the observers how the match ended when the block is left, in whatever way."""
    end = MatchEnd(Ending.ERROR, "the dealer crashed")
    try:
        yield
        end = MatchEnd(Ending.FINISHED)
    except asyncio.CancelledError:
        end = MatchEnd(Ending.INTERRUPTED, "interrupted")
        raise MatchStopped(end) from None
    except MatchStopped as stop:
        end = stop.end
        raise
    except Exception as error:
        end = MatchEnd(Ending.ERROR, repr(error))
        raise
    finally:
        for tell in observers.match_over:
            with contextlib.suppress(MatchStopped):
                tell(end)


def _ignore_signals() -> None:
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


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


def _write_summary(path: Path, report: dict[str, object]) -> bool:
    """Write the summary in one piece; report a failure on stderr."""
    try:
        write_whole(path, json.dumps(report, indent=2) + "\n")
    except OSError as error:
        to_stderr(f"ERROR: could not write summary file {path}: {error.strerror}\n")
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
