"""`arena train cnn`: learn from records what an expert does, or what its actions are worth.

The run folder is described in `train.run`.  The table of the evaluation goes to stdout, everything
else to stderr.  Exit codes: 0 done, 1 a file cannot be written, 2 wrong arguments, records or
folder, 130 Ctrl-C or SIGTERM; then all epochs but the one it was in are kept.
"""

from __future__ import annotations

import argparse
import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.poker_cnn.shape import READINGS
from agents.poker_cnn.train.cnn_plan import WEIGHTINGS, CnnPlan
from agents.roster.bots import MANNER_OF_CHARACTER
from agents.training.requirements import need_torch
from engine.console.arguments import count, real_number, whole_number
from engine.console.command import Command, Option, WrongArguments
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import show, tell
from engine.console.progress import RateLimiter

if TYPE_CHECKING:
    from agents.poker_cnn.cnn_records import CnnRecords
    from agents.poker_cnn.model import CnnModel
    from agents.poker_cnn.train.descent import CnnEpoch

PROG: Final = "arena train cnn"
GAME_OF_ROUNDS: Final = "hunl"
AGAINST: Final = (*(f"O{number}" for number in range(1, 9)), *MANNER_OF_CHARACTER)
DEALS: Final = 4000
_MOST_SEED: Final = 2**31 - 1
_MOST_FOLDS: Final = 100
_MOST_ROUNDS: Final = 1000
_MOST_THREADS: Final = 1024
_NUMBERS: Final = ("epochs", "batch", "patience", "seed")
_REALS: Final = ("rate", "rate_last", "gamma", "gamma_last", "sizes", "values")


def _train_network(options: argparse.Namespace) -> int:
    try:
        plan = _plan(options)
    except ValueError as error:
        raise WrongArguments(str(error)) from error
    if (options.records is None) == (options.rounds == 0):
        raise WrongArguments("want records, or --rounds, which makes its own, not both")
    need_torch("cnn")
    from agents.poker_cnn.bot import MODELS, SHIPPED_NETWORK, load_model
    from agents.poker_cnn.cnn_records import CnnRecords
    from agents.poker_cnn.model import SUFFIX, CnnModel
    from agents.poker_cnn.train.splitting import LEAST_UNITS

    begun = CnnModel.load(options.begin) if options.begin is not None else None
    command = f"{PROG} {shlex.join(options.argv)}"
    if options.rounds:
        return _play_rounds(
            options, plan, begun or load_model(MODELS / f"{SHIPPED_NETWORK}{SUFFIX}"), command
        )
    records = CnnRecords.load(options.records)
    folder = options.out or Path("runs") / "cnn"
    tell(f"run folder {folder}")
    tell(f"{len(records):,} decisions in {len(records.ends):,} hands")
    matches = len(set(records.sessions.tolist()))
    if matches < LEAST_UNITS:
        tell(
            f"{matches} {'match is' if matches == 1 else 'matches are'} too few to hold out whole "
            "ones: pieces of matches are set aside, and intervals are over those"
        )
    if records.game.players != 2:
        tell("a network of this game can be judged, but not seated: cnn plays hold'em for two")
    return _train(options, plan, records, begun, folder, command)


def _train(
    options: argparse.Namespace,
    plan: CnnPlan,
    records: CnnRecords,
    begun: CnnModel | None,
    folder: Path,
    command: str,
) -> int:
    from agents.poker_cnn.train.accuracy_table import accuracy_table
    from agents.poker_cnn.train.cnn_run import NETWORK, NOTE, CnnRunSettings, run_training
    from agents.poker_cnn.train.devices import prepare
    from agents.training.run_folder import CHECKPOINT, check_folder, work_alone

    device = prepare(options.threads, options.device)
    settings = CnnRunSettings(
        plan, options.held_out, options.folds, None if begun is None else begun.weights
    )
    check_folder(folder, resume=options.resume)
    said = RateLimiter()
    clock = time.perf_counter()
    result = work_alone(
        folder,
        (CHECKPOINT, NETWORK, NOTE),
        lambda stop: run_training(
            records, settings, folder, device, resume=options.resume, command=command,
            on_epoch=lambda name, epoch: said(partial(_line, plan, name, epoch)), stop=stop,
        ),
    )  # fmt: skip
    if result is None:
        return INTERRUPTED
    tell(f"{folder / NETWORK} is written, {time.perf_counter() - clock:.0f} s")
    return show(accuracy_table(result.accuracies, result.folds), PROG)


