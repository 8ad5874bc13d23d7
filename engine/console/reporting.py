"""What the command lines that measure and train have in common: arguments, progress, files."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.console.arguments import DEFAULT_GAME, count, deal_seed, load_game
from engine.console.arguments import INTERRUPTED as INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_PROGRESS_SECONDS: Final = 10.0


def add_game(parser: argparse.ArgumentParser, default: str = DEFAULT_GAME) -> None:
    """Add --game, of hold'em for two."""
    parser.add_argument(
        "--game",
        metavar="NAME|FILE",
        type=load_game,
        default=default,
        help="built-in game or game file, hold'em for two (%(default)s)",
    )


def add_seed(parser: argparse.ArgumentParser, of: str = "of deals and draws") -> None:
    """Add --seed, 1 by default."""
    parser.add_argument(
        "--seed", metavar="N", type=deal_seed, default=1, help=f"{of} (%(default)s)"
    )


def add_jobs(parser: argparse.ArgumentParser, what: str = "processes") -> None:
    """Add --jobs, of work that comes to the same result however it is shared out."""
    parser.add_argument(
        "--jobs",
        "--workers",
        metavar="N",
        type=count,
        default=os.cpu_count() or 1,
        help=f"{what} (one per core: %(default)s); the result does not depend on it",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add --json."""
    parser.add_argument(
        "--json", metavar="FILE", type=output_file, help="write the numbers there too"
    )


def output_file(text: str) -> Path:
    """Return the path of a file that is to be written when the work is done.

    Raises:
        argparse.ArgumentTypeError: it is a folder, or there is no folder for it.
    """
    path = Path(text)
    try:
        if path.is_dir():
            raise argparse.ArgumentTypeError(f"{text or path}: is a folder, want a file")
        if not path.parent.is_dir():
            raise argparse.ArgumentTypeError(f"{text}: there is no folder {path.parent}")
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error.strerror}") from error
    return path


def aligned(rows: Sequence[Sequence[str]], texts: int = 1) -> list[str]:
    """Return rows of equally many cells as lines, the first `texts` columns flush left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if column < texts else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def write_files(texts: Mapping[Path, str], prog: str) -> int:
    """Write files; return the exit code.  Those that cannot be written are told on stderr."""
    code = 0
    for path, text in texts.items():
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            sys.stderr.write(f"{prog}: {path}: {error.strerror}\n")
            code = 1
    return code


def stopped(prog: str, done: int, wanted: int, things: str) -> int:
    """Tell on stderr how far work had come when Ctrl-C ended it; return the exit code."""
    nothing = "" if done else ": nothing to show or write"
    sys.stderr.write(f"{prog}: stopped after {done:,} of {wanted:,} {things}{nothing}\n")
    return INTERRUPTED


def tell(text: str) -> None:
    """Write a line to stderr."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


class NowAndThen:
    """Writes lines to stderr, at most one every few seconds, the first not at once."""

    def __init__(self, seconds: float = _PROGRESS_SECONDS) -> None:
        """Begin to wait."""
        self._seconds = seconds
        self._next = time.monotonic() + seconds

    def __call__(self, text: str) -> None:
        """Write the line, if it is time."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self._seconds
            tell(text)


class Stages:
    """Says how far work of several stages is, at each quarter of each."""

    def __init__(self, say: Callable[[str], None] = tell) -> None:
        """Take what a line is said with."""
        self._say = say
        self._said: set[tuple[str, int]] = set()

    def __call__(self, stage: str, done: float) -> None:
        """Take how far a stage is, 0 to 1."""
        quarter = int(4 * done)
        if (stage, quarter) not in self._said:
            self._said.add((stage, quarter))
            self._say(f"{stage}: {25 * quarter} %")
