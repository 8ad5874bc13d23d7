"""CFR that chooses its regret minimiser in each iteration, by what the last choices gained.

A pool holds variants of the family (`engine.cfr.variants`); all act on the same regrets.  With e a
profile's exploitability in big blinds, one round is

    k <- argmax of Q[s] + bonus(n[s])         a tie goes to the first
    run `every` iterations with variant k
    q <- e before - e after
    Q[k] <- (1 - alpha) Q[k] + q              or + alpha q
    n[k] <- n[k] + 1

from Q = 0 and n = 1, so a minimiser is preferred that lowered the exploitability.  The source is a
patent, read in a copy without number, names and formulas (docs/sources.md).  The bonus is only
known to fall with n, and whether the update scales q is open, so all forms are here.  One is UCB1:
Auer, Cesa-Bianchi, Fischer, "Finite-time analysis of the multiarmed bandit problem", Machine
Learning 47, 2002; its weight is the root of 2, for rewards from 0 to 1.  The patent judges current
strategies, one iteration at a time, and updates simultaneously.  It prints the update as
(1 - alpha) Q + q, `Update.SUM`, which is the default of training and solving.  The default of
`UcbRule` itself is the usual average, whose Q is in the unit of the rewards and of the bonus, where
the sum grows to 1 / alpha times that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from engine.cfr.solver import Solver, StrategyKind
from engine.cfr.variants import VARIANTS, Variant

PATENT_POOL: Final = tuple(
    VARIANTS[name] for name in ("cfr", "hedge(1)", "beta-rm(0.5)", "beta-rm(1.5)", "beta-rm(2)")
)
"""The patent's five minimisers with Hedge as printed: exp(R) of the regrets as they are.

Not the default, because the effect of a rate of 1 depends on the unit of chips and on the depth of
a game: counterfactual regrets are small behind many chances, and large in a pot of thousands.
"""

FAST_POOL: Final = tuple(VARIANTS[name] for name in ("cfr+", "dcfr", "pcfr+", "sapcfr+", "pdcfr+"))
"""Minimisers whose averages forget early iterations: the pool to solve a game with.

On Leduc hold'em, after 2000 iterations a best response wins 0.05 thousandths of the ante with this
pool and 24 with the patent's, where the choice prefers Hedge; plain CFR alone leaves 7.
"""


class Update(Enum):
    """How a new gain q updates the quality Q of a minimiser."""

    SUM = "sum"
    """(1 - alpha) Q + q, as printed: a sum with the past discounted."""
    MEAN = "mean"
    """(1 - alpha) Q + alpha q: an exponential average."""


class Bonus(Enum):
    """Bonus of a minimiser chosen n times before round t, in units of `exploration`."""

    INVERSE = "1/n"
    ROOT = "1/sqrt(n)"
    LOGARITHM = "sqrt(ln t / n)"


@dataclass(frozen=True, slots=True)
class UcbRule:
    """One form of the choice rule."""

    update: Update = Update.MEAN
    bonus: Bonus = Bonus.ROOT
    exploration: float = 1.0
    """Factor of the bonus, big blinds."""
    alpha: float = 0.1

    def __post_init__(self) -> None:
        if not self.exploration >= 0 or not 0 < self.alpha <= 1:
            raise ValueError(
                f"exploration {self.exploration} below 0 or alpha {self.alpha} not in (0, 1]"
            )

    def bonus_of(self, count: int, round_number: int) -> float:
        """Return the bonus in big blinds of a minimiser counted `count` times in round 1, 2, ..."""
        match self.bonus:
            case Bonus.INVERSE:
                share = 1 / count
            case Bonus.ROOT:
                share = 1 / math.sqrt(count)
            case Bonus.LOGARITHM:
                share = math.sqrt(math.log(round_number) / count)
        return self.exploration * share


@dataclass(frozen=True, slots=True)
class Reward:
    """How the gain of a round is measured."""

    which: StrategyKind = StrategyKind.CURRENT
    every: int = 1
    """Iterations per round; exploitability is computed once a round."""
    big_blind: float = 1.0
    """Chips."""

    def __post_init__(self) -> None:
        if self.every < 1 or not self.big_blind > 0:
            raise ValueError(f"rounds of {self.every} iterations, a big blind of {self.big_blind}")


class Chooser(Protocol):
    """Picks members of a pool by number."""

    @property
    def members(self) -> int:
        """How many there are to pick from."""

    def choose(self) -> int:
        """Return the member to run next."""

    def learn(self, member: int, gain: float) -> None:
        """Record that `member` lowered the exploitability by `gain` big blinds."""


class UcbChooser:
    """The choice by quality and bonus of the module's text."""

    def __init__(self, members: int, rule: UcbRule) -> None:
        """Raises ValueError where there is no member."""
        self.members: Final = _some(members)
        self.rule = rule
        self.counts = [1] * members
        self.quality = [0.0] * members
        self._round = 0

    def choose(self) -> int:
        """Return the member with the highest quality and bonus."""
        self._round += 1
        scores = [
            quality + self.rule.bonus_of(count, self._round)
            for quality, count in zip(self.quality, self.counts, strict=True)
        ]
        return scores.index(max(scores))

    def learn(self, member: int, gain: float) -> None:
        """Update the member's quality and count."""
        alpha = self.rule.alpha
        scale = alpha if self.rule.update is Update.MEAN else 1.0
        self.quality[member] = (1 - alpha) * self.quality[member] + scale * gain
        self.counts[member] += 1

    def restore(self, counts: Sequence[int], quality: Sequence[float]) -> None:
        """Set the state of another choice.

        Raises:
            ValueError: it was among another number of members, or no choice can have this state.
        """
        if len(counts) != self.members or len(quality) != self.members:
            raise ValueError(f"a choice among {len(counts)}, want {self.members}")
        if min(counts) < 1 or not all(map(math.isfinite, quality)):
            raise ValueError(f"counts {list(counts)} and qualities {list(quality)}")
        self.counts, self.quality = list(counts), list(quality)
        self._round = sum(counts) - self.members


