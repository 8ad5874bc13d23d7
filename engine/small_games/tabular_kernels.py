"""Compiled half of `engine.small_games.tabular` and `engine.small_games.best_response`.

For many players, too, the kernels of one player do the work: see `many_player_kernels`.
`PlayerSequences` and `Pairs` as in `engine.small_games.sequence_form`.  I information sets, E'
actions in flat profiles, S = E' + P sequences:

    plan          (S,)  float64  reach of each sequence by its owner alone
    value         (S,)  float64  work space, 0 between calls but for the empty sequences
    strategy      (E',) float64  profile
    regret        (E',) float64  accumulated, chips
    strategy_sum  (E',) float64  weighted sum of plans
    reach         (I,)  float64  largest counterfactual reach; Hedge's rate is per unit of it
    mean          (I,)  float64  of the information set's counterfactual value over all iterations
    scatter       (I,)  float64  sum of squared differences from that mean
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cfr.regret import accumulated, predicted
from engine.cfr.variants import Step
from engine.compiled.jit import inlined_kernel, kernel
from engine.small_games.sequence_form import Pairs, PlayerSequences


class SolverTables(NamedTuple):
    """The whole state of a solver; see the module's table."""

    plan: NDArray[np.float64]
    value: NDArray[np.float64]
    strategy: NDArray[np.float64]
    regret: NDArray[np.float64]
    strategy_sum: NDArray[np.float64]
    reach: NDArray[np.float64]
    mean: NDArray[np.float64]
    scatter: NDArray[np.float64]


# Kernels: arguments are trusted, nothing is allocated, results go to the arrays named last.


@kernel
def make_plan(
    side: PlayerSequences, strategy: NDArray[np.float64], plan: NDArray[np.float64]
) -> None:
    """Write one player's part of the plan of `strategy`."""
    plan[side.root] = 1.0
    for at in range(len(side.parent)):
        reach = plan[side.parent[at]]
        first = side.first_action[at]
        for action in range(first, first + side.action_count[at]):
            plan[action] = reach * strategy[action]


@kernel
def best_response(
    side: PlayerSequences,
    pairs: Pairs,
    plan: NDArray[np.float64],
    value: NDArray[np.float64],
    choice: NDArray[np.int32],
) -> float:
    """Return the most a player can win against `plan`; write the best action of each set.

    Entries of `value`, except for the empty sequence, are added to the values of the pairs.
    """
    value[side.root] = 0.0
    for at in range(len(side.parent) - 1, -1, -1):
        first = side.first_action[at]
        best = -math.inf
        for action in range(first, first + side.action_count[at]):
            cfv = value[action] + _of_pairs(action, pairs, plan)
            value[action] = 0.0
            if cfv > best:
                best = cfv
                choice[at] = action
        value[side.parent[at]] += best
    value[side.root] += _of_pairs(side.root, pairs, plan)
    return float(value[side.root])


@kernel
def expected_value(side: PlayerSequences, pairs: Pairs, plan: NDArray[np.float64]) -> float:
    """Return what a player wins when both play `plan`."""
    total = _of_pairs(side.root, pairs, plan)
    for at in range(len(side.parent)):
        first = side.first_action[at]
        for action in range(first, first + side.action_count[at]):
            total += plan[action] * _of_pairs(action, pairs, plan)
    return total


@kernel
def iterate(
    sides: tuple[PlayerSequences, PlayerSequences],
    pairs: Pairs,
    tables: SolverTables,
    step: Step,
    iteration: int,
    alternating: bool,
) -> None:
    """Run one iteration for both players."""
    for player in range(2):
        update_regrets(sides[player], pairs, tables, step, iteration)
        if alternating:
            update_average(sides[player], tables, step)
    if not alternating:
        for player in range(2):
            update_average(sides[player], tables, step)


