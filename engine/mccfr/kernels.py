"""External-sampling MCCFR: the compiled traversal.

For each deal one player is the traverser and tries all its actions.  The other one samples from its
current strategy, which is added to that player's strategy sums.  The values go back up, and at each
of the traverser's information sets

    regret(a) <- regret(a) + value(a) - sum over b of strategy(b) value(b)

The opponent may explore (`engine.mccfr.opponent_kernels`): values behind its actions are then
weighted.

Source: Lanctot, Waugh, Zinkevich, Bowling, "Monte Carlo sampling for regret minimization in
extensive games", NIPS 2009: external sampling, with the average updated where the opponent acts.

Decisions wait in two queues, breadth first, so that their rows are already on their way from memory
(`prefetch`) when they are used; without that the speed is half.  The way back goes through the
queue of the traverser's decisions in reverse.

Choice i of a deal is output i of `engine.compiled.splitmix` with the key as its seed.  A decision
takes the output numbered by the place of its first child.  Whether an action is pruned takes the
one numbered by the place of its child, with all bits of the key inverted.  So a choice depends on
key and place alone, not on the order in which places are visited.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.info_sets import (
    ACTION_BITS,
    CHILD_SHIFT,
    CHIPS_SHIFT,
    MAX_STREETS,
    OFFSET_SHIFT,
    PLACE_BITS,
    PLAYER_SHIFT,
    STREET_SHIFT,
)
from engine.compiled import rows
from engine.compiled.jit import inlined_raw_kernel, prefetch, raw_kernel
from engine.compiled.splitmix import random_word
from engine.mccfr.opponent_kernels import act_for_opponent, uniform
from engine.mccfr.records import DealBatch, MccfrTables, Rules

_float: Any = np.float32
_int: Any = np.int64
_ZERO: Any = np.float32(0)
_ONE: Any = np.float32(1)
INDEX: Any = np.int64((1 << 40) - 1)
"""An index masked with this cannot be negative, so numba leaves out the check."""
_FIRSTS: Final = 2 * MAX_STREETS
_END_KINDS: Final = 3
"""Mask of what an end is; decisions give some number there that is overwritten."""


class Queue(NamedTuple):
    """Working memory of a traversal; most arrays are as long as the walk."""

    value: NDArray[np.float32]
    """What the traverser gains by each of its actions, those of one decision together."""
    waiting: NDArray[np.int64]
    """Decisions of the opponent, as in the walk."""
    waiting_value: NDArray[np.int32]
    """Where the values of these decisions go."""
    waiting_worth: NDArray[np.float32]
    """Weight of these values: the product of p / q since the last decision of the traverser."""
    waiting_reach: NDArray[np.float32]
    """The product of p / q from the root."""
    own: NDArray[np.int64]
    """Decisions of the traverser, as in the walk."""
    own_value: NDArray[np.int32]
    """Where the values of these decisions go."""
    own_worth: NDArray[np.float32]
    """Weight of these values."""
    own_reach: NDArray[np.float32]
    """Weight of the regrets."""
    own_child: NDArray[np.int32]
    """Where the values of their actions are."""
    own_cell: NDArray[np.int64]
    """Rows of these decisions."""
    own_tried: NDArray[np.int64]
    """Actions that are tried, a bit mask."""
    first: NDArray[np.int64]
    """(8,) first cell of the bucket dealt, by player and street."""
    end_value: NDArray[np.float32]
    """(4,) what the traverser wins per chip at an end: after a fold, at a showdown, where somebody
    has LEFT."""


def make_queue(walk: NDArray[np.int64]) -> Queue:
    """Return a queue for one thread."""
    places = len(walk) + 1
    return Queue(
        value=np.zeros(places + rows.LANES, np.float32),
        waiting=np.zeros(places, np.int64),
        waiting_value=np.zeros(places, np.int32),
        waiting_worth=np.ones(places, np.float32),
        waiting_reach=np.ones(places, np.float32),
        own=np.zeros(places, np.int64),
        own_value=np.zeros(places, np.int32),
        own_worth=np.ones(places, np.float32),
        own_reach=np.ones(places, np.float32),
        own_child=np.zeros(places, np.int32),
        own_cell=np.zeros(places, np.int64),
        own_tried=np.zeros(places, np.int64),
        first=np.zeros(_FIRSTS, np.int64),
        end_value=np.zeros(_END_KINDS + 1, np.float32),
    )


# Kernels: arguments are trusted, nothing is allocated.


@raw_kernel
def traverse(
    tables: MccfrTables, deals: DealBatch, first: int, rules: Rules, queue: Queue
) -> tuple[int, int]:
    """Traverse the game once for each deal; return the nodes and the decisions visited.

    Deal i is traversed for player (first + i) mod 2.
    """
    nodes = decisions = 0
    for deal in range(len(deals.key)):
        traverser = (first + deal) & 1
        deal_in(tables, deals, deal, traverser, rules, queue)
        values, waiting, own = _descend(tables, deals.key[deal], traverser, rules, queue)
        _ascend(tables, own, rules, queue)
        nodes += values + waiting
        decisions += own + waiting
    return nodes, decisions


@inlined_raw_kernel
def deal_in(
    tables: MccfrTables, deals: DealBatch, deal: int, traverser: int, rules: Rules, queue: Queue
) -> None:
    """Note the rows of the buckets dealt, and what the traverser wins per chip at each end."""
    for player in range(2):
        for street in range(deals.bucket.shape[2]):
            queue.first[player * MAX_STREETS + street] = (
                tables.start[player, street]
                + deals.bucket[deal, player, street] * tables.width[player, street]
            )
    chip = rules.scale if traverser == 0 else -rules.scale
    queue.end_value[0] = chip
    queue.end_value[1] = chip * deals.result[deal]
    queue.end_value[2] = chip * deals.elsewhere[deal]


@raw_kernel
def _descend(
    tables: MccfrTables, key: int, traverser: int, rules: Rules, queue: Queue
) -> tuple[int, int, int]:
    """Go down one deal; return how many values, opponent's and own decisions there are."""
    walk, first = tables.walk, queue.first
    step = walk[0]
    queue.own[0] = queue.waiting[0] = step
    queue.own_value[0] = queue.waiting_value[0] = 0
    queue.own_worth[0] = queue.waiting_worth[0] = _ONE
    queue.own_reach[0] = queue.waiting_reach[0] = _ONE
    own = _int(step >> PLAYER_SHIFT & 1 == traverser)
    waiting = 1 - own
    own_done = waiting_done = 0
    values = 1
    while waiting_done < waiting or own_done < own:
        while waiting_done < waiting:
            at = waiting_done & INDEX
            waiting_done += 1
            step = queue.waiting[at]
            child = step >> CHILD_SHIFT & PLACE_BITS
            word = random_word(key, child)
            cell = row_of(step, first)
            reach = queue.waiting_reach[at]
            action, worth = act_for_opponent(tables, cell, step & ACTION_BITS, word, reach, rules)
            own, waiting = enqueue(
                tables,
                walk[child + (action & ACTION_BITS)],
                queue.waiting_value[at] & INDEX,
                queue.waiting_worth[at] * worth,
                reach * worth,
                traverser,
                own,
                waiting,
                queue,
            )
        while own_done < own:
            at = own_done & INDEX
            own_done += 1
            step = queue.own[at]
            count = step & ACTION_BITS
            cell = row_of(step, first)
            reach = queue.own_reach[at]
            tried = (1 << count) - 1
            child = step >> CHILD_SHIFT & PLACE_BITS
            skips = rules.prunes and (step >> STREET_SHIFT & 3) < rules.streets
            if skips:  # only where another action is better than these
                skips = rows.total(rows.positive(rows.load(tables.regret, cell, tried))) > 0
            for i in range(count):
                step = walk[child + i]
                place = (values + i) & INDEX
                # In one loop with the plain case: on its own that is unrolled, which makes another
                # branch of every count of actions, and 20 % more time.
                if skips and step & ACTION_BITS != 0:
                    word = random_word(~key, child + i)
                    if _is_skipped(tables.regret[cell + i], word, rules):
                        queue.value[place] = 0
                        tried ^= 1 << i
                        continue
                own, waiting = enqueue(
                    tables, step, place, _ONE, reach, traverser, own, waiting, queue
                )
            queue.own_cell[at] = cell
            queue.own_child[at] = values
            queue.own_tried[at] = tried
            values += count
    return values, waiting, own


