"""How often a sequential test is wrong, and how long it takes: many on samples of a population."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.estimates.shares import ShareEstimate
from engine.estimates.sprt import SequentialTest
from engine.estimates.winrate import half_interval
from engine.parallel.halting import Halt
from engine.parallel.threads import Progress, run_blocks
from engine.sequential import trial_kernels as k

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.sequential.populations import Population

LONGEST: Final = 100
"""Times the samples of a test of a fixed size, or of `LEAST_LONGEST`, after which a test is left
open."""
LEAST_LONGEST: Final = 10_000
_AT_ONCE: Final = 10
"""Tests of a piece of work."""
CHUNK: Final = 1 << 20
"""Samples of each of them, about, between two looks at whether to stop."""


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """T simulated tests whose samples have one true mean."""

    test: SequentialTest
    mean: float
    """The true one, mbb/h."""
    hands_per_sample: int
    lengths: NDArray[np.int64]
    """(T,) samples up to the decision."""
    decisions: NDArray[np.int8]
    """(T,) 1: H1, -1: H0, 0: open."""

    @property
    def accepted_h1(self) -> ShareEstimate:
        """How often H1 was accepted."""
        return ShareEstimate.of(int((self.decisions > 0).sum()), len(self.decisions))

    @property
    def open(self) -> int:
        """How many were not decided in time."""
        return int((self.decisions == 0).sum())

    @property
    def wrong(self) -> ShareEstimate | None:
        """How often the decision was wrong; None for a mean between the hypotheses."""
        if self.test.mbb0 < self.mean < self.test.mbb1:
            return None
        wrong = self.decisions > 0 if self.mean <= self.test.mbb0 else self.decisions < 0
        return ShareEstimate.of(int(wrong.sum()), len(wrong))

    @property
    def mean_hands(self) -> float:
        """Hands up to the decision, in the mean."""
        return float(self.lengths.mean()) * self.hands_per_sample

    @property
    def mean_hands_ci95(self) -> float:
        """Half the 95 % interval of that; infinite of one test."""
        if len(self.lengths) < 2:
            return float("inf")
        sd = float(self.lengths.std(ddof=1))
        return half_interval(sd, len(self.lengths)) * self.hands_per_sample

    def hands(self, share: float) -> int:
        """Return within how many hands that share of the tests was over."""
        rank = max(int(np.ceil(share * len(self.lengths))), 1)
        return int(np.sort(self.lengths)[rank - 1]) * self.hands_per_sample


def longest(test: SequentialTest, sd: float) -> int:
    """Return the number of samples after which a simulated test ends undecided."""
    return LONGEST * max(test.fixed_samples(sd), LEAST_LONGEST)


def expected_draws(
    test: SequentialTest, population: Population, mean: float | None, tests: int
) -> float:
    """Return how many samples simulated tests draw together, about.

    Raises:
        ValueError: neither hypothesis can be true.
    """
    own = population.mean
    true = own if mean is None else mean
    most = population.most + abs(true - own)
    expected = test.expected_samples(true, population.sd, most)
    return tests * min(expected, longest(test, population.sd))


def run_trials(
    test: SequentialTest,
    population: Population,
    mean: float | None,
    tests: int,
    seed: int,
    *,
    block: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Trials:
    """Simulate sequential tests.

    The same seed draws the same samples whatever the mean and the number of threads.

    Args:
        mean: the true one, to which all samples are shifted; None: they stay as they are.
        tests: T, 1 or more.
        seed: of the draws, 0 to 2**64 - 1.
        block: samples that are drawn together, as they follow each other: as many as one may
            depend on, as where bots learn.
        threads: how many; None for one per core.
        progress: told the share of tests that are over.
        stop: asked now and then; once it says True, this ends as after Ctrl-C.

    Raises:
        ValueError: there are no tests, blocks of none, or neither hypothesis can be true.
        KeyboardInterrupt: after Ctrl-C.
    """
    if tests < 1 or not 1 <= block <= len(population.samples):
        raise ValueError(f"{tests} tests of blocks of {block} from {len(population.samples)}")
    own = population.mean
    shift = 0.0 if mean is None else mean - own
    setting = np.zeros(k.SETTINGS)
    setting[k.SHIFT] = shift
    setting[k.MBB0], setting[k.MBB1] = test.mbb0, test.mbb1
    setting[k.ENOUGH0], setting[k.ENOUGH1] = 1 / test.alpha, 1 / test.beta
    setting[k.REACH] = test.reach(population.most + abs(shift))
    most = longest(test, population.sd)
    samples = np.ascontiguousarray(population.samples, np.float64)
    chunk = -(-CHUNK // block) * block
    lengths, decisions = np.zeros(tests, np.int64), np.zeros(tests, np.int8)

    def work(first: int, end: int) -> None:
        own_lengths, own_decisions = lengths[first:end], decisions[first:end]
        walks = np.tile((0.0, setting[k.REACH] ** 2, 1.0, 1.0), (end - first, 1))
        until = 0
        while until < most and not own_decisions.all() and not halt():
            until = min(until + chunk, most)
            k.simulate_tests(
                samples, setting, block, np.uint64(seed), first, until, walks,
                own_lengths, own_decisions,
            )  # fmt: skip

    with Halt(stop) as halt:
        run_blocks(work, tests, _AT_ONCE, threads=threads, progress=progress)
    if halt():
        raise KeyboardInterrupt
    return Trials(
        test, own if mean is None else mean, population.hands_per_sample, lengths, decisions
    )
