"""The folder of a run of evolution: it can be stopped at any time and resumed.

    checkpoint      the population, the plan, and the results of each generation so far, JSON as
                    bytes, for a long history is too much for a header
    metrics.jsonl   a line for each generation
    fitness.svg     the same as curves

A checkpoint is written at the start and after each generation; a run that was killed loses no more
than one.

Several processes may work on one run, each plays its share of the individuals.  Only the first one
reads and writes the folder; all of them have the whole population, and draw the same children.
"""

from __future__ import annotations

import json
import math
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.errors import PeerLost, TrainingError
from agents.evolution.evolution import Evolution, EvolutionPlan, GenerationResult
from agents.evolution.fitness_picture import fitness_svg
from agents.training.run_folder import RunFolder, machine
from engine.console.stopping import stop_on_signals
from engine.parallel.halting import Halt
from engine.storage.artifacts import Kind
from engine.storage.atomic import write_whole
from engine.storage.documents import json_document

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.evolution.trials import MakePlayer, Stop
    from agents.training.peers import Peers
    from protocol.gamedef import GameDef

KIND: Final = Kind("evolution run", 3, "the run has to be begun again, in another folder")
METRICS: Final = "metrics.jsonl"
PICTURE: Final = "fitness.svg"
Best = tuple["NDArray[np.float32]", dict[str, Any]]
_ALIGNMENT_BYTES: Final = 64


