"""What every hold'em strategy looks like to the engine: all hands at once, at a public state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.rules.state import HandState
from protocol.actions import Action


class Strategy(NamedTuple):
    """How a player acts at one public state with each of the hands it may hold."""

    actions: tuple[Action, ...]
    """A different legal actions; whatever is not listed is never done."""
    probabilities: NDArray[np.float32]
    """(1326, A) float32; a combo's row sums to 1, rows of combos on the board mean nothing."""


class Policy(Protocol):
    """A strategy for one two-player hold'em game."""

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return how `state.actor` plays each combo.

        Args:
            state: the betting so far; it need not be one that the policy itself would reach.
            board: the cards seen on this street, in the order they came.
        """
