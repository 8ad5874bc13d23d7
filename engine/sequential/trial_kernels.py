"""Simulated sequential tests, compiled: `engine.estimates.sprt.SequentialWalk`, bit for bit.

A test draws blocks of samples that follow each other in the population, after the last one comes
the first: block k of test t begins at the sample that the upper 32 bits of W(W(seed, t + 1), k + 1)
say, with W(key, n) output n of the generator seeded `key` (`engine.compiled.splitmix`).

    population  (K,) float64   samples, mbb/h
    setting     (6,) float64   see the constants
    walks       (T, 4) float64 sum of the samples, of their squares (both about mbb0), W0 and W1
    lengths     (T,) int64     samples of each test so far
    decisions   (T,) int8      1: H1, -1: H0, 0: open
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
SETTINGS: Final = 6


@kernel
def simulate_tests(
    population: NDArray[np.float64],
    setting: NDArray[np.float64],
    block: int,
    seed: np.uint64,
    first: int,
    most: int,
    walks: NDArray[np.float64],
    lengths: NDArray[np.int64],
    decisions: NDArray[np.int8],
) -> None:
    """Continue the tests `first`, `first` + 1 and so on until they have `most` samples each.

    Samples so far are a multiple of `block`, as `most` is.  Walks begin at 0, reach^2, 1 and 1.
    """
    shift, mbb0, mbb1 = setting[SHIFT], setting[MBB0], setting[MBB1]
    enough0, enough1, reach = setting[ENOUGH0], setting[ENOUGH1], setting[REACH]
    largest = STAKE / reach
    difference = mbb1 - mbb0
    caution = difference * reach / 2
    size = np.uint64(len(population))
    for test in range(len(lengths)):
        key = random_word(seed, first + test + 1)
        walk = walks[test]
        total, squares, w0, w1 = walk[0], walk[1], walk[2], walk[3]
        count, decision = lengths[test], as_int(decisions[test])
        drawn, at, left = count // block, as_int(0), as_int(0)
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
        walk[0], walk[1], walk[2], walk[3] = total, squares, w0, w1
        lengths[test] = count
        decisions[test] = decision