class EvolutionRun:
    """A new or resumed run.

    Attributes:
        history: of each generation so far, see `GenerationResult.facts`.
        commands: the command lines that worked on it.
        seconds: of judging and renewing, so far.
        peers: all processes that work on it, None for one.
    """

    def __init__(
        self,
        folder: Path,
        plan: EvolutionPlan,
        game: GameDef,
        player: MakePlayer,
        *,
        resume: bool = False,
        peers: Peers | None = None,
    ) -> None:
        """Begin, or resume.

        Raises:
            OSError: the folder cannot be written.
            PeerLost: another process has ended, or the first could not open the run.
            TrainingError: it holds a run already, or none to resume, or one of another plan.
        """
        self.folder: Final = folder
        self._run_folder: Final = RunFolder(folder, KIND)
        self.peers: Final = peers
        self.evolution: Final = Evolution(plan, game, player)
        self.history: list[dict[str, Any]] = []
        self.commands: list[str] = []
        self.seconds = 0.0
        self._game: Final = game
        try:
            if self.first:
                self._open(resume=resume)
        except BaseException:
            if peers is not None:
                peers.broadcast_json(None)
            raise
        if peers is not None:
            self._meet(peers)

    @property
    def first(self) -> bool:
        """Whether this process speaks for all."""
        return self.peers is None or self.peers.first

    def step(self, threads: int | None = None, stop: Stop | None = None) -> GenerationResult:
        """Judge a generation, and turn to the next; the checkpoint is to be saved after it."""
        begun = time.perf_counter()
        result = self.evolution.judge(threads, self.peers, stop)
        self.history.append(result.facts(self._game.big_blind))
        self.evolution.renew(result.fitness)
        self.seconds += time.perf_counter() - begun
        return result

    def best(
        self, threads: int | None = None, stop: Stop | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Return the (G,) genome that did best among the last survivors, and how it came to be."""
        evolution = self.evolution
        begun = time.perf_counter()
        result = evolution.final(threads, self.peers, stop)
        seconds = self.seconds + time.perf_counter() - begun
        facts = {
            "plan": evolution.plan.facts(),
            "deals": evolution.plan.deals,
            "final": result.facts(self._game.big_blind),
            "seconds": round(seconds, 1),
            "commands": self.commands,
            "processes": 1 if self.peers is None else self.peers.size,
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
            "generation": evolution.generation,
            "commands": self.commands,
            "seconds": self.seconds,
        }
        arrays: dict[str, NDArray[Any]] = {
            "genomes": evolution.genomes,
            "history": as_bytes(self.history),
        }
        self._run_folder.save(evolution.plan.facts(), facts, arrays)
        self._show()

    def _show(self) -> None:
        lines = "".join(
            json.dumps(generation, sort_keys=True) + "\n" for generation in self.history
        )
        write_whole(self.folder / METRICS, lines)
        write_whole(
            self.folder / PICTURE, fitness_svg(_shown(self.folder), {"population": self.history})
        )

    def _open(self, *, resume: bool) -> None:
        self._run_folder.open(resume=resume)
        if resume:
            self._restore()
            self._show()  # the run may have been killed between these and the checkpoint
        else:
            self.save()

    def _meet(self, peers: Peers) -> None:
        """Let all processes begin from the population of the first."""
        evolution = self.evolution
        facts = {
            "plan": json.loads(json.dumps(evolution.plan.facts())),
            "generation": evolution.generation,
            "individuals": len(evolution.genomes),
        }
        shared = peers.broadcast_json(facts)
        if shared is None:
            raise PeerLost("the first process could not open the run; it says why")
        if shared["plan"] != facts["plan"]:
            raise TrainingError("this process was told another plan than the first one")
        if not self.first:
            evolution.generation = shared["generation"]
            evolution.genomes = np.empty((shared["individuals"], evolution.plan.shape.genome), "f4")
        peers.broadcast(evolution.genomes)

    def _restore(self) -> None:
        evolution = self.evolution
        with self._run_folder.restoring(evolution.plan.facts()) as saved:
            facts, genomes = saved.facts, saved.arrays["genomes"]
            generation = facts["generation"]
            if type(generation) is not int or not 0 <= generation <= evolution.plan.generations:
                raise ValueError(f"generation {generation!r} of {evolution.plan.generations}")
            lines = json_document(saved.arrays["history"].tobytes())
            history = [_checked(line, number) for number, line in enumerate(lines)]
            if len(history) != generation:
                raise ValueError(f"{len(history)} results of {generation} generations")
            individuals = evolution.plan.individuals(generation)
            if genomes.shape != (individuals, evolution.plan.shape.genome):
                raise ValueError("genomes of another number or length")
            if genomes.dtype != np.float32 or not np.isfinite(genomes).all():
                raise ValueError("genomes that are no numbers")
            commands, seconds = list(map(str, facts["commands"])), float(facts["seconds"])
        evolution.genomes, evolution.generation = np.array(genomes), generation
        self.history, self.commands, self.seconds = history, commands, seconds


def evolve(
    run: EvolutionRun,
    threads: int | None = None,
    on_generation: Callable[[EvolutionRun], None] | None = None,
) -> Best | None:
    """Play all generations that are left, and the final; return the best.

    Ctrl-C, SIGTERM and SIGHUP end it after what is written is whole; then None is returned.

    Args:
        threads: matches at the same time; None for one per core.
        on_generation: called after each generation.

    Raises:
        OSError: a file cannot be written.
    """
    with stop_on_signals((signal.SIGTERM, signal.SIGHUP), patient=True) as stop:
        try:
            while not run.evolution.done:
                run.step(threads, stop)
                with Halt():  # Ctrl-C waits until all is written
                    run.save()
                if on_generation is not None:
                    on_generation(run)
            return run.best(threads, stop)
        except KeyboardInterrupt:
            return None


def as_bytes(history: Any) -> NDArray[np.uint8]:
    """Return JSON as an array; spaces fill it up, so that no byte of a file says nothing."""
    text = json.dumps(history).encode()
    return np.frombuffer(text.ljust(-(-len(text) // _ALIGNMENT_BYTES) * _ALIGNMENT_BYTES), np.uint8)


def _shown(folder: Path) -> str:
    """Return a folder's name in characters that a picture can hold."""
    return "".join(character if character.isprintable() else "?" for character in folder.name)


def _checked(generation: Any, number: int) -> dict[str, Any]:
    """Return the facts of a generation, checked so that they can be reported and drawn."""
    if generation["generation"] != number:
        raise ValueError(f"generation {generation['generation']!r} in the place of {number}")
    opponents = generation["opponents"]
    for each in ("normaliser", "mean_won", "best_won"):
        if len(generation[each]) != len(opponents) or not all(map(math.isfinite, generation[each])):
            raise ValueError(f"{each} of {len(opponents)} opponents: {generation[each]}")
    for fitness in ("mean_fitness", "best_fitness"):
        if not math.isfinite(generation[fitness]):
            raise ValueError(f"{fitness} {generation[fitness]}")
    return dict(generation)
