"""The folder of a run of evolution: it can be left at any time and resumed.

    checkpoint      the population, what is evolved, and what came of each generation so far
    metrics.jsonl   a line for each generation

A checkpoint is written after each generation; a run that was killed loses no more than one.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.errors import TrainingError
from agents.evolution.evolution import Evolution, EvolutionPlan, GenerationResult
from agents.training.folders import CHECKPOINT, check_folder
from agents.training.machine import machine
from engine.errors import ArtifactMismatch
from engine.storage.artifacts import Kind, load_artifact, save_artifact
from engine.storage.atomic import check_writable, write_whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.evolution.trials import Player
    from protocol.gamedef import GameDef

KIND: Final = Kind("evolution run", 1, "the run has to be begun again, in another folder")
METRICS: Final = "metrics.jsonl"


class EvolutionRun:
    """A run that has been begun or come back to.

    Attributes:
        folder: where it lives.
        evolution: the population.
        history: of each generation so far, see `GenerationResult.facts`.
        commands: each that worked on it.
        seconds: of judging and renewing, so far.
    """

    def __init__(
        self,
        folder: Path,
        plan: EvolutionPlan,
        game: GameDef,
        player: Player,
        *,
        resume: bool = False,
    ) -> None:
        """Begin, or go on.

        Raises:
            OSError: the folder cannot be written.
            TrainingError: it holds a run already, or none to resume, or one of another plan.
        """
        check_folder(folder, resume=resume)
        folder.mkdir(parents=True, exist_ok=True)
        check_writable(folder / CHECKPOINT)
        self.folder: Final = folder
        self.evolution: Final = Evolution(plan, game, player)
        self.history: list[dict[str, Any]] = []
        self.commands: list[str] = []
        self.seconds = 0.0
        self._game: Final = game
        if resume:
            self._restore()

    def step(self, threads: int | None = None) -> GenerationResult:
        """Judge a generation, and go on to the next; the checkpoint is to be saved after it."""
        begun = time.perf_counter()
        result = self.evolution.judge(threads)
        self.history.append(result.facts(self._game.big_blind))
        self.evolution.renew(result.fitness)
        self.seconds += time.perf_counter() - begun
        return result

    def best(self, threads: int | None = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Return the (G,) genome that did best among the last survivors, and how it came to be."""
        evolution = self.evolution
        begun = time.perf_counter()
        result = evolution.final(threads)
        seconds = self.seconds + time.perf_counter() - begun
        facts = {
            "plan": evolution.plan.facts(),
            "deals": evolution.plan.deals,
            "final": result.facts(self._game.big_blind),
            "seconds": round(seconds, 1),
            "commands": self.commands,
            "machine": machine(),
        }
        return evolution.genomes[int(result.fitness.argmax())], facts

    def save(self) -> None:
        """Write checkpoint and metrics.

        Raises:
            OSError: a file cannot be written.
        """
        evolution = self.evolution
        facts = {
            "plan": evolution.plan.facts(),
            "generation": evolution.generation,
            "history": self.history,
            "commands": self.commands,
            "seconds": self.seconds,
        }
        save_artifact(self.folder / CHECKPOINT, KIND, facts, {"genomes": evolution.genomes})
        lines = "".join(json.dumps(one) + "\n" for one in self.history)
        write_whole(self.folder / METRICS, lines)

    def _restore(self) -> None:
        path, evolution = self.folder / CHECKPOINT, self.evolution
        try:
            found = load_artifact(path, KIND)
            told, genomes = found.facts, found.arrays["genomes"]
            if told["plan"] != json.loads(json.dumps(evolution.plan.facts())):
                raise TrainingError(f"{self.folder} was begun with another plan")
            if genomes.shape != evolution.genomes.shape or genomes.dtype != np.float32:
                raise ValueError("genomes of another shape")
            evolution.genomes = np.array(genomes)
            evolution.generation = int(told["generation"])
            self.history = list(told["history"])
            self.commands = [str(command) for command in told["commands"]]
            self.seconds = float(told["seconds"])
        except ArtifactMismatch as error:
            raise TrainingError(f"cannot resume {self.folder}: {error}") from error
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise TrainingError(
                f"cannot resume {self.folder}: {path} is damaged: {error}"
            ) from error
