"""`arena tournament`: the command line, and what becomes of errors.

What plays is imported when the arguments are read, so that help comes at once.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from dealer.hosts.place import HostPlace, place_from
from dealer.matches.errors import MatchError, MatchUsageError
from dealer.server.endings import Ending
from dealer.tournaments.command_line import PROG, read_arguments
from engine.console.exit_codes import FAILED, WRONG_ARGUMENTS
from engine.console.output import tell


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # "±" on a terminal without it
    try:
        place = place_from(os.environ)
        return _alone(arguments) if place is None else _with_others(arguments, place)
    except MatchUsageError as error:
        tell(f"{PROG}: {error}")
        return WRONG_ARGUMENTS
    except MatchError as error:
        tell(f"{PROG}: {error}")
        return FAILED
    except KeyboardInterrupt:  # before or after the play, which handles it itself
        return Ending.INTERRUPTED.exit_code


def _alone(arguments: Sequence[str]) -> int:
    given, entries = read_arguments(arguments)
    from dealer.tournaments.playing import play

    return play(given, entries, arguments)


def _with_others(arguments: Sequence[str], place: HostPlace) -> int:
    """Play on several hosts, which hear when one of them cannot read the arguments."""
    from dealer.tournaments.other_hosts import follow, joined
    from dealer.tournaments.playing import play

    with joined(place) as line:
        given, entries = read_arguments(arguments)
        if place.rank > 0:
            return follow(given, entries, place, line)
        return play(given, entries, arguments, place, line)
