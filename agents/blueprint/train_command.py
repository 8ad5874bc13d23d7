"""`arena train blueprint`: learn a strategy, stop, resume, and get a model that plays.

Exit codes: 0 the time is up or patience lost, 2 wrong arguments or a run that cannot be resumed,
130 Ctrl-C; then, too, everything learned is saved.  Started by torchrun, several processes work on
the run (`agents.blueprint.distributed`), and 1 says that one of them was lost.
"""

from __future__ import annotations

import argparse
import math
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from agents.training import torchrun
from engine.commands.attack_options import BETS_HELP, script_option, settings_option
from engine.console.arguments import load_game, positive, real_number, whole_number
from engine.console.command import Command, Option, WrongArguments

PROG: Final = "arena train blueprint"
_LBR_PAIRS: Final = 200
_BOARDS: Final = 20
_ITERATIONS_PER_MERGE: Final = 100_000
_TRUST: Final = 0.9
_DOUBT: Final = 10.0


def _train(options: argparse.Namespace) -> int:
    if options.list:
        return _list_configs()
    if options.minutes is None and options.iterations is None:
        raise WrongArguments("how long? --minutes M, or --iterations N")
    if options.patience is not None:
        _check_patience(options)
    if (options.respond_to is None) != (not options.logs):
        raise WrongArguments("--respond-to names a player of --logs: want both, or neither")
    if options.respond_to is not None:
        _check_response(options)
    from agents.blueprint.train_work import train_blueprint

    return train_blueprint(options, f"{PROG} {shlex.join(options.argv)}")


def _list_configs() -> int:
    from agents.blueprint_model.config import config_names, load_config

    for name in config_names():
        sys.stdout.write(f"{name:10}  {load_config(name).summary}\n")
    return 0


def _check_patience(options: argparse.Namespace) -> None:
    """Refuse patience where nothing would be measured."""
    if torchrun.processes() > 1:
        raise WrongArguments("--patience is for one process")
    if not options.lbr_pairs and not options.script:
        raise WrongArguments("--patience: nothing is measured with --lbr-pairs 0 and no --script")


def _check_response(options: argparse.Namespace) -> None:
    """Refuse what does not go with a response."""
    if torchrun.processes() > 1:
        raise WrongArguments("--respond-to is for one process")
    if options.resume:
        raise WrongArguments("--resume has the opponent of the run: leave --respond-to out")


def _whole(least: int, most: int) -> Callable[[str], int]:
    return whole_number(least, most, f"{{}}: want a number from {least} to {most}")


main = Command(
    PROG,
    _train,
    "Solve an abstract game by Monte Carlo CFR; the average strategy is the bot.",
    (
        Option("--config NAME|FILE", "what to learn (%(default)s)", default="smoke"),
        Option("--list", "show the configs that come along"),
        Option("--minutes M", "how long to learn from now on, beside building buckets", positive),
        Option(
            "--iterations N",
            "learn until there have been so many in all (of each process); with --minutes, until "
            "either",
            _whole(1, 10**12),
        ),
        Option("--resume", "resume the run in the folder"),
        Option("--out DIR", "run folder (runs/blueprint-CONFIG)", Path),
        Option(
            "--workers N",
            "threads (one per core: %(default)s); with 1 runs repeat exactly",
            _whole(1, 1024),
            max((os.cpu_count() or 1) // torchrun.processes_here(), 1),
        ),
        Option(
            "--merge-every N",
            "iterations of each process between two merges, with torchrun (%(default)s)",
            _whole(1, 10**12),
            _ITERATIONS_PER_MERGE,
        ),
        Option("--checkpoint-minutes M", "between two checkpoints (%(default)g)", positive, 5.0),
        Option(
            "--lbr-pairs N",
            "hands, in pairs, of each setting of local best response at each checkpoint "
            "(%(default)s); 0: none",
            _whole(0, 10**8),
            _LBR_PAIRS,
        ),
        settings_option(
            "what it may do, as for arena lbr (without any FC,FC,FC,FC, or nothing where scripts "
            "are named)"
        ),
        script_option("measure what a script wins, as for arena lbr"),
        Option("--boards N", "for each script (%(default)s)", _whole(1, 10**6), _BOARDS),
        Option(
            "--patience N",
            "keep the model that loses least to the best of these in best.blueprint, and end once "
            "N checkpoints in a row were no better",
            _whole(1, 10**6),
        ),
        Option(
            "--respond-to NAME",
            "learn a robust response to this player of the logs, not an equilibrium",
        ),
        Option("--logs LOG...", "match logs, and folders with *.log, that show its cards", Path),
        Option(
            "--trust X",
            "highest probability with which the player does what it was seen to do (%(default)g)",
            real_number(lambda value: 0 <= value <= 1, "{}: want a probability"),
            _TRUST,
        ),
        Option(
            "--doubt N",
            "decisions seen with the same cards and betting that make it half of that "
            "(%(default)g)",
            real_number(lambda value: 0 <= value < math.inf, "{}: want 0 or more"),
            _DOUBT,
        ),
        Option(
            "--game NAME|FILE",
            "what is played in the logs (default: the built-in game that each header names)",
            load_game,
        ),
    ),
    BETS_HELP,
    prints=False,
).main