class RoundRobin:
    """All members in turn."""

    def __init__(self, members: int) -> None:
        """Raises ValueError where there is no member."""
        self.members: Final = _some(members)
        self._next = -1

    def choose(self) -> int:
        """Return the member after the last one."""
        self._next = (self._next + 1) % self.members
        return self._next

    def learn(self, member: int, gain: float) -> None:
        """Learn nothing."""


class PoolSolve:
    """A solver run with a pool of minimisers."""

    def __init__(
        self,
        solver: Solver,
        pool: Sequence[Variant],
        chooser: Chooser,
        reward: Reward | None = None,
    ) -> None:
        """Continue `solver`; without a `reward` the chooser learns nothing and costs nothing.

        Raises:
            ValueError: the pool is empty, or the chooser is for another one.
        """
        if not pool:
            raise ValueError("a pool without minimisers")
        if chooser.members != len(pool):
            raise ValueError(f"a chooser among {chooser.members} for a pool of {len(pool)}")
        self.solver = solver
        self.pool = tuple(pool)
        self.uses = [0] * len(pool)
        """Iterations run with each member."""
        self._chooser = chooser
        self._reward = reward
        self._member = 0
        self._left = 0
        self._before: float | None = None
        """Exploitability before this round, big blinds; None where it was not computed yet."""

    def iterate(self) -> None:
        """Run one iteration; choose before a round's first one and learn after its last one."""
        if self._left == 0:
            if self._before is None:
                self._before = self._judged()
            self._member = self._chooser.choose()
            self._left = self._reward.every if self._reward else 1
        solver = self.solver
        solver.iterate(self.pool[self._member].step(solver.iterations + 1, solver.spread))
        self.uses[self._member] += 1
        self._left -= 1
        if self._left == 0 and self._reward and self._before is not None:
            after = self._judged()
            self._chooser.learn(self._member, self._before - after)
            self._before = after

    def _judged(self) -> float:
        """Return the exploitability that rewards are taken from, in big blinds."""
        if self._reward is None:
            return 0.0
        return self.solver.exploitability(self._reward.which) / self._reward.big_blind


def _some(members: int) -> int:
    if members < 1:
        raise ValueError(f"a choice among {members} minimisers")
    return members
