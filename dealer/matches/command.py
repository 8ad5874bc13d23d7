"""`arena match`: the command line, and what becomes of errors.

What plays is imported when the arguments are read, so that help comes at once.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence

from dealer.errors import MatchError, MatchUsageError
from dealer.matches.command_line import PROG, read_arguments
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.output import tell


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return run_command(PROG, _play_match, argv)


def run_command(prog: str, run: Callable[[list[str]], int], argv: Sequence[str] | None) -> int:
    """Run a command that plays; return its exit code, also that of errors, which are told."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # "±" on a terminal without it
    try:
        return run(sys.argv[1:] if argv is None else list(argv))
    except MatchError as error:
        tell(f"{prog}: {error}")
        return WRONG_ARGUMENTS if isinstance(error, MatchUsageError) else FAILED
    except KeyboardInterrupt:  # before or after the play, which handles it itself
        return INTERRUPTED


def _play_match(arguments: list[str]) -> int:
    given = read_arguments(arguments)
    from dealer.matches.playing import play_match_request

    return play_match_request(given, arguments)
