"""How often sequential tests are wrong and how many hands they take, on made-up and real samples.

Tests draw from a population with replacement, so its mean and spread are exactly those of a test's
samples, and tests of any length can be drawn from it.  It is shifted to each true mean.

    make study sequential-errors                                     five laws, half a minute
    make study NAME="sequential-errors --samples MATCH"              sets of a match's folder

The real ones in docs are 200 000 duplicate sets of `plane-30-50-10` and `plane-30-50-25`.

A test draws blocks of samples that follow each other in the population, after the last one comes
the first: block k of test t begins at the sample that the upper 32 bits of W(W(seed, t + 1), k + 1)
say, with W(key, n) output n of the generator seeded `key` (`engine.compiled.splitmix`).  It is
`engine.estimates.sprt.SequentialWalk`, bit for bit.
"""

import math
from dataclasses import asdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealer.results.sequential import predicted_hands
from dealer.sequential.recorded import recorded
from engine.compiled.jit import as_int, kernel
from engine.compiled.splitmix import random_word
from engine.console.options import jobs_option
from engine.estimates.shares import ShareEstimate
from engine.estimates.sprt import LARGEST_STAKE, SequentialTest
from engine.estimates.winrate import half_interval
from engine.parallel.threads import run_blocks

MADE_UP = 1 << 18
"""Samples of a law: all that fit into the caches of a core, where drawing them takes 5 ns."""
STACK = 200_000.0
"""mbb/h that a made-up sample can win or lose."""
SD = 8000.0
LONGEST = 100
"""Times the samples of a test of a fixed size, or of `LEAST_LONGEST`, after which a test is left
open."""
LEAST_LONGEST = 10_000
TESTS_AT_ONCE = 10
SMALL = {"tests": 20, "jobs": 1}


def add_options(parser):
    """Add whose samples, and how many tests."""
    add = parser.add_argument
    add("--samples", metavar="PATH", nargs="+", help="match folders or logs")
    add("--tests", type=int, default=4000, help="for each true mean")
    add("--seed", type=int, default=1, help="of draws and laws")
    jobs_option("threads").add_to(parser)


def result_name(options):
    """Return the file of made-up or of real samples."""
    return "sprt/known-pair.json" if options.samples else "sprt/made-up.json"


def run(options):
    """Simulate tests of each population at each true mean."""
    if options.samples:
        test, block = SequentialTest(0.0, 130.0), 100
        real = recorded(options.samples, player=None, game=None, most=None)
        populations, means = [Population(*real)], (0.0, 65.0, 130.0, None)
    else:
        test, block, means = SequentialTest(0.0, 200.0), 1, (0.0, 100.0, 200.0)
        populations = [made_up(law, SD, STACK, options.seed) for law in LAWS]
    return {
        "test": asdict(test),
        "seed": options.seed,
        "block": block,
        "populations": [
            population_facts(population, test)
            | {
                "trials": [
                    run_trials(
                        test, population, mean, options.tests, options.seed,
                        block=block, threads=options.jobs,
                    ).facts()
                    for mean in means
                ]
            }
            for population in populations
        ],
    }  # fmt: skip


class Population(NamedTuple):
    """Samples, and how far any can be from 0."""

    name: str
    samples: NDArray[np.float64]
    """(K,) mbb/h, in their order."""
    most: float
    """mbb/h that can be won or lost in a sample."""
    hands_per_sample: int = 2


def population_facts(population, test):
    """Return what samples are like, and how many hands a test of them takes, about."""
    samples, hands = population.samples, population.hands_per_sample
    mean, sd = float(samples.mean()), float(samples.std())
    return {
        "samples": population.name,
        "count": len(samples),
        "hands_per_sample": hands,
        "mean_mbb_per_hand": mean,
        "ci95_mbb_per_hand": 1.96 * sd / math.sqrt(len(samples)),
        "sd_mbb_per_sample": sd,
        "skewness": float(((samples - mean) ** 3).mean() / sd**3),
        "kurtosis": float(((samples - mean) ** 4).mean() / sd**4),
        "most_mbb_per_sample": population.most,
        "predicted_hands": predicted_hands(test, sd, population.most, hands),
    }


def _all_ins(won):
    """Return a law of small pots and few all-ins, of which a share `won` is won."""

    def make(rng, sd, most):
        small = sd / 4
        share = (sd * sd - small * small) / (most * most)
        samples = rng.normal(0.0, small, MADE_UP)
        all_in = rng.random(MADE_UP) < share
        signs = np.where(rng.random(MADE_UP) < won, 1.0, -1.0)
        samples[all_in] = (most * signs)[all_in]
        return samples

    return make


LAWS = {
    "normal": lambda rng, sd, most: rng.normal(0.0, sd, MADE_UP),
    "student": lambda rng, sd, most: sd * math.sqrt(1 / 3) * rng.standard_t(3, MADE_UP),
    "all-ins": _all_ins(0.5),
    "all-ins-won": _all_ins(0.9),
    "all-ins-lost": _all_ins(1 - 0.9),
}
"""Law -> samples of about mean 0 and standard deviation `sd`, some perhaps beyond `most`: normal;
Student's with 3 degrees of freedom; and small pots, normal with a quarter of the spread, beside
all-ins, as few as make up the rest of it, of which half, 9 or 1 of 10 are won."""


