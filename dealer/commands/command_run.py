"""One call of a command that plays: legs are played while a report watches, then it finishes."""

from __future__ import annotations

import asyncio
import contextlib
import platform
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from signal import SIGHUP, SIGTERM
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol, TextIO, TypeVar

from dealer.commands.requests import FASTER_IN_PROCESS, PlayRequest
from dealer.errors import LegNotSent, MatchError, MatchUsageError
from dealer.results.aivat import ESTIMATES_LEFT_OUT, has_estimates
from dealer.series.folder import discard_folder, locked, prepare_folder
from dealer.series.in_process_leg import without_dealer
from dealer.series.leg_queue import LegQueue, run_queue, shared_cores
from dealer.series.leg_settings import LegSettings
from dealer.series.manifest import Manifest
from dealer.series.outcome import LegOutcome
from dealer.series.series import Series
from dealer.server.live_page import LivePage
from dealer.server.waits import Wait
from engine.commands.clusters import cluster_wanted
from engine.console.options import STDOUT
from engine.console.output import put_json, show, tell
from engine.console.progress import LivingLine, RateLimiter
from engine.console.quantities import duration
from engine.console.version import program_version
from engine.errors import WorkersFailed
from engine.parallel.signals import handling

if TYPE_CHECKING:
    from engine.parallel.cluster import Cluster

_Result = TypeVar("_Result")
_FIRST_LINE_SECONDS: Final = 5.0
_SHOWN_WAIT_SECONDS: Final = 2.0
_LONGEST_PAUSE_SECONDS: Final = 60.0
"""Without a terminal the pause between two lines doubles up to this."""


@contextmanager
def ready_folder(request: PlayRequest) -> Iterator[int]:
    """Lock the folder of what is to be played, a new one made ready; yield the lock.

    Raises:
        MatchError: it cannot be used.
    """
    if not request.resume:
        prepare_folder(
            request.folder,
            request.manifest,
            force=request.force,
            deals=request.deals,
            seat=request.seat,
        )
    with locked(request.folder) as lock_fd:
        yield lock_fd


class Report(Protocol):
    """What is told of a series while it is played, and after."""

    series: Series

    def introduction(self) -> list[str]:
        """Return what is played, line by line."""

    def jobs(self) -> int:
        """Return how many legs are played at once, 0 where none is left."""

    def playing(self) -> AbstractContextManager[None]:
        """Within, legs are played."""

    def standing(self) -> str:
        """Return where it stands, in a few words for the line of progress."""

    def watch(self) -> bool:
        """Take notice of what was played; return whether the play is to be stopped."""

    def finish(self) -> int:
        """Tell and write the result; return the exit code."""


