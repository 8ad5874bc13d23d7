"""What `arena improve` does once its arguments are read: ranks, plans, learns, writes."""

from __future__ import annotations

import argparse
import math
import shlex
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from agents.blueprint_model.model import BlueprintModel, load_model
from agents.blueprint_model.models import BIG_BLINDS_OF_STEM, model_file, named_model
from agents.errors import ConfigError, GameNotPlayed, TrainingError
from agents.improvement.branch import PLAYOUTS, Branch
from agents.improvement.branch_costs import branch_costs, plan_lines
from agents.improvement.improvement_run import (
    CARDS,
    FILES_WRITTEN_WHOLE,
    GAME,
    ImprovementRun,
    RaiseTask,
    cards_to_learn_with,
    cards_to_time_with,
    digest_of,
)
from agents.improvement.lesson import Lesson, LessonLimits
from agents.improvement.logged_raises import logged_raises
from agents.improvement.ranking import MissingRaise, rank_missing
from agents.improvement.schedule import Daily, Every
from agents.improvement.service import Service, ServiceSettings, open_service
from agents.training.logs import find_logs
from agents.training.run_folder import alone_in
from engine.abstraction.buckets import CardAbstraction
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import say, tell
from engine.console.progress import RateLimiter, Stages
from engine.console.stopping import stop_on_signals
from engine.errors import ArtifactMismatch

MOST_ITERATIONS: Final = 10**12
CONVERGED: Final = 0.07
"""Change of a strategy below which a service adds a raise."""
HOURS_BETWEEN: Final = 24.0
NIGHT_HOURS: Final = 8.0


def improve(options: argparse.Namespace, command: str) -> int:
    """Do what the options say; return the exit code.

    Args:
        command: line that they are of, for the record.

    Raises:
        ConfigError: the model cannot be read.
        GameNotPlayed: it is of a game without sizes, or does not play that of a log.
        OSError: a file cannot be written.
        TrainingError: a log cannot be read, or the run in the folder cannot be resumed.
    """
    path = _model_path(options.model)
    model = _opened(path)
    folder = options.out or Path("runs") / f"improve-{path.stem}"
    if options.watch is not None:
        folder = options.out or Path("runs") / f"watch-{path.stem}"
        if not options.plan:
            return _serve(options, path, model, folder, command)
        options.logs = [options.watch]
    if options.plan:
        ranked = _ranked(options, path, model)
        return _plan(options, model, ranked, folder)
    with alone_in(folder, FILES_WRITTEN_WHOLE):
        run = _begin_or_resume(options, path, model, folder)
        run.commands.append(command)
        run.note()
        return _improve(run, model, options, path)


def _serve(
    options: argparse.Namespace, path: Path, model: BlueprintModel, folder: Path, command: str
) -> int:
    """Serve until a signal comes; 0 also then, but 130 where a single round was cut short."""
    if not options.watch.is_dir():
        raise TrainingError(f"{options.watch}: no folder of logs")
    every = Every(HOURS_BETWEEN if options.every is None else options.every)
    schedule = every if options.daily is None else Daily(options.daily)
    settings = ServiceSettings(
        folder=options.watch,
        names=frozenset(options.opponent),
        game=options.game,
        raises=options.raises,
        hours=NIGHT_HOURS if options.hours is None else options.hours,
        iterations=options.iterations or MOST_ITERATIONS,
        pause=60 * options.checkpoint_minutes,
        bound=CONVERGED if options.converged is None else options.converged,
        schedule=None if options.once else schedule,
    )
    with alone_in(folder, FILES_WRITTEN_WHOLE):
        run = ImprovementRun(
            folder, digest_of(path), not options.alone, options.seed, options.workers
        )
        open_service(run, command)
        if Service(run, path, model, settings).serve():
            return 0
    tell("stopped; the same command goes on")
    return INTERRUPTED if options.once else 0


def _model_path(name: str) -> Path:
    try:
        return model_file(name) if name in BIG_BLINDS_OF_STEM else named_model(name)
    except ValueError as error:
        raise ConfigError(f"{error}; shipped ones are {', '.join(BIG_BLINDS_OF_STEM)}") from error


def _opened(path: Path) -> BlueprintModel:
    try:
        model = load_model(path)
    except ArtifactMismatch as error:
        raise ConfigError(str(error)) from error
    if not model.config.bets or not isinstance(model.cards, CardAbstraction):
        raise GameNotPlayed(f"{path}: only models of no-limit hold'em lack sizes")
    return model


