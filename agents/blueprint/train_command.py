"""`arena train blueprint`: learn a strategy, stop, resume, and get a model that plays.

Exit codes: 0 the time is up or patience lost, 2 wrong arguments or a run that cannot be resumed,
130 Ctrl-C; then, too, everything learned is saved.  Started by torchrun, several processes work on
the run (`agents.blueprint.distributed`), and 1 says that one of them was lost.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from agents.training import torchrun
from engine.console.arguments import positive, whole_number
from engine.console.parser import OneLineParser
from engine.evaluation.attack_options import BETS_IN_WORDS, add_scripts, add_settings

PROG: Final = "arena train blueprint"
_LBR_PAIRS: Final = 200
_BOARDS: Final = 20
_MERGE_EVERY: Final = 100_000
"""Iterations of each process in a round, unless told otherwise."""


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv`; return the exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    if options.list:
        return _list_configs()
    if options.minutes is None and options.iterations is None:
        parser.error("how long? --minutes M, or --iterations N")
    if options.patience is not None:
        _check_patience(parser, options)
    from agents.blueprint.train_work import train_blueprint

    return train_blueprint(options, f"{PROG} {shlex.join(argv)}")


def _list_configs() -> int:
    from agents.blueprint_model.config import config_names, load_config

    for name in config_names():
        sys.stdout.write(f"{name:10}  {load_config(name).summary}\n")
    return 0


def _check_patience(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse patience where nothing would be measured."""
    if torchrun.processes() > 1:
        parser.error("--patience is for one process")
    if not options.lbr_pairs and not options.script:
        parser.error("--patience: nothing is measured with --lbr-pairs 0 and no --script")


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        description="Solve an abstract game by Monte Carlo CFR; the average strategy is the bot.",
        epilog=BETS_IN_WORDS,
    )
    add = parser.add_argument
    add("--config", metavar="NAME|FILE", default="smoke", help="what to learn (%(default)s)")
    add("--list", action="store_true", help="show the configs that come along")
    add(
        "--minutes",
        metavar="M",
        type=positive,
        help="how long to learn from now on, beside building buckets",
    )
    add(
        "--iterations",
        metavar="N",
        type=_whole(1, 10**12),
        help="learn until there have been so many in all (of each process); with --minutes, until "
        "either",
    )
    add("--resume", action="store_true", help="resume the run in the folder")
    add("--out", metavar="DIR", type=Path, help="run folder (runs/blueprint-CONFIG)")
    add(
        "--workers",
        metavar="N",
        type=_whole(1, 1024),
        default=max((os.cpu_count() or 1) // torchrun.processes_here(), 1),
        help="threads (one per core: %(default)s); with 1 runs repeat exactly",
    )
    add(
        "--merge-every",
        metavar="N",
        type=_whole(1, 10**12),
        default=_MERGE_EVERY,
        help="iterations of each process between two merges, with torchrun (%(default)s)",
    )
    add(
        "--checkpoint-minutes",
        metavar="M",
        type=positive,
        default=5.0,
        help="between two checkpoints (%(default)g)",
    )
    add(
        "--lbr-pairs",
        metavar="N",
        type=_whole(0, 10**8),
        default=_LBR_PAIRS,
        help="hands, in pairs, of each setting of local best response at each checkpoint "
        "(%(default)s); 0: none",
    )
    add_settings(
        parser,
        "what it may do, as for arena lbr (without any FC,FC,FC,FC, or nothing where scripts are "
        "named)",
    )
    add_scripts(parser, "measure what a script wins, as for arena lbr")
    add(
        "--boards",
        metavar="N",
        type=_whole(1, 10**6),
        default=_BOARDS,
        help="for each script (%(default)s)",
    )
    add(
        "--patience",
        metavar="N",
        type=_whole(1, 10**6),
        help="keep the model that loses least to the best of these in best.blueprint, and end once "
        "N checkpoints in a row were no better",
    )
    return parser


def _whole(least: int, most: int) -> Callable[[str], int]:
    return whole_number(least, most, f"{{}}: want a number from {least} to {most}")
