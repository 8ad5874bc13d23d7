"""Printing much, and ending quietly: what the commands that read logs have in common."""

import argparse
import io
import os
import sys
from collections.abc import Callable
from typing import Final

WRONG_ARGUMENTS: Final = 2
INTERRUPTED: Final = 130


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


def complain(line: str) -> None:
    """Print a line on stderr."""
    sys.stderr.write(line + "\n")


def quietly(run: Callable[[], int]) -> int:
    """Run a command that prints much: a reader that has seen enough, or Ctrl-C, ends it quietly."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names may need letters it lacks
    try:
        code = run()
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes once more at its end; let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def whole_number(smallest: int, largest: int) -> Callable[[str], int]:
    """Return an argument type: digits naming a number in a range."""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 20):
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number")
        value = int(text)
        if not smallest <= value <= largest:
            raise argparse.ArgumentTypeError(f"{text}: want {smallest} to {largest}")
        return value

    return number
