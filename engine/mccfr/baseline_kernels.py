"""External sampling with baselines (VR-MCCFR): the compiled traversal.

Baselines estimate the values of the opponent's actions that are not sampled.  With sigma the
opponent's strategy, a the action sampled from it and b its baselines, the value of a decision of
the opponent is

    value(a) + sum over c of sigma(c) b(c) - b(a)

to the traverser, which is unbiased whatever the baselines are; b(a) then moves towards value(a).
Baselines are kept for each decision of the opponent and each bucket of the traverser, in a table
laid out like that of the regrets.  The strategy sums have no counterpart.

Source: Schmid, Burch, Lanctot, Moravcik, Kadlec, Bowling, "Variance reduction in Monte Carlo
counterfactual regret minimization (VR-MCCFR) for extensive form games using baselines", AAAI 2019,
with external sampling's xi = sigma.  Everything else is as in `engine.mccfr.kernels`; here all
decisions wait in one queue, so that values come back up through those of the opponent too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.betting.info_sets import (
    ACTION_BITS,
    CHILD_SHIFT,
    CHIPS_SHIFT,
    MAX_STREETS,
    PLACE_BITS,
    PLAYER_SHIFT,
    STREET_SHIFT,
)
from engine.compiled import rows
from engine.compiled.jit import inlined_raw_kernel, prefetch, raw_kernel
from engine.compiled.splitmix import random_word
from engine.mccfr.kernels import Queue, add_regrets, row_of
from engine.mccfr.opponent_kernels import act_for_opponent
from engine.mccfr.records import DealBatch, MccfrTables, Rules

_float: Any = np.float32
_int: Any = np.int64
_INDEX: Any = np.int64((1 << 40) - 1)

# Kernels: arguments are trusted, nothing is allocated.


@raw_kernel
def traverse_with_baselines(
    tables: MccfrTables,
    baseline: NDArray[np.float32],
    decay: float,
    deals: DealBatch,
    first: int,
    rules: Rules,
    queue: Queue,
) -> tuple[int, int]:
    """Traverse the game once for each deal; return the nodes and the decisions visited.

    Deal i is traversed for player (first + i) mod 2.  baseline (C,) float32 is updated, with decay,
    float32.
    """
    nodes = decisions = 0
    for deal in range(len(deals.key)):
        traverser = (first + deal) & 1
        for player in range(2):
            for street in range(deals.bucket.shape[2]):
                start, width = tables.start[player, street], tables.width[player, street]
                at = player * MAX_STREETS + street
                queue.first[at] = start + deals.bucket[deal, player, street] * width
                queue.baseline_first[at] = start + deals.bucket[deal, traverser, street] * width
        chip = rules.scale if traverser == 0 else -rules.scale
        queue.end_value[0] = chip
        queue.end_value[1] = chip * deals.result[deal]
        values, found = _descend(tables, baseline, deals.key[deal], traverser, rules, queue)
        _ascend(tables, baseline, decay, traverser, found, rules, queue)
        nodes += values
        decisions += found
    return nodes, decisions


@raw_kernel
def _descend(
    tables: MccfrTables,
    baseline: NDArray[np.float32],
    key: int,
    traverser: int,
    rules: Rules,
    queue: Queue,
) -> tuple[int, int]:
    """Go down one deal; return how many nodes and how many decisions there are."""
    walk = tables.walk
    queue.own[0] = walk[0]
    queue.own_value[0] = 0
    found = values = nodes = 1
    done = 0
    while done < found:
        at = done & _INDEX
        done += 1
        step = queue.own[at]
        count = step & ACTION_BITS
        every = (1 << count) - 1
        cell = row_of(step, queue.first)
        child = step >> CHILD_SHIFT & PLACE_BITS
        queue.own_tried[at] = every
        if step >> PLAYER_SHIFT & 1 == traverser:
            queue.own_cell[at] = cell
            queue.own_child[at] = values
            for i in range(count):
                found = _enqueue(tables, walk[child + i], (values + i) & _INDEX, found, queue)
            values += count
            nodes += count
        else:
            share = rows.positive(rows.load(tables.regret, cell, every))
            whole = rows.total(share)
            if not whole > 0:
                share = rows.kept(rows.spread(_float(1)), every)
                whole = _float(count)
            first = row_of(step, queue.baseline_first)
            expected = rows.total(share * rows.load(baseline, first, every)) / whole
            action = (
                act_for_opponent(tables, cell, count, random_word(key, child), _float(1), rules)[0]
                & ACTION_BITS
            )
            queue.own_cell[at] = first + action
            queue.shift[at] = expected - baseline[first + action]
            place = queue.own_value[at] & _INDEX
            found = _enqueue(tables, walk[child + action], place, found, queue)
            nodes += 1
    return nodes, found


@inlined_raw_kernel
def _enqueue(tables: MccfrTables, step: int, place: int, found: int, queue: Queue) -> int:
    """Write the value of an end, or append a decision; return the new number of decisions."""
    queue.value[place] = queue.end_value[step >> STREET_SHIFT & 1] * _float(step >> CHIPS_SHIFT)
    cell = row_of(step, queue.first)
    prefetch(tables.regret, cell)
    prefetch(tables.regret, cell + 2 * rows.LANES - 2)
    queue.own[found & _INDEX] = step
    queue.own_value[found & _INDEX] = place
    decisions: int = found + _int(step & ACTION_BITS != 0)
    return decisions


@raw_kernel
def _ascend(
    tables: MccfrTables,
    baseline: NDArray[np.float32],
    decay: float,
    traverser: int,
    found: int,
    rules: Rules,
    queue: Queue,
) -> None:
    """Go back up through all decisions, adding regrets and updating baselines."""
    for i in range(found - 1, -1, -1):
        at = i & _INDEX
        if queue.own[at] >> PLAYER_SHIFT & 1 == traverser:
            add_regrets(tables, at, rules, queue)
        else:
            cell = queue.own_cell[at] & _INDEX
            place = queue.own_value[at] & _INDEX
            value = queue.value[place]
            baseline[cell] += decay * (value - baseline[cell])
            queue.value[place] = value + queue.shift[at]
