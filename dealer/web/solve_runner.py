"""Solves for a page: one `arena solve` at a time, as a process of its own."""

from __future__ import annotations

import asyncio
import re
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from dealer.bots.processes import in_words
from dealer.web.solve_program import ERASE
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.errors import EngineError
from engine.parallel.own_programs import environment, own_program
from engine.range_solver.strategy import RangeStrategy
from protocol.cards import format_cards

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable, Sequence
    from pathlib import Path

_PREFIX: Final = "arena solve: "
_HINT: Final = " (--help shows how)"
_ENDS: Final = re.compile(re.escape(ERASE) + rb"|\n")
_EXPLAINED: Final = (FAILED, WRONG_ARGUMENTS, INTERRUPTED)
"""Exit codes before which the command says why."""
_WIDTH: Final = "200"
"""Most characters of the line that tells the progress."""
_READ_BYTES: Final = 1 << 12


class NotTwice(Exception):
    """A solve is asked for while another one runs."""


class SolveRunner:
    """Runs `arena solve`, and has what it tells and the solution."""

    def __init__(self, folder: Path, changed: Callable[[], None]) -> None:
        """Run nothing yet.

        Args:
            folder: for solutions; somebody else removes it.
            changed: is called when anything here has changed.
        """
        self.progress = ""
        """What the solve that runs says of itself; "" where none runs."""
        self.stopping = False
        """Whether it has been asked to end."""
        self.problem = ""
        """Why the last one has no solution."""
        self.notes: Sequence[str] = ()
        """What the solution says of the work."""
        self.number = 0
        """How many solutions there were; tells them apart."""
        self.solution: RangeStrategy | None = None
        self.path: Path | None = None
        """Where the solution is saved."""
        self.name = ""
        """Of the solution, as its user knows the file."""
        self._folder = folder
        self._changed = changed
        self._process: Process | None = None
        self._following: asyncio.Task[None] | None = None
        self._heard = False
        """Whether the solve that runs has said anything yet; from then on it hears Ctrl-C."""

    @property
    def saved(self) -> bool:
        """Whether the solution's file is its user's: it was opened, not solved here."""
        return self.path is not None and self.path.parent != self._folder

    def show(
        self, solution: RangeStrategy, path: Path, name: str, notes: Sequence[str] = ()
    ) -> None:
        """Take a solution, in place of the one that was there."""
        self.solution, self.path, self.name, self.notes = solution, path, name, notes
        self.number += 1

    async def start(self, options: Sequence[str]) -> None:
        """Begin to solve a spot that the options of `arena solve` describe.

        Raises:
            NotTwice: another one is being solved.
            OSError: the program cannot be started.
        """
        if self.progress:
            raise NotTwice("one spot is being solved already")
        self.progress, self.problem, self.stopping = "starting", "", False
        self._heard = False
        path = self._folder / f"{self.number + 1}.solution"
        try:
            path.unlink(missing_ok=True)  # of a solve whose solution could not be read
            self._process = await asyncio.create_subprocess_exec(
                *own_program("solver"),
                *options,
                f"--out={path}",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**environment(), "COLUMNS": _WIDTH},
                start_new_session=True,  # a terminal's Ctrl-C is for the server
            )
        except OSError:
            self.progress = ""
            raise
        self._following = asyncio.create_task(self._follow(self._process, path))
        self._changed()

    def stop(self) -> None:
        """Ask the solve to end with what it has; once more: at once, with nothing."""
        if self._process is not None:
            self.stopping = True
            self._interrupt(self._process)
            self._changed()

    async def close(self) -> None:
        """End all work, and wait until it has ended."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
        if self._following is not None:
            await self._following

    async def _follow(self, process: Process, path: Path) -> None:
        """Hear a solve to its end, and take its solution."""
        assert process.stdout is not None
        said, (told, code) = await asyncio.gather(process.stdout.read(), self._hear(process))
        try:
            self.progress = "reading the solution"
            solution = await asyncio.to_thread(_load, path)
            if solution is None:
                self.problem = (code in _EXPLAINED and told) or self._ending(code)
            else:
                if self.path is not None and self.path.parent == self._folder:
                    self.path.unlink()
                name = f"{format_cards(solution.board)}.solution"
                self.show(solution, path, name, _notes(said.decode()))
        except (EngineError, OSError) as error:
            self.problem = str(error)
        self._process = None
        self.progress = ""
        self._changed()

    def _interrupt(self, process: Process) -> None:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)

    def _ending(self, code: int) -> str:
        """Return how a solve ended that did not say why: killed, or stopped before it could."""
        stopped = self.stopping or code in (INTERRUPTED, -signal.SIGINT)
        return "interrupted, nothing is saved" if stopped else f"the solve {in_words(code)}"

    async def _hear(self, process: Process) -> tuple[str, int]:
        """Tell the progress of a solve; return the last line it leaves, and its exit code."""
        assert process.stderr is not None
        told, rest = "", b""
        while data := await process.stderr.read(_READ_BYTES):
            if self.stopping and not self._heard:
                self._interrupt(process)  # what was sent before may have been ignored
            self._heard = True
            *lines, rest = _ENDS.split(rest + data)
            for line in (*lines, rest):
                text = line.decode("utf-8", "replace")
                if text.startswith(_PREFIX):
                    told = text = text.removeprefix(_PREFIX).removesuffix(_HINT)
                self.progress = text or self.progress
            self._changed()
        return told, await process.wait()


def _load(path: Path) -> RangeStrategy | None:
    """Return a solution, None where none was saved.  Raises ArtifactMismatch."""
    return RangeStrategy.load(path) if path.exists() else None


def _notes(said: str) -> list[str]:
    """Return the lines about the work from what the command prints: those behind the spot's."""
    return said.partition("\n\n")[0].splitlines()[3:]
