"""Simulated sequential tests, compiled: `engine.estimates.sprt.SequentialWalk`, bit for bit.

A test draws blocks of samples that follow each other in the population, after the last one comes
the first: block k of test t begins at the sample that the upper 32 bits of W(W(seed, t + 1), k + 1)
say, with W(key, n) output n of the generator seeded `key` (`engine.compiled.splitmix`).

    population  (K,) float64   samples, mbb/h
    setting     (7,) float64   see the constants
    lengths     (T,) int64     samples of each test up to its decision
    decisions   (T,) int8      1: H1, -1: H0, 0: open after as many samples as there may be
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import as_int, kernel
from engine.compiled.splitmix import random_word
from engine.estimates.sprt import STAKE

SHIFT: Final = 0
"""Added to each sample, mbb/h."""
MBB0: Final = 1
MBB1: Final = 2
ENOUGH0: Final = 3
"""1 / alpha."""
ENOUGH1: Final = 4
"""1 / beta."""
REACH: Final = 5
"""Farthest that a sample can be from a hypothesis, mbb/h."""
MOST_SAMPLES: Final = 6
SETTINGS: Final = 7


@kernel
def simulate_tests(
    population: NDArray[np.float64],
    setting: NDArray[np.float64],
    block: int,
    seed: np.uint64,
    first: int,
    lengths: NDArray[np.int64],
    decisions: NDArray[np.int8],
) -> None:
    """Run the tests `first`, `first` + 1 and so on, as many as there is room for."""
    shift, mbb0, mbb1 = setting[SHIFT], setting[MBB0], setting[MBB1]
    enough0, enough1, reach = setting[ENOUGH0], setting[ENOUGH1], setting[REACH]
    largest = STAKE / reach
    most = as_int(setting[MOST_SAMPLES])
    difference = mbb1 - mbb0
    caution = difference * reach / 2
    size = np.uint64(len(population))
    for test in range(len(lengths)):
        key = random_word(seed, first + test + 1)
        total, squares = 0.0, reach * reach
        w0 = w1 = 1.0
        count = at = left = drawn = decision = as_int(0)
        while decision == 0 and count < most:
            if left == 0:
                drawn += 1
                word = random_word(key, drawn) >> np.uint64(32)
                at = as_int((word * size) >> np.uint64(32))
                left = block
            sample = population[at] + shift
            left -= 1
            at = at + 1 if at + 1 < len(population) else 0
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
                decision = 1
            elif w1 >= enough1:
                decision = -1
        lengths[test] = count
        decisions[test] = decision
