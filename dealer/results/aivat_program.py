"""AIVAT as a program of its own: `arena aivat beside` estimates hands into files beside their logs.

It goes on where it ended.  What is there already is looked at again: it may be of other values or
strategies, or of hands that were played anew since.
"""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from dealer.errors import MatchError
from dealer.ratings.aivat_options import PROGRAM
from engine.console.exit_codes import INTERRUPTED
from engine.parallel.own_programs import environment

_END_SECONDS: Final = 10.0
"""What a follower may take to end with the hands it has begun."""


def estimate_beside(
    places: Sequence[Path], game: Path, words: Sequence[str], jobs: int, *, shown: bool
) -> None:
    """Estimate the hands of logs that have no estimate yet, which takes a while.

    Args:
        places: logs, or match folders with logs.
        words: what the program is told beside that, see `aivat_words`.
        shown: whether it shows its progress on stderr.

    Raises:
        KeyboardInterrupt: it was stopped; what it has estimated stays.
        MatchError: it cannot; the message says why.
    """
    with tempfile.TemporaryFile() as said:
        ended = subprocess.run(
            [*_command(places, game, words), "--jobs", str(jobs)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None if shown else said,
            env=environment(),
            check=False,
        )
        if ended.returncode == INTERRUPTED:
            raise KeyboardInterrupt
        if ended.returncode:
            raise MatchError(_last_words(said))


class AivatFollower:
    """The program following logs as they grow.  It ends with this process, however that ends."""

    def __init__(self, places: Sequence[Path], game: Path, words: Sequence[str]) -> None:
        """Start it, for what `estimate_beside` takes."""
        self._said = tempfile.TemporaryFile()  # noqa: SIM115
        """What it writes on stderr."""
        self._program = subprocess.Popen(
            [*_command(places, game, words), "--follow", "--jobs", "1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            env=environment(),
            start_new_session=True,
        )

    def trouble(self) -> str:
        """Return why it has ended by itself, "" where it has not."""
        return _last_words(self._said) if self._program.poll() else ""

    def stop(self) -> None:
        """Let it write what it has begun, and end."""
        if self._program.stdin is not None:
            self._program.stdin.close()
        self._said.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._program.wait(_END_SECONDS)
        self._program.kill()
        self._program.wait()


def _command(places: Sequence[Path], game: Path, words: Sequence[str]) -> list[str]:
    return [*PROGRAM, "beside", *map(str, places), "--game", str(game), *words]


def _last_words(said: IO[bytes]) -> str:
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").splitlines()
    return f"no AIVAT: {lines[-1] if lines else 'see above'}"
