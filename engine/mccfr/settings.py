"""How an MCCFR run learns: settings, and the schedule of weights that follows from them.

A run is cut into periods of equally many iterations.  Period t = 1, 2, ... is to sampled learning
what iteration t is to `engine.cfr.variants`: between periods, tables are multiplied by the factors
that the variant has for step t.  So linear CFR gives all samples of period t the weight t.

Sources of pruning: Brown, Sandholm, "Superhuman AI for heads-up no-limit poker: Libratus beats top
professionals", Science 359, 2018, and "Superhuman AI for multiplayer poker", Science 365, 2019
(Pluribus).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from engine.cfr.variants import VARIANTS, Matching, Step, Variant

WHOLE_FLOOR: Final = -310e6
"""Pluribus has this lowest regret, in whole units."""
LARGEST_WHOLE: Final = 2147483520.0
"""It is the largest float32 that an int32 holds."""


@dataclass(frozen=True, slots=True)
class Pruning:
    """Sampled regret-based pruning: actions with very negative regret are tried only at times.

    An action d chips below `threshold` is tried with probability softness / (softness + d), at
    least `least`.  Actions that end the hand are always tried, and so is every action of a decision
    where none has positive regret.
    """

    threshold: float
    """Regret in chips, negative.

    It is compared with the tables' regrets, which grow more slowly than iterations when discounted.
    """
    softness: float
    """Chips."""
    least: float = 0.05
    after: int = 0
    """Iterations before any pruning."""
    on_last_street: bool = False

    def __post_init__(self) -> None:
        if not self.threshold < 0 or not 0 < self.softness < math.inf:
            raise ValueError(
                f"pruning: threshold {self.threshold} must be negative, softness {self.softness} "
                "positive and finite"
            )
        if not 0 < self.least <= 1 or self.after < 0:
            raise ValueError(
                f"pruning: least {self.least} must be within 0..1, after {self.after} not negative"
            )


@dataclass(frozen=True, slots=True)
class MccfrSettings:
    """Settings of a run, apart from the game."""

    variant: Variant = field(default_factory=lambda: VARIANTS["lcfr"])
    """How regrets and strategy sums are weighed and floored; regret matching only."""
    period: int = 100_000
    """Iterations of equal weight."""
    periods: int | None = None
    """Periods after which weights stop growing; None: never."""
    whole_regrets: bool = False
    """Whether regrets are kept in whole units (int32), not below `WHOLE_FLOOR`."""
    unit: float = 1.0
    """Chips in a unit; with whole regrets it must be small beside the pots, a hundredth at most."""
    floor: float = -math.inf
    """Lowest regret that is kept, chips.

    A floor a little below a pruning threshold lets actions return sooner.
    """
    pruning: Pruning | None = None
    exploration: float = 0.0
    """Probability, 0 to 1, that the sampled opponent takes a random action, and that it does so in
    the game that is solved; e and m of `engine.mccfr.opponent_kernels`.
    """
    mistakes: float = 0.0
    workers: int = 1
    """Threads."""
    merge_every: int = 0
    """0: workers share one table; several workers cannot be repeated exactly, because simultaneous
    writes may get lost.

    Otherwise each works on its own copy for this many iterations of all, then their gains are
    averaged.  Runs then repeat exactly, if they are cut at the same places.  Needs several workers,
    and memory for that many more tables.  (Adding instead of averaging overshoots: Leduc poker, 2
    workers, 500 iterations each time, is 0.09 chips exploitable after 100 000 instead of 0.035.)
    """
    memory_limit: int | None = None
    """Bytes that all tables may take together."""

    def __post_init__(self) -> None:
        variant = self.variant
        plain = variant.matching is Matching.REGRET and variant.exponent == 1.0
        if not plain or variant.prediction:
            raise ValueError(f"{variant.name}: sampling is for plain regret matching only")
        for name in ("period", "workers", "merge_every"):
            if not isinstance(getattr(self, name), int | np.integer):
                raise ValueError(f"{name} {getattr(self, name)!r}: want a whole number")
        if self.period < 1 or self.workers < 1 or self.merge_every < 0:
            raise ValueError("period and workers must be at least 1, merge_every not negative")
        if self.periods is not None and self.periods < 1:
            raise ValueError(f"{self.periods} periods: want at least 1")
        if not self.unit > 0 or not math.isfinite(self.unit):
            raise ValueError(f"a unit of {self.unit} chips: want more than 0")
        if not self.floor <= 0:
            raise ValueError(f"a floor of {self.floor} chips: want at most 0")
        if not 0 <= self.mistakes <= self.exploration < 1:
            raise ValueError(
                f"mistakes {self.mistakes}, exploration {self.exploration}: want 0 or more, and "
                "mistakes no more often than exploration, which is below 1"
            )
        if self.merge_every and self.whole_regrets:
            raise ValueError("merging is for float regrets")
        if self.merge_every and self.workers == 1:
            raise ValueError("merging is for several workers")
        if self.pruning and self.pruning.threshold / self.unit <= self.lowest:
            raise ValueError(
                f"pruning below {self.pruning.threshold} chips: no regret falls below "
                f"{self.lowest * self.unit:g}, so nothing would be pruned"
            )

    @property
    def lowest(self) -> float:
        """The lowest regret that is kept, in units."""
        floor = 0.0 if self.variant.floor else self.floor / self.unit
        return max(floor, WHOLE_FLOOR) if self.whole_regrets else floor

    @property
    def tables(self) -> int:
        """Number of tables in memory."""
        return 1 + (self.workers if self.merge_every else 0)

    @property
    def is_special(self) -> bool:
        """Whether it has what only the search for an equilibrium does."""
        return self.pruning is not None or self.whole_regrets or self.merge_every > 0

    def step_of(self, iterations: int) -> Step:
        """Return the factors of the period that follows a number of iterations."""
        period = iterations // self.period + 1
        return self.variant.step(period if self.periods is None else min(period, self.periods))

    def discounts_at(self, iterations: int) -> bool:
        """Return whether tables are scaled after a number of iterations."""
        period, rest = divmod(iterations, self.period)
        return not rest and period > 0 and (self.periods is None or period < self.periods)

    def until_change(self, iterations: int) -> int:
        """Return how many iterations may follow before anything changes or is merged."""
        marks = [self.period, self.merge_every or self.period]
        gap = min(mark - iterations % mark for mark in marks)
        if self.pruning is not None and iterations < self.pruning.after:
            gap = min(gap, self.pruning.after - iterations)
        return gap
