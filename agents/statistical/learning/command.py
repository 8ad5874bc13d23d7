"""`arena train statistical`: learn from match logs what players do, and measure it on other hands.

The run folder holds

    decisions.data    every decision of the logs; made anew only when the logs change
    others.data       likewise of the logs of --others; curves need neither
    KIND.model        the result, ready to be played with
    KIND.json         how it was made, and how it does on the hands held out

The table of the evaluation goes to stdout, everything else to stderr.  Exit codes: 0 done, 2 wrong
arguments or logs, 130 Ctrl-C.  A stopped run leaves the decisions that it has read, the slowest
step; the same command goes on from there.  The same logs and seed give the same model, to the bit.
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

from agents.errors import TrainingError
from agents.statistical.learning.curve_training import train_curves
from agents.statistical.learning.dataset import DecisionTable, split_decisions
from agents.statistical.learning.log_decisions import cached_decisions
from agents.statistical.learning.training import Trained, TrainingTask, check_share, train_predictor
from agents.statistical.learning.type_clustering import WINDOW
from agents.statistical.predicting.ann import MOST_HIDDEN, NetworkConfig
from agents.statistical.predicting.model_files import KINDS, file_name
from agents.training.logs import find_logs, one_game, source_of
from agents.training.requirements import need_torch
from engine.console.arguments import count, load_game, real_number, whole_number
from engine.console.exit_codes import INTERRUPTED
from engine.console.options import add_seed
from engine.console.output import show, tell
from engine.console.parser import OneLineParser
from engine.console.progress import Stages
from engine.storage.atomic import write_whole

PROG: Final = "arena train statistical"
DECISIONS: Final = "decisions.data"
OTHERS: Final = "others.data"
CURVES: Final = "curves"
KIND_OF_SETTING: Final = {"hidden": "ann", "epochs": "ann", "window": "types"}
"""Option that sets how a kind is trained -> the kind."""


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv`; return the exit code.

    Raises:
        TorchMissing: a network is to be trained, and PyTorch is not installed.
        TrainingError: the logs cannot be learned from, or the folder cannot be used.
        ArtifactMismatch: the file of decisions is damaged.
        OSError: the folder cannot be written.
    """
    parser = _parser()
    options = parser.parse_args(argv)
    for name, kind in (KIND_OF_SETTING | {"others": "types"}).items():
        if getattr(options, name) is not None and options.kind != kind:
            parser.error(f"--{name}: only for {kind}, not for {options.kind}")
    folder = options.out or Path("runs") / "statistical"
    kept: list[Path] = []
    try:
        return _run(options, folder, f"{PROG} {shlex.join(argv)}", kept)
    except KeyboardInterrupt:
        files = " and ".join(map(str, kept))
        tell(f"stopped; the same command {f'resumes from {files}' if kept else 'begins anew'}")
        return INTERRUPTED


def _run(options: argparse.Namespace, folder: Path, command: str, kept: list[Path]) -> int:
    """Train, measure, save; put the files that the same command would resume from into `kept`."""
    logs, others = find_logs(options.logs), find_logs(options.others or ())
    if options.kind == "ann":
        need_torch(options.kind)
    _make_folder(folder, options.kind)
    tell(f"run folder {folder}")
    begun = time.perf_counter()
    stages = Stages()
    if options.kind == CURVES:
        game, hands, _ = one_game(logs, options.game, all_shown=True)
        tell(f"{len(hands):,} hands")
        trained = train_curves(game, hands, options.held_out, stages)
    else:
        decisions = cached_decisions(folder / DECISIONS, logs, options.game, stages)
        kept.append(folder / DECISIONS)
        tell(f"{len(decisions):,} decisions in {decisions.hand_count:,} hands")
        strangers = None
        if others:
            strangers = cached_decisions(folder / OTHERS, others, options.game, Stages())
            kept.append(folder / OTHERS)
        trained = _train(options, decisions, strangers, stages)
    trained.model.provenance.update(
        seed=options.seed, held_out=options.held_out, **source_of(logs, options.game)
    )
    path = folder / file_name(options.kind)
    trained.model.save(path)
    _note(path, trained, command, time.perf_counter() - begun)
    tell(f"{path} is written")
    return show(trained.report + "\n", PROG)


def _make_folder(folder: Path, kind: str) -> None:
    """Make the run folder; TrainingError where that fails, or one of its files is a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise TrainingError(f"{folder}: a file is in the way, want a folder") from error
    except OSError as error:
        raise TrainingError(f"{folder}: {error.strerror}") from error
    model = folder / file_name(kind)
    for path in (model, model.with_suffix(".json"), folder / DECISIONS, folder / OTHERS):
        if path.is_dir():
            raise TrainingError(f"{path}: is a folder, want a file")


def _train(
    options: argparse.Namespace,
    decisions: DecisionTable,
    others: DecisionTable | None,
    stages: Stages,
) -> Trained:
    """Train what learns from decisions one by one, not from whole hands.  Raises TrainingError."""
    given = {name: getattr(options, name) for name in KIND_OF_SETTING}
    try:
        check_share(decisions.hand_count, options.held_out)
        learned, held_out = split_decisions(
            decisions, options.held_out, np.random.default_rng(options.seed)
        )
        settings = {name: value for name, value in given.items() if value is not None}
        return train_predictor(
            options.kind, TrainingTask(learned, held_out, options.seed, settings, others, stages)
        )
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
    write_whole(path.with_suffix(".json"), json.dumps(told, indent=2) + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        description="Learn from match logs of hold'em what players do.",
    )
    add = parser.add_argument
    add(
        "kind",
        metavar="KIND",
        choices=tuple(KINDS),
        help="ann (a neural network), types (five of players) or curves (actions with each "
        "tenth of the own range)",
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
        type=real_number(lambda share: 0 < share < 1, "{}: want a number between 0 and 1"),
        default=0.2,
        help="of the hands, not learned from but evaluated on; curves: the last ones (%(default)s)",
    )
    add(
        "--others",
        metavar="FILE|DIR",
        type=Path,
        nargs="+",
        help="types: logs of players who are not learned from, to see which type they get",
    )
    # No defaults, so that options of another kind are noticed.
    network = NetworkConfig()
    units = whole_number(1, MOST_HIDDEN)
    add("--hidden", metavar="N", type=units, help=f"ann: units ({network.hidden})")
    add(
        "--epochs",
        metavar="N",
        type=count,
        help=f"ann: most times that all decisions are looked at ({network.epochs})",
    )
    add(
        "--window",
        metavar="N",
        type=count,
        help=f"types: hands of a player that are looked at together ({WINDOW})",
    )
    return parser
