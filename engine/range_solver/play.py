"""How a player acts on a board, all hands at once: from tables to strategies to reach.

Rows are those of `engine.range_solver.layout`: R roots, then T = one per action; H is the padded
number of the player's hands.  Everything is float32 and runs along the hands, so that LLVM makes
vector instructions of it.

    table      (T, H)          regrets, regrets to match, or the strategy sum
    strategy   (T, H)          probabilities
    reach      (R + T + 1, H)  the player's own reach, its belief left out; the last row is 0
    unit       (H,)            the largest possible counterfactual reach
    scatter    (D, H)          sum of squared distances of each decision's values from their mean
    total      (H,)            scratch
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import always_inline
from engine.range_solver.records import StrategyRule, StreetPlayer

_NOTHING: Final = np.float32(1e-30)
"""Sums below this count as 0; their inverse would overflow."""


class DecisionPlay(NamedTuple):
    """Where one decision's strategy goes."""

    above: NDArray[np.float32]
    """(H,) reach of the row that leads to it."""
    total: NDArray[np.float32]
    strategy: NDArray[np.float32]
    """(A, H)."""
    reach: NDArray[np.float32]
    """(A, H) of its actions."""


def match(
    table: NDArray[np.float32],
    rule: StrategyRule,
    unit: NDArray[np.float32],
    scatter: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return the (A, H) strategy of one decision's rows of a table; `scatter` is (0,) or (H,)."""
    above, total = np.zeros((2, table.shape[1]), np.float32)
    out = DecisionPlay(above, total, np.empty_like(table), np.empty_like(table))
    _play_decision(table, rule, unit, scatter, out)
    return out.strategy


# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@always_inline
def _match_regrets(table: NDArray[np.float32], out: DecisionPlay) -> None:
    """Play in proportion to the positive entries of one decision's rows.

    A single positive entry must give exactly 1, as a true division does and a product with the
    inverse does not.  Otherwise the regret of an action that is always played would be a rounding
    error instead of 0.
    """
    actions, hands = table.shape
    above, total = out.above, out.total
    uniform = np.float32(1 / actions)
    for hand in range(hands):
        total[hand] = max(table[0, hand], np.float32(0))
    for action in range(1, actions):
        row = table[action]
        for hand in range(hands):
            total[hand] += max(row[hand], np.float32(0))
    for action in range(actions):
        row = table[action]
        played = out.strategy[action]
        below = out.reach[action]
        for hand in range(hands):
            share = max(row[hand], np.float32(0)) / max(total[hand], _NOTHING)
            chosen = share if total[hand] > _NOTHING else uniform
            played[hand] = chosen
            below[hand] = above[hand] * chosen


@always_inline
def _match_powers(table: NDArray[np.float32], exponent: float, out: DecisionPlay) -> None:
    """Play in proportion to powers of positive entries, relative to the largest."""
    actions, hands = table.shape
    above, strategy, reach = out.above, out.strategy, out.reach
    for hand in range(hands):
        largest = table[0, hand]
        for action in range(1, actions):
            largest = max(largest, table[action, hand])
        total = 0.0
        for action in range(actions):
            weight = 1.0
            if largest > _NOTHING:
                weight = max(float(table[action, hand]) / largest, 0.0) ** exponent
            strategy[action, hand] = weight
            total += weight
        for action in range(actions):
            strategy[action, hand] = strategy[action, hand] / total
            reach[action, hand] = above[hand] * strategy[action, hand]


@always_inline
def _match_hedge(
    table: NDArray[np.float32],
    rule: StrategyRule,
    unit: NDArray[np.float32],
    scatter: NDArray[np.float32],
    out: DecisionPlay,
) -> None:
    """Play in proportion to exp(rate * entry), relative to the largest.

    A rate is per chip and unit of counterfactual reach, or per standard deviation of the hand's
    values where that is wanted and known.  A plain rate is per chip of the entries as they are.
    """
    actions, hands = table.shape
    above, strategy, reach = out.above, out.strategy, out.reach
    more = 1.0 if rule.plain else math.sqrt(math.log2(actions))
    for hand in range(hands):
        rate = rule.rate
        if not rule.plain:
            rate = rule.rate / unit[hand] if unit[hand] > 0 else 0.0
        if rule.variance_rate > 0 and scatter[hand] > 0:
            rate = rule.variance_rate / math.sqrt(scatter[hand] / rule.seen)
        largest = table[0, hand]
        for action in range(1, actions):
            largest = max(largest, table[action, hand])
        total = 0.0
        for action in range(actions):
            weight = math.exp(more * rate * (table[action, hand] - largest))
            strategy[action, hand] = weight
            total += weight
        for action in range(actions):
            strategy[action, hand] = strategy[action, hand] / total
            reach[action, hand] = above[hand] * strategy[action, hand]


@always_inline
def _play_decision(
    table: NDArray[np.float32],
    rule: StrategyRule,
    unit: NDArray[np.float32],
    scatter: NDArray[np.float32],
    out: DecisionPlay,
) -> None:
    """Write one decision's strategy, and the reach of its actions times the decision's own."""
    if rule.rate > 0:
        _match_hedge(table, rule, unit, scatter, out)
    elif rule.exponent != 1:
        _match_powers(table, rule.exponent, out)
    else:
        _match_regrets(table, out)


@always_inline
def play_forward(
    board: int, rule: StrategyRule, player: StreetPlayer, table: NDArray[np.float32]
) -> None:
    """Play one table's strategy down the forest of a board; `reach` already has the roots."""
    side, scratch = player.side, player.scratch
    decisions = side.decisions
    unit = side.hands.unit[board]
    scatter = player.tables.scatter[board]
    for number in range(decisions.first.shape[0]):
        first = decisions.first[number]
        last = first + decisions.actions[number]
        rows = slice(first - side.roots, last - side.roots)
        out = DecisionPlay(
            scratch.reach[decisions.parent[number]],
            scratch.total,
            scratch.strategy[rows],
            scratch.reach[first:last],
        )
        seen = scatter[number if rule.variance_rate > 0 else 0]
        _play_decision(table[rows], rule, unit, seen, out)


@always_inline
def add_to_average(
    roots: int,
    reach: NDArray[np.float32],
    keep: float,
    weight: float,
    strategy_sum: NDArray[np.float32],
) -> None:
    """Scale the strategy sum and add reach * strategy, which is the reach of each action's row."""
    kept = np.float32(keep)
    weighed = np.float32(weight)
    actions, hands = strategy_sum.shape
    for action in range(actions):
        row = strategy_sum[action]
        played = reach[roots + action]
        for hand in range(hands):
            row[hand] = row[hand] * kept + weighed * played[hand]
