"""The CFR family as data: what one iteration does with regrets and with the average strategy.

All members share one iteration.  With r the new instantaneous regrets of an information set, R the
accumulated ones, S the strategy sum, p the player's own reach and s the strategy just played:

    R <- R * (positive if R > 0 else negative) + r        then max(R, 0) where `floor`
    X <- R                                                the regrets to match, or, predicting:
         max(R * carry + prediction * r, 0)
    s' ~ max(X, 0) ** exponent                            regret matching; uniform where all are 0
         exp(rate * X)                                    Hedge
    S <- S * keep + weight * p * s

A `Variant` says how these factors depend on the iteration t = 1, 2, ...; `Variant.step(t)` yields
them as a `Step`, a tuple of plain numbers for the kernels.  Discounts are applied just before r_t
is added, with the exponent of t - 1: for regret matching that is the same as scaling right after
iteration t - 1, as the papers print it.

Sources:
    CFR     Zinkevich, Johanson, Bowling, Piccione, "Regret minimization in games with incomplete
            information", NIPS 2007
    CFR+    Tammelin, "Solving large imperfect information games using CFR+", 2014: linear weights
    LCFR, DCFR, quadratic weights for CFR+    Brown, Sandholm, "Solving imperfect-information games
            via discounted regret minimization", AAAI 2019
    PCFR+   Farina, Kroer, Sandholm, "Faster game solving via predictive Blackwell approachability:
            connecting regret matching and mirror descent", AAAI 2021
    DCFR+, PDCFR+    Xu, Li, Liu, Fu, Fu, Xing, Cheng, "Minimizing weighted counterfactual regret
            with optimistic online mirror descent", IJCAI 2024
    SAPCFR+    Meng, Yang, Zhang, Ge, Gao, "Faster game solving via asymmetry of step sizes",
            AAAI 2026
    powers and exponentials of regrets    Cesa-Bianchi, Lugosi, "Prediction, learning, and games",
            2006; Hedge's rate from the variance: Brown, Kroer, Sandholm, "Dynamic thresholding and
            pruning for regret minimization", AAAI 2017
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple


class Matching(Enum):
    """How accumulated regrets become a strategy."""

    REGRET = "regret"
    """In proportion to positive regret to the power `exponent`."""
    HEDGE = "hedge"
    """In proportion to exp(rate * regret)."""


class Step(NamedTuple):
    """Factors of one iteration; their meaning is in the module's text."""

    positive: float
    negative: float
    floor: bool
    prediction: float
    """0 where the plain regrets are matched."""
    carry: float
    exponent: float
    rate: float
    """Hedge's learning rate in 1 / chips for two actions; 0 for regret matching.

    Kernels multiply it by sqrt(ln A / ln 2) at information sets with A actions.
    """
    keep: float
    weight: float
    variance_rate: float = 0.0
    """Takes the place of `rate` when divided by the standard deviation, in chips, of the
    information set's values so far; 0 where that is not wanted.
    """
    plain: bool = False
    """Whether `rate` is used as it is: neither per unit of reach nor by the number of actions."""


@dataclass(frozen=True, slots=True)
class Discount:
    """A factor t**power / (t**power + offset) that grows towards 1 with the iteration t."""

    power: float
    offset: float = 1.0

    def at(self, t: int) -> float:
        """Return the factor after iteration t; at t = 0 there is nothing to scale yet."""
        if t == 0:
            return 1.0
        grown: float = float(t) ** self.power
        return grown / (grown + self.offset)


