"""`arena match`: the command line, and what becomes of errors.

What plays is imported when the arguments are read, so that help comes at once.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Sequence
from typing import Final

from dealer.commands.options import (
    BOT_IS,
    MATCH,
    add_dealer_options,
    add_hands,
    add_running_options,
)
from dealer.errors import MatchError, MatchUsageError
from dealer.ratings.aivat_options import add_aivat, check_aivat
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.options import add_json, add_version
from engine.console.output import tell
from engine.console.parser import OneLineParser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return run_command(MATCH, _play_match, argv)


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
    from dealer.commands.match_report import play_match_request

    return play_match_request(given, arguments)


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


def read_arguments(argv: Sequence[str], prog: str = MATCH) -> argparse.Namespace:
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
    parser.set_defaults(style="match", challengers=None, decide=None, decide_hands=None)
    parser.set_defaults(retry=False, rating_interval=0)
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
