"""`arena tournament`: the command line, and its errors.

Modules that play are imported after the arguments are read, so that help comes at once.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from dealer.hosts.place import RankInfo, place_from
from dealer.matches.command import run_command
from dealer.tournaments.command_line import PROG, read_arguments


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return run_command(PROG, _play_tournament, argv)


def _play_tournament(arguments: list[str]) -> int:
    place = place_from(os.environ)
    if place is not None:
        return _with_others(arguments, place)
    given, entries = read_arguments(arguments)
    from dealer.tournaments.playing import play_tournament

    return play_tournament(given, entries, arguments)


def _with_others(arguments: Sequence[str], place: RankInfo) -> int:
    """Play on several hosts, which hear when one of them cannot read the arguments."""
    from dealer.tournaments.other_hosts import follow_first_host, with_other_hosts
    from dealer.tournaments.playing import play_tournament

    with with_other_hosts(place) as line:
        given, entries = read_arguments(arguments)
        if place.rank > 0:
            return follow_first_host(given, entries, place, line)
        return play_tournament(given, entries, arguments, place, line)
