"""Chances of one hand against every combo when both check to the showdown.

    hole      two cards
    board     0, 3, 4 or 5 board cards, those seen
    chances   (1326,) float64: P(win) + P(tie) / 2 over all boards that can still come, with none
              of the two hands' cards on them; 0 for combos that share a card with hole or board

Whatever weights a range has, its chance against `hole` is the dot product of weights and chances
divided by the sum of the weights: one vector serves the belief and what every bet would leave of
it.  Nothing is sampled, all boards are counted; before the flop that was done once and for all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.equity.equity import matchups


def chances(hole: Sequence[int], board: Sequence[int]) -> NDArray[np.float64]:
    """Return what `hole` can expect against each combo; see the module's table.

    Raises:
        ValueError: not two hole cards, not 0, 3, 4 or 5 board cards, or a card twice.
        ArtifactMismatch: the shipped table of hands before the flop is missing or damaged.
    """
    counts = matchups(hole, board)
    counted: NDArray[np.float64] = (counts.win + 0.5 * counts.tie) / counts.boards
    return counted
