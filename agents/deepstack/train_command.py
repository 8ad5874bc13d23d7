"""`arena train deepstack`: learn from solved situations what the hands of two ranges win.

Exit codes: 0 done, 1 a file cannot be read or written, 2 wrong arguments, or a folder that another
training uses or whose run cannot be resumed, 130 Ctrl-C; then all epochs but the one it was in are
kept.
"""

from __future__ import annotations

import argparse
import shlex
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.deepstack.bucketed import bucketed_data
from agents.deepstack.configuration import PREFLOP, SOURCES
from agents.deepstack.data import SolvedData, common_configuration
from agents.errors import TrainingError
from agents.training.requirements import need_torch
from agents.training.run_folder import CHECKPOINT, check_folder, save_note, today_here, work_alone
from engine.console.arguments import count, real_number, whole_number
from engine.console.command import Command, Option
from engine.console.exit_codes import INTERRUPTED
from engine.console.options import jobs_option
from engine.console.output import show, tell
from engine.console.progress import LivingLine, RateLimiter
from engine.console.text_table import aligned
from engine.hands.starting_hands import STARTING_HANDS
from engine.networks.board_network import BoardValueNetwork

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from agents.deepstack.bucketed import Bucketed, Tested
    from agents.deepstack.train.board_training import BoardPlan

PROG: Final = "arena train deepstack"
NETWORK: Final = "deepstack.network"
NOTE: Final = "deepstack.json"
_FEWEST: Final = 10
_TESTED_AT_ONCE: Final = 256
_SQUARES: Final = 1e3
"""Pots: no error is larger."""
_MOST_SEED: Final = 2**31 - 1
_PROGRESS_SECONDS: Final = 10.0


def _work(options: argparse.Namespace) -> int:
    need_torch("deepstack")
    from agents.deepstack.train.board_training import BoardPlan, prepare

    data = [SolvedData(folder) for folder in options.folders]
    first = data[0].configuration  # all may be learnt from, however they were drawn
    alike = [
        replace(one.configuration, seed=first.seed, shares=first.shares, asked_sha256="")
        for one in data
    ]
    common_configuration(alike, [one.files[0] for one in data])
    begin = None if options.begin is None else BoardValueNetwork.load(options.begin)
    plan = BoardPlan(
        epochs=options.epochs, batch=options.batch, rate=options.rate, seed=options.seed
    )
    if data[0].configuration.street == PREFLOP:  # of one flop each: only squares lead to the mean
        plan = replace(plan, delta=_SQUARES)
    prepare(options.threads)
    folder = options.out or Path("runs") / "deepstack"
    tell(f"run folder {folder}")
    check_folder(folder, resume=options.resume)
    work = partial(_train, folder, plan, begin, options)
    return INTERRUPTED if work_alone(folder, (CHECKPOINT, NETWORK, NOTE), work) is None else 0


def _train(
    folder: Path,
    plan: BoardPlan,
    begin: BoardValueNetwork | None,
    options: argparse.Namespace,
    stop: Callable[[], bool],
) -> BoardValueNetwork | None:
    """Train to the end and show the errors; None where it was stopped."""
    from agents.deepstack.train.board_training import BoardTraining, folder_of

    with LivingLine() as living:
        learnt, tested, digest = bucketed_data(
            options.folders,
            options.jobs,
            lambda done, files: living.show(f"{done:,} of {files:,} files"),
        )
    if min(len(learnt.stacks), len(tested.bucket)) < _FEWEST:
        raise TrainingError(
            f"{len(learnt.stacks):,} situations to learn from, {len(tested.bucket):,} to test on: "
            f"want {_FEWEST} of both; a tenth of the boards, and of streets that begin a tenth of "
            "the files, are for tests alone; make more with `arena data values`"
        )
    tell(f"{len(learnt.stacks):,} situations to learn from, {len(tested.bucket):,} to test on")
    try:
        run = BoardTraining(
            folder_of(folder), learnt, plan, digest, begin=begin, resume=options.resume
        )
    except ValueError as error:
        raise TrainingError(f"{options.begin}: {error}") from error
    limiter = RateLimiter(_PROGRESS_SECONDS)
    while not run.over:
        if not run.learn(stop):
            return None
        number, loss = run.epochs[-1]
        line = f"epoch {number} of {plan.epochs}: loss {loss:.6f}"
        limiter(partial(str, line))
    configuration = SolvedData(options.folders[0]).configuration
    facts = {
        "cards": configuration.cards,
        "over": configuration.over,
        "plan": plan.facts(),
        "situations": len(learnt.stacks),
        "data": digest,
    }
    network = run.network(facts)
    errors = errors_of(network, tested)
    network.save(folder / NETWORK)
    command = f"{PROG} {shlex.join(options.argv)}"
    losses = [loss for _, loss in run.epochs]
    note = {"command": command, **facts, "losses": losses, "errors": errors}
    save_note(folder / NETWORK, {**note, "tested": len(tested.bucket), **today_here()})
    tell(f"{folder / NETWORK} is written")
    show(error_table(errors), PROG)
    return network


