"""`arena improve MODEL LOG...`: learn the raises of opponents that a blueprint lacks.

With `--watch FOLDER` it is a service: it reads what comes into a folder of logs, day after day.

Exit codes: 0 planned or written, or the service was stopped, 1 a file cannot be written, 2 wrong
arguments, or a model, log or run that cannot be read, 130 Ctrl-C; then, too, everything learned is
saved.
"""

from __future__ import annotations

import argparse
import os
import shlex
from pathlib import Path
from typing import Final

from agents.improvement.schedule import time_of_day_word
from engine.console.arguments import output_folder, positive, real_number, whole_number
from engine.console.command import Command, Option, OptionGroup, WrongArguments
from engine.console.options import game_option, seed_option
from engine.console.parser import OneLineParser

PROG: Final = "arena improve"
_RAISES: Final = 3


def _learn_raises(options: argparse.Namespace) -> int:
    if bool(options.logs) == (options.watch is not None):
        raise WrongArguments("which logs? LOG..., or --watch FOLDER")
    if options.watch is None:
        for given, word in (
            (options.daily is not None, "--daily"),
            (options.every is not None, "--every"),
            (options.once, "--once"),
            (options.converged is not None, "--converged"),
        ):
            if given:
                raise WrongArguments(f"{word}: goes with --watch FOLDER")
    elif options.once and options.daily is not None:
        raise WrongArguments("--once is one round, --daily one each day: give one of them")
    elif options.once and options.every is not None:
        raise WrongArguments("--once is one round, --every one so often: give one of them")
    elif options.daily is not None and options.every is not None:
        raise WrongArguments("--daily and --every say when a round begins: give one of them")
    if (
        not options.plan
        and options.watch is None
        and options.hours is None
        and options.iterations is None
    ):
        raise WrongArguments(
            "how long? --hours H, or --iterations N; --plan says what they come to"
        )
    from agents.improvement.improvement_steps import improve

    return improve(options, f"{PROG} {shlex.join(options.argv)}")


main = Command(
    PROG,
    _learn_raises,
    "Find the raises before the flop that opponents made and a blueprint lacks, "
    "learn answers to them while the rest of its strategy stays as it is, and write a model "
    "that holds them.  The same command goes on where it was stopped.",
    (
        Option("MODEL", "its file, or the name of a shipped one, such as hunl-100"),
        Option("[LOG...]", "match logs, or folders of them", Path, dest="logs"),
        Option(
            "--opponent NAME",
            "look at the raises of this player only; may be repeated (everybody: whoever plays "
            "the model itself raises by its sizes)",
            repeated=True,
        ),
        Option("--raises K", "how many to learn (%(default)s)", whole_number(1, 20), _RAISES),
        Option(
            "--alone",
            "learn as if the opponent came to each place with all its hands and only ever raised "
            "so: wins more from one who does, loses more to others (without: it may do what the "
            "model has there instead)",
        ),
        OptionGroup(
            "a service",
            (
                Option(
                    "--watch FOLDER",
                    "work on in rounds: read the logs that come into a folder, learn, add what has "
                    "converged to the model; Ctrl-C ends it, the same command goes on",
                    Path,
                ),
                Option("--daily HH:MM", "a round each day at this time", time_of_day_word),
                Option(
                    "--every HOURS",
                    "or one so often, the first at once (24)",
                    positive,
                ),
                Option("--once", "one round, at once"),
                Option(
                    "--converged P",
                    "a raise is added once its strategy changed by less than this over the last "
                    "third of its iterations (0.07)",
                    real_number(lambda value: 0 < value < 1, "{}: want a share between 0 and 1"),
                ),
            ),
        ),
        Option("--plan", "only say what would be learned, how large, how long"),
        Option("--hours H", "how long to learn in all; with --watch, each round (8)", positive),
        Option(
            "--iterations N",
            "of each raise; with --hours, until either; with --watch, it is then given up",
            whole_number(1, 10**12),
        ),
        Option("--out DIR", "run folder (runs/improve-MODEL, runs/watch-MODEL)", output_folder),
        Option(
            "--workers N",
            "threads (one per core: %(default)s); with 1 runs of so many iterations repeat exactly",
            whole_number(1, 1024),
            os.cpu_count() or 1,
        ),
        Option("--checkpoint-minutes M", "between two checkpoints (%(default)g)", positive, 5.0),
        seed_option("of what is learned"),
        game_option(None, otherwise="that of each log's header"),
    ),
    stopped="stopped; the same command begins again",
    parse=OneLineParser.parse_intermixed_args,
).main
