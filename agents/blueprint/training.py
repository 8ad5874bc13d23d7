"""A training run: a folder in which a blueprint is trained, which can be stopped and resumed.

    cards.buckets     the card abstraction, with the table of the turn
    opponent.counts   what was seen of the opponent, where a response to it is learned
    checkpoint        tables, generators and iterations (`engine.mccfr.checkpoint`)
    run.json          the config, and what has been spent on it so far
    metrics.jsonl     a line for each checkpoint
    model.blueprint   the average strategy of the last checkpoint, ready to play
    model.json        how that came about, to be kept beside it

With one worker a run that was stopped and resumed at a checkpoint ends with the same bits as one
that was not.  Several workers share their tables and repeat only roughly.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.blueprint.opponent import Opponent, Wanted, see_opponent
from agents.blueprint_model.config import BlueprintConfig, config_of_facts
from agents.blueprint_model.model import BlueprintModel, tree_of
from agents.errors import ConfigError
from agents.training.run_folder import (
    CHECKPOINT,
    check_folder,
    resuming,
    save_note,
    today_here,
)
from engine.abstraction.bucket_file import load_abstraction, save_abstraction
from engine.abstraction.building import StageProgress, build_card_abstraction
from engine.abstraction.lossless import LosslessAbstraction
from engine.betting.info_sets import InfoSets, build_info_sets
from engine.errors import ArtifactMismatch, EngineError
from engine.mccfr.checkpoint import load_run, save_run
from engine.mccfr.external_sampling import Mccfr, SamplingProgress
from engine.storage.atomic import write_whole
from engine.storage.documents import json_document

CARDS: Final = "cards.buckets"
OPPONENT: Final = "opponent.counts"
RUN: Final = "run.json"
METRICS: Final = "metrics.jsonl"
MODEL: Final = "model.blueprint"
BEST: Final = "best.blueprint"
GAME_FILE: Final = "model.game"
FILES_WRITTEN_WHOLE: Final = (
    *(CHECKPOINT, CARDS, OPPONENT, RUN, MODEL, BEST, GAME_FILE),
    *(str(Path(name).with_suffix(".json")) for name in (MODEL, BEST)),
)

_SECONDS_PER_LOOK: Final = 5.0
_FIRST_ITERATIONS: Final = 4096


@dataclass(slots=True)
class Spent:
    """What a run has taken so far, over all its parts."""

    seconds: float = 0.0
    """Of learning."""
    iterations: int = 0
    nodes: int = 0
    commands: list[str] = field(default_factory=list)
    """Each that worked on it."""

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Spent:
        """Return what a file tells.

        Raises:
            KeyError, TypeError, ValueError: it tells something else.
        """
        numbers = float(facts["seconds"]), int(facts["iterations"]), int(facts["nodes"])
        if not all(0 <= number < math.inf for number in numbers):
            raise ValueError(f"it took {numbers[0]:g} seconds")
        return cls(*numbers, [str(command) for command in facts["commands"]])


class TrainingRun:
    """A new or resumed training run; `spent` is the time and work it has taken.

    Attributes:
        opponent: to which a response is learned; None: an equilibrium is learned.
    """

    def __init__(
        self,
        folder: Path,
        config: BlueprintConfig,
        cards: Any,
        info_sets: InfoSets,
        solver: Mccfr,
        spent: Spent,
    ) -> None:
        """`begin` and `resume` make runs."""
        self.folder: Final = folder
        self.config: Final = config
        self.cards: Final = cards
        self.info_sets: Final = info_sets
        self.solver: Final = solver
        self.spent: Final = spent
        self.opponent: Opponent | None = None

    @classmethod
    def begin(
        cls,
        folder: Path,
        config: BlueprintConfig,
        *,
        workers: int = 1,
        on_stage: StageProgress | None = None,
        wanted: Wanted | None = None,
    ) -> TrainingRun:
        """Build the abstraction and start from uniform strategies.

        Args:
            folder: empty or new; buckets of the same config in it are used.
            on_stage: called with the progress of the card abstraction.
            wanted: a player of match logs to learn a response to; None: an equilibrium is learned.

        Raises:
            ConfigError: the config makes no game, or none in which a response can be learned.
            GameNotPlayed: the logs are of another kind of game.
            LogError: a log cannot be read.
            OSError: the folder cannot be written.
            TrainingError: the folder holds a run already, or the logs are damaged or do not show
                the player.
        """
        check_folder(folder, resume=False)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            tree = tree_of(config)  # before the buckets, which take minutes
            cards = _cards(config, folder / CARDS, on_stage)
            info_sets = build_info_sets(tree, cards.counts)
            settings = config.training.settings(workers)
        except (EngineError, ValueError) as error:
            raise ConfigError(f"config {config.name}: {error}") from error
        opponent = None if wanted is None else see_opponent(wanted, info_sets, cards)
        restraint = None if opponent is None else opponent.restraint(info_sets)
        generator = np.random.default_rng(config.seed)
        try:
            solver = Mccfr(info_sets, cards, generator, settings, restraint=restraint)
        except (EngineError, ValueError) as error:
            raise ConfigError(f"config {config.name}: {error}") from error
        if opponent is not None:
            opponent.save(folder / OPPONENT)
        run = cls(folder, config, cards, info_sets, solver, Spent())
        run.opponent = opponent
        run.note()  # a first checkpoint that is cut short leaves what `resume` reads
        return run

    @classmethod
    def resume(cls, folder: Path, *, workers: int = 1) -> TrainingRun:
        """Go on from the last checkpoint.

        Raises:
            TrainingError: the folder holds no run, a damaged one, or one of another number of
                workers.
        """
        check_folder(folder, resume=True)
        with resuming(folder / RUN):
            facts = json_document((folder / RUN).read_text(encoding="utf-8"))
            config = config_of_facts(facts["config"])
            spent = Spent.of(facts["spent"])
            cards = _cards(config, folder / CARDS, None)
            info_sets = build_info_sets(tree_of(config), cards.counts)
            settings = config.training.settings(workers)
            path = folder / OPPONENT
            opponent = Opponent.load(path) if path.exists() else None
            restraint = None if opponent is None else opponent.restraint(info_sets)
            solver = load_run(folder / CHECKPOINT, info_sets, cards, settings, restraint=restraint)
        run = cls(folder, config, cards, info_sets, solver, spent)
        run.opponent = opponent
        return run

    def learn(
        self,
        seconds: float,
        *,
        on_progress: Callable[[SamplingProgress], None] | None = None,
        most_iterations: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        """Learn for some time, or up to a number of iterations in all.

        Args:
            seconds: how long, about; the compiler's time is not counted.
            on_progress: called every few seconds.
            most_iterations: ends at exactly so many since the run began; None: time alone decides.
            stop: called often; True acts like Ctrl-C.

        Raises:
            KeyboardInterrupt: Ctrl-C; the run can be resumed.
        """

        def ends() -> bool:
            return time.perf_counter() > deadline or (stop is not None and stop())

        if not self.solver.iterations:
            self._compile()
        begun = time.perf_counter()
        deadline = begun + seconds
        chunk = _FIRST_ITERATIONS
        try:
            while time.perf_counter() < deadline:
                if most_iterations is not None:
                    chunk = min(chunk, most_iterations - self.solver.iterations)
                    if chunk <= 0:
                        break
                progress = self.solver.run(chunk, stop=ends)
                if on_progress is not None:
                    on_progress(progress)
                if progress.seconds > 0:
                    speed = max(progress.iterations_per_s, 1.0)
                    chunk = max(int(speed * _SECONDS_PER_LOOK), 1)
                if stop is not None and stop():
                    raise KeyboardInterrupt
        finally:
            self.spent.seconds += time.perf_counter() - begun
            self.spent.iterations = self.solver.iterations
            self.spent.nodes = self.solver.nodes

    def checkpoint(
        self, model: BlueprintModel | None = None, *, best: bool = False, **measured: Any
    ) -> BlueprintModel:
        """Save everything; return the model as it is now.

        Args:
            model: as it is now, if the caller has it already.
            best: whether to keep it beside that of the last checkpoint, too.
            measured: more to note in the metrics, as plain values.

        Raises:
            OSError: a file cannot be written; the checkpoint before is whole.
        """
        save_run(self.solver, self.folder / CHECKPOINT)
        self.note()
        model = model or self.model()
        self._save(model, MODEL, measured)
        if best:
            self._save(model, BEST, measured)
        line = {
            "seconds": round(self.spent.seconds, 1),
            "iterations": self.solver.iterations,
            "nodes": self.solver.nodes,
            "mean_regret": self.solver.mean_regret(),
            **measured,
        }
        _add_line(self.folder / METRICS, json.dumps(line))
        return model

    def note(self) -> None:
        """Write the config, what has been spent, and the game where it is not a built-in one.

        Raises:
            OSError: the file cannot be written.
        """
        facts = {"config": self.config.facts(), "spent": asdict(self.spent)}
        write_whole(self.folder / RUN, json.dumps(facts, indent=2) + "\n")
        if self.config.stack is not None:
            write_whole(self.folder / GAME_FILE, self.config.game_text())

    def model(self) -> BlueprintModel:
        """Return the average strategy as it is now, rounded as in a file."""
        return BlueprintModel.of_averages(
            self.config, self.info_sets.tree, self.cards, self.solver.average, self.provenance()
        )

    def provenance(self) -> dict[str, Any]:
        """Return how the run came about, as plain values."""
        return {
            "config": self.config.name,
            "seed": self.config.seed,
            "commands": self.spent.commands,
            "iterations": self.solver.iterations,
            "nodes": self.solver.nodes,
            "hours": round(self.spent.seconds / 3600, 3),
            "workers": self.solver.settings.workers,
            "information_sets": self.info_sets.rows,
            "cards": list(self.cards.counts),
            **({} if self.opponent is None else {"response_to": self.opponent.facts}),
            **today_here(),
        }

    def _save(self, model: BlueprintModel, name: str, measured: Mapping[str, Any]) -> None:
        path = self.folder / name
        model.save(path)
        save_note(path, {**model.provenance, **measured})

    def game_option(self) -> str:
        """Return how --game of commands names the game: built in, or the file beside the model."""
        return self.config.game_name if self.config.stack is None else str(self.folder / GAME_FILE)

    def _compile(self) -> None:
        """Compile on a tiny game of the same kind, so that its time is not counted as the run's."""
        opponent = self.opponent
        game = Mccfr(
            self.info_sets,
            self.cards,
            np.random.default_rng(0),
            self.config.training.settings(1),
            restraint=None if opponent is None else opponent.restraint(self.info_sets),
        )
        game.run(1)


def _cards(config: BlueprintConfig, path: Path, on_stage: StageProgress | None) -> Any:
    """Return the abstraction of a config: the file's if there is one, else a new one, saved.

    Raises:
        ArtifactMismatch: the file is damaged, or of another config.
        OSError: it cannot be written.
        ValueError: the config makes none.
    """
    if config.cards is None:
        return LosslessAbstraction(config.game)
    if path.exists():
        cards = load_abstraction(path)
        wanted = json.loads(json.dumps(config.facts()["cards"]))
        if cards.provenance.get("config") != wanted:
            raise ArtifactMismatch(f"{path}: buckets of another config; remove the file")
        return cards
    cards = build_card_abstraction(config.cards, progress=on_stage)
    save_abstraction(cards, path)
    return cards


def _add_line(path: Path, text: str) -> None:
    """Append a line; one that was cut short before it is ended first."""
    with path.open("ab+") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            text = text if file.read() == b"\n" else f"\n{text}"
        file.write(f"{text}\n".encode())