def _play_rounds(options: argparse.Namespace, plan: CnnPlan, begun: CnnModel, command: str) -> int:
    from agents.poker_cnn.train.cnn_run import NETWORK
    from agents.poker_cnn.train.devices import prepare
    from agents.poker_cnn.train.rounds import (
        RoundsSettings,
        claim_rounds,
        play_rounds,
        scripted_opponents,
    )
    from agents.training.run_folder import CHECKPOINT, check_folder, work_alone
    from protocol.gamedefs import load_builtin

    folder = options.out or Path("runs") / "cnn-rounds"
    opponents = scripted_opponents(options.against)
    settings = RoundsSettings(
        load_builtin(GAME_OF_ROUNDS), opponents, options.rounds, options.deals, plan
    )
    device = prepare(options.threads, options.device)
    check_folder(folder, resume=options.resume)
    tell(f"run folder {folder}")
    said = RateLimiter()

    def work(stop: Callable[[], bool]) -> CnnModel | None:
        claim_rounds(folder, settings, begun, resume=options.resume)
        return play_rounds(
            begun, settings, folder,
            device=device,
            command=command, say=tell, stop=stop,
            on_epoch=lambda name, epoch: said(partial(_line, plan, name, epoch)),
        )  # fmt: skip

    if work_alone(folder, (CHECKPOINT, NETWORK), work) is None:
        return INTERRUPTED
    tell(f"{folder / NETWORK} is written")
    return 0


def _line(plan: CnnPlan, name: str, epoch: CnnEpoch) -> str:
    text = f"{name}: epoch {epoch.epoch} of {plan.epochs}: loss {epoch.loss:.4f}"
    if epoch.aside_loss == epoch.aside_loss:
        text += f"; aside {epoch.aside_loss:.4f}, accuracy {epoch.aside_accuracy:.4f}"
    return text


def _plan(options: argparse.Namespace) -> CnnPlan:
    given = {field.name: getattr(options, field.name, None) for field in fields(CnnPlan)}
    return CnnPlan(**{name: value for name, value in given.items() if value is not None})


_PLAN: Final = CnnPlan()
_MEANINGS: Final = {
    "epochs": "most times that all hands are looked at",
    "batch": "hands between two updates",
    "patience": "epochs without progress after which a training ends",
    "seed": "of first weights and the order of hands",
    "rate": "of learning in the first epoch",
    "rate_last": "in the last one",
    "gamma": "by which an action counts less for each decision to come, in the first epoch",
    "gamma_last": "in the last one",
    "sizes": "weight of the loss of raise sizes",
    "values": "weight of the loss of what hands are worth, which `cnn --search 1` needs",
}


def _numbers() -> Iterator[Option]:
    """Yield the options that are numbers of a plan."""
    real = real_number(lambda value: 0 <= value < 1e6, "{}: want a number from 0 on")
    for name in _NUMBERS:
        kind = whole_number(0, _MOST_SEED) if name == "seed" else count
        yield Option(f"--{name} N", f"{_MEANINGS[name]} ({getattr(_PLAN, name)})", kind)
    for name in _REALS:
        text = f"{_MEANINGS[name]} ({getattr(_PLAN, name):g})"
        yield Option(f"--{name.replace('_', '-')} X", text, real)


main = Command(
    PROG,
    _train_network,
    "Train the network on records that `arena data cnn` made of match logs, and measure it on "
    "matches held out.",
    (
        Option("[FILE]", "records; none with --rounds", Path, dest="records"),
        Option("--out DIR", "run folder (runs/cnn)", Path),
        Option("--resume", "resume the run in the folder"),
        Option(
            "--reading",
            "of the outputs: chances of the expert's actions, or the value of the action taken "
            f"({_PLAN.reading})",
            choices=READINGS,
        ),
        Option(
            "--weighting",
            f"of actions: all alike, or as the hand was won ({_PLAN.weighting})",
            choices=WEIGHTINGS,
        ),
        Option(
            "--held-out SHARE",
            "of the hands, whole matches (pieces, of fewer than 20), not learned from but "
            "measured on (%(default)s)",
            real_number(lambda value: 0 <= value < 1, "{}: want a number from 0 to less than 1"),
            0.2,
        ),
        Option(
            "--folds K",
            "so many trainings first, each judged on the part that it leaves out (0: one, which "
            "leaves out a tenth; 1: none, and all epochs are trained)",
            whole_number(0, _MOST_FOLDS),
            0,
        ),
        Option("--begin FILE", "network to begin with, not random weights", Path),
        Option(
            "--rounds N",
            "play the pool and itself, learn from the own logs, and keep the new network if it "
            "wins more; so many times, from --begin or the shipped network on",
            whole_number(0, _MOST_ROUNDS),
            0,
        ),
        Option(
            "--against BOT...",
            f"whom it meets in rounds beside itself ({' '.join(AGAINST)})",
            default=list(AGAINST),
        ),
        Option(
            "--deals N",
            "of each match of a round, played from both seats (%(default)s)",
            count,
            DEALS,
        ),
        *_numbers(),
        Option(
            "--backwards",
            "an update for the last decisions of a batch, then one for those before, and so on",
            action="store_const",
            const=True,
        ),
        Option(
            "--threads N",
            "of the processor (%(default)s); the result depends on it in the last digits",
            whole_number(1, _MOST_THREADS),
            1,
        ),
        Option("--device NAME", "of PyTorch, such as cpu or cuda (a GPU if one is there)"),
    ),
    prints=False,
).main
