"""Options that `arena match`, `arena tournament` and `arena check` share.

What they name is found in `option_values`, which takes longer to import than a help may take.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Final

from dealer.plan.match_plan import MatchLimits
from dealer.series.schedule import GUEST_START_LIMIT_MS, MOST_LEG_HANDS, MOST_RUNS, START_LIMIT_MS
from engine.console.arguments import (
    DEFAULT_GAME,
    deal_seed,
    listen_address,
    page_port,
    real_number,
    whole_number,
)
from engine.console.command import Option
from engine.console.options import executor_option, shard_option

MATCH: Final = "arena match"
TOURNAMENT: Final = "arena tournament"
DEFAULT_HANDS: Final = 1000
COUNT: Final = whole_number(1, 2**32 - 1, "{}: want a whole number above 0")
HANDS: Final = whole_number(
    1, MOST_LEG_HANDS, f"{{}}: want a whole number from 1 to {MOST_LEG_HANDS:,}"
)
RUNS: Final = whole_number(1, MOST_RUNS, f"{{}}: want a whole number from 1 to {MOST_RUNS:,}")
_reconnect: Final = real_number(
    lambda value: 0 <= value < 10**9, "{}: want a number of seconds, 0 or more, below 10^9"
)
BOT_HELP: Final = """\
BOT is one of
  NAME [OPTION...]     a shipped bot (arena agent --list), in quotes with its options
  COMMAND [ARGUMENT..] any program that gets HOST and PORT appended, in quotes with its arguments
                       ({game} in them stands for the game file)
  stdio:COMMAND        any program that is asked on its standard input (docs/bridges.md), in quotes
  pokerbots:FOLDER     a bot of the university pokerbots competitions (docs/courses.md)
  listen[:PORT]        a bot that you start yourself; you are told where it should connect
with LABEL= before it to name it in logs and tables.
"""
CLOCK_MEANINGS: Final = {
    "t_response": "longest single response",
    "t_hand": "longest time of a bot in one hand",
    "t_per_hand": "average time of a bot per hand",
}


def _clock(text: str) -> tuple[str, int]:
    label, equals, limit = text.rpartition("=")
    if equals and not label:
        raise argparse.ArgumentTypeError(f"{text}: want LABEL=MS or MS")
    return label, _milliseconds(limit)


def _milliseconds(text: str) -> int:
    if re.fullmatch(r"-?[0-9]{1,15}", text) is None:
        raise argparse.ArgumentTypeError(f"{text}: want a whole number of milliseconds")
    return int(text)


def hands_options(again: str, seatings: str) -> tuple[Option, ...]:
    """Return the options of which game and which hands of it are played.

    Args:
        again: what all legs are played once in: "run", "round".
        seatings: which of them.
    """
    return (
        Option("--game NAME|FILE", f"built-in game or game file ({DEFAULT_GAME})"),
        Option("--hands N", f"hands of each leg ({DEFAULT_HANDS})", HANDS),
        Option("--seed S", f"of the deals (a new one); {again} r uses S + r", deal_seed),
        Option(
            f"--{again}s R",
            f"times to play {seatings} seatings, new cards each (1)",
            RUNS,
            dest="runs",
        ),
        Option(
            "--deals FILE",
            "play the deals of this file, one a line, see arena deals; the seed draws what they "
            "leave open, and --hands follows from their number",
        ),
    )


def _clock_option(name: str, note: str) -> Option:
    default = getattr(MatchLimits(), name)
    text = f"{CLOCK_MEANINGS[name]} ({default}); {note}"
    return Option(f"--{name} [LABEL=]MS", text, _clock, action="append")


def start_timeout_option(whom: str, kind: Callable[[str], int]) -> Option:
    """Return --start_timeout: how long to wait for `whom`, milliseconds of the given type."""
    text = (
        f"longest wait for {whom} to connect ({START_LIMIT_MS}; {GUEST_START_LIMIT_MS} with listen)"
    )
    return Option("--start_timeout MS", text, kind)


DEALER_OPTIONS: Final = (
    _clock_option("t_response", "negative: no limit; LABEL=MS: of one bot"),
    _clock_option("t_hand", "the same"),
    _clock_option("t_per_hand", "the same"),
    start_timeout_option("all bots", _milliseconds),
    Option("--reconnect S", "seconds a lost bot may stay away (0)", _reconnect),
    Option(
        "--invalid",
        "what an unreadable or illegal action becomes (fix)",
        choices=("fix", "call", "fold", "forfeit"),
    ),
    Option("--listen ADDRESS", "address the dealers listen on (127.0.0.1)", listen_address),
)


def running_options(what: str, folder: str) -> tuple[Option, ...]:
    """Return the options of where and how legs are played.

    Args:
        what: "match" or "tournament".
        folder: the usual name of its folder.
    """
    return (
        Option("--out DIR", f"{what} folder ({folder})"),
        Option("--force", f"replace the {what} that is in the folder"),
        Option("--resume DIR", f"resume the {what} in this folder, or make it longer"),
        Option(
            "--changed-bots",
            "with --resume: go on although a file that a bot's command names has changed",
        ),
        shard_option(
            "play the I-th of N parts of the legs, into DIR/shard-I-of-N of this DIR of --out; "
            "see arena merge"
        ),
        Option("--jobs --concurrency J", "legs side by side (one per core; 1 with listen)", COUNT),
        executor_option("legs"),
        Option(
            "--affinity",
            "keep each leg on one processor core (if only shipped bots play and there are as many "
            "legs as cores)",
            action=argparse.BooleanOptionalAction,
        ),
        Option("--recover", "start a bot again that ended with an error"),
        Option("--events", "write each leg's structured log"),
        Option(
            "--live [PORT]",
            f"show the {what} in the browser while it is played; prints the link (a port that is "
            "free)",
            page_port,
            const=0,
        ),
        Option(
            "--in-process",
            "play without dealers and sockets, in one process: shipped bots whose options name no "
            "file, MODULE:CLASS, stdio: and pokerbots: bots; the same logs, sooner, much sooner "
            "where all are compiled (the pool, astar, cnn, ...); to be given again with --resume",
        ),
        Option("--quiet", "no progress"),
    )
