"""Populations: the samples that simulated tests draw from.

A population is (K,) float64 samples in mbb/h, recorded ones in their order or some that a law
makes.  Tests draw from it with replacement, so its mean and spread are exactly those of a test's
samples, and tests of any length can be drawn from it.  What was not recorded is never drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MADE_UP: Final = 1 << 18
"""Samples of a law: all that fit into the caches of a core, where drawing them takes 5 ns."""
_FREEDOM: Final = 3
_SMALL_SHARE: Final = 0.25
_MOSTLY: Final = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """Samples, and how far any can be from 0."""

    name: str
    samples: NDArray[np.float64]
    """(K,) mbb/h."""
    most: float
    """That can be won or lost in a sample, mbb/h."""
    hands_per_sample: int

    def __post_init__(self) -> None:
        """Refuse samples that there cannot be."""
        farthest = float(np.abs(self.samples).max()) if self.samples.size else 0.0
        if self.samples.ndim != 1 or len(self.samples) < 2 or not farthest <= self.most:
            raise ValueError(
                f"{self.name}: {self.samples.size} samples up to {farthest:g} mbb/h: want two or "
                f"more, up to {self.most:g}"
            )

    @property
    def mean(self) -> float:
        """Their mean, mbb/h."""
        return float(self.samples.mean())

    @property
    def sd(self) -> float:
        """Their standard deviation, divisor K, mbb/h."""
        return float(self.samples.std())

    @property
    def skewness(self) -> float:
        """The third moment about the mean by the third power of `sd`; 0 where all are the same."""
        sd = self.sd
        return float(((self.samples - self.mean) ** 3).mean() / sd**3) if sd else 0.0

    @property
    def kurtosis(self) -> float:
        """The fourth one by the fourth power of `sd`; 3 for normal samples."""
        sd = self.sd
        return float(((self.samples - self.mean) ** 4).mean() / sd**4) if sd else 0.0


def _normal(rng: np.random.Generator, sd: float, most: float) -> NDArray[np.float64]:
    return rng.normal(0.0, sd, MADE_UP)


def _student(rng: np.random.Generator, sd: float, most: float) -> NDArray[np.float64]:
    scale = sd * math.sqrt((_FREEDOM - 2) / _FREEDOM)
    samples: NDArray[np.float64] = scale * rng.standard_t(_FREEDOM, MADE_UP)
    return samples


def _all_ins(won: float) -> Callable[[np.random.Generator, float, float], NDArray[np.float64]]:
    """Return a law of small pots and few all-ins, of which a share `won` is won."""

    def make(rng: np.random.Generator, sd: float, most: float) -> NDArray[np.float64]:
        small = _SMALL_SHARE * sd
        share = (sd * sd - small * small) / (most * most)
        samples = rng.normal(0.0, small, MADE_UP)
        all_in = rng.random(MADE_UP) < share
        signs = np.where(rng.random(MADE_UP) < won, 1.0, -1.0)
        samples[all_in] = (most * signs)[all_in]
        return samples

    return make


LAWS: Final = {
    "normal": _normal,
    "student": _student,
    "all-ins": _all_ins(0.5),
    "all-ins-won": _all_ins(_MOSTLY),
    "all-ins-lost": _all_ins(1 - _MOSTLY),
}
"""Law -> samples of about mean 0 and standard deviation `sd`, some perhaps beyond `most`: normal;
Student's with 3 degrees of freedom; and small pots, normal with a quarter of the spread, beside
all-ins, as few as make up the rest of it, of which half, 9 or 1 of 10 are won."""


def made_up(
    law: str, sd: float, most: float, seed: int, *, hands_per_sample: int = 2
) -> Population:
    """Return a population of one of `LAWS`, cut off at what can be won or lost.

    Args:
        sd: standard deviation, mbb/h; what is cut off may make it a little less.
        most: that can be won or lost in a sample, mbb/h.
        hands_per_sample: 2 in duplicate sets of two players.

    Raises:
        ValueError: the standard deviation is none, or larger than half of `most`.
    """
    if not 0 < sd <= most / 2:
        raise ValueError(f"a standard deviation of {sd:g} mbb/h: want one up to {most / 2:g}")
    samples = LAWS[law](np.random.default_rng(seed), sd, most)
    return Population(law, np.clip(samples, -most, most), most, hands_per_sample)
