"""Compiled half of `engine.small_games.many_player_form` and its solver.

`PlayerSequences` as in `engine.small_games.sequence_form`, `Ends` as in
`engine.small_games.many_player_form`, `SolverTables` and plans as in
`engine.small_games.tabular_kernels`.  One player at a time.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.cfr.variants import Step
from engine.compiled.jit import inlined_kernel, kernel
from engine.small_games.many_player_form import Ends
from engine.small_games.sequence_form import PlayerSequences
from engine.small_games.tabular_kernels import SolverTables, learn

# Kernels: arguments are trusted, nothing is allocated, results go to the arrays named last.


@kernel
def expected_values(ends: Ends, plan: NDArray[np.float64], values: NDArray[np.float64]) -> None:
    """Write what each player wins when all play `plan`."""
    values[:] = 0.0
    for end in range(len(ends.sequence)):
        reach = 1.0
        for sequence in ends.sequence[end]:
            reach *= plan[sequence]
        for player in range(len(values)):
            values[player] += reach * ends.payoff[end, player]


@kernel
def best_response(
    player: int,
    side: PlayerSequences,
    ends: Ends,
    plan: NDArray[np.float64],
    value: NDArray[np.float64],
    choice: NDArray[np.int32],
) -> float:
    """Return the most a player can win against `plan`; write the best action of each set."""
    _counterfactual_values(player, ends, plan, value)
    for at in range(len(side.parent) - 1, -1, -1):
        first = side.first_action[at]
        best = -math.inf
        for action in range(first, first + side.action_count[at]):
            if value[action] > best:
                best = value[action]
                choice[at] = action
        value[side.parent[at]] += best
    return float(value[side.root])


@kernel
def update_regrets(
    player: int,
    side: PlayerSequences,
    ends: Ends,
    tables: SolverTables,
    step: Step,
    iteration: int,
) -> None:
    """Add one player's instantaneous regrets against the plan and match them, deepest sets first.

    A set's new strategy can be written at once: nothing above it looks at the old one again.
    """
    value = tables.value
    _counterfactual_values(player, ends, tables.plan, value)
    for at in range(len(side.parent) - 1, -1, -1):
        first = side.first_action[at]
        stop = first + side.action_count[at]
        total = 0.0
        for action in range(first, stop):
            total += tables.strategy[action] * value[action]
        value[side.parent[at]] += total
        learn(side.info_set[at], (first, stop), total, tables, step, iteration)


@inlined_kernel
def _counterfactual_values(
    player: int, ends: Ends, plan: NDArray[np.float64], value: NDArray[np.float64]
) -> None:
    """Write what a player wins right behind each of its sequences against the others' plan."""
    value[:] = 0.0
    for end in range(len(ends.sequence)):
        won = ends.payoff[end, player]
        if won != 0:
            for other in range(ends.sequence.shape[1]):
                if other != player:
                    won *= plan[ends.sequence[end, other]]
            value[ends.sequence[end, player]] += won
