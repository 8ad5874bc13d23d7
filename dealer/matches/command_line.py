"""The words that `arena match` takes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from dealer.matches.match_options import (
    BOT_IS,
    add_dealer_options,
    add_hands,
    add_running_options,
)
from dealer.ratings.aivat_options import add_aivat, check_aivat
from engine.console.options import add_json, add_version
from engine.console.parser import OneLineParser

PROG: Final = "arena match"
_EPILOG: Final = f"""\
{BOT_IS}
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


def read_arguments(argv: Sequence[str], prog: str = PROG) -> argparse.Namespace:
    """Return the options of a command line.

    Args:
        prog: the command that says what is wrong.

    Raises:
        SystemExit: arguments that cannot be read (2), or help was wanted (0).
    """
    parser = _parser(prog)
    given = parser.parse_intermixed_args(argv)
    check_aivat(parser, given)
    return given


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=prog,
        usage="%(prog)s BOT BOT... [options]\n"
        "       %(prog)s BOT OTHER... --sit-in LOG NAME [options]\n"
        "       %(prog)s --resume DIR [options]",
        description="Play bots against each other over TCP and tell who won, and how surely.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("bots", metavar="BOT", nargs="*", help="who plays, see below")
    match = parser.add_argument_group("the match")
    add_hands(match, "run", "all")
    add = match.add_argument
    add(
        "--sit-in",
        metavar=("LOG", "NAME"),
        nargs=2,
        help="the first BOT plays NAME's hands of this log (or folder of logs) again, with the "
        "same cards and positions, against the other BOTs. Shows what both won, and the paired "
        "difference. The game is the log's unless --game names one",
    )
    add("--no-duplicate", action="store_true", help="play only the first seating of each run")
    add(
        "--sprt",
        metavar="NAME=X",
        nargs="+",
        help="play until a sequential test decides whether the first bot wins at most mbb0 (0) or "
        "at least mbb1 mbb/h, as in mbb0=0 mbb1=1000. alpha and beta are the error probabilities "
        "(0.05 each), estimator=raw leaves out all-in expectation; --runs is then the maximum",
    )
    add_dealer_options(match)
    running = parser.add_argument_group("running it")
    add_running_options(running, "match", "matches/<A>.<B>-<seed>")
    add_json(running, "the summary as JSON instead of lines, or beside them in FILE")
    add_version(parser)
    add_aivat(parser.add_argument_group("less variance in the result"))
    return parser
