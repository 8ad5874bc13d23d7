"""What a solve will take, told before it begins: memory, and time from a short measured rate.

Checked against what was taken, see docs/solving.md.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import build_betting_tree, subgame_root
from engine.cfr.adaptive import PoolSolve, RoundRobin
from engine.cfr.solver import StrategyKind
from engine.commands.solve.betting_plan import BettingPlan, size_text
from engine.hands.cards import COMBOS
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from engine.commands.solve.request import SolveRequest

_PROGRAM_BYTES: Final = 200 * 2**20
_TRIALS: Final = 12
_ITERATION_OVERHEAD_SECONDS: Final = 1e-4
_FURTHER_THREAD_SPEED: Final = 0.3
"""Two threads share a core here, and all share the memory."""
_CACHED_WORK: Final = 4 * 10**6
_UNCACHED_SLOWDOWN: Final = 1.4
_USUAL_ITERATIONS: Final = (60, 450)
"""River, turn and flop spots with stacks from 1 to 40 pots need so many to `_USUAL_ACCURACY`."""
_USUAL_ACCURACY: Final = 0.003
_ACCURACY_EXPONENT: Final = 0.65
_MOST_GROWTH: Final = 20.0
"""Beyond some 9000 iterations a solve gets no better and ends by itself."""


class Forecast(NamedTuple):
    """What a solve will take."""

    memory: int
    """Bytes, the program's own included."""
    each: float
    """Seconds of an iteration."""
    seconds: tuple[float, float]
    """At least and at most until it is accurate enough, as a rule, or may go on no longer."""


def forecast_of(request: SolveRequest, plan: BettingPlan) -> Forecast:
    """Return what a solve will take, after some milliseconds of measuring this machine."""
    sharing = request.threads if request.street < 3 else 1  # a river has no boards to share
    sharing = min(sharing, os.cpu_count() or 1)
    speed = 1 + _FURTHER_THREAD_SPEED * (sharing - 1)
    slower = _UNCACHED_SLOWDOWN if plan.work > _CACHED_WORK else 1.0
    rate = _rate(request, plan.storage) * slower
    each = _ITERATION_OVERHEAD_SECONDS + plan.work * rate / speed
    longer = min((_USUAL_ACCURACY / request.accuracy) ** _ACCURACY_EXPONENT, _MOST_GROWTH)
    low, high = (each * max(1, _at_most(longer * usual, request)) for usual in _USUAL_ITERATIONS)
    if request.seconds is not None:
        low, high = min(low, request.seconds), min(high, request.seconds)
    return Forecast(plan.memory + _PROGRAM_BYTES, each, (low, high))


def forecast_line(forecast: Forecast, plan: BettingPlan) -> str:
    """Return the same for people, with what was left out."""
    low, high = (time_text(seconds) for seconds in forecast.seconds)
    whole = f"{low} to {high}" if low != high else f"about {low}"
    cut = f"; {plan.cut}" if plan.cut else ""
    return (
        f"{len(plan.tree.decisions):,} decisions; takes {size_text(forecast.memory)} of memory, "
        f"{size_text(plan.solution)} on disk, {time_text(forecast.each)} an iteration, "
        f"{whole} in all{cut}"
    )


def time_text(seconds: float) -> str:
    """Return a time for people, to two digits."""
    for unit, name in ((86400, "days"), (3600, "h"), (60, "min"), (1, "s")):
        if seconds >= 2 * unit or (unit == 1 and seconds >= 1):
            return f"{float(f'{seconds / unit:.2g}'):g} {name}"
    return f"{float(f'{1000 * seconds:.2g}'):g} ms"


def _at_most(iterations: float, request: SolveRequest) -> float:
    return iterations if request.iterations is None else min(iterations, request.iterations)


def _rate(request: SolveRequest, storage: str) -> float:
    """Return seconds for a unit of work, measured on a river with every hand.

    Of several minimisers it is their mean, with the exploitability that the choice computes.
    """
    game = load_builtin("hunl")
    menu = menu_of((0.5, 1.0, ALL_IN), (1.0, ALL_IN), max_raises=2)
    tree = build_betting_tree(subgame_root(game, 3, 400, (1800, 1800)), menu)
    board = parse_cards("4s8hTc9h2s")
    solver = RangeSolver(tree, board, np.ones((2, COMBOS)), RangeSettings(storage=storage))
    pools = [PoolSolve(solver, (variant,), RoundRobin(1)) for variant in request.minimisers]
    taken = sum(_shortest(pool.iterate) for pool in pools) / len(pools)
    if request.choice is not None:
        judged = _shortest(lambda: solver.exploitability(StrategyKind.CURRENT))
        taken += judged / request.choice.every
    return max(taken - _ITERATION_OVERHEAD_SECONDS, taken / 2) / solver.game.work


def _shortest(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(_TRIALS):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best
