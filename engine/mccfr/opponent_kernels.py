"""What external sampling does where the opponent acts: sample an action, add to the average.

With exploration e and mistakes m, each of the n actions a is sampled with probability q(a) and
weighted as in a game in which it is taken with probability p(a):

    q(a) = (1 - e) strategy(a) + e / n         p(a) = (1 - m) strategy(a) + m / n

so that values times p / q go up, and regrets and strategies below are added times the product of
p / q on the way.  With m far below e the strategy is about as good as without mistakes.  Answers to
actions that it never takes are still learned, against hands that take them by mistake.

Sums below `EXACT_SUM` average the strategy.  Those beyond it count p, with m / n of every action,
which cannot be told from 0 in any model's file.  (Leduc poker with m = 0.01, 4 million iterations,
is 0.011 chips exploitable that way, 0.015 with the strategy in all sums, 0.0125 with p in all.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.compiled import rows
from engine.compiled.jit import inlined_raw_kernel

if TYPE_CHECKING:
    from engine.mccfr.records import MccfrTables, Rules

EXACT_SUM: Final = 2.0**16
"""Strategy sums beyond this count sampled actions instead of adding shares."""
LARGEST_COUNT: Final = 2.0**22
"""Strategy sums beyond this count in larger and larger units."""

_float: Any = np.float32
_word: Any = np.uint64
_ZERO: Any = np.float32(0)
_ONE: Any = np.float32(1)
_UNIT: Any = np.float32(2.0**-23)
_TWENTY: Any = np.float32(2.0**-20)
_SMALLEST: Any = np.float32(2.0**-40)

# Kernels: arguments are trusted, nothing is allocated.


@inlined_raw_kernel
def act_for_opponent(
    tables: MccfrTables, cell: int, count: int, word: int, reach: float, rules: Rules
) -> tuple[int, Any]:
    """Sample an action of the opponent and add its strategy to its sums, `reach` times.

    Returns:
        The action, int64, and the weight of the values behind it, float32.
    """
    sums, weight = tables.strategy_sum, rules.weight * reach
    every = (1 << count) - 1
    share = rows.positive(rows.load(tables.regret, cell, every))
    whole = rows.total(share)
    if not whole > 0:
        share = rows.kept(rows.spread(_ONE), every)
        whole = _float(count)
    taken, all_taken = share, whole
    if explored(word) < rules.explores:
        taken, all_taken = rows.kept(rows.spread(_ONE), every), _float(count)
    action = rows.reached(rows.running(taken), uniform(word) * all_taken, every >> 1)
    wanted = rows.total(rows.kept(share, 1 << action)) / whole
    even = _ONE / _float(count)
    sampled = wanted + rules.explores * (even - wanted)
    worth = (wanted + rules.errs * (even - wanted)) / max(sampled, _SMALLEST)
    played = rows.load(sums, cell + count, every)
    so_far = rows.total(played)
    if so_far < EXACT_SUM:
        rows.store(sums, cell + count, played + share * rows.spread(weight / whole), every)
    else:
        unit = _unit(so_far, word)
        sums[cell + count + action] += unit * weight * worth
    return action, worth


@inlined_raw_kernel
def _unit(so_far: float, word: int) -> Any:
    """Return what to add for the sampled action to strategy sums with a large total; float32.

    A float32 does not change when a number millions of times smaller is added.  Counting the
    sampled action is unbiased, and so is counting 2**n as much once in 2**n times.
    """
    unit = _ONE
    bits = _word(0)
    while unit * LARGEST_COUNT < so_far:
        unit *= _float(2)
        bits = bits + bits + _word(1)
    return unit if word & bits == _word(0) else _ZERO


@inlined_raw_kernel
def uniform(word: int) -> Any:
    """Return a float32 from [0, 1) made of the upper 23 bits.

    With no more bits its product with a float32 x > 0 is always rounded to less than x.
    """
    return _float(word >> _word(41)) * _UNIT


@inlined_raw_kernel
def explored(word: int) -> Any:
    """Return a float32 from [0, 1) made of 20 bits that `uniform` and `_unit` do not use.

    `_unit` takes one bit for each doubling of a sum beyond `LARGEST_COUNT`: below 20.
    """
    return _float(word >> _word(21) & _word(0xFFFFF)) * _TWENTY