@kernel
def update_regrets(
    side: PlayerSequences, pairs: Pairs, tables: SolverTables, step: Step, iteration: int
) -> None:
    """Add one player's instantaneous regrets against the plan and match them, deepest sets first.

    Entries of `value` are added to the values of the pairs.
    A set's new strategy can be written at once: nothing above it reads the old one again.
    """
    value, regret, strategy = tables.value, tables.regret, tables.strategy
    value[side.root] = 0.0
    for at in range(len(side.parent) - 1, -1, -1):
        first = side.first_action[at]
        stop = first + side.action_count[at]
        total = 0.0
        for action in range(first, stop):
            cfv = value[action] + _of_pairs(action, pairs, tables.plan)
            value[action] = cfv
            total += strategy[action] * cfv
        value[side.parent[at]] += total
        for action in range(first, stop):
            instant = value[action] - total
            value[action] = 0.0
            regret[action] = accumulated(
                regret[action], instant, step.positive, step.negative, step.floor
            )
            strategy[action] = regret[action]
            if step.prediction > 0:
                strategy[action] = predicted(regret[action], instant, step.carry, step.prediction)
        deviation = _deviation(side.info_set[at], total, iteration, tables)
        if step.rate == 0:
            _match(first, stop, step.exponent, strategy)
        elif step.plain:
            _hedge(first, stop, step.rate, strategy)
        else:
            rate = step.rate / tables.reach[side.info_set[at]]
            if step.variance_rate > 0 and deviation > 0:
                rate = step.variance_rate / deviation
            more = math.sqrt(math.log(stop - first) / math.log(2))
            _hedge(first, stop, rate * more, strategy)


@kernel
def update_average(side: PlayerSequences, tables: SolverTables, step: Step) -> None:
    """Add the plan just played to the strategy sum and write the plan of the new strategy."""
    plan, strategy_sum = tables.plan, tables.strategy_sum
    for at in range(len(side.parent)):
        reach = plan[side.parent[at]]
        first = side.first_action[at]
        for action in range(first, first + side.action_count[at]):
            strategy_sum[action] = strategy_sum[action] * step.keep + step.weight * plan[action]
            plan[action] = reach * tables.strategy[action]


@inlined_kernel
def _deviation(info_set: int, value: float, iteration: int, tables: SolverTables) -> float:
    """Return the standard deviation of an information set's values, with the new one."""
    away = value - tables.mean[info_set]
    tables.mean[info_set] += away / iteration
    tables.scatter[info_set] += away * (value - tables.mean[info_set])
    return math.sqrt(tables.scatter[info_set] / iteration)


@inlined_kernel
def _of_pairs(sequence: int, pairs: Pairs, plan: NDArray[np.float64]) -> float:
    """Return the value of the terminals directly behind a sequence against `plan`."""
    total = 0.0
    for pair in range(pairs.start[sequence], pairs.start[sequence + 1]):
        total += pairs.payoff[pair] * plan[pairs.other[pair]]
    return total


@inlined_kernel
def _match(first: int, stop: int, exponent: float, strategy: NDArray[np.float64]) -> None:
    """Turn the regrets at strategy[first:stop] into probabilities by regret matching."""
    largest = 0.0
    for action in range(first, stop):
        largest = max(largest, strategy[action])
    if largest == 0:
        for action in range(first, stop):
            strategy[action] = 1.0 / (stop - first)
        return
    total = 0.0
    for action in range(first, stop):
        weight = max(strategy[action], 0.0)
        if exponent != 1:  # relative to the largest, so that no power of it vanishes
            weight = (weight / largest) ** exponent
        strategy[action] = weight
        total += weight
    for action in range(first, stop):
        strategy[action] /= total


@inlined_kernel
def _hedge(first: int, stop: int, rate: float, strategy: NDArray[np.float64]) -> None:
    """Turn the regrets at strategy[first:stop] into probabilities by exponential weights."""
    largest = -math.inf
    for action in range(first, stop):
        largest = max(largest, strategy[action])
    total = 0.0
    for action in range(first, stop):
        strategy[action] = math.exp(rate * (strategy[action] - largest))
        total += strategy[action]
    for action in range(first, stop):
        strategy[action] /= total
