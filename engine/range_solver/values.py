"""A player's values on a board, all hands at once: from the other one's reach up to the roots.

Rows are those of `engine.range_solver.layout`: R roots, then T = one per action; H is the padded
number of the player's hands.  Everything is float32 and runs along the hands, so that LLVM makes
vector instructions of it; sums over hands are in `engine.range_solver.terminal_kernels`.

    reach      (R + T + 1, H)  of the other player, its belief left out; the last row is 0
    value      (R + T + 1, H)  counterfactual values, chips, given the board: chance is left out
                               until the street before; the last row is nobody's
    strategy, regret, matched  (T, H)
    mean, scatter  (D, H)      of each decision's values so far: their mean, and the sum of squared
                               distances from it
    total      (H,)            scratch

Regrets of padding stay 0: no value ever reaches it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cfr.regret import accumulated, predicted
from engine.cfr.variants import Step
from engine.compiled.jit import always_inline, inlined_raw_kernel
from engine.compiled.lanes import LANES, lanes_to_rows, rows_to_lanes
from engine.range_solver.boards import BoardHands
from engine.range_solver.records import BEST, UPDATE, Pass, StreetPlayer
from engine.range_solver.terminal_kernels import (
    LaneHands,
    LaneStakes,
    LaneWork,
    fold_lanes,
    showdown_lanes,
)

# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@inlined_raw_kernel
def _hands_on(hands: BoardHands, board: int) -> LaneHands:
    return LaneHands(
        hands.cards[board], hands.held[board], hands.twin[board], hands.group_end[board]
    )


@always_inline
def end_values(board: int, player: StreetPlayer, rival: StreetPlayer) -> None:
    """Write a player's values of the ends of the hand, given the other one's reach.

    Rows without an end get zeros.
    """
    side, value, reach = player.side, player.scratch.value, rival.scratch.reach
    for row in side.bare:
        for hand in range(value.shape[1]):
            value[row, hand] = np.float32(0)
    ends = side.ends
    own, other = _hands_on(side.hands, board), _hands_on(rival.side.hands, board)
    weight = rival.side.hands.weight[board]
    reached = rival.scratch.lanes
    stakes = LaneStakes(ends.ratio, ends.amount)
    work = LaneWork(player.scratch.sums, player.scratch.below, player.scratch.lanes[0])
    for lane in range(0, len(ends.own), LANES):
        if lane < side.some_folds:
            for hand in range(0, reach.shape[1], LANES):
                rows_to_lanes(reach, weight, ends.fold, lane, hand, reached[0])
        if lane < side.only_folds:
            fold_lanes(own, other, reached, stakes, lane, work)
        else:
            for hand in range(0, reach.shape[1], LANES):
                rows_to_lanes(reach, weight, ends.showdown, lane, hand, reached[1])
            showdown_lanes(lane < side.some_folds, own, other, reached, stakes, lane, work)
        for hand in range(0, value.shape[1], LANES):
            lanes_to_rows(work.value, value, ends.own, lane, hand)


@always_inline
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


@always_inline
def _choose_best(value: NDArray[np.float32], total: NDArray[np.float32]) -> None:
    """Write one decision's values when every hand plays its best action."""
    actions, hands = value.shape
    for hand in range(hands):
        total[hand] = value[0, hand]
    for action in range(1, actions):
        row = value[action]
        for hand in range(hands):
            total[hand] = max(total[hand], row[hand])


@always_inline
def _add_regrets(
    value: NDArray[np.float32],
    total: NDArray[np.float32],
    step: Step,
    regret: NDArray[np.float32],
    matched: NDArray[np.float32],
) -> None:
    """Add one decision's instantaneous regrets; predict the next ones if the step predicts."""
    actions, hands = value.shape
    positive = np.float32(step.positive)
    negative = np.float32(step.negative)
    carry = np.float32(step.carry)
    prediction = np.float32(step.prediction)
    for action in range(actions):
        row = regret[action]
        found = value[action]
        for hand in range(hands):
            instant = found[hand] - total[hand]
            row[hand] = accumulated(row[hand], instant, positive, negative, step.floor)
        if step.prediction > 0:
            guess = matched[action]
            for hand in range(hands):
                guess[hand] = predicted(row[hand], found[hand] - total[hand], carry, prediction)


@always_inline
def _observe(
    total: NDArray[np.float32],
    seen: int,
    mean: NDArray[np.float32],
    scatter: NDArray[np.float32],
) -> None:
    """Update a decision's mean and scatter with its values, the last of `seen`."""
    for hand in range(len(total)):
        away = total[hand] - mean[hand]
        mean[hand] += away / np.float32(seen)
        scatter[hand] += away * (total[hand] - mean[hand])


@always_inline
def values_backward(
    board: int,
    wanted: Pass,
    player: StreetPlayer,
    regret: NDArray[np.float32],
    matched: NDArray[np.float32],
) -> None:
    """Add each decision's value to the row that leads to it, last decisions first.

    `regret` (T, H) is changed in mode UPDATE only, `matched` only where the step predicts, mean and
    scatter only where it uses variances.
    """
    decisions, roots = player.side.decisions, player.side.roots
    strategy, total, value = player.scratch.strategy, player.scratch.total, player.scratch.value
    for number in range(decisions.first.shape[0] - 1, -1, -1):
        first = decisions.first[number]
        last = first + decisions.actions[number]
        rows = slice(first - roots, last - roots)
        below = value[first:last]
        if wanted.mode == BEST:
            _choose_best(below, total)
        else:
            _expect(below, strategy[rows], total)
        above = value[decisions.parent[number]]
        for hand in range(total.shape[0]):
            above[hand] += total[hand]
        if wanted.mode == UPDATE:
            _add_regrets(below, total, wanted.step, regret[rows], matched[rows])
            if wanted.step.variance_rate > 0:
                tables = player.tables
                _observe(
                    total, wanted.seen, tables.mean[board, number], tables.scatter[board, number]
                )
