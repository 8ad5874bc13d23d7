"""`arena check`: the command line.

What checks is imported when the arguments are read, so that help comes at once.
"""

from __future__ import annotations

import argparse
import re
from typing import Final

from dealer.commands.match_options import BOT_HELP, CLOCK_MEANINGS, start_timeout_option
from dealer.plan.match_plan import MatchLimits
from engine.console.arguments import DEFAULT_GAME, listen_address, real_number, whole_number
from engine.console.command import Command, Option, OptionGroup
from engine.console.options import VERSION, json_option, seed_option
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
{BOT_HELP}
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


def _check(options: argparse.Namespace) -> int:
    from dealer.compliance.checking import check

    return check(options)


def _player_counts(text: str) -> tuple[int, ...]:
    counts: set[int] = set()
    for part in text.split(","):
        match = _PLAYERS.fullmatch(part.strip())
        if match is None:
            break
        least, most = int(match[1]), int(match[2] or match[1])
        if not 2 <= least <= most <= MAX_PLAYERS:
            break
        counts |= set(range(least, most + 1))
    else:
        return tuple(sorted(counts))
    raise argparse.ArgumentTypeError(
        f"{text}: want numbers of players from 2 to {MAX_PLAYERS}, as 2-6 or 2,3,6"
    )


_CLOCKS: Final = MatchLimits(t_response=_RESPONSE_MS)
COMMAND: Final = Command(
    "arena check",
    _check,
    "Check that a bot speaks the protocol and plays by the rules.",
    (
        Option("[BOT]", "who is checked, see below"),
        OptionGroup(
            "what is checked",
            (
                Option(
                    "--game NAME|FILE",
                    "built-in game or game file that the bot plays; may be repeated "
                    f"({DEFAULT_GAME})",
                    repeated=True,
                ),
                Option(
                    "--players N,...",
                    "numbers of players, as 2-6 or 2,3,6: each game, if it is hold'em, with so "
                    "many",
                    _player_counts,
                ),
                Option(
                    "--hands N",
                    "hands against random opponents (%(default)s)",
                    _hands,
                    _DEFAULT_HANDS,
                ),
                Option("--only CHECK,...", "run these checks; may be repeated", repeated=True),
                Option("--skip CHECK,...", "leave these out; may be repeated", repeated=True),
                Option("--list", "list the checks and end"),
                Option("--strict", "warnings count as failures"),
            ),
        ),
        seed_option("of deals, opponents and, where it takes one, the bot"),
        OptionGroup(
            "time",
            (
                *(
                    Option(
                        f"--{name} MS",
                        f"{text} (%(default)s)",
                        _milliseconds,
                        int(getattr(_CLOCKS, name)),
                    )
                    for name, text in CLOCK_MEANINGS.items()
                ),
                start_timeout_option("the bot", _milliseconds),
                Option(
                    "--late S",
                    "seconds that a late dealer, or a late first state, lets the bot wait "
                    "(%(default)g)",
                    _seconds,
                    _LATE_SECONDS,
                ),
                Option(
                    "--exit S",
                    "seconds that the bot may take to end, or to come back when it lost its "
                    "connection (%(default)g)",
                    _seconds,
                    _EXIT_SECONDS,
                ),
            ),
        ),
        OptionGroup(
            "running it",
            (
                Option(
                    "--listen ADDRESS",
                    "address to listen on (%(default)s)",
                    listen_address,
                    "127.0.0.1",
                ),
                Option(
                    "--out DIR",
                    "keep all that went over the wire, and what the bot wrote, in this folder",
                ),
                Option("--quiet", "no progress"),
                json_option(
                    "the report as JSON instead of text, or beside it in FILE", beside_files=True
                ),
            ),
        ),
        VERSION,
    ),
    _EPILOG,
    usage="%(prog)s BOT [options]",
    allow_abbrev=False,
)
main = COMMAND.main