def _ranked(options: argparse.Namespace, path: Path, model: BlueprintModel) -> list[MissingRaise]:
    """Rank the raises of the logs, and say what there is."""
    said = RateLimiter()
    logged = logged_raises(
        model,
        path,
        find_logs(options.logs),
        options.game,
        frozenset(options.opponent),
        lambda hands: said(f"{hands:,} hands read"),
    )
    ranked = rank_missing(model.tree, logged, options.raises)
    lacking = sum(times for node in logged.places for times in node.sizes.values())
    tell(
        f"{logged.hands:,} hands, {logged.raises:,.0f} raises before the flop, {lacking:,.0f} by "
        f"sizes that {path.name} lacks"
    )
    if not ranked:
        raise TrainingError(f"nothing to learn: {path.name} has every raise of these logs")
    return ranked


def _begin_or_resume(
    options: argparse.Namespace, path: Path, model: BlueprintModel, folder: Path
) -> ImprovementRun:
    run = ImprovementRun(folder, digest_of(path), not options.alone, options.seed, options.workers)
    if not run.resume():
        run.tasks = [RaiseTask(missing) for missing in _ranked(options, path, model)]
        return run
    tell(f"resuming {folder}; its raises stay those of the logs that it was begun with")
    return run


def _branches(model: BlueprintModel, raises: Sequence[MissingRaise], *, safe: bool) -> list[Branch]:
    try:
        return [Branch(model, raised.extra, safe=safe) for raised in raises]
    except ValueError as error:
        raise TrainingError(f"not to be learned: {error}") from error


def _plan(
    options: argparse.Namespace, model: BlueprintModel, raises: list[MissingRaise], folder: Path
) -> int:
    branches = _branches(model, raises, safe=not options.alone)
    tabulated = (folder / CARDS).exists()
    cards = _cards(model, folder) if tabulated else cards_to_time_with(model)
    costs = branch_costs(model, branches, cards, options.workers)
    for line in plan_lines(raises, costs, _wanted(options, model), options.hours):
        say(line)
    return 0


def _cards(model: BlueprintModel, folder: Path) -> Any:
    stages = Stages(tell)
    return cards_to_learn_with(model, folder, lambda done: stages("cards of the turn", done))


def _wanted(options: argparse.Namespace, model: BlueprintModel) -> int:
    """Return how many iterations of each raise there are to be, as far as that is known."""
    count = options.iterations or model.provenance.get("iterations")
    return count if isinstance(count, int) and count > 0 else PLAYOUTS


def _improve(
    run: ImprovementRun, model: BlueprintModel, options: argparse.Namespace, path: Path
) -> int:
    raises = [task.raised for task in run.tasks]
    branches = _branches(model, raises, safe=run.safe)
    cards = _cards(model, run.folder)
    if not any(task.iterations for task in run.tasks):
        costs = branch_costs(model, branches, cards, options.workers)
        for line in plan_lines(raises, costs, _wanted(options, model), options.hours):
            tell(line)
    hours = math.inf if options.hours is None else options.hours / len(run.tasks)
    limits = LessonLimits(
        options.iterations or MOST_ITERATIONS, 3600 * hours, 60 * options.checkpoint_minutes
    )
    with stop_on_signals((signal.SIGTERM,), patient=True) as stop:
        for number, branch in enumerate(branches):
            at_the_place = (
                task.worth
                for task, twin in zip(run.tasks, branches, strict=True)
                if twin.place == branch.place and task.worth is not None
            )
            if branch.safe:
                run.tasks[number].worth = next(at_the_place, None)
            if not Lesson(run, number, branch, cards, limits, stop).learn():
                tell("stopped; the same command goes on")
                return INTERRUPTED
    run.publish(model, dict(enumerate(branches)), cards)
    new = run.model
    spent = sum(task.seconds for task in run.tasks)
    more = (new.stat().st_size - path.stat().st_size) / 1e6
    rows = sum(branch.rows for branch in branches)
    say(
        f"{new}: {new.stat().st_size / 1e6:.2f} MB, {more:.2f} MB more for {rows:,} information "
        f"sets that took {spent / 3600:.2f} h"
    )
    game = model.config.game_name if model.config.stack is None else str(run.folder / GAME)
    named = shlex.join(("--game", game, "--model", str(new)))
    tell(f"to play it: arena agent blueprint HOST PORT {named}")
    return 0
