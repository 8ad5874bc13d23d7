"""Options that `arena match`, `arena tournament` and `arena check` share.

What they name is found in `option_values`, which takes longer to import than a help may take.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any, Final

from dealer.plan.match_plan import MatchLimits
from dealer.series.schedule import GUEST_START_MS, MOST_HANDS, MOST_RUNS, START_MS
from engine.console.arguments import (
    DEFAULT_GAME,
    deal_seed,
    listen_address,
    page_port,
    real_number,
    whole_number,
)

MATCH: Final = "arena match"
TOURNAMENT: Final = "arena tournament"
DEFAULT_HANDS: Final = 1000
COUNT: Final = whole_number(1, 2**32 - 1, "{}: want a whole number above 0")
HANDS: Final = whole_number(1, MOST_HANDS, f"{{}}: want a whole number from 1 to {MOST_HANDS:,}")
RUNS: Final = whole_number(1, MOST_RUNS, f"{{}}: want a whole number from 1 to {MOST_RUNS:,}")
_reconnect: Final = real_number(
    lambda value: 0 <= value < 10**9, "{}: want a number of seconds, 0 or more, below 10^9"
)
BOT_IS: Final = """\
BOT is one of
  NAME [OPTION...]     a shipped bot (arena agent --list), in quotes with its options
  COMMAND [ARGUMENT..] any program that gets HOST and PORT appended, in quotes with its arguments
                       ({game} in them stands for the game file)
  stdio:COMMAND        any program that is asked on its standard input (docs/bridges.md), in quotes
  listen[:PORT]        a bot that you start yourself; you are told where it should connect
with LABEL= before it to name it in logs and tables.
"""
"""For the help of commands that take bots."""
CLOCK_TEXTS: Final = {
    "t_response": "longest single response",
    "t_hand": "longest time of a bot in one hand",
    "t_per_hand": "average time of a bot per hand",
}
"""Time limit -> what it limits."""


def add_game_file(group: Any, more: str = "", **how: Any) -> None:
    """Add --game, for `read_game`, to a group of options; `more` goes into its help."""
    text = f"built-in game or game file{more} ({DEFAULT_GAME})"
    group.add_argument("--game", metavar="NAME|FILE", help=text, **how)


def add_hands(group: Any, again: str, seatings: str) -> None:
    """Add which game and which hands of it are played to a group of options."""
    add_game_file(group)
    add = group.add_argument
    add("--hands", metavar="N", type=HANDS, help=f"hands of each leg ({DEFAULT_HANDS})")
    add(
        "--seed",
        metavar="S",
        type=deal_seed,
        help=f"of the deals (a new one); {again} r uses S + r",
    )
    add(
        f"--{again}s",
        dest="runs",
        metavar="R",
        type=RUNS,
        help=f"times to play {seatings} seatings, new cards each (1)",
    )
    add(
        "--deals",
        metavar="FILE",
        help="play the deals of this file, one a line, see arena deals; the seed draws what they "
        "leave open, and --hands follows from their number",
    )


def add_dealer_options(group: Any) -> None:
    """Add what is told to every dealer to a group of options."""
    add = group.add_argument
    note = "negative: no limit; LABEL=MS: of one bot"
    for name, text in CLOCK_TEXTS.items():
        told = f"{text} ({getattr(MatchLimits(), name)}); {note}"
        add(f"--{name}", metavar="[LABEL=]MS", type=_clock, action="append", help=told)
        note = "the same"
    add_start_timeout(group, "all bots", _milliseconds)
    add("--reconnect", metavar="S", type=_reconnect, help="seconds a lost bot may stay away (0)")
    add(
        "--invalid",
        choices=("fix", "call", "fold", "forfeit"),
        help="what an unreadable or illegal action becomes (fix)",
    )
    add(
        "--listen",
        metavar="ADDRESS",
        type=listen_address,
        help="address the dealers listen on (127.0.0.1)",
    )


def add_start_timeout(group: Any, whom: str, kind: Callable[[str], int]) -> None:
    """Add how long to wait for `whom`, milliseconds of the given type, to a group of options."""
    group.add_argument(
        "--start_timeout",
        metavar="MS",
        type=kind,
        help=f"longest wait for {whom} to connect ({START_MS}; {GUEST_START_MS} with listen)",
    )


def add_running_options(group: Any, what: str, folder: str) -> None:
    """Add where and how legs are played to a group of options."""
    add = group.add_argument
    add("--out", metavar="DIR", help=f"{what} folder ({folder})")
    add("--force", action="store_true", help=f"replace the {what} that is in the folder")
    add("--resume", metavar="DIR", help=f"resume the {what} in this folder, or make it longer")
    add(
        "--changed-bots",
        action="store_true",
        help="with --resume: go on although a file that a bot's command names has changed",
    )
    add(
        "--jobs",
        "--concurrency",
        metavar="J",
        type=COUNT,
        help="legs side by side (one per core; 1 with listen)",
    )
    add(
        "--affinity",
        action=argparse.BooleanOptionalAction,
        help="keep each leg on one processor core (if only shipped bots play and there are as many "
        "legs as cores)",
    )
    add("--recover", action="store_true", help="start a bot again that ended with an error")
    add("--events", action="store_true", help="write each leg's structured log")
    add(
        "--live",
        metavar="PORT",
        type=page_port,
        nargs="?",
        const=0,
        help=f"show the {what} in the browser while it is played; prints the link (a port that is "
        "free)",
    )
    add(
        "--in-process",
        action="store_true",
        help="play shipped bots without files in one process, without dealers and sockets: the "
        "same logs, sooner, and much sooner where both are compiled (the pool, astar, cnn, ...)",
    )
    add_quiet(group)


def add_quiet(group: Any) -> None:
    """Add --quiet to a group of options."""
    group.add_argument("--quiet", action="store_true", help="no progress")


def _clock(text: str) -> tuple[str, int]:
    label, equals, limit = text.rpartition("=")
    if equals and not label:
        raise argparse.ArgumentTypeError(f"{text}: want LABEL=MS or MS")
    return label, _milliseconds(limit)


def _milliseconds(text: str) -> int:
    if re.fullmatch(r"-?[0-9]{1,15}", text) is None:
        raise argparse.ArgumentTypeError(f"{text}: want a whole number of milliseconds")
    return int(text)
