"""A run of evolution: a population, generation by generation, and the results of each.

Everything random in generation g is drawn from the run's seed and g alone.  So a run that was
stopped and resumed, or was spread over several processes, ends with the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.evolution.selection import (
    LEAST_BREEDERS,
    ReproductionConfig,
    fitness_of,
    next_generation,
    normaliser,
)
from agents.evolution.trials import MakePlayer, Stop, trial, trial_seed
from agents.recurrent.shape import GAME_ANEW, NetShape, random_genome, spread_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.training.peers import Peers
    from protocol.gamedef import GameDef


MOST_GENERATION_WEIGHTS: Final = 1 << 28
MOST_DEALS_PER_MATCH: Final = 10**6
FINAL_DEALS_FACTOR: Final = 10


class Stage(NamedTuple):
    """Generations in a row that meet the same opponents."""

    generations: int
    opponents: tuple[str, ...]
    deals: int
    """Of a match of an individual with an opponent, each played from both seats."""


@dataclass(frozen=True, slots=True)
class EvolutionPlan:
    """What evolves, against whom, and how much is played."""

    shape: NetShape
    stages: tuple[Stage, ...]
    population: int = 40
    founders: int = 0
    """Individuals of the first generation, if more than the others have."""
    breeding: ReproductionConfig = field(default_factory=ReproductionConfig)
    seed: int = 1
    resets: int = GAME_ANEW
    """Which stacks begin each hand anew, see `agents.recurrent.shape`."""

    def __post_init__(self) -> None:
        if self.population < LEAST_BREEDERS:
            raise ValueError(f"{self.population} individuals: want {LEAST_BREEDERS} or more")
        if self.founders < 0:
            raise ValueError(f"{self.founders} founders: want 0 or more")
        numbers = self.individuals(0) * self.shape.genome
        if numbers > MOST_GENERATION_WEIGHTS:
            raise ValueError(
                f"{self.individuals(0):,} individuals of {self.shape.genome:,} numbers: want "
                f"{MOST_GENERATION_WEIGHTS:,} at most"
            )
        if self.seed < 0:
            raise ValueError(f"seed {self.seed}: want 0 or more")
        if not self.stages:
            raise ValueError("want one stage or more")
        for stage in self.stages:
            if stage.generations < 1 or stage.deals < 1 or not stage.opponents:
                raise ValueError("a stage without generations, deals or opponents")
            if stage.deals > MOST_DEALS_PER_MATCH:
                raise ValueError(f"{stage.deals} deals: want {MOST_DEALS_PER_MATCH:,} at most")

    @property
    def generations(self) -> int:
        """Generations in all."""
        return sum(stage.generations for stage in self.stages)

    @property
    def deals(self) -> int:
        """Deals that all individuals play in all, each from both seats, without the final."""
        first = self.individuals(0) - self.population
        least = first * self.stages[0].deals * len(self.stages[0].opponents)
        return least + sum(
            self.population * stage.generations * stage.deals * len(stage.opponents)
            for stage in self.stages
        )

    def individuals(self, generation: int) -> int:
        """Return how many there are in a generation, 0-based."""
        return self.population if generation else max(self.founders, self.population)

    def stage(self, generation: int) -> Stage:
        """Return the stage that a generation, 0-based, is in."""
        for stage in self.stages:
            if generation < stage.generations:
                return stage
            generation -= stage.generations
        raise IndexError("after the last generation")

    def facts(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "shape": asdict(self.shape),
            "stages": [
                {**stage._asdict(), "opponents": list(stage.opponents)} for stage in self.stages
            ],
            "population": self.population,
            "founders": self.founders,
            "breeding": asdict(self.breeding),
            "seed": self.seed,
            "resets": self.resets,
        }


class GenerationResult(NamedTuple):
    """What one generation came to."""

    generation: int
    """0-based."""
    opponents: tuple[str, ...]
    fitness: NDArray[np.float64]
    """(P,)"""
    won: NDArray[np.float64]
    """(P, M) chips per hand."""

    def facts(self, big_blind: int) -> dict[str, Any]:
        """Return its means and its best as plain values; what was won in mbb/h."""
        best = int(self.fitness.argmax())
        unit = 1000 / big_blind
        return {
            "generation": self.generation,
            "opponents": list(self.opponents),
            "mean_fitness": float(self.fitness.mean()),
            "best_fitness": float(self.fitness[best]),
            "normaliser": (unit * normaliser(self.won, big_blind)).round(1).tolist(),
            "mean_won": (unit * self.won.mean(axis=0)).round(1).tolist(),
            "best_won": (unit * self.won[best]).round(1).tolist(),
        }


class Evolution:
    """An evolving population.

    Attributes:
        generation: the one that is to be judged next.
        genomes: (P, G) float32 of its individuals.
    """

    def __init__(self, plan: EvolutionPlan, game: GameDef, player: MakePlayer) -> None:
        self.plan = plan
        self._game = game
        self._player = player
        rng = np.random.default_rng([plan.seed, 0])
        self.generation = 0
        founders = range(plan.individuals(0))
        self.genomes = np.stack([random_genome(plan.shape, rng) for _ in founders])

    @property
    def done(self) -> bool:
        """Whether all generations are judged."""
        return self.generation >= self.plan.generations

    def judge(
        self, threads: int | None = None, peers: Peers | None = None, stop: Stop | None = None
    ) -> GenerationResult:
        """Let all individuals meet the opponents of their generation."""
        stage = self.plan.stage(self.generation)
        return self._judge(self.genomes, stage, stage.deals, threads, peers, stop)

    def final(
        self, threads: int | None = None, peers: Peers | None = None, stop: Stop | None = None
    ) -> GenerationResult:
        """Play the survivors of the last generation against its opponents over more deals.

        The first genomes are the survivors': `renew` has sorted them.
        """
        stage, plan = self.plan.stages[-1], self.plan
        survivors = self.genomes[: plan.breeding.survivors(plan.population)]
        return self._judge(survivors, stage, FINAL_DEALS_FACTOR * stage.deals, threads, peers, stop)

    def _judge(
        self,
        genomes: NDArray[np.float32],
        stage: Stage,
        deals: int,
        threads: int | None,
        peers: Peers | None,
        stop: Stop | None,
    ) -> GenerationResult:
        seed = trial_seed(self.plan.seed, 1, self.generation)
        won = shared_trial(
            self._game, genomes, self._player, stage.opponents, deals, seed, threads, peers, stop
        )
        fitness = fitness_of(won, self._game.big_blind)
        return GenerationResult(self.generation, stage.opponents, fitness, won)

    def renew(self, fitness: NDArray[np.float64]) -> None:
        """Turn to the next generation: the survivors first, the fittest first, then children."""
        plan, breeding = self.plan, self.plan.breeding
        rng = np.random.default_rng([plan.seed, 2, self.generation])
        self.genomes = next_generation(
            self.genomes,
            fitness,
            plan.population,
            plan.shape.segments,
            spread_of(plan.shape),
            breeding,
            breeding.rate.at(self.generation, plan.generations),
            breeding.strength.at(self.generation, plan.generations),
            rng,
        )
        self.generation += 1


def shared_trial(
    game: GameDef,
    genomes: NDArray[np.float32],
    player: MakePlayer,
    opponents: Sequence[str],
    deals: int,
    seed: int,
    threads: int | None = None,
    peers: Peers | None = None,
    stop: Stop | None = None,
) -> NDArray[np.float64]:
    """Return what `trial` does; every process plays its share of the individuals."""
    if peers is None or peers.size == 1:
        return trial(game, genomes, player, opponents, deals, seed, threads, stop)
    mine = slice(peers.rank, None, peers.size)
    won = np.zeros((len(genomes), len(opponents)))
    won[mine] = trial(game, genomes[mine], player, opponents, deals, seed, threads)
    return np.array(peers.sum(won.ravel().tolist())).reshape(won.shape)
