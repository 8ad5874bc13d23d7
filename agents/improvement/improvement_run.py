"""The folder of an improvement: what is trained, how far it is, and the model at the end.

    checkpoint        the model that is improved, the raises, and what was spent on each
    cards.buckets     the model's cards, with a table of the turn
    N.checkpoint      what was learned of raise N = 1, 2, ... (`engine.mccfr.checkpoint`)
    N.mark            the same earlier, to see what learning on changes (`convergence`)
    model.blueprint   the model that holds them all, written once all are trained, or those that
                      have converged (`service`)
    model.json        how it came about
    model.game        its game where that is no built-in one

The same command goes on where an earlier one was stopped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.blueprint_model.model import BlueprintModel
from agents.errors import TrainingError
from agents.improvement.branch import Branch
from agents.improvement.improved_model import Average, improved_model
from agents.improvement.ranking import MissingRaise
from agents.training.run_folder import (
    CHECKPOINT,
    RunFolder,
    resuming,
    save_note,
    today_here,
)
from engine.abstraction.bucket_file import load_abstraction, save_abstraction
from engine.abstraction.bucket_sequences import card_abstraction
from engine.abstraction.buckets import TURN, CardAbstraction, board_cards_on
from engine.abstraction.histograms import hand_index
from engine.errors import ArtifactMismatch
from engine.mccfr.checkpoint import load_run, save_run
from engine.mccfr.external_sampling import Mccfr
from engine.mccfr.weighted_deals import WeightedDeals
from engine.storage.artifacts import Kind
from engine.storage.atomic import write_whole

KIND: Final = Kind("improvement", 2, "begin it again, in another folder")
CARDS: Final = "cards.buckets"
MODEL: Final = "model.blueprint"
GAME: Final = "model.game"
STATUS: Final = "status.json"
FILES_WRITTEN_WHOLE: Final = (
    *(CHECKPOINT, CARDS, MODEL, GAME, STATUS, str(Path(MODEL).with_suffix(".json"))),
    *(f"{number}.{ending}" for number in range(1, 100) for ending in ("checkpoint", "mark")),
)


@dataclass(slots=True)
class RaiseTask:
    """One raise, and what was spent on it so far."""

    raised: MissingRaise
    seconds: float = 0.0
    """Of learning, with what the other actions are worth."""
    iterations: int = 0
    worth: list[float] | None = None
    """(B,) chips that each hand has without the raise; None: not known yet, or not asked for."""
    marked: int = 0
    """Iterations of the strategy that the present one is compared with."""
    change: float | None = None
    """What came of that last (`convergence.strategy_change`)."""
    converged: bool = False
    added: bool = False
    """Whether the published model holds it."""


@dataclass(slots=True)
class Watch:
    """How far a service is."""

    rounds: int = 0
    """Begun so far."""
    begun: float = 0.0
    """When the last one was, seconds since 1970; 0: none was."""
    over: bool = True
    """Whether that one has ended."""
    hands: int = 0
    """That it read."""


@dataclass(slots=True)
class ImprovementRun:
    """What is done to one model."""

    folder: Path
    digest: str
    """SHA-256 of the model's file."""
    safe: bool
    """Whether raises are trained with their siblings (`agents.improvement.branch`)."""
    seed: int
    workers: int
    tasks: list[RaiseTask] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    watch: Watch | None = None
    """Of a service."""

    def resume(self) -> bool:
        """Take over how far the run in the folder is; False where there is none.

        Raises:
            TrainingError: it is damaged, or was begun with another model or other options.
        """
        files = RunFolder(self.folder, KIND)
        if not files.checkpoint.exists():
            return False
        with files.restoring(self._config()) as saved:
            tasks = [_task_in(task) for task in saved.facts["tasks"]]
            self.tasks, self.commands = tasks, list(map(str, saved.facts["commands"]))
            if self.watch is not None:
                self.watch = _watch_in(saved.facts["watch"])
        return True

    def note(self) -> None:
        """Write what is known of the run.

        Raises:
            OSError: the file cannot be written.
        """
        tasks = [{**asdict(task), "raised": task.raised._asdict()} for task in self.tasks]
        watch = None if self.watch is None else asdict(self.watch)
        facts = {"commands": self.commands, "tasks": tasks, "watch": watch}
        RunFolder(self.folder, KIND).save(self._config(), facts, {})

    def _config(self) -> dict[str, Any]:
        return {
            "model": self.digest,
            "--alone": not self.safe,
            "--seed": self.seed,
            "--workers": self.workers,
            "--watch": self.watch is not None,
        }

    def open_solver(self, number: int, branch: Branch, cards: Any) -> Mccfr:
        """Return the solver of a task as it was saved, or a new one.

        Raises:
            TrainingError: its checkpoint is damaged, or of something else.
        """
        path = self._checkpoint(number)
        if path.exists():
            return self._open(path, number, branch, cards)
        generator = np.random.default_rng([self.seed, number + 1])
        settings = branch.settings(self.workers)
        return Mccfr(
            branch.info_sets, cards, generator, settings, self._source(number, branch, cards)
        )

    def open_mark(self, number: int, branch: Branch, cards: Any) -> Mccfr:
        """Return the solver of a task as it was when `mark` was called last.

        Raises:
            TrainingError: the file is missing, damaged, or of something else.
        """
        return self._open(self._mark(number), number, branch, cards)

    def _open(self, path: Path, number: int, branch: Branch, cards: Any) -> Mccfr:
        settings, source = branch.settings(self.workers), self._source(number, branch, cards)
        with resuming(path):
            return load_run(path, branch.info_sets, cards, settings, source)

    def _source(self, number: int, branch: Branch, cards: Any) -> WeightedDeals:
        worth = self.tasks[number].worth
        return branch.source(cards, None if worth is None else np.array(worth))

    def save(self, number: int, solver: Mccfr) -> None:
        """Save a task as it is now.

        Raises:
            OSError: a file cannot be written.
        """
        save_run(solver, self._checkpoint(number))
        self.tasks[number].iterations = solver.iterations
        self.note()

    def mark(self, number: int, solver: Mccfr) -> None:
        """Save what a task is compared with later.

        Raises:
            OSError: a file cannot be written.
        """
        save_run(solver, self._mark(number))
        self.tasks[number].marked = solver.iterations
        self.note()

    def forget(self, number: int) -> None:
        """Delete what was learned of a task, which the published model holds."""
        for path in (self._checkpoint(number), self._mark(number)):
            path.unlink(missing_ok=True)

    def publish(
        self, model: BlueprintModel, branches: Mapping[int, Branch], cards: Any
    ) -> BlueprintModel:
        """Write the model that holds the branches of some tasks, in one piece; return it.

        Whoever has an earlier file open goes on reading that.

        Args:
            branches: by the number of their task.

        Raises:
            OSError: a file cannot be written.
            TrainingError: a checkpoint is damaged.
        """
        averages = {
            branch.extra: _average(branch, self.open_solver(number, branch, cards))
            for number, branch in branches.items()
        }
        new = improved_model(model, averages, self._provenance(model, branches))
        new.save(self.model)
        save_note(self.model, new.provenance)
        if new.config.stack is not None:
            write_whole(self.folder / GAME, new.config.game_text())
        return new

    @property
    def model(self) -> Path:
        """The published model's file."""
        return self.folder / MODEL

    def _checkpoint(self, number: int) -> Path:
        return self.folder / f"{number + 1}.checkpoint"

    def _mark(self, number: int) -> Path:
        return self.folder / f"{number + 1}.mark"

    def _provenance(self, model: BlueprintModel, branches: Mapping[int, Branch]) -> dict[str, Any]:
        old = model.provenance
        added = [
            self._entry(self.tasks[number], branch.rows) for number, branch in branches.items()
        ]
        commands = list(old.get("commands", ()))
        facts: dict[str, Any] = {
            "commands": [*commands, *(line for line in self.commands if line not in commands)],
            "improved": [*old.get("improved", ()), *added],
            "improved_from": self.digest,
            **today_here(),
        }
        if "information_sets" in old:
            more = sum(branch.rows for branch in branches.values())
            facts["information_sets"] = int(old["information_sets"]) + more
        return {**old, **facts}

    def _entry(self, task: RaiseTask, rows: int) -> dict[str, Any]:
        entry = {
            "raise": task.raised.extra,
            "pots": round(task.raised.pots, 4),
            "times": round(task.raised.times, 1),
            "with_siblings": self.safe,
            "iterations": task.iterations,
            "hours": round(task.seconds / 3600, 3),
            "information_sets": rows,
        }
        return entry if task.change is None else {**entry, "change": round(task.change, 4)}