def predictions(network: BoardValueNetwork, data: Bucketed) -> NDArray[np.float32]:
    """Return (N, 2, B) values that a network predicts, of situations on any boards."""
    values = np.empty_like(data.values)
    for first in range(0, len(values), _TESTED_AT_ONCE):
        rows = slice(first, first + _TESTED_AT_ONCE)
        some = data.rows(rows)
        values[rows] = network.values(
            some.shares, some.mass, some.equity, some.hands, some.moments, some.stacks
        )
    return values


def errors_of(network: BoardValueNetwork, tested: Tested) -> dict[str, dict[str, list[float]]]:
    """Return {source: {predictor: [mean error by hand, by range]}} in pots; "all" is a source."""
    data = tested.bucketed
    predicted = {
        "zero": np.zeros_like(data.values),
        "equity": data.equity,
        "network": predictions(network, data),
    }
    if data.values.shape[-1] != STARTING_HANDS:  # each of which is a bucket of its own
        predicted["right by bucket"] = data.values
    errors = {name: tested.errors(values) for name, values in predicted.items()}
    chosen = {"all": np.ones(len(data.source), np.bool_)}
    chosen |= {name: data.source == place for place, name in enumerate(SOURCES)}
    return {
        source: {name: error[rows].mean(axis=0).tolist() for name, error in errors.items()}
        for source, rows in chosen.items()
        if rows.any()
    }


def error_table(errors: dict[str, dict[str, list[float]]]) -> str:
    """Return the errors as a table, by range and by hand."""
    names = list(errors["all"])
    rows: list[tuple[str, ...]] = [("error in pots", *names, *(f"{n}, by hand" for n in names))]
    for source, found in errors.items():
        cells = [found[name][kind] for kind in (1, 0) for name in names]
        rows.append((source, *(f"{cell:.4f}" for cell in cells)))
    return "\n".join(aligned(rows)) + "\n"


def _plan_options() -> tuple[Option, ...]:
    rate = real_number(lambda value: 0 < value < 1, "{!r}: want more than 0 and less than 1")
    return (
        Option("--epochs N", "times that all situations are looked at (%(default)s)", count, 30),
        Option("--batch N", "situations between two updates (%(default)s)", count, 64),
        Option("--rate X", "of learning at its height (%(default)s)", rate, 6e-3),
        Option(
            "--seed N", "of first weights and orders (%(default)s)", whole_number(0, _MOST_SEED), 1
        ),
    )


COMMAND: Final = Command(
    PROG,
    _work,
    "Train a network on situations that `arena data values` solved, and measure it on boards held "
    "out, beside what costs nothing: that nothing is won, and that nobody bets any more.",
    (
        Option("FOLDER...", "solved situations of one kind", Path, dest="folders"),
        Option("--out DIR", "run folder (runs/deepstack)", Path),
        Option("--from FILE", "begin with the weights of a network", Path, dest="begin"),
        *_plan_options(),
        Option("--threads N", "of PyTorch (%(default)s)", whole_number(1, 1024), 1),
        jobs_option(),
        Option("--resume", "resume the run in the folder"),
    ),
    "Equal situations, options and threads give equal networks on one machine.",
)
main: Final[Any] = COMMAND.main
