"""Sequential test of a win rate: play until it is decided, with errors that were chosen beforehand.

H0 says that the mean of a sample is m0, H1 that it is m1 > m0.  After N samples with mean m and
variance v (divisor N), which stands for the true one, the log-likelihood ratio is

    LLR = N (m1 - m0) (2 m - m0 - m1) / (2 v)

H1 is accepted once LLR >= ln((1 - beta) / alpha), H0 once LLR <= ln(beta / (1 - alpha)).  One may
look after every sample.  A sample is a duplicate set, or a hand where there are no sets.

Each hypothesis could have the variance that suits it best, as in Student's test; but then a mean
far beyond both speaks for neither, and the better the bot the longer it takes.

Source: Wald, "Sequential tests of statistical hypotheses", Ann. Math. Statist. 16, 1945; testing
frameworks of chess engines use the same ratio for pairs of games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from statistics import NormalDist
from typing import Final

from engine.estimates.verdict import FEWEST_SAMPLES

MOST_MBB: Final = 1e7
"""Of a hypothesis, mbb/h."""


class SequentialDecision(Enum):
    """What a sequential test says."""

    OPEN = "open"
    H0 = "H0"
    H1 = "H1"


@dataclass(frozen=True, slots=True)
class SequentialState:
    """Where a test stands."""

    llr: float
    """Log-likelihood ratio, nats."""
    decision: SequentialDecision
    samples: int
    more_samples: int | None
    """About how many more decide it if the mean stays what it is; None where nothing can be said or
    it is decided."""


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Two hypotheses of a mean in mbb/h, and how often each may be rejected wrongly."""

    mbb0: float
    mbb1: float
    alpha: float = 0.05
    """Most often that H1 is accepted where H0 holds."""
    beta: float = 0.05
    """Most often that H0 is accepted where H1 holds."""

    def __post_init__(self) -> None:
        if not -MOST_MBB <= self.mbb0 < self.mbb1 <= MOST_MBB:
            raise ValueError(
                f"mbb0={self.mbb0:g} and mbb1={self.mbb1:g}: want mbb0 below mbb1, both between "
                f"-{MOST_MBB:g} and {MOST_MBB:g}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise ValueError(f"{name}={value:g}: want a number above 0, below 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, samples: int, mean: float, variance: float) -> float:
        """Return the log-likelihood ratio.

        Args:
            samples: how many, 0 or more.
            mean: of the samples, mbb/h.
            variance: of the samples with divisor N, (mbb/h)^2.
        """
        ahead = (self.mbb1 - self.mbb0) * (2 * mean - self.mbb0 - self.mbb1) / 2
        if not samples or not ahead:
            return 0.0
        if not variance:
            return math.copysign(math.inf, ahead)
        return samples * ahead / variance

    def state(self, samples: int, mean: float, variance: float) -> SequentialState:
        """Return where the test stands, see `llr`; it stays open below `FEWEST_SAMPLES`."""
        llr = self.llr(samples, mean, variance)
        lower, upper = self.bounds
        decision = SequentialDecision.OPEN
        if samples >= FEWEST_SAMPLES and not lower < llr < upper:
            decision = SequentialDecision.H1 if llr >= upper else SequentialDecision.H0
        more = None
        if decision is SequentialDecision.OPEN and samples > 1 and llr:
            wanted = (upper if llr > 0 else lower) / llr * samples
            more = max(math.ceil(wanted) - samples, FEWEST_SAMPLES - samples, 1)
        return SequentialState(llr, decision, samples, more)

    def fixed_samples(self, sd: float) -> int:
        """Return how many samples a test of a fixed size needs for the same errors.

        Args:
            sd: of a sample, mbb/h.
        """
        normal = NormalDist()
        errors = normal.inv_cdf(1 - self.alpha) + normal.inv_cdf(1 - self.beta)
        return math.ceil((errors * sd / (self.mbb1 - self.mbb0)) ** 2)

    def expected_samples(self, mean: float, sd: float) -> float:
        """Return how many samples the test takes in the mean, by Wald's approximation.

        It neglects by how much the last sample oversteps a bound.

        Args:
            mean: the true one, mbb/h.
            sd: of a sample, mbb/h.
        """
        lower, upper = self.bounds
        slope = (self.mbb1 - self.mbb0) / sd**2
        drift = slope * (mean - (self.mbb0 + self.mbb1) / 2)
        if not drift:
            return -lower * upper / (slope * sd) ** 2
        steepness = 2 * abs(drift) / (slope * sd) ** 2
        ahead, behind = (upper, -lower) if drift > 0 else (-lower, upper)
        right = math.expm1(-steepness * behind) / math.expm1(-steepness * (ahead + behind))
        return (right * ahead - (1 - right) * behind) / abs(drift)
