"""What a compiled policy is told when it has to act, or somebody has acted.

The same in a bulk match and at a table: `engine.play` fills it while it plays, a networked bot
makes it from its view of the hand.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

UNSEEN: Final = -1
"""A card, or a strength, that the reader of a spot does not know."""
NOBODY: Final = -1


class Spot(NamedTuple):
    """A decision in a hand for two, as one player sees it; chips count over the whole hand."""

    hand: int
    """Number of the hand in the match, 0-based."""
    street: int
    """0 preflop .. 3 river."""
    button: int
    """1 if whoever acts has the button (and the small blind), else 0."""
    big_blind: int
    stack: int
    """Chips whoever acts began the hand with."""
    pot: int
    """All chips in the middle, those of this street included."""
    to_match: int
    spent: int
    """Chips that whoever acts has put in."""
    to_call: int
    low: int
    """Smallest legal raise-to; 0 if none is legal."""
    high: int
    """Largest."""
    raises: int
    """On this street; preflop the big blind is not one."""
    raises_before: int
    """On earlier streets."""
    aggressor: int
    """1 if whoever acts raised last on the street before, 0 if the other did, -1 nobody."""
    p: float
    """Equity of the own hand against a random one on this street; -1 if unseen."""
    percentile: float
    """Share of all hands and boards of this street with a smaller p; -1 if unseen."""
    hole: NDArray[np.int64]
    """(2,) own cards, -1 if unseen."""
    board: NDArray[np.int64]
    """(5,) cards, -1 for those to come."""