class Console:
    """What a report needs to speak to the user, and to compute what takes long."""

    def __init__(self, request: PlayRequest, prog: str, arguments: Sequence[str]) -> None:
        self.prog = prog
        """Name of the command."""
        self.folder = request.folder.absolute()
        self.progress: MatchProgress | None = None
        self.waits: dict[str, Callable[[], Wait | None]] = {}
        self.unlogged: dict[str, Callable[[], int]] = {}
        self.cluster: Cluster | None = None
        """Who plays, where it is not this machine."""
        self._request = request
        self.arguments = arguments
        """The words after it."""
        self._compiling: set[str] = set()

    def say(self, line: str) -> None:
        """Tell the user something, above the progress where there is any."""
        if self.progress is None:
            tell(line)
        else:
            self.progress.say(line)

    def leg_settings(self, manifest: Manifest, folder: Path, lock_fd: int) -> LegSettings:
        """Return what all legs of a match share."""
        request = self._request
        return LegSettings(
            manifest,
            folder,
            self.say,
            recover=request.recover,
            events=request.events,
            in_process=request.in_process and without_dealer(manifest.bots),
            lock_fd=lock_fd,
            waits=self.waits,
            compiling=self._compiling,
            unlogged=self.unlogged,
        )

    def unless_stopped(
        self, compute: Callable[[], _Result], left_out: str, trouble: str | None = None
    ) -> _Result | None:
        """Return what takes long; None where Ctrl-C or an error leaves it out, which is told."""
        try:
            return compute()
        except KeyboardInterrupt:
            self.say(left_out)
        except MatchError as error:
            self.say(f"{trouble or self.prog}: {error}")
        return None

    @property
    def again(self) -> str:
        """The command that resumes what was played, and what was asked for beside the play."""
        request = self._request
        if request.shard is not None:
            return "the same command"
        options = ["--in-process"] if request.in_process else []
        options += [] if request.executor is None else ["--executor", request.executor]
        options += [] if request.aivat is None else ["--aivat", *request.aivat]
        options += [] if request.decide is None else ["--decide", str(request.decide)]
        hands = request.decide_hands
        options += [] if hands is None else ["--decide-hands", str(hands)]
        return " ".join([f"{self.prog} --resume {request.folder}", *map(shlex.quote, options)])

    def with_all_in(
        self, run_outs: int, result: Callable[[Callable[[int], None] | None], _Result]
    ) -> _Result:
        """Return a result with all-in expectation, which Ctrl-C leaves out."""
        progress = self.progress
        assert progress is not None
        done = 0

        def step(count: int) -> None:
            nonlocal done
            done += count
            progress.step("all-in expectation, hands", done, run_outs)

        try:
            return result(step)
        except KeyboardInterrupt:
            self.say(f"all-in expectation is left out; {self.again} computes it")
            return result(None)
        finally:
            progress.clear()

    def record(self) -> dict[str, Any]:
        """Return by which words and programs it was played."""
        return {
            "command": [*self.prog.split(), *self.arguments],
            "versions": {
                "acpc-arena": program_version(),
                "python": platform.python_version(),
                "started_with": dict(self._request.manifest.versions).get("acpc-arena", ""),
            },
            **({} if self.cluster is None else {"cluster": self.cluster.document()}),
        }

    def workers_text(self) -> str:
        """Return lines about the workers that played, "" where there were none."""
        lines = [] if self.cluster is None else self.cluster.lines()
        return "".join(f"{line}\n" for line in lines)

    def show_result(self, text: str, facts: Mapping[str, Any], result_place: str) -> int:
        """Show a result as text and, as --json wants it, as JSON; return the exit code.

        Args:
            kept: where it is in any case.
        """
        target = self._request.json
        if target == STDOUT:
            for line in text.splitlines():
                tell(line)
            shown = 0
        else:
            shown = show(text, self.prog)
        if target is not None:
            shown = put_json(target, facts, self.prog) or shown
        if shown:
            self.say(f"{self.prog}: the result is in {result_place}")
        return shown


def play_series(request: PlayRequest, report: Report, console: Console) -> int:
    """Play what is left, tell and write the result; return the exit code.

    Raises:
        MatchError: it cannot be played, or a file cannot be read or written.
    """
    series = report.series
    page = None
    if request.live is not None:
        page = LivePage([console.folder], request.live, "all", console.say)
    progress = console.progress = MatchProgress(
        series,
        sys.stderr,
        shown=not request.quiet,
        waits=console.waits,
        unlogged=console.unlogged,
        standing=report.standing,
    )
    if not request.quiet:
        _introduce(request, report, console)

    def watch() -> bool:
        progress()
        if page is not None:
            page.look()
        return report.watch()

    if jobs := report.jobs():
        try:
            if page is not None:
                page.look()
            with report.playing(), closing(series):
                _play_legs(request, console, LegQueue(series), jobs, watch)
        finally:
            if page is not None:
                page.stop()
    progress.clear()
    with handling((SIGTERM, SIGHUP), _stop_in_order):
        if (refused := series.refused) is not None:
            _refuse(refused, request, series)
        return report.finish()


def _play_legs(
    request: PlayRequest, console: Console, queue: LegQueue, jobs: int, watch: Callable[[], bool]
) -> None:
    """Play the legs of a queue here, or let the workers of --executor play them."""
    if request.executor is None:
        cores = shared_cores(request.manifest.bots, at_once=jobs, wanted=request.affinity)
        asyncio.run(run_queue(queue, jobs=jobs, cores=cores, watch=watch))
        return
    from dealer.series.cluster_legs import ClusterLegs

    try:
        with cluster_wanted(request.executor, request.jobs, console.say) as cluster:
            assert cluster is not None
            console.cluster = cluster
            recruiting = ClusterLegs(cluster).recruiting
            asyncio.run(run_queue(queue, jobs=0, recruiting=recruiting, watch=watch))
    except (LegNotSent, WorkersFailed) as error:
        raise MatchError(f"{error}; {console.again} plays what is left") from error


def _introduce(request: PlayRequest, report: Report, console: Console) -> None:
    """Say what is played, and what the user may have overlooked."""
    first, *rest = report.introduction()
    console.say(first)
    if request.faster:
        console.say(FASTER_IN_PROCESS)
    if request.resume and request.aivat is None and has_estimates(console.folder):
        console.say(ESTIMATES_LEFT_OUT)
    for line in rest:
        console.say(line)


