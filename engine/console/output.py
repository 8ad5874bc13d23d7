"""What commands print and write: results on stdout and in files, all else in lines on stderr."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from functools import cache
from typing import TYPE_CHECKING

from engine.console.exit_codes import FAILED, INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


def say(line: str) -> None:
    """Print a line on stdout."""
    sys.stdout.write(line + "\n")


def tell(line: str) -> None:
    """Print one line on stderr, if there is one, whatever the names in it are made of."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):  # a terminal that went away is no reason to stop
            sys.stderr.write(printable(line) + "\n")
            sys.stderr.flush()


@cache
def tell_once(line: str) -> None:
    """Print a line on stderr, the first time that this process has it to say."""
    tell(line)


def printable(text: str) -> str:
    """Return text safe for any terminal: foreign bytes and control characters are escaped."""
    clean = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in clean)


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
    """
    if sys.stdout is None:
        tell(f"{prog}: cannot write to stdout: it is closed")
        return FAILED
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
        tell(f"{prog}: cannot write to stdout: {error.strerror or error}")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def write_files(texts: Mapping[Path, str], prog: str) -> int:
    """Write files, "-" on stdout; return the exit code.  Failures are told on stderr."""
    from engine.storage.atomic import write_whole  # here, because most commands write none

    code = 0
    for path, text in texts.items():
        if str(path) == "-":
            code = show(text, prog) or code
            continue
        try:
            write_whole(path, text)
        except OSError as error:
            tell(f"{prog}: {path}: {error.strerror}")
            code = FAILED
    return code


def put_json(target: Path, facts: object, prog: str, *, indent: int | None = 2) -> int:
    """Print facts as JSON, or write them to a file, as --json wants it; return the exit code.

    Args:
        target: a file, or "-" for stdout; see `engine.console.options.json_option`.
        facts: for `json.dumps`; infinity and nan are refused.
        indent: None is one line.

    Raises:
        ValueError: a number is infinite or nan.
    """
    import json

    text = json.dumps(facts, indent=indent, allow_nan=False) + "\n"
    return write_files({target: text}, prog)


def stopped(prog: str, done: int, wanted: int, things: str) -> int:
    """Tell on stderr how far work had come when Ctrl-C ended it; return the exit code."""
    nothing = "" if done else ": nothing to show or write"
    tell(f"{prog}: stopped after {done:,} of {wanted:,} {things}{nothing}")
    return INTERRUPTED


def _forget_output() -> None:
    """Discard what is still unwritten, so that the flush at the interpreter's end cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
