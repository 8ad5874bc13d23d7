"""What one call of `arena match` and one of `arena tournament` do alike while legs are played."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import ClassVar, Generic, NoReturn, TypeVar

from dealer.errors import MatchError, MatchUsageError
from dealer.legs.leg_settings import LegSettings
from dealer.legs.manifest import Manifest
from dealer.legs.outcome import LegOutcome
from dealer.matches.option_values import FASTER_IN_PROCESS
from dealer.matches.progress import MatchProgress, Played
from dealer.matches.request import PlayRequest
from dealer.results.aivat_files import ESTIMATES_LEFT_OUT, has_estimates
from dealer.server.waits import Wait
from engine.console.output import tell

_Request = TypeVar("_Request", bound=PlayRequest)
_Result = TypeVar("_Result")


class CommandRun(Generic[_Request]):
    """One call of either command, once its arguments are understood and its folder is ready."""

    prog: ClassVar[str]
    """Name of the command."""

    def __init__(self, request: _Request, arguments: Sequence[str]) -> None:
        self._request = request
        self._arguments = arguments
        self._folder = request.folder.absolute()
        self._waits: dict[str, Wait] = {}
        self._unlogged: dict[str, int] = {}
        self._progress: MatchProgress | None = None

    def _say(self, line: str) -> None:
        """Tell the user something, above the progress where there is any."""
        if self._progress is None:
            tell(line)
        else:
            self._progress.say(line)

    def _begin_progress(self, played: Played, standing: Callable[[], str]) -> MatchProgress:
        self._progress = MatchProgress(
            played,
            sys.stderr,
            shown=not self._request.quiet,
            waits=self._waits,
            unlogged=self._unlogged,
            standing=standing,
        )
        return self._progress

    def _leg_settings(
        self, manifest: Manifest, folder: Path, lock_fd: int, *, in_process: bool
    ) -> LegSettings:
        return LegSettings(
            manifest,
            folder,
            self._say,
            recover=self._request.recover,
            events=self._request.events,
            in_process=in_process,
            lock_fd=lock_fd,
            waits=self._waits,
            unlogged=self._unlogged,
        )

    def _introduce(self, what: str) -> None:
        """Say what is played, and what the user may have overlooked."""
        request = self._request
        if request.quiet:
            return
        self._say(what)
        if request.faster:
            self._say(FASTER_IN_PROCESS)
        if request.resume and request.aivat is None and has_estimates(self._folder):
            self._say(ESTIMATES_LEFT_OUT)

    def _refuse(
        self, outcome: LegOutcome, discard: Callable[[], None], *, played: bool
    ) -> NoReturn:
        """End a run in which a shipped bot does not accept its options.  Raises MatchUsageError."""
        if not self._request.resume and not played:
            discard()
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

    def _with_all_in(
        self,
        run_outs: int,
        result: Callable[[Callable[[int], None] | None], _Result],
        again: str,
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
            self._say(f"all-in expectation is left out; {again} computes it")
            return result(None)
        finally:
            progress.clear()


def stop_in_order(_number: int, _frame: FrameType | None) -> NoReturn:
    """Let what is being written be cleared away, as after Ctrl-C."""
    raise KeyboardInterrupt
