"""`arena match`: the command line, and what becomes of errors.

What plays is imported when the arguments are read, so that help comes at once.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

from dealer.matches.command_line import PROG, read_arguments
from dealer.matches.errors import MatchError, MatchUsageError
from dealer.server.endings import Ending
from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.console.output import tell


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # "±" on a terminal without it
    try:
        given = read_arguments(arguments)
        from dealer.matches.playing import play

        return play(given, arguments)
    except MatchUsageError as error:
        tell(f"{PROG}: {error}")
        return WRONG_ARGUMENTS
    except MatchError as error:
        tell(f"{PROG}: {error}")
        return Ending.ERROR.exit_code
    except KeyboardInterrupt:  # before or after the play, which handles it itself
        return Ending.INTERRUPTED.exit_code