def _refuse(outcome: LegOutcome, request: PlayRequest, series: Series) -> NoReturn:
    """End a run in which a shipped bot does not accept its options.  Raises MatchUsageError."""
    if not request.resume and not series.anything_played():
        discard_folder(request.folder.absolute(), request.manifest)
    reason = outcome.stderr[-1] if outcome.stderr else outcome.detail
    raise MatchUsageError(f"{outcome.bot} cannot play: {reason}")


def _stop_in_order(_number: int, _frame: FrameType | None) -> NoReturn:
    """Let what is being written be cleared away, as after Ctrl-C."""
    raise KeyboardInterrupt


class Played(Protocol):
    """What is being played: a match, or a whole tournament."""

    @property
    def hands(self) -> int:
        """Hands read so far."""

    @property
    def hands_planned(self) -> int:
        """Hands that there will be."""

    def read_new(self) -> int:
        """Read what the dealers have added; return how many hands.  Raises MatchError."""


class MatchProgress:
    """Reads the logs and shows how far the match is; call it every second or so."""

    def __init__(
        self,
        logs: Played,
        stream: TextIO,
        *,
        shown: bool = True,
        clock: Callable[[], float] = time.monotonic,
        waits: Mapping[str, Callable[[], Wait | None]] | None = None,
        unlogged: Mapping[str, Callable[[], int]] | None = None,
        standing: Callable[[], str] = str,
    ) -> None:
        """Begin to count hands and time.

        Args:
            shown: False leaves out everything but what is said.
            waits: by leg, says whom its dealer waits for; looked into at each call.
            unlogged: by leg, counts hands that are played and in no log yet; likewise.
            standing: says where it stands in a few words.
        """
        self._logs = logs
        self._stream = stream
        self._shown = shown
        self._line = LivingLine(stream)
        self._clock = clock
        self._waits = {} if waits is None else waits
        self._unlogged = {} if unlogged is None else unlogged
        self._standing = standing
        self._start = self._last_call = clock()
        self._hands_before = logs.hands
        self._now_and_then = RateLimiter(
            2 * _FIRST_LINE_SECONDS,
            first_seconds=_FIRST_LINE_SECONDS,
            longest_seconds=_LONGEST_PAUSE_SECONDS,
            say=self._print,
            clock=clock,
        )

    def __call__(self) -> None:
        """Read what is new and show it.  Raises MatchError when a log cannot be read."""
        if not self._shown:
            return
        hands = self._logs.read_new()
        waits = [wait for view in self._waits.values() if (wait := view()) is not None]
        self._count_time(hands, waits)
        if self._line.living:
            self._line.show(self._text(waits))
        else:
            self._now_and_then(lambda: self._text(waits))

    @property
    def speed(self) -> float:
        """Hands a second."""
        return (self._played() - self._hands_before) / max(self._clock() - self._start, 1e-9)

    def say(self, line: str) -> None:
        """Show a line of text above the progress."""
        self.clear()
        self._print(line)

    def step(self, what: str, done: int, total: int) -> None:
        """Show how far the work after the match is; only on a terminal."""
        if self._shown:
            self._line.show(f"{what} {done:,}/{total:,}")

    def clear(self) -> None:
        """Take the living line away."""
        self._line.clear()

    def _played(self) -> int:
        """Return the hands played, also those that are in no log yet."""
        return self._logs.hands + sum(count() for count in self._unlogged.values())

    def _count_time(self, hands: int, waits: Sequence[Wait]) -> None:
        """Leave time in which nothing was played, since somebody had to come, out of the speed."""
        now = self._clock()
        if waits and not hands and not any(wait.in_play for wait in waits):
            self._start += now - self._last_call
        self._last_call = now

    def _text(self, waits: Sequence[Wait]) -> str:
        logs = self._logs
        played = self._played()
        now = self._clock()
        speed = self.speed
        long = [wait for wait in waits if now - wait.since >= _SHOWN_WAIT_SECONDS]
        if long:
            longest = min(long, key=lambda wait: wait.since)
            more = f" (and {len(long) - 1} more)" if len(long) > 1 else ""
            return f"{played:,}/{logs.hands_planned:,} hands  waiting for {longest.text(now)}{more}"
        seconds_left = (logs.hands_planned - played) / speed if speed else None
        return (
            f"{played:,}/{logs.hands_planned:,} hands  {played / logs.hands_planned:.0%}  "
            f"{speed:,.0f} hands/s  {duration(seconds_left)} left  "
            f"{self._standing()}"
        )

    def _print(self, line: str) -> None:
        with contextlib.suppress(OSError):  # a terminal that went away is no reason to stop
            self._stream.write(line + "\n")
            self._stream.flush()
