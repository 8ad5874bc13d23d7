"""`arena tournament`: the command line, and its errors.

Modules that play are imported after the arguments are read, so that help comes at once.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from typing import Final

from dealer.commands.match import run_command
from dealer.commands.options import (
    BOT_IS,
    COUNT,
    TOURNAMENT,
    add_dealer_options,
    add_hands,
    add_running_options,
)
from dealer.commands.tournament_file import SAMPLE, BotEntry, read_toml
from dealer.errors import MatchUsageError
from dealer.hosts.place import RankInfo, place_from
from dealer.plan.options import COMMON
from dealer.ratings.aivat_options import add_aivat, check_aivat
from dealer.series.schedule import TournamentStyle
from engine.console.options import add_json, add_version
from engine.console.parser import OneLineParser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return run_command(TOURNAMENT, _play_tournament, argv)


def _play_tournament(arguments: list[str]) -> int:
    place = place_from(os.environ)
    if place is not None:
        return _with_others(arguments, place)
    given, entries = read_arguments(arguments)
    from dealer.commands.tournament_report import play_tournament

    return play_tournament(given, entries, arguments)


def _with_others(arguments: Sequence[str], place: RankInfo) -> int:
    """Play on several hosts, which hear when one of them cannot read the arguments."""
    from dealer.commands.tournament_report import (
        follow_first_host,
        play_tournament,
        with_other_hosts,
    )

    with with_other_hosts(place) as line:
        given, entries = read_arguments(arguments)
        if place.rank > 0:
            return follow_first_host(given, entries, place, line)
        return play_tournament(given, entries, arguments, place, line)


_SETTINGS: Final = (
    *("style", "challengers", "game", "hands", "rounds", "seed", "deals"),
    *COMMON,
    *("decide", "decide-hands", "jobs", "affinity", "recover", "events", "in-process"),
    *("aivat", "known", "values"),
)
"""Options that a TOML file may set."""
_LISTS: Final = ("known",)
"""Those among them that may be given more than once, in a TOML file as a list."""
_EPILOG: Final = f"""\
{BOT_IS}
FILE.toml has the bots and any options of the tournament, see docs/tournaments.md; what the command
line says counts more.  One that can be played as it is:

{indent(SAMPLE, "  ")}
Examples:
  arena tournament rule solid O5 --hands 500          everybody meets everybody
  arena tournament mine="python3 bot.py" rule solid --style gauntlet
  arena tournament FILE.toml --out first --live       watch it in the browser
  arena tournament --resume first --rounds 4          play on

All pairings play the same deals, each deal once from either seat.  In games of more than two, all
tables that the bots can sit at are played, each deal in every rotation of the seats.  The folder
holds the tournament (tournament.json), the ledger (ledger.jsonl, a line a finished leg) and a match
folder for each pairing.  It also has the standings as text, CSV, JSON, SVG and HTML.  After Ctrl-C,
a crash or a power failure --resume DIR plays what is left.  With a larger --rounds it makes the
tournament longer, except a knockout.  Bots named with --resume DIR join: only their pairings are
played.

--decide K plays on, after the rounds of all pairings, those in which it hangs who the first K are:
by the Nash average, or by total bankroll where not all meet.  The ledger has what is played so;
give --decide again with --resume.

A bot that breaks off a leg (crash, timeout, lost connection, an illegal answer where --invalid says
forfeit) forfeits it; --retry with --resume plays such legs again.

With --aivat the hands are estimated after the play, also after Ctrl-C, into files beside the logs;
another Ctrl-C leaves AIVAT out, and --resume DIR --aivat resumes it.

Exit code: 0 when all legs are over and none was forfeited, 1 when some were or an error stopped it,
2 wrong arguments, 130 stopped by Ctrl-C.
"""


def read_arguments(argv: Sequence[str]) -> tuple[argparse.Namespace, list[BotEntry]]:
    """Return the options of a command line, those of its TOML file included, and the bots.

    Raises:
        MatchUsageError: the file cannot be used.
        SystemExit: arguments that cannot be read (2), or help was wanted (0).
    """
    parser = _parser()
    given = parser.parse_intermixed_args(argv)
    files = [word for word in given.bots if word.endswith(".toml")]
    entries = [BotEntry(word) for word in given.bots if word not in files]
    if len(files) > 1:
        raise MatchUsageError(f"{len(files)} TOML files; a tournament is one of them")
    if files:
        words, listed = read_toml(Path(files[0]), _SETTINGS, _LISTS)
        from_file = parser.parse_args(words)
        del from_file.bots
        given = parser.parse_intermixed_args(argv, from_file)  # what is given here counts more
        entries = listed + entries
    check_aivat(parser, given)
    return given, entries


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=TOURNAMENT,
        usage="%(prog)s BOT BOT... [options]\n       %(prog)s FILE.toml [options]\n"
        "       %(prog)s --resume DIR [options]",
        description="Play many bots against each other in duplicate and tell who is better.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(sit_in=None, sprt=None, no_duplicate=False)
    parser.add_argument("bots", metavar="BOT", nargs="*", help="who plays, or FILE.toml; see below")
    group = parser.add_argument_group("the tournament")
    add = group.add_argument
    add(
        "--style",
        "--tournament",
        choices=[style.value for style in TournamentStyle if style is not TournamentStyle.MATCH],
        help="everybody meets everybody; the first bots meet all others; who loses is out "
        "(round-robin)",
    )
    add(
        "--challengers",
        metavar="N",
        type=COUNT,
        help="of a gauntlet: the first N bots meet the others (1)",
    )
    add_hands(group, "round", "both")
    add(
        "--decide",
        metavar="K",
        type=COUNT,
        help="then play more rounds where the first K places hang, until they are decided",
    )
    add(
        "--decide-hands",
        metavar="N",
        type=COUNT,
        help="at most N hands for that, all resumptions together (as many as the rounds of all)",
    )
    add_dealer_options(group)
    running = parser.add_argument_group("running it")
    add_running_options(running, "tournament", "tournaments/<style>-<seed>")
    add = running.add_argument
    add("--retry", action="store_true", help="with --resume: play forfeited legs again")
    add(
        "--rating-interval",
        metavar="N",
        type=COUNT,
        default=0,
        help="show the standing every N legs that are over (only at the end)",
    )
    add_json(
        running, "the standings as JSON instead of text, or beside it in FILE", beside_files=True
    )
    add_version(parser)
    add_aivat(parser.add_argument_group("less variance in the standings"))
    return parser
