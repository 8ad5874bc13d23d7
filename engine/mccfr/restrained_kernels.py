"""External sampling against an opponent that is partly known: the compiled traversal.

For each deal a bit of its key says which player is the opponent, and the other one is we.  The
opponent's row is one of `fixed` with the probability of its trust, else one that matches its
regrets in `theirs`; ours matches those in `ours`.  Where it is the opponent that tries all its
actions, the value of a decision that goes up is the mean of both of its rows:

    trust * sum over a of fixed(a) value(a) + (1 - trust) * sum over a of strategy(a) value(a)

Regrets are those of the row that is free.  All else is as in `engine.mccfr.kernels`.  Nothing is
pruned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.betting.info_sets import ACTION_BITS, CHILD_SHIFT, PLACE_BITS, PLAYER_SHIFT
from engine.compiled import rows
from engine.compiled.jit import inlined_raw_kernel, raw_kernel
from engine.compiled.splitmix import random_word
from engine.mccfr.kernels import INDEX, deal_in, enqueue, row_of
from engine.mccfr.opponent_kernels import act_for_opponent, uniform

if TYPE_CHECKING:
    from engine.mccfr.kernels import Queue
    from engine.mccfr.records import DealBatch, MccfrTables, Rules

_float: Any = np.float32
_int: Any = np.int64
_ONE: Any = np.float32(1)
_OPPONENT_BIT: Any = np.uint64(63)

# Kernels: arguments are trusted, nothing is allocated.


@raw_kernel
def traverse_restrained(
    ours: MccfrTables,
    theirs: MccfrTables,
    fixed: NDArray[np.float32],
    deals: DealBatch,
    rules: Rules,
    queue: Queue,
) -> int:
    """Traverse the game once for each deal, for player 0 and 1 in turn; return nodes visited."""
    nodes = 0
    for deal in range(len(deals.key)):
        traverser, key = deal & 1, deals.key[deal]
        learns = _int(key >> _OPPONENT_BIT) == traverser
        deal_in(ours, deals, deal, traverser, rules, queue)
        if learns:  # the opponent tries all its actions, and we sample
            values, own, waiting = _descend(
                theirs, ours, fixed, False, key, traverser, rules, queue
            )
        else:
            values, own, waiting = _descend(ours, theirs, fixed, True, key, traverser, rules, queue)
        for i in range(own - 1, -1, -1):
            if learns:
                _add_regrets(theirs, fixed, True, i & INDEX, rules, queue)
            else:
                _add_regrets(ours, fixed, False, i & INDEX, rules, queue)
        nodes += values + waiting
    return nodes


@raw_kernel
def _descend(
    mine: MccfrTables,
    others: MccfrTables,
    fixed: NDArray[np.float32],
    restrained: bool,
    key: int,
    traverser: int,
    rules: Rules,
    queue: Queue,
) -> tuple[int, int, int]:
    """Go down one deal; return how many values, own and sampled decisions there are.

    Args:
        mine: of the traverser, `others` of who samples.
        restrained: whether who samples is the opponent.
    """
    walk, first = mine.walk, queue.first
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
            word, cell, count = random_word(key, child), row_of(step, first), step & ACTION_BITS
            reach, worth = queue.waiting_reach[at], _ONE
            if restrained and uniform(random_word(~key, child)) < fixed[cell + count]:
                every = (1 << count) - 1
                share = rows.load(fixed, cell, every)
                bound = uniform(word) * rows.total(share)
                action = rows.reached(rows.running(share), bound, every >> 1)
            else:
                action, worth = act_for_opponent(others, cell, count, word, reach, rules)
            own, waiting = enqueue(
                mine,
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
            child, count = step >> CHILD_SHIFT & PLACE_BITS, step & ACTION_BITS
            queue.own_cell[at], queue.own_child[at] = row_of(step, first), values
            for i in range(count):
                own, waiting = enqueue(
                    mine,
                    walk[child + i],
                    (values + i) & INDEX,
                    _ONE,
                    queue.own_reach[at],
                    traverser,
                    own,
                    waiting,
                    queue,
                )
            values += count
    return values, own, waiting


@inlined_raw_kernel
def _add_regrets(
    mine: MccfrTables,
    fixed: NDArray[np.float32],
    restrained: bool,
    at: int,
    rules: Rules,
    queue: Queue,
) -> None:
    """Add the regrets at one of the traverser's decisions, and note its value."""
    cell, count = queue.own_cell[at] & INDEX, queue.own[at] & ACTION_BITS
    every = (1 << count) - 1
    value = rows.load(queue.value, queue.own_child[at] & INDEX, every)
    share = rows.positive(rows.load(mine.regret, cell, every))
    whole = rows.total(share)
    mean = rows.total(share * value) / whole if whole > 0 else rows.total(value) / _float(count)
    change = (value - rows.spread(mean)) * rows.spread(queue.own_reach[at])
    rows.grow(mine.regret, cell, change, rules.floor, rules.ceiling, every)
    if restrained:
        trust = fixed[cell + count]
        mean += trust * (rows.total(rows.load(fixed, cell, every) * value) - mean)
    queue.value[queue.own_value[at] & INDEX] = mean * queue.own_worth[at]
