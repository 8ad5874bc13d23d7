"""A run that solves a small game, or hold'em in groups: a folder that can be stopped and resumed.

    checkpoint          tables, iterations and what the choice among minimisers has learned
    model.equilibrium   the average strategy, ready to play; of hold'em model.blueprint
    model.json          how that came about, to be kept beside it

A run that was stopped and resumed ends with the same bits as one that was not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.blueprint_model.grouped_holdem import GroupedHoldem, Groups
from agents.equilibrium.solvable import SavedModel, Solvable, WrittenOut
from agents.training.run_folder import CHECKPOINT, RunFolder, check_folder, save_note, today_here
from engine.cfr.adaptive import PoolSolve, RoundRobin
from engine.cfr.adaptive_choice import AdaptiveChoice, AdaptiveSolve
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import Variant
from engine.commands.minimiser_options import ADAPTIVE
from engine.storage.artifacts import Kind
from protocol.gamedef import GameDef, format_gamedef

MODEL: Final = WrittenOut.model_name
FILES_OF_RUN: Final = (
    *(CHECKPOINT, MODEL, GroupedHoldem.model_name),
    str(Path(MODEL).with_suffix(".json")),
)
KIND: Final = Kind("equilibrium run", 2, "the run has to be begun again, in another folder")


@dataclass(frozen=True, slots=True)
class EquilibriumConfig:
    """What is solved, and how."""

    name: str
    """Of the game, as it was asked for."""
    game: GameDef
    minimiser: Variant | AdaptiveChoice
    alternating: bool = True
    random_start: bool = False
    """Whether the first iteration plays a profile drawn from `seed` instead of the uniform one."""
    seed: int = 0
    """Of a random start, and of the deals of groups."""
    groups: Groups | None = None
    """Of hold'em's buckets; None: the game is written out."""

    def facts(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        facts: dict[str, Any] = {
            "game": format_gamedef(self.game),
            "alternating": self.alternating,
            "start": "random" if self.random_start else "uniform",
            "seed": self.seed,
            **({} if self.groups is None else self.groups.facts()),
        }
        if isinstance(self.minimiser, Variant):
            return {**facts, "pool": [self.minimiser.name]}
        rule = self.minimiser.facts()
        return {**facts, "pool": rule.pop("pool"), "rule": rule}


@dataclass(frozen=True, slots=True)
class Goal:
    """When a run ends: at whichever comes first."""

    exploitability: float = 0.0
    """Chips."""
    iterations: int | None = None
    """In all."""
    seconds: float | None = None
    """From now on."""


class EquilibriumRun:
    """A new or resumed run.

    Attributes:
        game: what is solved.
        commands: the command lines that worked on it.
        seconds: of solving, so far.
    """

    def __init__(self, folder: Path, config: EquilibriumConfig, *, resume: bool = False) -> None:
        """Lay the game out, and begin or resume.

        Args:
            folder: new, empty, or with the run to resume.
            resume: whether to resume.

        Raises:
            ArtifactMismatch, GameNotPlayed, ValueError: as from `GroupedHoldem`.
            InvalidGame: the game is too large to be written out, or cannot be had in groups.
            OSError: the folder cannot be written.
            TrainingError: the folder holds a run already, or none to resume, or one of another
                config.
        """
        check_folder(folder, resume=resume)
        self.game: Final[Solvable] = (
            WrittenOut(config.game)
            if config.groups is None
            else GroupedHoldem(config.game, config.groups, config.seed)
        )
        self._run_folder: Final = RunFolder(folder, KIND)
        self._run_folder.open(resume=resume)
        self.folder: Final = folder
        self.config: Final = config
        self.commands: list[str] = []
        self.seconds = 0.0
        rng = np.random.default_rng(config.seed) if config.random_start else None
        self.solver: Final = self.game.solver(alternating=config.alternating, rng=rng)
        self._pool: Final = (
            PoolSolve(self.solver, [config.minimiser], RoundRobin(1))
            if isinstance(config.minimiser, Variant)
            else AdaptiveSolve(self.solver, config.minimiser, config.game.big_blind)
        )
        if resume:
            self._restore()

    @property
    def model_file(self) -> Path:
        """Where the model is written."""
        return self.folder / self.game.model_name

    @property
    def uses(self) -> dict[str, int]:
        """Iterations run with each minimiser."""
        names = [variant.name for variant in self._pool.pool]
        return dict(zip(names, self._pool.uses, strict=True))

    def solve(
        self,
        goal: Goal,
        on_progress: Callable[[float], None],
        stop: Callable[[], bool],
        clock: Callable[[], float] = time.perf_counter,
    ) -> float:
        """Iterate until the goal is reached, or `stop` says so; return the exploitability, chips.

        The exploitability of the average strategy is computed and handed to `on_progress` whenever
        the iterations have grown by a tenth.
        """
        begun = clock()
        solver, done = self.solver, self.seconds
        exploitability = (
            solver.exploitability(StrategyKind.AVERAGE) if solver.iterations else float("inf")
        )
        look = solver.iterations + 1
        while not (
            stop()
            or self.reached(goal, exploitability)
            or (goal.seconds is not None and clock() - begun >= goal.seconds)
        ):
            self._pool.iterate()
            self.seconds = done + clock() - begun
            if solver.iterations >= look:
                look = solver.iterations + max(solver.iterations // 10, 1)
                exploitability = solver.exploitability(StrategyKind.AVERAGE)
                on_progress(exploitability)
        return solver.exploitability(StrategyKind.AVERAGE)

    def reached(self, goal: Goal, exploitability: float) -> bool:
        """Return whether there is nothing left to do but for the time that a goal allows."""
        most = goal.iterations
        return exploitability <= goal.exploitability or (
            most is not None and self.solver.iterations >= most
        )

    def save(self) -> SavedModel:
        """Write the checkpoint and the model; return the model.

        Raises:
            OSError: a file cannot be written.
        """
        pool = self._pool
        facts = {
            "iterations": self.solver.iterations,
            "choice": pool.state() if isinstance(pool, AdaptiveSolve) else None,
            "seconds": self.seconds,
            "commands": self.commands,
        }
        self._run_folder.save(self.config.facts(), facts, self.solver.tables._asdict())
        model = self.model()
        model.save(self.model_file)
        save_note(self.model_file, model.provenance)
        return model

    def model(self) -> SavedModel:
        """Return the average strategy, rounded as in a file and measured so."""
        minimiser = self.config.minimiser
        provenance = {
            "name": self.config.name,
            **self.config.facts(),
            "minimiser": minimiser.name if isinstance(minimiser, Variant) else ADAPTIVE,
            "uses": self.uses,
            "iterations": self.solver.iterations,
            "information_sets": self.game.info_sets,
            "commands": self.commands,
            "seconds": round(self.seconds, 1),
            **today_here(),
        }
        return self.game.model(self.solver.average(), provenance)

    def _restore(self) -> None:
        with self._run_folder.restoring(self.config.facts()) as saved:
            facts: Mapping[str, Any] = saved.facts
            self.solver.restore(int(facts["iterations"]), saved.arrays)
            if isinstance(self._pool, AdaptiveSolve):
                self._pool.restore(facts["choice"])
            else:
                self._pool.uses[0] = self.solver.iterations
            self.seconds = float(facts["seconds"])
            self.commands = list(map(str, facts["commands"]))
