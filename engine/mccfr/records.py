"""Records that the kernels of MCCFR take: tables, deals, and the rules of keeping regrets.

K deals, S streets, C cells, W places of the walk; tables as in `engine.betting.info_sets`:

    walk          (W,)      int64
    regret        (C,)      float32, or int32 of whole units
    strategy_sum  (C,)      float32, the same memory
    bucket        (K, 2, S) int32     of both players
    result        (K,)      int8      1 where player 0 has the better cards, -1 the worse, 0 a tie
    key           (K,)      uint64    random bits, from which all choices in a deal are derived
    elsewhere     (K,)      float32   chips that player 0 wins where one of them has LEFT
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class MccfrTables(NamedTuple):
    """The game and what is learned."""

    walk: NDArray[np.int64]
    start: NDArray[np.int64]
    width: NDArray[np.int64]
    regret: NDArray[Any]
    strategy_sum: NDArray[np.float32]


class DealBatch(NamedTuple):
    """A batch of deals."""

    bucket: NDArray[np.int32]
    result: NDArray[np.int8]
    key: NDArray[np.uint64]
    elsewhere: NDArray[np.float32]


class Rules(NamedTuple):
    """How regrets are kept and which actions are pruned; float32 but for flag and streets.

    Regrets and values are counted in units, `scale` of which are a chip.
    """

    scale: float
    """Units per chip."""
    floor: float
    """Regrets never fall below this."""
    ceiling: float
    """Regrets never rise above this."""
    weight: float
    """Weight of a strategy in its sum: 1, or 0 while nothing is averaged."""
    explores: float
    """Exploration e, see `engine.mccfr.opponent_kernels`."""
    errs: float
    """Mistakes m, see `engine.mccfr.opponent_kernels`."""
    prunes: bool
    threshold: float
    """Actions with a regret below this are pruned at times; negative."""
    softness: float
    """An action d below the threshold is tried with probability softness / (softness + d)."""
    least: float
    """Smallest probability of trying a pruned action."""
    streets: int
    """Number of streets, from the first, on which actions are pruned."""
