"""Kernels of `engine.cfr.range_cfr`: one player's part of one pass over the betting on one board.

Rows are those of `engine.cfr.range_layout`: R roots, then T = one per action; H is the padded
number of the player's hands.  Everything is float32 and runs along the hands, so that LLVM makes
vector instructions of it; what adds up over hands is in `engine.tree.terminal_kernels`.

    table      (T, H)          regrets, regrets to match, or the strategy sum
    strategy   (T, H)          probabilities
    reach      (R + T + 1, H)  the player's own reach, its belief left out; the last row is 0
    value      (R + T + 1, H)  counterfactual values, chips, given the board: chance is left out
                               until the street before; the last row is nobody's
    total      (H,)            scratch
    unit       (H,)            the largest counterfactual reach there can be
    mean, scatter  (D, H)      of the values that each decision has shown: their mean, and the sum
                               of squared distances from it

Regrets of padding stay 0: no value ever reaches it.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import raw_kernel
from engine._lanes import LANES, lanes_to_rows, rows_to_lanes
from engine.cfr.range_boards import Hands
from engine.cfr.range_layout import Decisions, Lanes
from engine.cfr.regret import accumulated, predicted
from engine.cfr.variants import Step
from engine.tree.terminal_kernels import fold_lanes, showdown_lanes

UPDATE: Final = 0
"""Values of the strategy, and its regrets are added."""
EXPECT: Final = 1
"""Values of the strategy."""
BEST: Final = 2
"""Values of the best response."""

_NOTHING: Final = np.float32(1e-30)
"""Sums below this count as 0; their inverse would overflow."""


class Play(NamedTuple):
    """How a player's strategy follows from its tables."""

    source: int
    """The table to look at; see `range_pass`."""
    exponent: float = 1.0
    rate: float = 0.0
    """Hedge's, as in `Step`; 0 for regret matching."""
    variance_rate: float = 0.0
    """Hedge's, over the standard deviation of values, where some were seen."""
    seen: int = 0
    """Iterations that went into `mean` and `scatter`."""