@dataclass(frozen=True, slots=True)
class Variant:
    """One algorithm of the family."""

    name: str
    matching: Matching = Matching.REGRET
    exponent: float = 1.0
    """Power of the positive regrets; 1 is plain regret matching."""
    rate: float = 1.0
    """Hedge: learning rate in units of sqrt(8 ln A) / (spread * t ** rate_power).

    1 at a power of 0.5 is the rate of the textbooks; 0.5 / sqrt(T) at a power of 0 the constant one
    for T iterations.
    """
    rate_power: float = 0.5
    by_variance: bool = False
    """Hedge: whether the rate is sqrt(ln A / t) / 3 over the observed standard deviation."""
    plain: bool = False
    """Hedge: whether `rate` itself, in 1 / chips, is the rate in every iteration and everywhere."""
    floor: bool = False
    """Whether accumulated regrets never fall below zero ("+")."""
    positive: Discount | None = None
    negative: Discount | None = None
    prediction: float = 0.0
    """Weight of the latest regrets as a guess of the next ones; 1 is PCFR+."""
    average_power: float = 0.0
    """Iteration t counts t**power in the average: 0 uniform, 1 linear, 2 quadratic."""
    average_delay: int = 0
    """Iterations left out of the average; weights count from there."""

    def __post_init__(self) -> None:
        if not (self.exponent > 0 and self.rate > 0 and self.rate_power >= 0):
            raise ValueError(
                f"{self.name}: exponent and rate must be positive, the rate must not grow"
            )
        if not (self.prediction >= 0 and self.average_power >= 0 and self.average_delay >= 0):
            raise ValueError(f"{self.name}: prediction, average power and delay are not negative")
        if self.prediction and not self.floor:
            raise ValueError(f"{self.name}: prediction is defined for floored regrets")

    def step(self, t: int, spread: float = 1.0) -> Step:
        """Return the factors of iteration `t`.

        Args:
            t: the iteration, counted from 1.
            spread: for Hedge, a solver's `spread`: the largest instantaneous regret to expect, in
                chips, where the opponent and chance are sure to come.

        Raises:
            ValueError: `t` is below 1, or `spread` is not positive.
        """
        if t < 1 or not spread > 0:
            raise ValueError(f"iteration {t} must be at least 1 and spread {spread} positive")
        counted = t - self.average_delay
        keep = ((counted - 1) / counted) ** self.average_power if counted > 0 else 1.0
        hedge = self.matching is Matching.HEDGE
        units = 1.0 if self.plain else math.sqrt(8 * math.log(2)) / (spread * t**self.rate_power)
        return Step(
            positive=self.positive.at(t - 1) if self.positive else 1.0,
            negative=self.negative.at(t - 1) if self.negative else 1.0,
            floor=self.floor,
            prediction=float(self.prediction),
            carry=self.positive.at(t) if self.positive else 1.0,
            exponent=float(self.exponent),
            rate=self.rate * units if hedge else 0.0,
            keep=keep,
            weight=1.0 if counted > 0 else 0.0,
            variance_rate=math.sqrt(math.log(2) / t) / 3 if hedge and self.by_variance else 0.0,
            plain=hedge and self.plain,
        )

    def averaging(self, power: float, delay: int = 0) -> Variant:
        """Return the same algorithm with another averaging scheme."""
        return replace(self, average_power=power, average_delay=delay)


def beta_rm(beta: float) -> Variant:
    """Return CFR that matches regrets to the power `beta`."""
    return Variant(f"beta-rm({beta:g})", exponent=beta)


def plain_hedge(rate: float) -> Variant:
    """Return Hedge on counterfactual regrets as they are, always at one rate, in 1 / chips."""
    return Variant(f"hedge({rate:g})", matching=Matching.HEDGE, rate=rate, plain=True)


def discounted(alpha: float, beta: float, gamma: float) -> Variant:
    """Return DCFR(alpha, beta, gamma)."""
    return Variant(
        f"dcfr({alpha:g},{beta:g},{gamma:g})",
        positive=Discount(alpha),
        negative=Discount(beta),
        average_power=gamma,
    )


_DISCOUNTED_PLUS: Final = Discount(1.5, offset=1.5)

VARIANTS: Final[dict[str, Variant]] = {
    variant.name: variant
    for variant in (
        Variant("cfr"),
        Variant("hedge", matching=Matching.HEDGE),
        Variant("hedge-var", matching=Matching.HEDGE, by_variance=True),
        plain_hedge(1.0),
        beta_rm(0.5),
        beta_rm(1.5),
        beta_rm(2.0),
        Variant("cfr+", floor=True, average_power=2.0),
        replace(discounted(1.0, 1.0, 1.0), name="lcfr"),
        replace(discounted(1.5, 0.0, 2.0), name="dcfr"),
        replace(discounted(1.5, 0.0, 3.0), name="dcfr3"),
        Variant("dcfr+", floor=True, positive=_DISCOUNTED_PLUS, average_power=4.0),
        Variant("pcfr+", floor=True, prediction=1.0, average_power=2.0),
        Variant("sapcfr+", floor=True, prediction=1.0 / 3.0, average_power=2.0),
        Variant("pdcfr+", floor=True, positive=Discount(2.3), prediction=1.0, average_power=5.0),
    )
}
"""The named algorithms; "cfr" is plain regret matching (RM), uniformly averaged."""
