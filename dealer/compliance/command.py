"""`arena check`: the command line, and what becomes of errors.

What checks is imported when the arguments are read, so that help comes at once.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from dealer.commands.options import (
    BOT_IS,
    CLOCK_TEXTS,
    add_game_file,
    add_quiet,
    add_start_timeout,
)
from dealer.compliance.report import PROG
from dealer.errors import MatchError, MatchUsageError
from dealer.plan.match_plan import MatchLimits
from engine.console.arguments import listen_address, real_number, whole_number
from engine.console.exit_codes import FAILED, WRONG_ARGUMENTS
from engine.console.options import add_json, add_seed, add_version
from engine.console.output import quietly, tell
from engine.console.parser import OneLineParser
from protocol.gamedef import MAX_PLAYERS

_DEFAULT_HANDS: Final = 200
_RESPONSE_MS: Final = 10_000
_LATE_SECONDS: Final = 2.0
_EXIT_SECONDS: Final = 5.0
_hands: Final = whole_number(1, 10**6, "{}: want a whole number from 1 to 1,000,000")
_milliseconds: Final = whole_number(
    1, 10**9, "{}: want a whole number of milliseconds from 1 to 10^9"
)
_seconds: Final = real_number(
    lambda value: 0 < value <= 3600, "{}: want a number of seconds above 0, at most 3600"
)
_PLAYERS: Final = re.compile(r"([0-9]{1,2})(?:-([0-9]{1,2}))?")
_EPILOG: Final = f"""\
{BOT_IS}
Examples:
  arena check "python3 bot.py"
  arena check "python3 bot.py" --game leduc --hands 50
  arena check listen:9000                             a bot that you start yourself

A dealer of our own plays the hands of each check.  Nearly every check starts the bot anew, so that
one failure does not cause another; a bot that you start yourself connects for each.  The same seed
gives the same hands to a bot that does the same; --only NAME repeats a check exactly.
docs/compliance.md says what each wants.

Exit code: 0 no check failed (with --strict: nor gave a warning), 1 some did or could not be run,
2 wrong arguments, 130 stopped by Ctrl-C.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return quietly(lambda: _run(argv), PROG)


def _run(argv: Sequence[str] | None) -> int:
    try:
        given = read_arguments(argv)
        from dealer.compliance.checking import check

        return check(given)
    except MatchUsageError as error:
        tell(f"{PROG}: {error}")
        return WRONG_ARGUMENTS
    except MatchError as error:
        tell(f"{PROG}: {error}")
        return FAILED


def read_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of a command line.

    Raises:
        SystemExit: arguments that cannot be read (2), or help was wanted (0).
    """
    return _parser().parse_args(argv)


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        usage="%(prog)s BOT [options]",
        description="Check that a bot speaks the protocol and plays by the rules.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("bot", metavar="BOT", nargs="?", help="who is checked, see below")
    group = parser.add_argument_group("what is checked")
    add = group.add_argument
    add_game_file(group, " that the bot plays; may be repeated", action="append")
    add(
        "--players",
        metavar="N,...",
        type=_player_counts,
        help="numbers of players, as 2-6 or 2,3,6: each game, if it is hold'em, with so many",
    )
    add("--hands", metavar="N", type=_hands, default=_DEFAULT_HANDS, help="hands against random "
        "opponents (%(default)s)")  # fmt: skip
    add_seed(parser, "of deals, opponents and, where it takes one, the bot")
    add("--only", metavar="CHECK,...", action="append", help="run these checks; may be repeated")
    add("--skip", metavar="CHECK,...", action="append", help="leave these out; may be repeated")
    add("--list", action="store_true", help="list the checks and end")
    add("--strict", action="store_true", help="warnings count as failures")
    _add_times(parser.add_argument_group("time"))
    group = parser.add_argument_group("running it")
    add = group.add_argument
    add(
        "--listen",
        metavar="ADDRESS",
        type=listen_address,
        default="127.0.0.1",
        help="address to listen on (%(default)s)",
    )
    add(
        "--out",
        metavar="DIR",
        help="keep all that went over the wire, and what the bot wrote, in this folder",
    )
    add_quiet(group)
    add_json(group, "the report as JSON instead of text, or beside it in FILE", beside_files=True)
    add_version(parser)
    return parser


def _add_times(group: Any) -> None:
    add = group.add_argument
    defaults = asdict(MatchLimits(t_response=_RESPONSE_MS))
    for name, text in CLOCK_TEXTS.items():
        add(
            f"--{name}",
            metavar="MS",
            type=_milliseconds,
            default=int(defaults[name]),
            help=f"{text} (%(default)s)",
        )
    add_start_timeout(group, "the bot", _milliseconds)
    add(
        "--late",
        metavar="S",
        type=_seconds,
        default=_LATE_SECONDS,
        help="seconds that a late dealer, or a late first state, lets the bot wait (%(default)g)",
    )
    add(
        "--exit",
        metavar="S",
        type=_seconds,
        default=_EXIT_SECONDS,
        help="seconds that the bot may take to end, or to come back when it lost its connection "
        "(%(default)g)",
    )


def _player_counts(text: str) -> tuple[int, ...]:
    counts: set[int] = set()
    for part in text.split(","):
        found = _PLAYERS.fullmatch(part.strip())
        if found is None:
            break
        least, most = int(found[1]), int(found[2] or found[1])
        if not 2 <= least <= most <= MAX_PLAYERS:
            break
        counts |= set(range(least, most + 1))
    else:
        return tuple(sorted(counts))
    raise argparse.ArgumentTypeError(
        f"{text}: want numbers of players from 2 to {MAX_PLAYERS}, as 2-6 or 2,3,6"
    )


if __name__ == "__main__":
    sys.exit(main())