def made_up(law, sd, most, seed):
    """Return a population of one of `LAWS`, cut off at what can be won or lost."""
    samples = LAWS[law](np.random.default_rng(seed), sd, most)
    return Population(law, np.clip(samples, -most, most), most)


class Trials(NamedTuple):
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
    def wrong(self):
        """How often the decision was wrong; None for a mean between the hypotheses."""
        if self.test.mbb0 < self.mean < self.test.mbb1:
            return None
        wrong = self.decisions > 0 if self.mean <= self.test.mbb0 else self.decisions < 0
        return ShareEstimate.of(int(wrong.sum()), len(wrong))

    def hands(self, share):
        """Return within how many hands that share of the tests was over."""
        rank = max(int(np.ceil(share * len(self.lengths))), 1)
        return int(np.sort(self.lengths)[rank - 1]) * self.hands_per_sample

    def facts(self):
        """Return what they came to."""
        accepted = ShareEstimate.of(int((self.decisions > 0).sum()), len(self.decisions))
        sd = float(self.lengths.std(ddof=1))
        return {
            "true_mbb_per_hand": self.mean,
            "tests": len(self.lengths),
            "wrong": None if self.wrong is None else asdict(self.wrong),
            "accepted_h1": asdict(accepted),
            "open": int((self.decisions == 0).sum()),
            "hands_mean": float(self.lengths.mean()) * self.hands_per_sample,
            "hands_mean_ci95": half_interval(sd, len(self.lengths)) * self.hands_per_sample,
            "hands_median": self.hands(0.5),
            "hands_90_percent": self.hands(0.9),
        }


def longest(test, sd):
    """Return the number of samples after which a simulated test ends undecided."""
    return LONGEST * max(test.fixed_samples(sd), LEAST_LONGEST)


def run_trials(test, population, mean, tests, seed, *, block=1, threads=None):
    """Simulate sequential tests.

    The same seed draws the same samples whatever the mean and the number of threads.

    Args:
        mean: the true one, to which all samples are shifted; None: they stay as they are.
        block: samples that are drawn together, as they follow each other: as many as one may
            depend on, as where bots learn.
    """
    samples = np.ascontiguousarray(population.samples, np.float64)
    own = float(samples.mean())
    shift = 0.0 if mean is None else mean - own
    reach = test.reach(population.most + abs(shift))
    setting = np.array([shift, test.mbb0, test.mbb1, 1 / test.alpha, 1 / test.beta, reach])
    most = longest(test, float(samples.std()))
    lengths, decisions = np.zeros(tests, np.int64), np.zeros(tests, np.int8)

    def work(first, end):
        own = lengths[first:end], decisions[first:end]
        simulate_tests(samples, setting, block, np.uint64(seed), first, most, *own)

    run_blocks(work, tests, TESTS_AT_ONCE, threads=threads)
    true = own if mean is None else mean
    return Trials(test, true, population.hands_per_sample, lengths, decisions)


@kernel
def simulate_tests(population, setting, block, seed, first, most, lengths, decisions):
    """Run the tests `first`, `first` + 1 and so on until they are decided or have `most` samples.

    Args:
        setting: shift, mbb0, mbb1, 1 / alpha, 1 / beta, and how far a sample can be from a
            hypothesis; all win rates in mbb/h.
        lengths: (T,) filled with the samples of each test, `decisions` with its decision.
    """
    shift, mbb0, mbb1, enough0, enough1, reach = setting
    largest = LARGEST_STAKE / reach
    difference = mbb1 - mbb0
    caution = difference * reach / 2
    size = np.uint64(len(population))
    for test in range(len(lengths)):
        key = random_word(seed, first + test + 1)
        total, squares, w0, w1 = 0.0, reach * reach, 1.0, 1.0
        count, decision = as_int(0), as_int(0)
        drawn, at, left = as_int(0), as_int(0), as_int(0)
        while decision == 0 and count < most:
            if left == 0:
                drawn += 1
                word = random_word(key, drawn) >> np.uint64(32)
                at = as_int((word * size) >> np.uint64(32))
                left = as_int(block)
            sample = population[at] + shift
            left -= 1
            at = at + 1 if at + 1 < len(population) else as_int(0)
            stake = largest
            mean = total / (count + 1)
            variance = squares / (count + 1) - mean * mean + caution
            if difference < largest * variance:
                stake = difference / variance
            above, below = sample - mbb0, sample - mbb1
            w0 *= 1.0 + stake * above
            w1 *= 1.0 - stake * below
            count += 1
            total += above
            squares += above * above
            if w0 >= enough0:
                decision = as_int(1)
            elif w1 >= enough1:
                decision = as_int(-1)
        lengths[test] = count
        decisions[test] = decision