@raw_kernel
def _ascend(tables: MccfrTables, own: int, rules: Rules, queue: Queue) -> None:
    """Go back up from the traverser's last decision to its first, adding regrets."""
    for i in range(own - 1, -1, -1):
        _add_regrets(tables, i & INDEX, rules, queue)


@inlined_raw_kernel
def _add_regrets(tables: MccfrTables, at: int, rules: Rules, queue: Queue) -> None:
    """Add the regrets at one of the traverser's decisions, and note its value."""
    cell = queue.own_cell[at] & INDEX
    tried = queue.own_tried[at]
    value = rows.load(queue.value, queue.own_child[at] & INDEX, tried)
    share = rows.positive(rows.load(tables.regret, cell, tried))
    whole = rows.total(share)
    if whole > 0:
        mean = rows.total(share * value) / whole
    else:
        mean = rows.total(value) / _float(queue.own[at] & ACTION_BITS)
    change = (value - rows.spread(mean)) * rows.spread(queue.own_reach[at])
    rows.grow(tables.regret, cell, change, rules.floor, rules.ceiling, tried)
    queue.value[queue.own_value[at] & INDEX] = mean * queue.own_worth[at]


@inlined_raw_kernel
def row_of(step: int, first: NDArray[np.int64]) -> int:
    """Return the row of a decision; an arbitrary cell for an end."""
    offset = (step >> OFFSET_SHIFT & PLACE_BITS) * _int(step & ACTION_BITS != 0)
    return (first[step >> STREET_SHIFT & _FIRSTS - 1] + offset) & INDEX  # type: ignore[no-any-return]


