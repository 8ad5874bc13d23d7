"""What share of the pot players win on average where all hole cards are known.

Counted over all boards: of two hands before the flop from a table, of any number from the flop on.
More than two hands before the flop have millions of boards: random ones are drawn, the same ones
in every run.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from engine.equity.equity import Equity, exact_hand_equity
from engine.equity.sampling import sampled_equity
from engine.hands.cards import COMBO_CARDS, combo_of

SAMPLED_BOARDS: Final = 10_000
"""The standard error is at most half a percent."""
_STREAM: Final = 0x637376


@lru_cache(maxsize=256)
def known_equities(holes: tuple[tuple[int, ...], ...], board: tuple[int, ...]) -> list[float]:
    """Return the share of the pot of each of two or more hands of hold'em, 0 to 1.

    Args:
        holes: two cards each.
        board: the known cards, 0, 3, 4 or 5.
    """
    if board or len(holes) == 2:
        equities: tuple[Equity, ...] = exact_hand_equity(holes, board)
    else:
        ranges = np.zeros((len(holes), len(COMBO_CARDS)))
        for row, (first, second) in zip(ranges, holes, strict=True):
            row[combo_of(first, second)] = 1
        generator = np.random.default_rng((_STREAM, *(card for hole in holes for card in hole)))
        equities = sampled_equity(list(ranges), board, SAMPLED_BOARDS, generator)
    return [equity.equity for equity in equities]
