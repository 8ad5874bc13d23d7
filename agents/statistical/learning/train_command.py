"""`arena train statistical`: learn from match logs what players do, and measure it on other hands.

The run folder holds

    decisions.data    every decision of the logs; made anew only when the logs change
    others.data       likewise of the logs of --others; curves and sequences need neither
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
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.errors import TrainingError
from agents.statistical.learning.curve_training import train_curves
from agents.statistical.learning.dataset import DecisionTable, split_decisions
from agents.statistical.learning.log_decisions import cached_decisions
from agents.statistical.learning.predictor_training import (
    Trained,
    TrainingTask,
    check_share,
    train_predictor,
)
from agents.statistical.learning.tree_growing import TreeConfig
from agents.statistical.learning.type_clustering import WINDOW_HANDS
from agents.statistical.predicting.action_curves import ActionCurves
from agents.statistical.predicting.ann import MOST_HIDDEN, NetworkConfig
from agents.statistical.predicting.model_files import MODEL_CLASS_OF_KIND, file_name
from agents.statistical.predicting.sequence_curves import SequenceCurves
from agents.training.logs import find_logs, one_game, source_of
from agents.training.requirements import need_torch
from engine.console.arguments import count, load_game, real_number, whole_number
from engine.console.command import Command, Option, WrongArguments
from engine.console.exit_codes import INTERRUPTED
from engine.console.options import seed_option
from engine.console.output import show, tell
from engine.console.progress import Stages
from engine.storage.atomic import write_whole

PROG: Final = "arena train statistical"
DECISIONS: Final = "decisions.data"
OTHERS: Final = "others.data"
CURVES: Final = {"curves": ActionCurves, "sequences": SequenceCurves}
KIND_OF_SETTING: Final = {
    "hidden": "ann",
    "epochs": "ann",
    "leaf": "tree",
    "gain": "tree",
    "window": "types",
}


def _learn(options: argparse.Namespace) -> int:
    for name, kind in (KIND_OF_SETTING | {"others": "types"}).items():
        if getattr(options, name) is not None and options.kind != kind:
            raise WrongArguments(f"--{name}: only for {kind}, not for {options.kind}")
    folder = options.out or Path("runs") / "statistical"
    caches: list[Path] = []
    try:
        return _run(options, folder, f"{PROG} {shlex.join(options.argv)}", caches)
    except KeyboardInterrupt:
        files = " and ".join(map(str, caches))
        tell(f"stopped; the same command {f'resumes from {files}' if caches else 'begins anew'}")
        return INTERRUPTED


def _run(options: argparse.Namespace, folder: Path, command: str, caches: list[Path]) -> int:
    """Train, measure, save; put the files that the same command would resume from into `caches`."""
    logs, others = find_logs(options.logs), find_logs(options.others or ())
    if options.kind == "ann":
        need_torch(options.kind)
    _make_folder(folder, options.kind)
    tell(f"run folder {folder}")
    begun = time.perf_counter()
    stages = Stages()
    if options.kind in CURVES:
        game, hands, _ = one_game(logs, options.game, all_shown=True)
        tell(f"{len(hands):,} hands")
        trained = train_curves(game, hands, options.held_out, stages, CURVES[options.kind])
    else:
        decisions = cached_decisions(folder / DECISIONS, logs, options.game, stages)
        caches.append(folder / DECISIONS)
        tell(f"{len(decisions):,} decisions in {decisions.hand_count:,} hands")
        strangers = None
        if others:
            strangers = cached_decisions(folder / OTHERS, others, options.game, Stages())
            caches.append(folder / OTHERS)
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
    note: dict[str, Any] = {
        **trained.model.provenance,
        "evaluation": trained.facts,
        "command": command,
        "seconds": round(seconds, 1),
        "saved": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }
    write_whole(path.with_suffix(".json"), json.dumps(note, indent=2) + "\n")


_NETWORK: Final = NetworkConfig()
_TREE: Final = TreeConfig()
main = Command(
    PROG,
    _learn,
    "Learn from match logs of hold'em what players do.",
    (
        Option(
            "KIND",
            "ann (a neural network), tree (a decision tree, also of strengths of hands), types "
            "(five of players), curves (actions with each tenth of the own range) or sequences "
            "(the same by what the player did before)",
            choices=tuple(MODEL_CLASS_OF_KIND),
        ),
        Option(
            "--logs FILE|DIR...",
            "match logs, and folders of which every *.log is one",
            Path,
            required=True,
        ),
        Option(
            "--game NAME|FILE",
            "what is played in them (default: the built-in game that each log's header names)",
            load_game,
        ),
        Option("--out DIR", "run folder (runs/statistical)", Path),
        seed_option("of all random choices"),
        Option(
            "--held-out SHARE",
            "of the hands, not learned from but evaluated on; curves and sequences: the last ones "
            "(%(default)s)",
            real_number(lambda share: 0 < share < 1, "{}: want a number between 0 and 1"),
            0.2,
        ),
        Option(
            "--others FILE|DIR...",
            "types: logs of players who are not learned from, to see which type they get",
            Path,
        ),
        Option("--hidden N", f"ann: units ({_NETWORK.hidden})", whole_number(1, MOST_HIDDEN)),
        Option(
            "--epochs N",
            f"ann: most times that all decisions are looked at ({_NETWORK.epochs})",
            count,
        ),
        Option("--leaf N", f"tree: fewest decisions of a leaf ({_TREE.leaf})", count),
        Option(
            "--gain NATS",
            f"tree: information that a split gains at least, per decision ({_TREE.gain})",
            real_number(lambda nats: nats >= 0, "{}: want 0 or more"),
        ),
        Option(
            "--window N",
            f"types: hands of a player that are looked at together ({WINDOW_HANDS})",
            count,
        ),
    ),
    prints=False,
).main
