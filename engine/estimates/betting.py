"""Betting test of a mean: is it 0, whatever the samples are like, and however often one looks?

A gambler stakes a share s of the wealth on every sample x, which cannot be below -low:

    W(s) = product of 1 + s x / low        a supermartingale from 1 while the true mean is 0 or less
    W    = mean of W(s) over `WEALTH_SHARES`    so is their mean; W reaches 1 / a with probability a

A second one bets against means of 0 or more, by -x / high.  Nothing else is asked of samples: no
normality, no spread, no least number; they may depend on those before them.  Both wealths are
products, so the order in which samples are taken plays no part, and the p-value 2 / W, of the
larger W, holds at every look at a match that is played on: over all looks together a true mean of 0
is rejected at level a with probability a at most (Ville's inequality).

The shares are spread evenly over three powers of ten.  The best one, mean low / variance, is seldom
a third away from one of them, and the mean of 24 costs at most ln 24 of the logarithm of W.

Sources: Ville, "Etude critique de la notion de collectif", 1939; Waudby-Smith, Ramdas, "Estimating
means of bounded random variables by betting", J. R. Statist. Soc. B 86, 2024, section 4 (the
mixture over fixed shares).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WEALTH_SHARES: Final = tuple(np.geomspace(0.001, 0.9, 24).tolist())
_LEAST_LOG_P: Final = -700.0
"""Nothing is certain, so no p-value is 0."""
_ACCURACY: Final = 1.001
_LEAST_DRIFT: Final = 1e-15
"""Slower growth of the wealth's logarithm never decides anything."""
_BOUND_SLACK: Final = 1 + 1e-9


@dataclass(frozen=True, slots=True)
class BettingWealths:
    """What the gamblers have after some samples: logarithms by share of `WEALTH_SHARES`, nats."""

    ahead: tuple[float, ...]
    """(S,) of who bets that the mean is above 0."""
    behind: tuple[float, ...]
    """(S,) of who bets that it is below."""

    @property
    def p_value(self) -> float:
        """Two-sided, of a true mean of 0.

        Wealths of further samples add up, share by share, so it holds for all samples together.
        """
        largest = max(float(np.logaddexp.reduce(wealths)) for wealths in (self.ahead, self.behind))
        return math.exp(min(0.0, max(math.log(2 * len(WEALTH_SHARES)) - largest, _LEAST_LOG_P)))


def betting_wealths(
    samples: NDArray[np.float64], most_lost: float, most_won: float
) -> BettingWealths | None:
    """Return what the gamblers have after (N,) samples, in whatever order they come.

    Args:
        most_lost: how far below 0 a sample can be, in the unit of the samples.
        most_won: how far above.

    Returns:
        None where a sample is further away than it can be.
    """
    if not samples.size:
        nothing = (0.0,) * len(WEALTH_SHARES)
        return BettingWealths(nothing, nothing)
    down, up = float(samples.min()) / -most_lost, float(samples.max()) / most_won
    if not max(down, up) <= _BOUND_SLACK:
        return None
    from engine.estimates.betting_kernels import log_wealths

    shares = np.array(WEALTH_SHARES)
    return BettingWealths(
        tuple(log_wealths(samples, 1 / most_lost, shares).tolist()),
        tuple(log_wealths(samples, -1 / most_won, shares).tolist()),
    )


def betting_p_value(
    samples: NDArray[np.float64], most_lost: float, most_won: float
) -> float | None:
    """Return the two-sided p-value of (N,) samples under a true mean of 0; 1 without samples.

    Args as for `betting_wealths`, which returns None where this does.
    """
    wealths = betting_wealths(samples, most_lost, most_won)
    return None if wealths is None else wealths.p_value


def samples_wanted(
    mean: float, sd: float, most_lost: float, level: float, power: float
) -> int | None:
    """Return how many samples the test of a mean above 0 takes, about; None where it never ends.

    By normal approximations of the logarithms of W(s).

    Args:
        mean: the true one, in the unit of `most_lost`.
        sd: standard deviation of a sample.
        most_lost: how far below 0 a sample can be.
        level: two-sided.
        power: how often the test is to be significant.
    """
    shares = np.array(WEALTH_SHARES)
    spread = shares * sd / most_lost
    drift = shares * mean / most_lost - spread**2 / 2
    if not drift.max() > _LEAST_DRIFT:
        return None
    quantile = NormalDist().inv_cdf(power)
    bound = math.log(2 * len(WEALTH_SHARES) / level)

    def is_enough(samples: float) -> bool:
        wealth = drift * samples - quantile * spread * math.sqrt(samples)
        return float(np.logaddexp.reduce(wealth)) >= bound

    low, high = 1.0, 2.0
    while not is_enough(high):
        low, high = high, 2 * high
    while high - low > 1 and high / low > _ACCURACY:
        middle = (low + high) / 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return math.ceil(high)
