"""The records that compiled passes take, so that a kernel has few arguments.

    Pass          what a pass is for, the same on every board
    StreetPlayer  all that one player has and needs on the boards of a street:
        StreetSide    what never changes
        RangeTables   what it has learnt
        Scratch       for one board; each thread has its own
        leaf_values   values at the leaves in this pass

A street is a pair of them, `BothPlayers`; a kernel takes that and the number of a board.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cfr.variants import Step
from engine.range_solver.boards import BoardHands
from engine.range_solver.layout import Lanes, StreetDecisions

REGRETS: Final = 0
STRATEGY_SUM: Final = 1
MATCHED: Final = 2

UPDATE: Final = 0
"""Value the current strategy and add its regrets."""
EXPECT: Final = 1
"""Value the current strategy."""
BEST: Final = 2
"""Value the best response."""


class StrategyRule(NamedTuple):
    """How a player's strategy follows from its tables."""

    source: int
    """The table that is read: `REGRETS`, `STRATEGY_SUM` or `MATCHED`."""
    exponent: float = 1.0
    rate: float = 0.0
    """Rate of Hedge, as in `Step`; 0 for regret matching."""
    variance_rate: float = 0.0
    """Rate of Hedge over the standard deviation of values, where some were seen."""
    seen: int = 0
    """Iterations that went into `mean` and `scatter`."""
    plain: bool = False
    """Whether Hedge's rate is used as it is, as in `Step`."""


class Pass(NamedTuple):
    """What one pass is for."""

    own: int
    """Players whose values are wanted: bit 0 for player 0, bit 1 for player 1."""
    mode: int
    """`UPDATE`, `EXPECT` or `BEST`."""
    rules: tuple[StrategyRule, StrategyRule]
    step: Step
    seen: int
    """Iterations with variances, this one included."""


class StreetSide(NamedTuple):
    """One player's part of a street."""

    roots: int
    decisions: StreetDecisions
    hands: BoardHands
    ends: Lanes
    only_folds: int
    some_folds: int
    bare: NDArray[np.int32]
    deal_rows: NDArray[np.int32]
    leaf_rows: NDArray[np.int32]
    entry_rows: NDArray[np.int32]
    """Rows of the street before that lead to the roots."""


class RangeTables(NamedTuple):
    """What one player has learnt on a street; (B, T, H), empty where the other storage is used.

    Rows of 16-bit storage have a scale each: see `engine.range_solver.storage`.
    """

    regret: NDArray[np.float32]
    matched: NDArray[np.float32]
    """Regrets to match; empty until a predicting algorithm runs."""
    strategy_sum: NDArray[np.float32]
    packed: NDArray[np.int16]
    """(K, B, T, H): regrets, strategy sum and, when there is one, the regrets to match."""
    scale: NDArray[np.float32]
    """(K, B, T)."""
    mean: NDArray[np.float32]
    """(B, D, H) mean of each decision's values; (B, 1, 0) until an algorithm asks for variances."""
    scatter: NDArray[np.float32]
    """(B, D, H) sum of their squared distances from it."""


class Scratch(NamedTuple):
    """Of one player on a board; shapes as in `engine.range_solver.play` and `.values`."""

    strategy: NDArray[np.float32]
    reach: NDArray[np.float32]
    value: NDArray[np.float32]
    total: NDArray[np.float32]
    lanes: NDArray[np.float32]
    """(2, H, 16): this player's reach at folds and at showdowns; the first one, its values."""
    sums: NDArray[np.float64]
    below: NDArray[np.float64]
    tables: NDArray[np.float32]
    """(3, T, H): the rows of 16-bit tables, unpacked; else empty."""


class StreetPlayer(NamedTuple):
    """One player on the boards of a street."""

    side: StreetSide
    tables: RangeTables
    scratch: Scratch
    leaf_values: NDArray[np.float32]
    """(B, K, H) of this pass, for K leaves on each board; chips, 0 in the padding."""


BothPlayers = tuple[StreetPlayer, StreetPlayer]
