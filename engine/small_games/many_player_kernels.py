"""Compiled half of `engine.small_games.many_player_form` and its solver.

The value of each sequence of a player against the plan of all others is written first.  The kernels
for two players then find it in `value` and get no pairs.  `Payoffs` as in
`engine.small_games.many_player_form`, plans and `value` as in `engine.small_games.tabular_kernels`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.small_games.many_player_form import Payoffs

# Kernels: arguments are trusted, nothing is allocated, results go to the array named last.


@kernel
def expected_values(ends: Payoffs, plan: NDArray[np.float64], values: NDArray[np.float64]) -> None:
    """Write what each player wins when all play `plan`."""
    values[:] = 0.0
    for end in range(len(ends.sequence)):
        reach = 1.0
        for sequence in ends.sequence[end]:
            reach *= plan[sequence]
        for player in range(len(values)):
            values[player] += reach * ends.payoff[end, player]


@kernel
def counterfactual_values(
    player: int, ends: Payoffs, plan: NDArray[np.float64], value: NDArray[np.float64]
) -> None:
    """Write what a player wins directly behind each of its sequences against the others' plan."""
    value[:] = 0.0
    for end in range(len(ends.sequence)):
        won = ends.payoff[end, player]
        if won != 0:
            for other in range(ends.sequence.shape[1]):
                if other != player:
                    won *= plan[ends.sequence[end, other]]
            value[ends.sequence[end, player]] += won
