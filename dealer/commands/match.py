"""`arena match`: the command line.

What plays is imported when the arguments are read, so that help comes at once.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from dealer.commands.match_options import (
    BOT_HELP,
    DEALER_OPTIONS,
    MATCH,
    hands_options,
    running_options,
)
from dealer.ratings.aivat_options import AIVAT_OPTIONS, check_aivat
from engine.console.command import Command, Option, OptionGroup
from engine.console.options import VERSION, json_option
from engine.console.parser import OneLineParser
from engine.console.shard_records import settle_shard


def take_any_character() -> None:
    """Have a terminal without "±" be written to all the same."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _play(options: argparse.Namespace) -> int:
    take_any_character()
    shard = settle_shard(options.shard, os.environ, MATCH)
    from dealer.commands.match_report import play_match_request

    return play_match_request(options, options.argv, shard=shard)


def _parse(parser: OneLineParser, arguments: Sequence[str]) -> argparse.Namespace:
    options = parser.parse_intermixed_args(arguments)
    vars(options).update(_OPTIONS_OF_OTHERS)
    check_aivat(parser, options)
    return options


def read_arguments(arguments: Sequence[str], prog: str = MATCH) -> argparse.Namespace:
    """Return the options of a match.

    Args:
        prog: the command that plays it, and says what is wrong.

    Raises:
        SystemExit: arguments that cannot be read (2), or help was wanted (0).
    """
    return _parse(replace(COMMAND, prog=prog).parser(), arguments)


_OPTIONS_OF_OTHERS: Final = {
    "style": "match",
    "challengers": None,
    "decide": None,
    "decide_hands": None,
    "retry": False,
    "rating_interval": 0,
    "told": (),
}


_EPILOG: Final = f"""\
{BOT_HELP}
Examples:
  arena match rule always-call --hands 500
  arena match mine="python3 bot.py --fast" blueprint --runs 4 --aivat
  arena match stdio:./bot.sh rule --live              watch it in the browser
  arena match --resume matches/rule.always-call-7 --runs 10

In duplicate, every deal is played once from each seat: N hands make a leg, a run has as many legs
as players, all with the same cards.  Logs are named A.B.<run>.<seating>.log.  Legs are played side
by side, so bots share the machine; --jobs 1 plays one at a time.

--resume DIR plays what is left of an interrupted match; with a larger --hands or --runs it makes
the match longer.

--sprt is followed by what it tests, so the bots come before it: arena match A B --sprt mbb1=1000.

Options of a shipped bot: arena agent NAME --help.
"ignored: another state" after a match counts replies to a state other than the one being asked
for: usually the bot answered when it was not to act.

Exit code: 0 when all legs finished, else that of the first one that did not: 1 error, 3 timeout,
4 disconnect, 5 malformed, 6 illegal, 7 crash; 2 wrong arguments; 130 stopped by Ctrl-C.
"""
COMMAND: Final = Command(
    MATCH,
    _play,
    "Play bots against each other over TCP and tell who won, and how surely.",
    (
        Option("[BOT...]", "who plays, see below", dest="bots"),
        VERSION,
        OptionGroup(
            "the match",
            (
                *hands_options("run", "all"),
                Option(
                    "--sit-in",
                    "the first BOT plays NAME's hands of this log (or folder of logs) again, with "
                    "the same cards and positions, against the other BOTs. Shows what both won, "
                    "and the paired difference. The game is the log's unless --game names one",
                    metavar=("LOG", "NAME"),
                    nargs=2,
                    action="store",
                ),
                Option("--no-duplicate", "play only the first seating of each run"),
                Option(
                    "--sprt NAME=X...",
                    "play until a sequential test decides whether the first bot wins at most mbb0 "
                    "(0) or at least mbb1 mbb/h, as in mbb0=0 mbb1=1000. alpha and beta are the "
                    "error probabilities (0.05 each), estimator=raw leaves out all-in expectation; "
                    "--runs is then the maximum",
                ),
                *DEALER_OPTIONS,
            ),
        ),
        OptionGroup(
            "running it",
            (
                *running_options("match", "matches/<A>.<B>-<seed>"),
                json_option("the summary as JSON instead of lines, or beside them in FILE"),
            ),
        ),
        OptionGroup("less variance in the result", AIVAT_OPTIONS),
    ),
    _EPILOG,
    usage="%(prog)s BOT BOT... [options]\n"
    "       %(prog)s BOT OTHER... --sit-in LOG NAME [options]\n"
    "       %(prog)s --resume DIR [options]",
    prints=False,
    allow_abbrev=False,
    parse=_parse,
)
main = COMMAND.main
