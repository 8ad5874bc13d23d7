"""`arena train statistical`: learn from match logs what players do, and measure it on other hands.

The run folder holds

    decisions.data    every decision of the logs; made anew only when the logs change
    others.data       likewise of the logs of --others; curves need neither
    KIND.model        the result, ready to be played with
    KIND.json         how it was made, and how it does on the hands held out

The table of the evaluation goes to stdout, everything else to stderr.  Exit codes: 0 done, 2 wrong
arguments or logs, 130 Ctrl-C.  A run that is stopped leaves the decisions, which take longest;
the same command goes on from there.  The same logs and seed give the same model, to the bit.
"""

from __future__ import annotations

import argparse
import json
import platform
import shlex
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.command import OneLineParser, count, load_game, show
from agents.errors import TrainingError
from agents.reporting import INTERRUPTED, Stages, add_seed, tell
from agents.statistical import ann
from agents.statistical.dataset import split
from agents.statistical.learning import tree_growing
from agents.statistical.learning.curve_training import train_curves
from agents.statistical.learning.training import Trained, Work, train
from agents.statistical.learning.type_clustering import WINDOW
from agents.statistical.log_decisions import cached_decisions, one_game, source_of
from agents.statistical.model_files import LOADERS, file_name

PROG: Final = "arena train statistical"
DECISIONS: Final = "decisions.data"
OTHERS: Final = "others.data"
CURVES: Final = "curves"


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv`; return the exit code.

    Raises:
        TrainingError: the logs cannot be learned from.
        ArtifactMismatch: the file of decisions is damaged.
        OSError: the folder cannot be written.
    """
    options = _parser().parse_args(argv)
    folder = options.out or Path("runs") / "statistical"
    try:
        return _run(options, folder, f"{PROG} {shlex.join(argv)}")
    except KeyboardInterrupt:
        tell("stopped; the same command goes on with what is in the folder")
        return INTERRUPTED


def _run(options: argparse.Namespace, folder: Path, command: str) -> int:
    tell(f"run folder {folder}")
    folder.mkdir(parents=True, exist_ok=True)
    begun = time.perf_counter()
    stages = Stages()
    logs = _logs_in(options.logs)
    if options.kind == CURVES:
        game, hands = one_game(logs, options.game)
        tell(f"{len(hands):,} hands")
        trained = train_curves(game, hands, options.held_out, stages)
    else:
        trained = _train(options, folder, logs, stages)
    trained.model.provenance.update(
        seed=options.seed, held_out=options.held_out, **source_of(logs, options.game)
    )
    path = folder / file_name(options.kind)
    trained.model.save(path)
    _note(path, trained, command, time.perf_counter() - begun)
    tell(f"{path} is written")
    return show(trained.report + "\n", PROG)


def _logs_in(places: Sequence[Path]) -> list[Path]:
    """Return the logs among files and folders; those of a folder in the order of their names."""
    logs = []
    for place in places:
        inside = sorted(place.glob("*.log")) if place.is_dir() else [place]
        if not inside:
            raise TrainingError(f"{place}: no *.log in this folder")
        logs += inside
    return logs


def _train(
    options: argparse.Namespace, folder: Path, logs: Sequence[Path], stages: Stages
) -> Trained:
    """Train what learns from decisions one by one, not from whole hands."""
    decisions = cached_decisions(folder / DECISIONS, logs, options.game, stages)
    tell(f"{len(decisions):,} decisions in {decisions.hand_count:,} hands")
    others = None
    if options.others:
        others = cached_decisions(folder / OTHERS, _logs_in(options.others), options.game, Stages())
    rng = np.random.default_rng(options.seed)
    try:
        learned, held_out = split(decisions, options.held_out, rng)
        work = Work(
            learned=learned,
            held_out=held_out,
            seed=options.seed,
            network=ann.Config(hidden=options.hidden, epochs=options.epochs),
            tree=tree_growing.Config(least=options.leaf),
            window=options.window,
            others=others,
            progress=stages,
        )
        return train(options.kind, work)
    except ValueError as error:
        raise TrainingError(str(error)) from error


def _note(path: Path, trained: Trained, command: str, seconds: float) -> None:
    """Write how the model came about."""
    told: dict[str, Any] = {
        **trained.model.provenance,
        "evaluation": trained.facts,
        "command": command,
        "seconds": round(seconds, 1),
        "saved": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }
    target = path.with_suffix(".json")
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    unfinished.replace(target)


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        description="Learn from match logs of hold'em what players do.",
    )
    add = parser.add_argument
    add(
        "kind",
        metavar="KIND",
        choices=tuple(LOADERS),
        help="frequencies: counters by street and raises; ann: a neural network; tree: a decision "
        "tree, which tells the strength of the hand as well; types: five types of players; curves: "
        "what is done with each tenth of the own range",
    )
    add(
        "--logs",
        metavar="FILE|DIR",
        type=Path,
        nargs="+",
        required=True,
        help="match logs, and folders of which every *.log is one",
    )
    add(
        "--game",
        metavar="NAME|FILE",
        type=load_game,
        help="what is played in them (default: the built-in game that each log's header names)",
    )
    add("--out", metavar="DIR", type=Path, help="run folder (runs/statistical)")
    add_seed(parser, "of all random choices")
    add(
        "--held-out",
        metavar="SHARE",
        type=_share,
        default=0.2,
        help="of the hands, not learned from but evaluated on; curves: the last ones (%(default)s)",
    )
    add(
        "--others",
        metavar="FILE|DIR",
        type=Path,
        nargs="+",
        default=(),
        help="types: logs of players who are not learned from, to see which type they get",
    )
    network, tree, default = ann.Config(), tree_growing.Config(), "(%(default)s)"
    add("--hidden", metavar="N", type=count, default=network.hidden, help=f"ann: units {default}")
    add(
        "--epochs",
        metavar="N",
        type=count,
        default=network.epochs,
        help=f"ann: most times that all decisions are looked at {default}",
    )
    add(
        "--leaf",
        metavar="N",
        type=count,
        default=tree.least,
        help=f"tree: fewest decisions of a leaf {default}",
    )
    add(
        "--window",
        metavar="N",
        type=count,
        default=WINDOW,
        help=f"types: hands of a player that are looked at together {default}",
    )
    return parser


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"{text}: want a number between 0 and 1")
    return share
