"""`arena improve --watch`: a service that learns the raises of new logs, round after round.

A round reads the folder of logs, ranks what the published model lacks, and takes the first ones up
beside those that are still learned.  Each raise gets its share of the round's hours.  Those whose
strategy has converged (`agents.improvement.convergence`) are added to the model, which is published
in one piece; the others go on in the next round.  Whatever happens, the folder of the run says how
far it is, and the same command goes on there:

    waiting -> reading -> learning, one raise after another -> publishing -> waiting

`status.json` says the same to other programs.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from agents.blueprint_model.model import BlueprintModel, load_model
from agents.errors import ConfigError, TrainingError
from agents.improvement.branch import Branch
from agents.improvement.growing_logs import count_growing
from agents.improvement.improvement_run import (
    STATUS,
    ImprovementRun,
    RaiseTask,
    Watch,
    cards_to_learn_with,
)
from agents.improvement.lesson import Lesson, LessonLimits
from agents.improvement.logged_raises import HandCounts, raises_in
from agents.improvement.ranking import rank_missing
from agents.improvement.schedule import Schedule
from engine.console.output import tell
from engine.console.progress import Stages
from engine.console.stopping import STOP_SIGNALS, Stop, stop_on_signals
from engine.errors import ArtifactMismatch
from engine.storage.atomic import write_whole
from protocol.gamedef import GameDef

LEAST_TIMES: Final = 20
"""A raise that was made less often is not taken up: what it would save is not known."""
ADDED: Final = "added"
GIVEN_UP: Final = "given up"
LEARNING: Final = "learning"
"""States of a raise."""
MOST_RAISES: Final = 50
"""That a model may hold (`agents.blueprint_model.config`)."""


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What a service does."""

    folder: Path
    """Of logs."""
    names: frozenset[str]
    """Players whose raises count; empty: everybody's."""
    game: GameDef | None
    """Of the logs; None: their headers name it."""
    raises: int
    """That are learned at a time."""
    hours: float
    """Of learning, each round."""
    iterations: int
    """After which a raise is given up."""
    pause: float
    """Seconds between two checkpoints."""
    bound: float
    """See `LessonLimits.bound`."""
    schedule: Schedule | None
    """None: one round, at once."""


