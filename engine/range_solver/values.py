"""What a board is worth to a player, all hands at once: from the other one's reach up to the roots.

Rows are those of `engine.range_solver.layout`: R roots, then T = one per action; H is the padded
number of the player's hands.  Everything is float32 and runs along the hands, so that LLVM makes
vector instructions of it; what adds up over hands is in `engine.equity.terminal_kernels`.

    reach      (R + T + 1, H)  of the other player, its belief left out; the last row is 0
    value      (R + T + 1, H)  counterfactual values, chips, given the board: chance is left out
                               until the street before; the last row is nobody's
    strategy, regret, matched  (T, H)
    mean, scatter  (D, H)      of the values that each decision has shown: their mean, and the sum
                               of squared distances from it
    total      (H,)            scratch

Regrets of padding stay 0: no value ever reaches it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cfr.regret import accumulated, predicted
from engine.cfr.variants import Step
from engine.compiled.jit import raw_kernel
from engine.compiled.lanes import LANES, lanes_to_rows, rows_to_lanes
from engine.equity.terminal_kernels import fold_lanes, showdown_lanes
from engine.range_solver.boards import Hands
from engine.range_solver.layout import Decisions, Lanes

UPDATE: Final = 0
"""Values of the strategy, and its regrets are added."""
EXPECT: Final = 1
"""Values of the strategy."""
BEST: Final = 2
"""Values of the best response."""

# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@raw_kernel
def end_values(
    own: Hands,
    other: Hands,
    board: int,
    ends: Lanes,
    only_folds: int,
    some_folds: int,
    bare: NDArray[np.int32],
    reach: NDArray[np.float32],
    other_lanes: NDArray[np.float32],
    own_lanes: NDArray[np.float32],
    sums: NDArray[np.float64],
    below: NDArray[np.float64],
    value: NDArray[np.float32],
) -> None:
    """Write what the ends of the hand are worth to the own player, given the other one's reach.

    `bare` are the rows without any; `other_lanes` (2, H, 16) and `own_lanes` (H, 16) are scratch.
    """
    for row in bare:
        for hand in range(value.shape[1]):
            value[row, hand] = np.float32(0)
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