def _task_in(document: dict[str, Any]) -> RaiseTask:
    worth, change = document["worth"], document["change"]
    return RaiseTask(
        _raise_in(document["raised"]),
        float(document["seconds"]),
        int(document["iterations"]),
        None if worth is None else list(map(float, worth)),
        int(document["marked"]),
        None if change is None else float(change),
        bool(document["converged"]),
        bool(document["added"]),
    )


def _watch_in(document: dict[str, Any]) -> Watch:
    return Watch(
        int(document["rounds"]),
        float(document["begun"]),
        bool(document["over"]),
        int(document["hands"]),
    )


def _raise_in(document: dict[str, Any]) -> MissingRaise:
    """Return a raise; TypeError where it is none."""
    extra, *sizes = missing = MissingRaise(**document)
    if not isinstance(extra, str) or any(type(size) not in (int, float) for size in sizes):
        raise TypeError(f"no raise: {str(document)[:80]}")
    return missing


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def cards_to_learn_with(model: BlueprintModel, folder: Path, said: Callable[[float], None]) -> Any:
    """Return the model's cards with a table of the turn, which training needs.

    Args:
        folder: has the table if it was made before, and gets it otherwise.
        said: told which share of it is made.

    Raises:
        OSError: it cannot be written.
        TrainingError: that of the folder is damaged, or of other cards.
    """
    path, model_cards = folder / CARDS, model.cards
    if path.exists():
        try:
            stored = load_abstraction(path)
        except ArtifactMismatch as error:
            raise TrainingError(str(error)) from error
        if not all(
            np.array_equal(stored.parts[name], model_cards.parts[name])
            for name in model_cards.parts
        ):
            raise TrainingError(f"{path}: cards of another model; remove the file")
        return stored
    cards = model_cards.tabulate(TURN, progress=said)
    save_abstraction(cards, path)
    return cards


def cards_to_time_with(model: BlueprintModel) -> CardAbstraction:
    """Return the model's cards with a table of the turn whose buckets are drawn.

    To look one up takes as long as in the real table, which takes most of a minute to make; so a
    plan measures the speed of learning without it.
    """
    cards = model.cards
    assert isinstance(cards, CardAbstraction)
    size = hand_index(board_cards_on(TURN)).size
    drawn = np.random.default_rng(0).integers(0, cards.counts[TURN], size, dtype=np.uint16)
    parts: dict[str, Any] = {**cards.parts, "turn_table": drawn}
    return card_abstraction(parts, verify=False)


def _average(branch: Branch, solver: Mccfr) -> Average:
    return lambda node: branch.average(solver, node)
