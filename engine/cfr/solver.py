"""What every CFR solver offers, tabular or over ranges, and the loop that drives one.

A solver is a game together with regrets, a strategy sum and the strategy to be played next.  It
has no schedule of its own: a `Step` tells each iteration what to do with its regrets.

    iterate(step)   play the current strategy once for both players, add the instantaneous regrets
                    and the strategy played to the tables, match the new regrets; the result is the
                    current strategy from here on
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from engine.cfr.variants import Step, Variant


class StrategyKind(Enum):
    """One of the two strategy profiles a solver holds."""

    CURRENT = "current"
    """What the next iteration would play; uniform before the first."""
    AVERAGE = "average"
    """The normalised strategy sum, which converges; uniform where nothing was added yet."""


class Solver(Protocol):
    """Regrets and strategies of one game."""

    @property
    def iterations(self) -> int:
        """How often `iterate` was called."""

    @property
    def spread(self) -> float:
        """Largest payoff of the game less the smallest, in chips: the unit of Hedge's rate."""

    def iterate(self, step: Step) -> None:
        """Run one iteration for both players."""

    def exploitability(self, which: StrategyKind) -> float:
        """Return the mean of both players' best-response values against a profile, in chips.

        That is half of NashConv in a zero-sum game: 0 at an equilibrium, never below.
        """


def solve(
    solver: Solver,
    variant: Variant,
    iterations: int,
    on_progress: Callable[[int], None] | None = None,
) -> None:
    """Run `iterations` more iterations of one algorithm.

    Args:
        solver: continued from its state, so calls add up.
        on_progress: called after each iteration with the solver's number of iterations.

    Raises:
        ValueError: a negative number of iterations.
    """
    if iterations < 0:
        raise ValueError(f"cannot run {iterations} iterations")
    for _ in range(iterations):
        solver.iterate(variant.step(solver.iterations + 1, solver.spread))
        if on_progress is not None:
            on_progress(solver.iterations)
