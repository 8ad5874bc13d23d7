"""AIVAT: `arena aivat hands LOG...` estimates hands into one file, `arena aivat beside LOG...` into
one for each log, `arena aivat fit LOG...` makes values.

`arena rate` puts the estimates beside the others.  Exit codes: 0 done, 1 a file cannot be read or
written, 2 wrong arguments, 130 Ctrl-C (what there is, is written).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from agents.errors import UnknownAgent
from engine.console.arguments import output_file, whole_number
from engine.console.command import Command, Option
from engine.console.command_table import CommandTable
from engine.console.options import game_option, jobs_option, seed_option


def _known_player(text: str) -> tuple[str, str]:
    from agents.aivat.known import read_known

    try:
        return read_known(text)
    except UnknownAgent as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _told_player(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError(f"{text}: want NAME=FILE")
    return name, Path(path)


_LOGS: Final = (
    Option("LOG...", "logs, or their folders", Path, dest="logs"),
    game_option(None, otherwise="the logs name it"),
)
_OUT: Final = Option("--out FILE", "result", output_file, required=True)
_KNOWN: Final = (
    Option(
        "--known NAME[=BOT]",
        "a player whose strategy is known: a bot that tells it, with its options; those of "
        "match folders are found by themselves",
        _known_player,
        repeated=True,
    ),
    Option(
        "--values FILE",
        "value function, of arena aivat fit, or checked-down (the one that comes along)",
    ),
)
_HOW: Final = (
    *_KNOWN,
    Option("--unknown", "take nobody for known but those of --known, whatever match folders say"),
    Option(
        "--told NAME=FILE",
        "a player that wrote how it acts with its own cards, a line for each decision: "
        "MATCHSTATE:0:12:cr300:AhKd|:f=0.1 c=0.65 r900=0.25",
        _told_player,
        repeated=True,
    ),
    Option(
        "--all-runouts", "count all boards after a flop, where 49 are drawn otherwise; far slower"
    ),
    seed_option("of the run-outs that are drawn"),
    jobs_option(),
)


def _task(name: str, description: str, *options: Option) -> Command:
    def work(given: argparse.Namespace) -> int:
        from agents.aivat.aivat_tasks import TASKS

        return TASKS[name](given)

    stopped = "stopped; nothing is written"
    return Command(f"arena aivat {name}", work, description, options, stopped=stopped, prints=False)


hands = _task(
    "hands",
    "Write what each hand was worth, in chips of position 0, as CSV.",
    *_LOGS,
    _OUT,
    *_HOW,
).main
beside = _task(
    "beside",
    "Write what each hand was worth into NAME.aivat beside NAME.log, as CSV. What is there already "
    "stays. sit-in.log of a match folder, hands of others, is left out unless it is named.",
    *_LOGS,
    Option(
        "--follow", "follow logs that grow, and new ones of a folder, until standard input ends"
    ),
    Option(
        "--most N",
        "only the first N hands of each log",
        whole_number(1, 2**63, "{}: want a whole number above 0"),
    ),
    *_HOW,
).main
check = _task(
    "check",
    "Say in one line what is wrong with --known or --values, if anything is: before a match is "
    "played that is to be estimated so.",
    *_KNOWN,
    Option(
        "--as-played", "also where a bot plays by another strategy than it tells, as by a clock"
    ),
).main
fit = _task(
    "fit",
    "Fit a value function to the hands of logs. Rate other hands with it than those, or what it "
    "says is biased.",
    *_LOGS,
    _OUT,
    jobs_option(),
).main
main = CommandTable(
    "arena aivat",
    "AIVAT: what each hand of a match was worth without the luck that can be computed.\n"
    "arena rate --aivat shows the rates.",
    {
        "hands": (f"{__name__}:hands", "estimate each hand of logs"),
        "beside": (f"{__name__}:beside", "estimate each hand of logs, in files beside them"),
        "check": (f"{__name__}:check", "look whether bots are known and a value function is one"),
        "fit": (f"{__name__}:fit", "make a value function"),
    },
    word="TASK",
).main


if __name__ == "__main__":
    sys.exit(main())
