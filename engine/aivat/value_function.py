"""What a place in a hand is thought to be worth: the guess that AIVAT corrects with.

Any guess gives an unbiased estimate, and a good one a narrow interval, as long as it was fixed
before the hands were looked at; so it names itself by a digest, which goes with every result.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.aivat.hands import Hands
    from engine.rules.state import HandState


class Opposition:
    """What a player may meet: the other's hands, weighted, on a board."""

    def __init__(
        self, hands: Hands, weights: NDArray[np.float64], board: Sequence[int], position: int
    ) -> None:
        """Take the other player's weights.

        Args:
            weights: (H,) of the hands of the player that is not in `position`; 0 for those that
                the board blocks.
            board: the cards seen.
            position: of the player who meets them.
        """
        self.weights = weights
        self.board = tuple(board)
        self.position = position
        self._hands = hands

    @cached_property
    def met(self) -> NDArray[np.float64]:
        """(H,) as in `engine.aivat.hands`."""
        return self._hands.met(self.weights)

    @cached_property
    def shown(self) -> NDArray[np.float64]:
        """(H,) as in `engine.aivat.hands`."""
        return self._hands.shown(self.weights, self.board)


class ValueFunction(Protocol):
    """A guess at what every pair of hands is worth at a place where the hand is not over."""

    @property
    def digest(self) -> str:
        """Names it: equal digests mean equal values."""

    def worth(self, state: HandState, met: Opposition) -> NDArray[np.float64]:
        """Return (H,) for each hand of `met.position` its chips times the weight met, summed.

        The board is complete for the street of `state`.
        """

    def worth_before_cards(self, state: HandState, met: Opposition) -> NDArray[np.float64]:
        """Return the mean of `worth` over the board cards that `state.street` is to bring.

        It must be that mean exactly, for each pair of hands over the cards that neither holds: what
        it misses is the estimate's bias.
        """
