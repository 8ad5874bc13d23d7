"""`arena tournament`: the command line.

Modules that play are imported after the arguments are read, so that help comes at once.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from typing import Final

from dealer.commands.match import take_any_character
from dealer.commands.match_options import (
    BOT_HELP,
    COUNT,
    DEALER_OPTIONS,
    TOURNAMENT,
    hands_options,
    running_options,
)
from dealer.commands.tournament_file import SAMPLE_TOURNAMENT, BotEntry, read_toml
from dealer.errors import MatchUsageError
from dealer.plan.options import SHARED_DEALER_OPTIONS
from dealer.ratings.aivat_options import AIVAT_OPTIONS, check_aivat
from dealer.series.schedule import TournamentStyle
from engine.console.command import Command, Option, OptionGroup
from engine.console.options import VERSION, json_option
from engine.console.parser import OneLineParser
from engine.console.shard_records import settle_shard


def _play(options: argparse.Namespace) -> int:
    take_any_character()
    given, entries = read_arguments(options.argv)
    shard = settle_shard(given.shard, os.environ, TOURNAMENT)
    from dealer.commands.tournament_report import play_tournament

    return play_tournament(given, entries, options.argv, shard=shard)


_FILE_SETTINGS: Final = (
    *("style", "challengers", "game", "hands", "rounds", "seed", "deals"),
    *SHARED_DEALER_OPTIONS,
    *("decide", "decide-hands", "jobs", "executor", "affinity", "recover", "events", "in-process"),
    *("aivat", "known", "values"),
)
_LIST_SETTINGS: Final = ("known",)
_EPILOG: Final = f"""\
{BOT_HELP}
FILE.toml has the bots and any options of the tournament, see docs/tournaments.md; what the command
line says counts more.  One that can be played as it is:

{indent(SAMPLE_TOURNAMENT, "  ")}
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
    parser = COMMAND.parser()
    given = parser.parse_intermixed_args(argv)
    files = [word for word in given.bots if word.endswith(".toml")]
    entries = [BotEntry(word) for word in given.bots if word not in files]
    if len(files) > 1:
        raise MatchUsageError(f"{len(files)} TOML files; a tournament is one of them")
    if files:
        settings, listed = read_toml(Path(files[0]), _FILE_SETTINGS, _LIST_SETTINGS)
        from_file = parser.parse_args(settings)
        del from_file.bots
        given = parser.parse_intermixed_args(argv, from_file)  # what is given here counts more
        entries = listed + entries
    vars(given).update(_OPTIONS_OF_OTHERS)
    check_aivat(parser, given)
    return given, entries


def _left_unread(_parser: OneLineParser, _arguments: Sequence[str]) -> argparse.Namespace:
    """Leave the arguments to `_play`: the file among them says what is missing."""
    return argparse.Namespace()


_OPTIONS_OF_OTHERS: Final = {"sit_in": None, "sprt": None, "no_duplicate": False, "told": ()}


COMMAND: Final = Command(
    TOURNAMENT,
    _play,
    "Play many bots against each other in duplicate and tell who is better.",
    (
        Option("[BOT...]", "who plays, or FILE.toml; see below", dest="bots"),
        VERSION,
        OptionGroup(
            "the tournament",
            (
                Option(
                    "--style --tournament",
                    "everybody meets everybody; the first bots meet all others; who loses is out "
                    "(round-robin)",
                    choices=[style.value for style in TournamentStyle if style.value != "match"],
                ),
                Option(
                    "--challengers N",
                    "of a gauntlet: the first N bots meet the others (1)",
                    COUNT,
                ),
                *hands_options("round", "both"),
                Option(
                    "--decide K",
                    "then play more rounds where the first K places hang, until they are decided",
                    COUNT,
                ),
                Option(
                    "--decide-hands N",
                    "at most N hands for that, all resumptions together (as many as the rounds of "
                    "all)",
                    COUNT,
                ),
                *DEALER_OPTIONS,
            ),
        ),
        OptionGroup(
            "running it",
            (
                *running_options("tournament", "tournaments/<style>-<seed>"),
                Option("--retry", "with --resume: play forfeited legs again"),
                Option(
                    "--rating-interval N",
                    "show the standing every N legs that are over (only at the end)",
                    COUNT,
                    0,
                ),
                json_option(
                    "the standings as JSON instead of text, or beside it in FILE",
                    beside_files=True,
                ),
            ),
        ),
        OptionGroup("less variance in the standings", AIVAT_OPTIONS),
    ),
    _EPILOG,
    usage="%(prog)s BOT BOT... [options]\n       %(prog)s FILE.toml [options]\n"
    "       %(prog)s --resume DIR [options]",
    prints=False,
    allow_abbrev=False,
    parse=_left_unread,
)
main = COMMAND.main