def match(
    table: NDArray[np.float32],
    play: Play,
    unit: NDArray[np.float32],
    scatter: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return the (A, H) strategy of one decision's rows of a table; `scatter` is (0,) or (H,)."""
    strategy, reach = np.empty_like(table), np.empty_like(table)
    above, total = np.zeros((2, table.shape[1]), np.float32)
    _play_decision(table, above, play, unit, scatter, total, strategy, reach)
    return strategy


# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@raw_kernel
def _match_regrets(
    table: NDArray[np.float32],
    above: NDArray[np.float32],
    total: NDArray[np.float32],
    strategy: NDArray[np.float32],
    reach: NDArray[np.float32],
) -> None:
    """Play in proportion to the positive entries of one decision's rows.

    A single positive entry must give exactly 1, as a true division does and a product with the
    inverse does not: the regret of an action that is always played would be rounding errors, not 0.
    """
    actions, hands = table.shape
    uniform = np.float32(1 / actions)
    for hand in range(hands):
        total[hand] = max(table[0, hand], np.float32(0))
    for action in range(1, actions):
        row = table[action]
        for hand in range(hands):
            total[hand] += max(row[hand], np.float32(0))
    for action in range(actions):
        row = table[action]
        out = strategy[action]
        below = reach[action]
        for hand in range(hands):
            share = max(row[hand], np.float32(0)) / total[hand]
            chosen = share if total[hand] > _NOTHING else uniform
            out[hand] = chosen
            below[hand] = above[hand] * chosen


@raw_kernel
def _match_powers(
    table: NDArray[np.float32],
    above: NDArray[np.float32],
    exponent: float,
    strategy: NDArray[np.float32],
    reach: NDArray[np.float32],
) -> None:
    """Play in proportion to powers of positive entries, relative to the largest."""
    actions, hands = table.shape
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


@raw_kernel
def _match_hedge(
    table: NDArray[np.float32],
    above: NDArray[np.float32],
    play: Play,
    unit: NDArray[np.float32],
    scatter: NDArray[np.float32],
    strategy: NDArray[np.float32],
    reach: NDArray[np.float32],
) -> None:
    """Play in proportion to exp(rate * entry), relative to the largest.

    Rates are per chip: per chip and unit of counterfactual reach, or over the standard deviation of
    the hand's values where that is wanted and known.
    """
    actions, hands = table.shape
    more = math.sqrt(math.log2(actions))
    for hand in range(hands):
        rate = play.rate / unit[hand] if unit[hand] > 0 else 0.0
        if play.variance_rate > 0 and scatter[hand] > 0:
            rate = play.variance_rate / math.sqrt(scatter[hand] / play.seen)
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


@raw_kernel
def _play_decision(
    table: NDArray[np.float32],
    above: NDArray[np.float32],
    play: Play,
    unit: NDArray[np.float32],
    scatter: NDArray[np.float32],
    total: NDArray[np.float32],
    strategy: NDArray[np.float32],
    reach: NDArray[np.float32],
) -> None:
    """Write one decision's strategy, and the reach of its actions given the decision's own."""
    if play.rate > 0:
        _match_hedge(table, above, play, unit, scatter, strategy, reach)
    elif play.exponent != 1:
        _match_powers(table, above, play.exponent, strategy, reach)
    else:
        _match_regrets(table, above, total, strategy, reach)


@raw_kernel
def play_forward(
    decisions: Decisions,
    roots: int,
    table: NDArray[np.float32],
    play: Play,
    unit: NDArray[np.float32],
    scatter: NDArray[np.float32],
    total: NDArray[np.float32],
    strategy: NDArray[np.float32],
    reach: NDArray[np.float32],
) -> None:
    """Play one table's strategy down the forest; `reach` holds the roots' rows."""
    for number in range(decisions.first.shape[0]):
        first = decisions.first[number]
        last = first + decisions.actions[number]
        rows = slice(first - roots, last - roots)
        _play_decision(
            table[rows],
            reach[decisions.parent[number]],
            play,
            unit,
            scatter[number if play.variance_rate > 0 else 0],
            total,
            strategy[rows],
            reach[first:last],
        )


@raw_kernel
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


@raw_kernel
def end_values(
    own: Hands,
    other: Hands,
    board: int,
    ends: Lanes,
    only_folds: int,
    some_folds: int,
    reach: NDArray[np.float32],
    other_lanes: NDArray[np.float32],
    own_lanes: NDArray[np.float32],
    sums: NDArray[np.float64],
    below: NDArray[np.float64],
    value: NDArray[np.float32],
) -> None:
    """Add what the ends of the hand are worth to the own player, given the other one's reach.

    `other_lanes` (2, H, 16) and `own_lanes` (H, 16) are scratch.
    """
    folded = other_lanes[0]
    shown = other_lanes[1]
    weight = other.weight[board]
    cards = other.cards[board]
    own_cards = own.cards[board]
    twin = own.twin[board]
    for lane in range(0, len(ends.own), LANES):
        if lane < some_folds:
            for hand in range(0, reach.shape[1], LANES):
                rows_to_lanes(reach, weight, ends.fold, lane, hand, folded)
        if lane < only_folds:
            fold_lanes(
                folded,
                cards,
                other.held[board],
                own_cards,
                own.held[board],
                twin,
                ends.amount,
                lane,
                sums,
                own_lanes,
            )
        else:
            for hand in range(0, reach.shape[1], LANES):
                rows_to_lanes(reach, weight, ends.showdown, lane, hand, shown)
            showdown_lanes(
                lane < some_folds,
                folded,
                shown,
                cards,
                other.group_end[board],
                own_cards,
                own.group_end[board],
                twin,
                ends.ratio,
                ends.amount,
                lane,
                sums,
                below,
                own_lanes,
            )
        for hand in range(0, value.shape[1], LANES):
            lanes_to_rows(own_lanes, value, ends.own, lane, hand)


@raw_kernel
def _expect(
    value: NDArray[np.float32], strategy: NDArray[np.float32], total: NDArray[np.float32]
) -> None:
    """Write one decision's values when the strategy is played."""
    actions, hands = value.shape
    for hand in range(hands):
        total[hand] = value[0, hand] * strategy[0, hand]
    for action in range(1, actions):
        row = value[action]
        played = strategy[action]
        for hand in range(hands):
            total[hand] += row[hand] * played[hand]


@raw_kernel
def _choose_best(value: NDArray[np.float32], total: NDArray[np.float32]) -> None:
    """Write one decision's values when every hand plays its best action."""
    actions, hands = value.shape
    for hand in range(hands):
        total[hand] = value[0, hand]
    for action in range(1, actions):
        row = value[action]
        for hand in range(hands):
            total[hand] = max(total[hand], row[hand])


@raw_kernel
def _add_regrets(
    value: NDArray[np.float32],
    total: NDArray[np.float32],
    step: Step,
    regret: NDArray[np.float32],
    matched: NDArray[np.float32],
) -> None:
    """Add one decision's instantaneous regrets; predict the next ones where the step says so."""
    actions, hands = value.shape
    positive = np.float32(step.positive)
    negative = np.float32(step.negative)
    carry = np.float32(step.carry)
    prediction = np.float32(step.prediction)
    for action in range(actions):
        row = regret[action]
        worth = value[action]
        for hand in range(hands):
            instant = worth[hand] - total[hand]
            row[hand] = accumulated(row[hand], instant, positive, negative, step.floor)
        if step.prediction > 0:
            guess = matched[action]
            for hand in range(hands):
                guess[hand] = predicted(row[hand], worth[hand] - total[hand], carry, prediction)


@raw_kernel
def _observe(
    total: NDArray[np.float32],
    seen: int,
    mean: NDArray[np.float32],
    scatter: NDArray[np.float32],
) -> None:
    """Take a decision's values into their mean and scatter, as the last of `seen`."""
    for hand in range(len(total)):
        away = total[hand] - mean[hand]
        mean[hand] += away / np.float32(seen)
        scatter[hand] += away * (total[hand] - mean[hand])


@raw_kernel
def values_backward(
    mode: int,
    step: Step,
    seen: int,
    decisions: Decisions,
    roots: int,
    strategy: NDArray[np.float32],
    total: NDArray[np.float32],
    value: NDArray[np.float32],
    regret: NDArray[np.float32],
    matched: NDArray[np.float32],
    mean: NDArray[np.float32],
    scatter: NDArray[np.float32],
) -> None:
    """Add each decision's value to the row that leads to it, last decisions first.

    `regret` is only touched in mode UPDATE, `matched` only where the step predicts, `mean` and
    `scatter` only where it wants to know the variance.
    """
    for number in range(decisions.first.shape[0] - 1, -1, -1):
        first = decisions.first[number]
        last = first + decisions.actions[number]
        rows = slice(first - roots, last - roots)
        worth = value[first:last]
        if mode == BEST:
            _choose_best(worth, total)
        else:
            _expect(worth, strategy[rows], total)
        above = value[decisions.parent[number]]
        for hand in range(total.shape[0]):
            above[hand] += total[hand]
        if mode == UPDATE:
            _add_regrets(worth, total, step, regret[rows], matched[rows])
            if step.variance_rate > 0:
                _observe(total, seen, mean[number], scatter[number])
