"""One call of `arena match` or `arena tournament`: legs are played, then comes the result."""

from __future__ import annotations

import asyncio
import platform
import shlex
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from signal import SIGHUP, SIGTERM
from types import FrameType
from typing import Any, NoReturn, TypeVar

from dealer.errors import MatchError, MatchUsageError
from dealer.legs.folder import discard_folder, locked, prepare_folder
from dealer.legs.in_process_leg import without_dealer
from dealer.legs.leg_settings import LegSettings
from dealer.legs.manifest import Manifest
from dealer.legs.outcome import LegOutcome
from dealer.legs.runner import LegQueue, Recruiting, run_queue, shared_cores
from dealer.matches.option_values import FASTER_IN_PROCESS
from dealer.matches.progress import MatchProgress, Played
from dealer.matches.request import PlayRequest
from dealer.results.aivat_files import ESTIMATES_LEFT_OUT, has_estimates
from dealer.server.live_page import LivePage
from dealer.server.waits import Wait
from engine.console.options import STDOUT
from engine.console.output import put_json, show, tell
from engine.console.version import program_version
from engine.parallel.signals import handling

_Result = TypeVar("_Result")


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


class CommandRun(ABC):
    """One call of either command, once its arguments are understood and its folder is ready."""

    prog: str
    """Name of the command."""
    _queue: LegQueue
    _played: Played

    def __init__(self, request: PlayRequest, arguments: Sequence[str]) -> None:
        self._request = request
        self._arguments = arguments
        self._folder = request.folder.absolute()
        self._waits: dict[str, Callable[[], Wait | None]] = {}
        self._compiling: set[str] = set()
        self._unlogged: dict[str, Callable[[], int]] = {}
        self._progress: MatchProgress | None = None
        live = request.live
        self._page = None if live is None else LivePage([self._folder], live, "all", self._say)

    def play(self) -> int:
        """Play what is left, tell and write the result; return the exit code.

        Raises:
            MatchError: it cannot be played, or a file cannot be read or written.
        """
        request = self._request
        self._progress = MatchProgress(
            self._played,
            sys.stderr,
            shown=not request.quiet,
            waits=self._waits,
            unlogged=self._unlogged,
            standing=self._standing,
        )
        self._introduce()
        if jobs := self._jobs():
            cores = shared_cores(request.manifest.bots, at_once=jobs, wanted=request.affinity)
            try:
                if self._page is not None:
                    self._page.look()
                self._play(jobs, cores)
            finally:
                if self._page is not None:
                    self._page.stop()
        self._progress.clear()
        with handling((SIGTERM, SIGHUP), _stop_in_order):
            if (refused := self._queue.refused) is not None:
                self._refuse(refused)
            return self._report()

    @abstractmethod
    def _what_is_played(self) -> str:
        """Return it in a line."""

    @abstractmethod
    def _report(self) -> int:
        """Tell and write the result; return the exit code."""

    def _watch(self) -> bool:
        """Show how far the play is; return whether it is to be stopped."""
        assert self._progress is not None
        self._progress()
        if self._page is not None:
            self._page.look()
        return False

    def _jobs(self) -> int:
        """Return how many legs are played at once, 0 where none is left."""
        return self._request.jobs

    def _anything_played(self) -> bool:
        self._played.read_new()
        return self._played.hands > 0

    def _standing(self) -> str:
        return self._played.standing()

    def _play(
        self, jobs: int, cores: tuple[int, ...], recruiting: Recruiting | None = None
    ) -> None:
        asyncio.run(
            run_queue(self._queue, jobs=jobs, cores=cores, recruiting=recruiting, watch=self._watch)
        )

    def _say(self, line: str) -> None:
        """Tell the user something, above the progress where there is any."""
        if self._progress is None:
            tell(line)
        else:
            self._progress.say(line)

    def _in_process(self, manifest: Manifest) -> bool:
        """Return whether a match is played without dealers."""
        return self._request.in_process and without_dealer(manifest.bots)

    def _leg_settings(self, manifest: Manifest, folder: Path, lock_fd: int) -> LegSettings:
        return LegSettings(
            manifest,
            folder,
            self._say,
            recover=self._request.recover,
            events=self._request.events,
            in_process=self._in_process(manifest),
            lock_fd=lock_fd,
            waits=self._waits,
            compiling=self._compiling,
            unlogged=self._unlogged,
        )

    def _introduce(self) -> None:
        """Say what is played, and what the user may have overlooked."""
        request = self._request
        if request.quiet:
            return
        self._say(self._what_is_played())
        if request.faster:
            self._say(FASTER_IN_PROCESS)
        if request.resume and request.aivat is None and has_estimates(self._folder):
            self._say(ESTIMATES_LEFT_OUT)

    def _refuse(self, outcome: LegOutcome) -> NoReturn:
        """End a run in which a shipped bot does not accept its options.  Raises MatchUsageError."""
        if not self._request.resume and not self._anything_played():
            discard_folder(self._folder, self._request.manifest)
        words = outcome.stderr[-1] if outcome.stderr else outcome.detail
        raise MatchUsageError(f"{outcome.bot} cannot play: {words}")

    def _unless_stopped(
        self, compute: Callable[[], _Result], left_out: str, trouble: str | None = None
    ) -> _Result | None:
        """Return what takes long; None where Ctrl-C or an error leaves it out, which is told."""
        try:
            return compute()
        except KeyboardInterrupt:
            self._say(left_out)
        except MatchError as error:
            self._say(f"{trouble or self.prog}: {error}")
        return None

    @property
    def _again(self) -> str:
        """The command that resumes what was played, and AIVAT if that is wanted."""
        words = self._request.aivat
        asked = [] if words is None else ["--aivat", *words]
        return " ".join([f"{self.prog} --resume {self._request.folder}", *map(shlex.quote, asked)])

    def _with_all_in(
        self, run_outs: int, result: Callable[[Callable[[int], None] | None], _Result]
    ) -> _Result:
        """Return a result with all-in expectation, which Ctrl-C leaves out."""
        progress = self._progress
        assert progress is not None
        done = 0

        def step(count: int) -> None:
            nonlocal done
            done += count
            progress.step("all-in expectation, hands", done, run_outs)

        try:
            return result(step)
        except KeyboardInterrupt:
            self._say(f"all-in expectation is left out; {self._again} computes it")
            return result(None)
        finally:
            progress.clear()

    def _record(self) -> dict[str, Any]:
        """Return by which words and programs it was played."""
        return {
            "command": [*self.prog.split(), *self._arguments],
            "versions": {
                "acpc-arena": program_version(),
                "python": platform.python_version(),
                "started_with": dict(self._request.manifest.versions).get("acpc-arena", ""),
            },
        }

    def _tell(self, text: str, facts: Mapping[str, Any], kept: str) -> int:
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
            self._say(f"{self.prog}: the result is in {kept}")
        return shown


def _stop_in_order(_number: int, _frame: FrameType | None) -> NoReturn:
    """Let what is being written be cleared away, as after Ctrl-C."""
    raise KeyboardInterrupt