class Service:
    """Rounds of learning, from one folder of logs into one model."""

    def __init__(
        self, run: ImprovementRun, path: Path, model: BlueprintModel, settings: ServiceSettings
    ) -> None:
        """Take up what an earlier process published.

        Args:
            run: resumed, or new.
            path: the file of the model that it began with.
            model: that model.

        Raises:
            ConfigError: the model that was published cannot be read.
        """
        assert run.watch is not None
        self._run: Final = run
        self._watch: Final[Watch] = run.watch
        self._path: Final = path
        self._settings: Final = settings
        self._stages: Final = Stages(tell)
        self._cards: Any = None
        self._warned: Final[set[str]] = set()
        self._wake: Final = threading.Event()
        self._stop: Callable[[], bool] = Stop()
        try:
            self._model = load_model(run.model) if run.model.exists() else model
        except ArtifactMismatch as error:
            raise ConfigError(str(error)) from error
        for number, task in enumerate(run.tasks):
            if not task.added and task.raised.extra in self._model.config.extras:
                self._note_added(number)

    def serve(self) -> bool:
        """Work round after round until a signal comes; return whether all was done before one.

        Raises:
            OSError: a file cannot be written.
            TrainingError: a checkpoint is damaged.
        """
        with stop_on_signals(STOP_SIGNALS, on_stop=self._wake.set) as self._stop:
            schedule = self._settings.schedule
            while not self._stop():
                if schedule is not None and self._watch.over:
                    self._wait(schedule.next_round(self._watch.begun, time.time()))
                if not self._stop():
                    self._round()
                if schedule is None:
                    break
        self._tell_status("stopped" if self._stop() else "over")
        return not self._stop()

    def _wait(self, begins: float) -> None:
        seconds = begins - time.time()
        if seconds > 0:
            when = _clock(begins)
            self._tell_status("waiting", next_round=when)
            tell(f"round {self._watch.rounds + 1} begins {when}; waiting")
            self._wake.wait(seconds)

    def _round(self) -> None:
        watch = self._watch
        if watch.over:
            watch.rounds, watch.begun, watch.over = watch.rounds + 1, time.time(), False
            self._tell_status("reading")
            self._take_up()
            self._run.note()
        if self._learn():
            watch.over = True
            self._run.note()
            tell(f"round {watch.rounds} is over; {self._outcome()}")

    def _take_up(self) -> None:
        """Read the logs, and choose raises to learn beside those that are learned already."""
        run, settings = self._run, self._settings
        counts = HandCounts(self._model, self._path, settings.names)
        count_growing(counts, settings.folder, settings.game, self._warn)
        tell(
            f"round {self._watch.rounds}: {counts.hands:,} hands in {settings.folder}, "
            f"{counts.hands - self._watch.hands:,} more than in the round before"
        )
        self._watch.hands = counts.hands
        chosen = [task.raised.extra for task in run.tasks if not task.added]
        room = min(
            settings.raises - len(self._open_tasks()),
            MOST_RAISES - len(chosen) - len(self._model.config.extras),
        )
        if room <= 0:
            tell("none is taken up beside those that are still learned")
            return
        ranked = rank_missing(self._model.tree, raises_in(self._model, counts), room, chosen)
        if not ranked:
            tell("the model has every raise of these logs, or learns it")
        for raised in ranked:
            if raised.times < LEAST_TIMES:
                tell(
                    f"not taken up: {raised.extra}, made {raised.times:,.0f} times, fewer than "
                    f"{LEAST_TIMES}"
                )
            elif self._can_learn(raised.extra):
                run.tasks.append(RaiseTask(raised))
                tell(
                    f"taken up: {raised.extra}, {raised.pots:.2f} pots, made {raised.times:,.0f} "
                    f"times, the nearest size is {raised.nearest:.2f}"
                )

    def _can_learn(self, extra: str) -> bool:
        try:
            Branch(self._model, extra, safe=self._run.safe)
        except ValueError as error:
            self._warn(f"{extra}: not to be learned: {error}")
            return False
        return True

    def _learn(self) -> bool:
        """Learn all raises that are open; return whether the round is over."""
        settings, run = self._settings, self._run
        open_tasks = self._open_tasks()
        end = time.monotonic() + 3600 * settings.hours
        for position, number in enumerate(open_tasks):
            self._tell_status("learning")
            if self._cards is None:
                self._cards = cards_to_learn_with(self._model, run.folder, self._tell_cards)
            if self._stop():
                return False
            task = run.tasks[number]
            share = (end - time.monotonic()) / (len(open_tasks) - position)
            limits = LessonLimits(
                settings.iterations, task.seconds + share, settings.pause, settings.bound
            )
            branch = Branch(self._model, task.raised.extra, safe=run.safe)
            if not Lesson(run, number, branch, self._cards, limits, self._stop).learn():
                return False
            if task.converged:
                self._publish(number, branch)
            elif task.iterations >= settings.iterations:
                tell(f"{task.raised.extra}: given up after {task.iterations:,} iterations")
        return True

    def _publish(self, number: int, branch: Branch) -> None:
        self._model = self._run.publish(self._model, {number: branch}, self._cards)
        self._note_added(number)
        tell(f"{self._run.model}: holds {branch.extra}, {branch.rows:,} information sets more")

    def _note_added(self, number: int) -> None:
        task = self._run.tasks[number]
        task.added, task.worth = True, None
        self._run.note()
        self._run.forget(number)

    def _outcome(self) -> str:
        """Return in a line what became of each raise so far."""
        told = []
        for task in self._run.tasks:
            state = self._state_of(task)
            at = f"{state} after {task.iterations:,} iterations"
            if state == LEARNING:
                at = f"{state}, {task.iterations:,} iterations"
            if state != ADDED:
                bound = f"converged is {self._settings.bound:g}"
                seen = "" if task.change is None else f"changed by {task.change:.3f}, "
                at += f" ({seen}{bound})"
            told.append(f"{task.raised.extra} {at}")
        return "; ".join(told) or "no raise is learned"

    def _state_of(self, task: RaiseTask) -> str:
        if task.added:
            return ADDED
        over = not task.converged and task.iterations >= self._settings.iterations
        return GIVEN_UP if over else LEARNING

    def _open_tasks(self) -> list[int]:
        """Return the numbers of the raises that are learned."""
        return [
            number
            for number, task in enumerate(self._run.tasks)
            if self._state_of(task) == LEARNING
        ]

    def _tell_cards(self, done: float) -> None:
        self._stages("cards of the turn", done)

    def _warn(self, line: str) -> None:
        if line not in self._warned:
            self._warned.add(line)
            tell(line)

    def _tell_status(self, state: str, **more: str) -> None:
        run = self._run
        status = {
            "state": state,
            "round": self._watch.rounds,
            **more,
            "hands": self._watch.hands,
            "model": str(run.model) if run.model.exists() else str(self._path),
            "raises": [self._status_of(task) for task in run.tasks],
        }
        write_whole(run.folder / STATUS, json.dumps(status, indent=2) + "\n")

    def _status_of(self, task: RaiseTask) -> dict[str, Any]:
        return {
            "raise": task.raised.extra,
            "pots": round(task.raised.pots, 4),
            "times": round(task.raised.times, 1),
            "state": self._state_of(task),
            "iterations": task.iterations,
            "hours": round(task.seconds / 3600, 3),
            "change": task.change,
        }


def _clock(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(" ", "minutes")


def open_service(run: ImprovementRun, line: str) -> None:
    """Resume a service's run, or begin it.

    Args:
        line: command line, for the record.

    Raises:
        OSError: a file cannot be written.
        TrainingError: the run in the folder is damaged, or of another model or other options.
    """
    run.watch = Watch()
    if run.resume():
        tell(f"resuming {run.folder}")
    if len(run.tasks) > MOST_RAISES:
        raise TrainingError(f"{run.folder}: {len(run.tasks)} raises, a model holds {MOST_RAISES}")
    if line not in run.commands:
        run.commands.append(line)
    run.note()
