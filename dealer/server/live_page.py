"""`--live`: the page of a match, served by a program of its own, `arena web`, from its files.

So spectators, slow ones or many, cost the match nothing but the reading of its files.  The program
ends with this process, however that ends.
"""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from engine.parallel.own_programs import environment, own_program

_PROGRAM: Final = own_program("watch page")
_LOOK_SECONDS: Final = 0.2
_END_SECONDS: Final = 2.0


class LivePage:
    """The page of logs that are, or will be, written."""

    def __init__(
        self, places: Sequence[Path], port: int, cards: str, say: Callable[[str], None]
    ) -> None:
        """Start nothing yet.

        Args:
            places: logs, or folders with logs; also those that are still to come.
            port: 0 is any that is free.
            cards: "all" or "shown", as `arena web --cards` takes it.
            say: takes a line for the user.
        """
        arguments = (*map(str, places), "--port", str(port), "--cards", cards)
        self._command = (*_PROGRAM, *arguments, "--no-browser", "--until-input-ends")
        self._say = say
        self._program: subprocess.Popen[bytes] | None = None
        self._has_told = False

    def look(self) -> None:
        """Start the program; say where the page is once it is there."""
        if self._program is None:
            self._start()
        elif not self._has_told and self._program.stdout is not None:
            line = self._program.stdout.read(4096)
            if line:
                self._has_told = True
                self._say(f"watch at {line.decode().strip()}")

    def stop(self) -> None:
        """End the program."""
        if self._program is not None and self._program.stdin is not None:
            self._program.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._program.wait(_END_SECONDS)
            self._program.kill()
            self._program.wait()

    async def keep_looking(self) -> None:
        """Look again and again, until it is cancelled; then end the program."""
        try:
            while True:
                self.look()
                await asyncio.sleep(_LOOK_SECONDS)
        finally:
            self.stop()

    def _start(self) -> None:
        self._program = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=environment(),
            start_new_session=True,
        )
        assert self._program.stdout is not None
        os.set_blocking(self._program.stdout.fileno(), False)
