"""Win rates with their 95 % intervals, from the chips that a player won hand by hand.

    samples  (N,) float64  chips per hand of one independent sample, fractions allowed

A sample is one hand, or one duplicate set: the same deal played once from every seat, worth its
mean over the seatings.  Sets of one match are independent of each other, hands within a set are
not, so an interval over sets must count sets; `engine.estimates.estimators` makes them of hands.

Units: mbb/h, thousandths of a big blind per hand.  95 % interval: mean +- t s / sqrt(N) with the
sample standard deviation s (divisor N - 1) and the quantile t of Student's distribution with N - 1
degrees of freedom.  For the many hands of the computer poker competitions that is their 1.96; for
six samples it is 2.57.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.estimates.betting import BettingWealths

Z95: Final = 1.959963984540054
_T95_BY_FREEDOM: Final = (
    *(12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157),
    *(2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922),
    *(2.093024, 2.085963, 2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831),
    *(2.048407, 2.045230, 2.042272),
)
_LEAST_INTERVAL_MBB: Final = 5e-4
"""A narrower interval is 0 in all files."""
FEWEST_EQUAL_SAMPLES: Final = 100
"""Of fewer that are all alike it is not known how far apart others would be."""


@dataclass(frozen=True, slots=True)
class WinRate:
    """What one player won per hand, and how sure that is."""

    mbb_per_hand: float
    """Mean, thousandths of a big blind per hand; 0 without samples."""
    ci95: float
    """Half width of the 95 % interval in mbb/h; infinite where samples are too few to tell: below
    two, and below `FEWEST_EQUAL_SAMPLES` that are all alike."""
    sd: float
    """Sample standard deviation of one sample in mbb/h; infinite below two samples."""
    samples: int
    """Independent samples behind the mean: hands, or duplicate sets."""
    hands: int
    """Hands behind the samples."""
    most_lost: float = math.inf
    """That a sample can be below 0, mbb/h; infinite where no bound is known."""
    p_value: float | None = None
    """Two-sided, of a true rate of 0, see `engine.estimates.betting`; None without a bound."""
    wealths: BettingWealths | None = None
    """From which the p-value follows, also that of further samples beside these."""

    def hands_needed(self, margin: float) -> int | None:
        """Return how many hands give an interval of +- `margin` mbb/h, None if not yet known.

        Raises:
            ValueError: `margin` is not positive.
        """
        if margin <= 0:
            raise ValueError(f"a margin of {margin} mbb/h cannot be reached")
        if not math.isfinite(self.sd):
            return None
        samples = max(2, math.ceil((Z95 * self.sd / margin) ** 2))
        while half_interval(self.sd, samples) > margin:  # a few steps, however many samples
            samples += 1
        return samples * (self.hands // self.samples)


def t95(freedom: int) -> float:
    """Return Student's quantile for a two-sided 95 % interval, to six digits.

    From a table up to 30 degrees of freedom; above by the Cornish-Fisher expansion: Abramowitz,
    Stegun, "Handbook of mathematical functions", 1964, 26.7.5.

    Raises:
        ValueError: `freedom` is below 1.
    """
    if freedom < 1:
        raise ValueError(f"{freedom} degrees of freedom: want 1 or more")
    if freedom <= len(_T95_BY_FREEDOM):
        return _T95_BY_FREEDOM[freedom - 1]
    z, n = Z95, float(freedom)
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def half_interval(sd: float, samples: int) -> float:
    """Return half the 95 % interval of a mean, in the unit of `sd`; infinite below two samples.

    Args:
        samples: how many independent ones the mean is of.
    """
    return t95(samples - 1) * sd / math.sqrt(samples) if samples > 1 else math.inf


def told_width(half_width: float, samples: int) -> float:
    """Return the half width, infinite where it is 0 because a few samples are all alike."""
    alike = half_width < _LEAST_INTERVAL_MBB and samples < FEWEST_EQUAL_SAMPLES
    return math.inf if alike else half_width


def win_rate(samples: NDArray[np.float64], big_blind: int, *, hands_per_sample: int = 1) -> WinRate:
    """Return the win rate over (N,) `samples`, each in chips per hand.

    Raises:
        ValueError: `big_blind` or `hands_per_sample` is not positive.
    """
    count = int(samples.size)
    mean = float(np.mean(samples)) if count else 0.0
    # var() subtracts the mean first, so large stacks and long matches lose no digits.
    variance = float(np.var(samples, ddof=1)) if count > 1 else math.inf
    return _rate(mean, variance, count, big_blind, hands_per_sample)


def win_rate_of_units(
    totals: NDArray[np.float64], sizes: NDArray[np.float64], big_blind: int, *, hands: int
) -> WinRate:
    """Return the win rate of N units of hands that are independent of each other: a ratio estimate.

    Units may be of different sizes.  The standard error is that of a ratio of means: Cochran,
    "Sampling techniques", 1977, 6.4; with equal sizes that of a mean of samples.

    Args:
        totals: (N,) chips won in each unit.
        sizes: (N,) hands that each counts for, positive.
        big_blind: chips.
        hands: behind all of them.

    Raises:
        ValueError: `big_blind` is not positive.
    """
    count = len(totals)
    hands_counted = float(sizes.sum())
    mean = float(totals.sum()) / hands_counted if count else 0.0
    variance = math.inf
    if count > 1:
        apart = (totals - mean * sizes) * (count / hands_counted)
        variance = float(np.square(apart).sum()) / (count - 1)
    return replace(_rate(mean, variance, count, big_blind, 1), hands=hands)


def win_rate_from_sums(
    count: int, total: float, squares: float, big_blind: int, *, hands_per_sample: int = 1
) -> WinRate:
    """Return the win rate of `count` samples given as their sum and their sum of squares.

    For running results, where samples arrive one by one and are not kept.  Chips are whole numbers
    or simple fractions and their mean is far below their spread, so the plain formula is good to
    about nine digits.

    Raises:
        ValueError: `big_blind` or `hands_per_sample` is not positive.
    """
    mean = total / count if count else 0.0
    variance = math.inf
    if count > 1:
        variance = max(0.0, (squares - count * mean * mean) / (count - 1))
    return _rate(mean, variance, count, big_blind, hands_per_sample)


def _rate(
    mean: float, variance: float, count: int, big_blind: int, hands_per_sample: int
) -> WinRate:
    if big_blind <= 0 or hands_per_sample <= 0:
        raise ValueError(
            f"big blind {big_blind} and {hands_per_sample} hands per sample must be positive"
        )
    to_mbb = 1000.0 / big_blind
    sd = math.sqrt(variance) * to_mbb
    width = told_width(half_interval(sd, count), count)
    return WinRate(mean * to_mbb, width, sd, count, count * hands_per_sample)
