"""`arena improve MODEL LOG...`: learn the raises of opponents that a blueprint lacks.

Exit codes: 0 planned or written, 1 a file cannot be written, 2 wrong arguments, or a model, log or
run that cannot be read, 130 Ctrl-C; then, too, everything learned is saved.
"""

from __future__ import annotations

import argparse
import os
import shlex
from pathlib import Path
from typing import Final

from engine.console.arguments import output_folder, positive, whole_number
from engine.console.command import Command, Option, WrongArguments
from engine.console.options import game_option, seed_option

PROG: Final = "arena improve"
_RAISES: Final = 3


def _learn_raises(options: argparse.Namespace) -> int:
    if not options.plan and options.hours is None and options.iterations is None:
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
        Option("LOG...", "match logs, or folders of them", Path, dest="logs"),
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
        Option("--plan", "only say what would be learned, how large, how long"),
        Option("--hours H", "how long to learn in all", positive),
        Option(
            "--iterations N", "of each raise; with --hours, until either", whole_number(1, 10**12)
        ),
        Option("--out DIR", "run folder (runs/improve-MODEL)", output_folder),
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
).main
