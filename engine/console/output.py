"""Printing much, and ending quietly: what the commands that read logs have in common."""

import io
import os
import sys
from collections.abc import Callable
from typing import Final

UNWRITABLE: Final = 1
WRONG_ARGUMENTS: Final = 2
INTERRUPTED: Final = 130


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


def printable(text: str) -> str:
    """Return text safe for any terminal: foreign bytes and control characters are escaped."""
    clean = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in clean)


def complain(line: str) -> None:
    """Print one line on stderr, if there is one, whatever the names in it are made of."""
    if sys.stderr is not None:
        sys.stderr.write(printable(line) + "\n")


def show(text: str, prog: str) -> int:
    """Print on stdout; return the exit code.

    A reader that has gone is no error; a stdout that is closed or full is told in one line.
    """

    def write() -> int:
        sys.stdout.write(text)
        return 0

    return quietly(write, prog)


def quietly(run: Callable[[], int], prog: str = "arena") -> int:
    """Run a command that prints; return its exit code.

    A reader that has seen enough, or Ctrl-C, ends it quietly.  A stdout that is closed or full is
    told in one line.  SystemExit passes, once stdout is flushed.

    Args:
        run: the command; it handles the errors of all other files itself.
        prog: name of the command, for that line.
    """
    if sys.stdout is None:
        complain(f"{prog}: cannot write to stdout: it is closed")
        return UNWRITABLE
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names may need letters it lacks
    try:
        try:
            return run()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()
        return 0
    except OSError as error:
        if error.filename is not None:  # not stdout's
            raise
        _forget_output()
        complain(f"{prog}: cannot write to stdout: {error.strerror or error}")
        return UNWRITABLE
    except KeyboardInterrupt:
        return INTERRUPTED


def _forget_output() -> None:
    """Let the flush of the interpreter's end go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def whole_number(smallest: int, largest: int) -> Callable[[str], int]:
    """Return an argument type: digits naming a number in a range."""
    import argparse  # here, because `arena --help` answers without it

    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 20):
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number")
        value = int(text)
        if not smallest <= value <= largest:
            raise argparse.ArgumentTypeError(f"{text}: want {smallest} to {largest}")
        return value

    return number
