"""The words that `arena aivat` takes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from agents.errors import UnknownAgent
from engine.console.arguments import output_file, whole_number
from engine.console.options import add_game, add_jobs, add_seed
from engine.console.parser import OneLineParser

PROG: Final = "arena aivat"
CHECKED_DOWN: Final = "checked-down"
"""The value function that needs no file."""


def parser_of_tasks() -> OneLineParser:
    """Return the parser of the command; `task` among the options says what is to be done."""
    parser = OneLineParser(
        prog=PROG,
        description="AIVAT: what each hand of a match was worth without the luck that can be "
        "computed. arena rate --aivat shows the rates.",
    )
    tasks = parser.add_subparsers(title="tasks", metavar="TASK", required=True)
    hands = tasks.add_parser(
        "hands",
        help="estimate each hand of logs",
        description="Write what each hand was worth, in chips of position 0, as CSV.",
    )
    _add_logs(hands)
    _add_output(hands)
    _add_how(hands)
    hands.set_defaults(task="hands")
    beside = tasks.add_parser(
        "beside",
        help="estimate each hand of logs, in files beside them",
        description="Write what each hand was worth into NAME.aivat beside NAME.log, as CSV. What "
        "is there already stays. sit-in.log of a match folder, hands of others, is left out unless "
        "it is named.",
    )
    _add_logs(beside)
    beside.add_argument(
        "--follow",
        action="store_true",
        help="follow logs that grow, and new ones of a folder, until standard input ends",
    )
    beside.add_argument(
        "--most",
        metavar="N",
        type=whole_number(1, 2**63, "{}: want a whole number above 0"),
        help="only the first N hands of each log",
    )
    _add_how(beside)
    beside.set_defaults(task="beside")
    check = tasks.add_parser(
        "check",
        help="look whether bots are known and a value function is one",
        description="Say in one line what is wrong with --known or --values, if anything is: "
        "before a match is played that is to be estimated so.",
    )
    _add_known(check)
    check.set_defaults(task="check")
    fit = tasks.add_parser(
        "fit",
        help="make a value function",
        description="Fit a value function to the hands of logs. Rate other hands with it than "
        "those, or what it says is biased.",
    )
    _add_logs(fit)
    _add_output(fit)
    add_jobs(fit)
    fit.set_defaults(task="fit")
    return parser


def _add_known(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--known",
        metavar="NAME[=BOT]",
        type=_known_player,
        action="append",
        default=[],
        help="a player whose strategy is known: a bot that tells it, with its options; those of "
        "match folders are found by themselves",
    )
    parser.add_argument(
        "--values",
        metavar="FILE",
        help=f"value function, of arena aivat fit, or {CHECKED_DOWN} (the one that comes along)",
    )


def _add_how(parser: argparse.ArgumentParser) -> None:
    _add_known(parser)
    parser.add_argument(
        "--unknown",
        action="store_true",
        help="take nobody for known but those of --known, whatever match folders say",
    )
    parser.add_argument(
        "--told",
        metavar="NAME=FILE",
        type=_told_player,
        action="append",
        default=[],
        help="a player that wrote how it acts with its own cards, a line for each decision: "
        "MATCHSTATE:0:12:cr300:AhKd|:f=0.1 c=0.65 r900=0.25",
    )
    parser.add_argument(
        "--all-runouts",
        action="store_true",
        help="count all boards after a flop, where 49 are drawn otherwise; far slower",
    )
    add_seed(parser, "of the run-outs that are drawn")
    add_jobs(parser)


def _add_logs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("logs", metavar="LOG", nargs="+", type=Path, help="logs, or their folders")
    add_game(parser, None, otherwise="the logs name it")


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="FILE", type=output_file, required=True, help="result")


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