@inlined_raw_kernel
def _is_skipped(regret: float, word: int, rules: Rules) -> bool:
    """Return whether an action is pruned in this traversal."""
    below = rules.threshold - _float(regret)
    tried = rules.softness / (rules.softness + max(below, _ZERO))
    skipped: bool = below > 0 and uniform(word) >= max(tried, rules.least)
    return skipped


@inlined_raw_kernel
def enqueue(
    tables: MccfrTables,
    step: int,
    at: int,
    worth: float,
    reach: float,
    traverser: int,
    owned: int,
    waiting: int,
    queue: Queue,
) -> tuple[int, int]:
    """Write the value of an end, or append a decision to its queue; return the queues' lengths.

    Everything is written, and what does not apply is overwritten later: no branch to mispredict.

    Args:
        at: where the value goes.
        owned: decisions of the traverser so far, and `waiting` those of the opponent.
    """
    queue.value[at] = (
        worth * queue.end_value[step >> STREET_SHIFT & _END_KINDS] * _float(step >> CHIPS_SHIFT)
    )
    cell = row_of(step, queue.first)
    prefetch(tables.regret, cell)
    prefetch(tables.regret, cell + 2 * rows.LANES - 2)
    live = _int(step & ACTION_BITS != 0)
    mine = _int(step >> PLAYER_SHIFT & 1 == traverser)
    queue.own[owned & INDEX] = queue.waiting[waiting & INDEX] = step
    queue.own_value[owned & INDEX] = queue.waiting_value[waiting & INDEX] = at
    queue.own_worth[owned & INDEX] = queue.waiting_worth[waiting & INDEX] = worth
    queue.own_reach[owned & INDEX] = queue.waiting_reach[waiting & INDEX] = reach
    return owned + (live & mine), waiting + (live & (1 - mine))
