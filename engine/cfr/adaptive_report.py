"""Whether choosing a regret minimiser per iteration pays: the same game solved in every way.

Entrants are each member of the pool alone, all members in turn, a random member under several
seeds, and the forms of the adaptive choice.  Each one starts afresh and is measured at the same
iterations by the exploitability of its average strategy.  Seconds include the best responses that
an adaptive choice computes for its rewards, and never the measuring.  The best member in hindsight
is the one that ends lowest when run alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.cfr.adaptive import (
    Chooser,
    PoolSolve,
    RandomChooser,
    Reward,
    RoundRobin,
    UcbChooser,
    UcbRule,
)
from engine.cfr.solver import Solver, StrategyKind
from engine.cfr.variants import Variant


@dataclass(frozen=True, slots=True)
class AdaptiveForm:
    """One form of the adaptive choice."""

    rule: UcbRule
    which: StrategyKind = StrategyKind.CURRENT
    every: int = 1

    @property
    def name(self) -> str:
        """The settings that set it apart, for tables."""
        rule = self.rule
        every = f", every {self.every}" if self.every > 1 else ""
        told = (
            f"{rule.update.value}, {rule.bonus.value}, c {rule.exploration:g}, {self.which.value}"
        )
        return f"adaptive {told}{every}"


@dataclass(frozen=True, slots=True)
class Trace:
    """The course of one entrant's exploitability."""

    name: str
    iterations: tuple[int, ...]
    seconds: tuple[float, ...]
    exploitability: tuple[float, ...]
    """Of the average strategy, big blinds."""
    uses: tuple[int, ...]
    """Iterations run with each member of the pool."""

    def at_time(self, seconds: float) -> float:
        """Return the last exploitability measured by `seconds`; infinite before the first."""
        reached = [
            e for s, e in zip(self.seconds, self.exploitability, strict=True) if s <= seconds
        ]
        return reached[-1] if reached else float("inf")


@dataclass(frozen=True, slots=True)
class Comparison:
    """All entrants on one game."""

    pool: tuple[str, ...]
    members: tuple[Trace, ...]
    """Each member alone, in the pool's order."""
    round_robin: Trace
    random: tuple[Trace, ...]
    """One for each seed."""
    adaptive: tuple[Trace, ...]

    @property
    def best_member(self) -> Trace:
        """The best fixed minimiser in hindsight."""
        return min(self.members, key=lambda trace: trace.exploitability[-1])


@dataclass(frozen=True, slots=True)
class Contest:
    """What is compared."""

    make_solver: Callable[[], Solver]
    """Returns the game with a solver that has not run."""
    pool: tuple[Variant, ...]
    forms: tuple[AdaptiveForm, ...]
    iterations: int
    seeds: tuple[int, ...] = (1, 2, 3)
    """Seeds of the random members."""
    big_blind: float = 1.0
    """Chips."""
    repeats: int = 3
    """Runs of each entrant; the fastest time of each checkpoint counts."""


def compare_minimisers(
    contest: Contest,
    clock: Callable[[], float] = time.perf_counter,
    on_entrant: Callable[[str], None] = lambda name: None,
) -> Comparison:
    """Run every entrant.

    Args:
        clock: seconds, differences of which count.
        on_entrant: called with the name of each entrant before it runs.

    Raises:
        ValueError: an empty pool, or fewer than one iteration or repeat.
    """
    pool = contest.pool
    if not pool or contest.repeats < 1:
        raise ValueError(f"a pool of {len(pool)} minimisers run {contest.repeats} times")
    PoolSolve(contest.make_solver(), pool, RoundRobin(len(pool)), Reward()).iterate()  # compile

    def run(entrant: _Entrant) -> Trace:
        on_entrant(entrant.name)
        return _trace(contest, entrant, clock)

    return Comparison(
        pool=tuple(variant.name for variant in pool),
        members=tuple(
            run(_Entrant(variant.name, (variant,), lambda: RoundRobin(1))) for variant in pool
        ),
        round_robin=run(_Entrant("in turn", pool, lambda: RoundRobin(len(pool)))),
        random=tuple(run(_random(pool, seed)) for seed in contest.seeds),
        adaptive=tuple(run(_adaptive(contest, form)) for form in contest.forms),
    )


def checkpoints(iterations: int, per_octave: int = 4) -> list[int]:
    """Return iterations to measure at: evenly spaced in the logarithm, powers of two among them.

    Raises:
        ValueError: a number below 1.
    """
    if iterations < 1 or per_octave < 1:
        raise ValueError(f"{iterations} iterations, {per_octave} checkpoints per octave")
    found = {iterations}
    step = 0
    while (at := round(2 ** (step / per_octave))) < iterations:
        found.add(at)
        step += 1
    return sorted(found)


@dataclass(frozen=True, slots=True)
class _Entrant:
    """A way to run a pool."""

    name: str
    pool: tuple[Variant, ...]
    chooser: Callable[[], Chooser]
    reward: Reward | None = None


def _random(pool: tuple[Variant, ...], seed: int) -> _Entrant:
    return _Entrant(
        f"random, seed {seed}",
        pool,
        lambda: RandomChooser(len(pool), np.random.default_rng(seed)),
    )


def _adaptive(contest: Contest, form: AdaptiveForm) -> _Entrant:
    return _Entrant(
        form.name,
        contest.pool,
        lambda: UcbChooser(len(contest.pool), form.rule),
        Reward(form.which, form.every, contest.big_blind),
    )


def _trace(contest: Contest, entrant: _Entrant, clock: Callable[[], float]) -> Trace:
    """Run an entrant several times with the same result; each checkpoint keeps its best time."""
    measured = checkpoints(contest.iterations)
    best = [float("inf")] * len(measured)
    for _ in range(contest.repeats):
        solver = contest.make_solver()
        exploitability = []
        started = clock()
        solve = PoolSolve(solver, entrant.pool, entrant.chooser(), entrant.reward)
        spent = clock() - started
        for at, stop in enumerate(measured):
            started = clock()
            while solver.iterations < stop:
                solve.iterate()
            spent += clock() - started
            best[at] = min(best[at], spent)
            exploitability.append(solver.exploitability(StrategyKind.AVERAGE) / contest.big_blind)
    return Trace(
        entrant.name, tuple(measured), tuple(best), tuple(exploitability), tuple(solve.uses)
    )
