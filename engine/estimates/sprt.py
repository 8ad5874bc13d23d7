"""Sequential test of a win rate: play until it is decided, with errors that were chosen beforehand.

A betting test (e-process).  H0: the mean of a sample is at most m0; H1: it is at least m1 > m0.
One wealth process bets against each hypothesis, starting at 1; under the hypothesis that it bets
against, its wealth is a supermartingale:

    against H0    W0 *= 1 + b (x - m0)        H1 is accepted once W0 >= 1 / alpha
    against H1    W1 *= 1 - b (x - m1)        H0 is accepted once W1 >= 1 / beta

    b = min((m1 - m0) / (v + (m1 - m0) r / 2), 0.75 / r)

                                              r: farthest that a sample can be from m0 or m1
                                              v: variance of the N samples before this one and of
                                                 one that is as far away as r, divisor N + 1

A non-negative supermartingale reaches 1 / alpha with probability at most alpha, at any stopping
time (Ville's inequality).  This needs no normality, no known variance and no minimum sample, only
bounded samples: no hand costs more than a stack.  Samples may be dependent, as when bots learn, if
the hypothesis is about the conditional mean given the past.

The term r / 2 keeps tests from never ending when the true mean is halfway and few hands decide.  If
only whole stacks vary, the sum of both log-wealths has the drift
b (m1 - m0) + v / r^2 ln(1 - (b r)^2), which this b keeps above 0.

Where m1 - m0 is small against the standard deviation, ln W0 and -ln W1 approach the log-likelihood
ratio of normal samples, N (m1 - m0) (2 m - m0 - m1) / (2 v).  The test then needs as many samples
as Wald's SPRT.  The SPRT with the sample variance plugged in accepts a false hypothesis in up to 3
of 4 cases where much is won in few hands: before the first, the sample variance is too small.

A sample is a duplicate set, or a hand where there are no sets: the chips as paid ("raw"), or with
run-outs at their expectation over the boards to come ("allin").  That is a mean of what may be
paid, so no sample is larger than a stack by either; given the past, both have the same mean.

Sources: Wald, "Sequential tests of statistical hypotheses", Ann. Math. Statist. 16, 1945; Ville,
"Etude critique de la notion de collectif", 1939; Waudby-Smith, Ramdas, "Estimating means of bounded
random variables by betting", J. R. Statist. Soc. B 86, 2024.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from statistics import NormalDist
from typing import Final

from engine.estimates.estimators import ALLIN, RAW

MOST_HYPOTHESIS_MBB: Final = 1e7
LEAST_DIFFERENCE_MBB: Final = 1e-6
LEAST_ERROR_RATE: Final = 1e-9
LARGEST_STAKE: Final = 0.75
"""The largest share of the wealth that a sample can cost.  With 0.5, tests of some hundred samples
take half as long again; with 0.9, tests in which few hands decide take longer.  So they do without
the sample as far as r in v, which keeps stakes low until the samples show how much few hands can
win."""
_HALVINGS: Final = 60


class SequentialDecision(Enum):
    """What a sequential test says."""

    OPEN = "open"
    H0 = "H0"
    H1 = "H1"


@dataclass(frozen=True, slots=True)
class SequentialState:
    """Where a test stands."""

    against_h0: float
    """ln W0, nats."""
    against_h1: float
    """ln W1, nats."""
    decision: SequentialDecision
    samples: int
    """Up to the decision."""
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
    estimator: str = RAW
    """What a sample is worth: "raw" or "allin"."""

    def __post_init__(self) -> None:
        if not -MOST_HYPOTHESIS_MBB <= self.mbb0 < self.mbb1 <= MOST_HYPOTHESIS_MBB:
            raise ValueError(
                f"mbb0={self.mbb0:g} and mbb1={self.mbb1:g}: want mbb0 below mbb1, both between "
                f"-{MOST_HYPOTHESIS_MBB:g} and {MOST_HYPOTHESIS_MBB:g}"
            )
        if self.mbb1 - self.mbb0 < LEAST_DIFFERENCE_MBB:
            raise ValueError(
                f"mbb0={self.mbb0:g} and mbb1={self.mbb1:g}: want {LEAST_DIFFERENCE_MBB:g} mbb/h "
                "or more between them"
            )
        if self.estimator not in (RAW, ALLIN):
            raise ValueError(f"estimator={self.estimator}: want {RAW} or {ALLIN}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not LEAST_ERROR_RATE <= value < 0.5:
                raise ValueError(f"{name}={value:g}: want {LEAST_ERROR_RATE:g} or more, below 0.5")

    @property
    def middle(self) -> float:
        """The mean that speaks for neither, mbb/h."""
        return (self.mbb0 + self.mbb1) / 2

    @property
    def bounds(self) -> tuple[float, float]:
        """What ln W0 comes to where H1 is accepted, and ln W1 where H0 is."""
        return -math.log(self.alpha), -math.log(self.beta)

    def reach(self, most: float) -> float:
        """Return how far from the hypotheses a sample can be, mbb/h.

        Args:
            most: that can be won or lost in a sample, mbb/h.

        Raises:
            ValueError: neither hypothesis can be true then.
        """
        farthest = max(abs(self.mbb0), abs(self.mbb1))
        if not farthest <= most < math.inf:
            raise ValueError(f"a win rate of {farthest:g} mbb/h, where a hand is worth {most:g}")
        return most + farthest

    def fixed_samples(self, sd: float) -> int:
        """Return how many samples a test of a fixed size needs for the same errors.

        Args:
            sd: of a sample, mbb/h.
        """
        normal = NormalDist()
        errors = normal.inv_cdf(1 - self.alpha) + normal.inv_cdf(1 - self.beta)
        return math.ceil((errors * sd / (self.mbb1 - self.mbb0)) ** 2)

    def expected_samples(self, mean: float, sd: float, most: float) -> float:
        """Return how many samples the test takes in the mean, about.

        By Wald's approximation, which takes ln W0 and ln W1 for walks of normal steps and neglects
        by how much the last one oversteps a bound.  The two come to a little more than 0 together:
        each bound is taken for so much nearer at the end.  While
        stakes are still a share N / (N + n) of what they become, n = r b / (m1 - m0) r, what they
        gain lacks a part (n / (N + n))^2.  Of normal samples this is up to a fifth too few, where
        few hands decide it may be far too few.

        Args:
            mean: the true one, mbb/h.
            sd: of a sample, mbb/h.
            most: that can be won or lost in a sample, mbb/h.

        Raises:
            ValueError: see `reach`.
        """
        reach = self.reach(most)
        difference, stake = self.mbb1 - self.mbb0, LARGEST_STAKE / reach
        variance = sd**2 + difference * reach / 2
        if difference < stake * variance:
            stake = difference / variance
        drift, spread = stake * (mean - self.middle), stake * sd
        gain = (stake * difference - spread**2) / 2
        above, below = self.bounds

        def steps(shorter: float) -> float:
            return _walk_length(drift, spread, above - shorter, below - shorter)

        low, high = 0.0, steps(0.0)
        if gain * high > 1e-9:
            high = min(high, min(above, below) / gain)
            for _ in range(_HALVINGS):
                guess = (low + high) / 2
                low, high = (guess, high) if steps(gain * guess) > guess else (low, guess)
        slow = reach * stake / difference * reach
        return max((high + math.sqrt(high * (high + 4 * slow))) / 2, 1.0)


class SequentialWalk:
    """A test of samples that come one after the other, up to its decision."""

    def __init__(self, test: SequentialTest, most: float) -> None:
        """Begin without a sample.

        Args:
            most: that can be won or lost in a sample, mbb/h.

        Raises:
            ValueError: see `SequentialTest.reach`.
        """
        self._test = test
        self._most = most
        reach = test.reach(most)
        self._stake = LARGEST_STAKE / reach
        self._caution = (test.mbb1 - test.mbb0) * reach / 2
        self._count = 0
        self._total = 0.0
        self._squares = reach * reach
        self._w0 = self._w1 = 1.0
        self._decision = SequentialDecision.OPEN

    @property
    def decided(self) -> bool:
        """Whether the test has reached a decision."""
        return self._decision is not SequentialDecision.OPEN

    def add(self, samples: Iterable[float]) -> None:
        """Take samples, in mbb/h, in their order; those after the decision are left out.

        Raises:
            ValueError: one is larger than a sample can be.
        """
        test = self._test
        enough0, enough1 = 1 / test.alpha, 1 / test.beta
        for sample in samples:
            if self.decided:
                return
            if not abs(sample) <= self._most * (1 + 1e-9):
                raise ValueError(f"{sample:g} mbb/h in a sample: more than {self._most:g}")
            above, below = sample - test.mbb0, sample - test.mbb1
            stake = self._next_stake()
            self._w0 *= 1 + stake * above
            self._w1 *= 1 - stake * below
            self._count += 1
            self._total += above
            self._squares += above * above
            if self._w0 >= enough0:
                self._decision = SequentialDecision.H1
            elif self._w1 >= enough1:
                self._decision = SequentialDecision.H0

    @property
    def state(self) -> SequentialState:
        """Where the test stands."""
        against_h0, against_h1 = math.log(self._w0), math.log(self._w1)
        more = None
        if not self.decided and self._count > 1:
            more = self._more_samples(against_h0, against_h1)
        return SequentialState(against_h0, against_h1, self._decision, self._count, more)

    @property
    def sd(self) -> float:
        """Standard deviation of the samples, mbb/h; nan below two."""
        if self._count < 2:
            return math.nan
        squares = self._squares - self._test.reach(self._most) ** 2
        spread = squares - self._total * self._total / self._count
        return math.sqrt(max(spread, 0.0) / (self._count - 1))

    def _next_stake(self) -> float:
        count = self._count + 1
        mean = self._total / count
        difference = self._test.mbb1 - self._test.mbb0
        variance = self._squares / count - mean * mean + self._caution
        return difference / variance if difference < self._stake * variance else self._stake

    def _more_samples(self, against_h0: float, against_h1: float) -> int | None:
        """Return when the first of the two comes to its bound at the pace of the samples so far."""
        stake, mean = self._next_stake(), self._total / self._count
        costs = stake * stake * self._squares / (self._count + 1) / 2
        above = stake * mean - costs
        below = stake * (self._test.mbb1 - self._test.mbb0 - mean) - costs
        bounds = self._test.bounds
        ways = ((bounds[0] - against_h0, above), (bounds[1] - against_h1, below))
        steps = [distance / pace for distance, pace in ways if pace > 0 and distance < pace * 1e12]
        return max(math.ceil(min(steps)), 1) if steps else None


def _walk_length(drift: float, spread: float, above: float, below: float) -> float:
    """Return how many steps a walk takes until it is above a bound or below another one.

    Args:
        drift: mean of a step.
        spread: its standard deviation.
        above: bound, 0 or more.
        below: bound, 0 or more, taken as negative.
    """
    if not spread:
        return (above if drift > 0 else below) / abs(drift) if drift else math.inf
    if not drift:
        return above * below / spread**2
    steepness = 2 * abs(drift) / spread**2
    ahead, behind = (above, below) if drift > 0 else (below, above)
    right = math.expm1(-steepness * behind) / math.expm1(-steepness * (ahead + behind))
    return (right * ahead - (1 - right) * behind) / abs(drift)
