"""From a population and its winnings to the next one.

    genomes    (P, G) float32     all weights of each individual
    won        (P, M) float64     chips per hand that each won from each of M opponents
    fitness    (P,) float64       mean over the opponents of won by `normaliser`
    segments   (S + 1,) int64     where the parts of a genome begin that are passed on whole

The best survive unchanged and are judged again.  Survivors with more than the survivors' mean
fitness, two at least, are breeders: each better one is paired with each worse one, in turn, until
the population is full again.  A child has each segment from one of its parents, more likely from
the fitter one; then some of its segments are mutated.

That is how A* evolves.  Its ancestor, ASHE, has a scheme of its own, tiered survival and elite
reproduction, see SCHEMES.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, cycle, islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_BREEDERS: Final = 2
PROPORTIONAL: Final = "proportional"
TIERED: Final = "tiered"
SCHEMES: Final = {
    PROPORTIONAL: "all survivors stay as they are, a child has more segments of its better parent",
    TIERED: "survivors that do not breed are changed, too; a child has every other segment of each",
}


@dataclass(frozen=True, slots=True)
class LinearSchedule:
    """A number that falls, or rises, linearly from the first generation to the last."""

    first: float
    last: float

    def at(self, generation: int, generations: int) -> float:
        """Return the number of a generation, 0-based, among so many."""
        share = generation / max(generations - 1, 1)
        return self.first + (self.last - self.first) * share


@dataclass(frozen=True, slots=True)
class ReproductionConfig:
    """How a population is renewed.

    Rate and strength of the ancestor: .25 to .05 and .50 to .10; those of the article are lost.
    """

    survival: float = 0.25
    """Share of the population that survives."""
    scheme: str = "proportional"
    """One of SCHEMES."""
    rate: LinearSchedule = LinearSchedule(0.25, 0.05)
    """Chance of a segment of a child to be changed."""
    strength: LinearSchedule = LinearSchedule(0.5, 0.1)
    """Spread of what is added to each of its numbers, in the spread that they began with."""

    def __post_init__(self) -> None:
        if self.scheme not in SCHEMES:
            raise ValueError(f"scheme {self.scheme!r}: want {' or '.join(SCHEMES)}")
        if not 0 < self.survival <= 1:
            raise ValueError(f"survival {self.survival}: want more than 0, at most 1")
        for name in ("rate", "strength"):
            fading: LinearSchedule = getattr(self, name)
            if not all(0 <= end < math.inf for end in (fading.first, fading.last)):
                raise ValueError(f"{name} {fading.first} to {fading.last}: want 0 or more")
        if max(self.rate.first, self.rate.last) > 1:
            raise ValueError(f"rate {self.rate.first} to {self.rate.last}: want at most 1")

    def survivors(self, population: int) -> int:
        """Return how many survive, the two parents of the others at least."""
        return max(round(self.survival * population), min(LEAST_BREEDERS, population))


def normaliser(won: NDArray[np.float64], big_blind: float) -> NDArray[np.float64]:
    """Return (M,) what the best wins from each opponent, a big blind per hand at least."""
    best: NDArray[np.float64] = np.maximum(won.max(axis=0), big_blind)
    return best


def fitness_of(won: NDArray[np.float64], big_blind: float) -> NDArray[np.float64]:
    """Return (P,) the average normalised earnings, at most 1."""
    fitness: NDArray[np.float64] = (won / normaliser(won, big_blind)).mean(axis=1)
    return fitness


def order_of(fitness: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return (P,) the individuals, the fittest first; of equally fit ones the earlier first."""
    return np.argsort(-fitness, kind="stable")


def breeders_among(fitness: NDArray[np.float64]) -> int:
    """Return how many of some survivors, the fittest first, breed: those above their mean."""
    return max(int((fitness > fitness.mean()).sum()), min(LEAST_BREEDERS, len(fitness)))


def share_of_better(better: float, worse: float, least: float) -> float:
    """Return the chance of each segment to come from the fitter parent, 1/2 to 1.

    It is the better one's share in both fitnesses, less the least in the population, so that it
    means the same below zero.
    """
    above, less = better - least, worse - least
    return above / (above + less) if above + less > 0 else 0.5


def next_generation(
    genomes: NDArray[np.float32],
    fitness: NDArray[np.float64],
    population: int,
    segments: NDArray[np.int64],
    spread: NDArray[np.float32],
    breeding: ReproductionConfig,
    rate: float,
    strength: float,
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """Return (P, G) the survivors, the fittest first, and their children.

    Args:
        population: P, how many there are to be.
        segments: bounds of those of a genome.
        spread: (S,) standard deviation of each segment's initial weights.
        breeding: how many survive.
        rate: chance of a segment of a child to be mutated.
        strength: of a mutation, in units of spread.
    """
    order = order_of(fitness)[: breeding.survivors(population)]
    best = fitness[order]
    least = float(fitness.min())
    children = np.empty((population, genomes.shape[1]), np.float32)
    children[: len(order)] = genomes[order]
    wanted = population - len(order)
    breeders = breeders_among(best)
    for child, (better, worse) in enumerate(islice(_pairs(breeders), wanted)):
        if breeding.scheme == TIERED:
            row = alternated(children[better], children[worse], segments)
        else:
            share = share_of_better(float(best[better]), float(best[worse]), least)
            row = crossed(children[better], children[worse], segments, share, rng)
        children[len(order) + child] = mutated(row, segments, spread, rate, strength, rng)
    if breeding.scheme == TIERED:
        for parent in range(breeders, len(order)):
            children[parent] = mutated(children[parent], segments, spread, rate, strength, rng)
    return children


def _pairs(breeders: int) -> Iterator[tuple[int, int]]:
    """Yield each breeder with each worse one, again and again; one alone with itself."""
    return cycle(combinations(range(breeders), 2) if breeders > 1 else [(0, 0)])


def crossed(
    better: NDArray[np.float32],
    worse: NDArray[np.float32],
    segments: NDArray[np.int64],
    share: float,
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """Return a genome with each segment from the first parent with some chance, else the second."""
    chosen = rng.random(len(segments) - 1) < share
    return np.where(np.repeat(chosen, np.diff(segments)), better, worse)


def alternated(
    better: NDArray[np.float32], worse: NDArray[np.float32], segments: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return a genome with every other segment from the first parent, the rest from the second."""
    lengths = np.diff(segments)
    return np.where(np.repeat(np.arange(len(lengths)) % 2 == 0, lengths), better, worse)


def mutated(
    genome: NDArray[np.float32],
    segments: NDArray[np.int64],
    spread: NDArray[np.float32],
    rate: float,
    strength: float,
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """Return a genome of which some segments have got normal noise added."""
    lengths = np.diff(segments)
    changed = rng.random(len(lengths)) < rate
    noise = rng.standard_normal(int(lengths[changed].sum()), np.float32)
    scale = np.repeat(spread[changed] * np.float32(strength), lengths[changed])
    child: Any = genome.copy()
    child[np.repeat(changed, lengths)] += noise * scale
    return child  # type: ignore[no-any-return]
