"""What every strategy looks like to the engine: all hands at once, at a public state.

Hands are the 1326 combos of hold'em; of a small game the single cards of its deck, ascending
(`engine.hands.private_hands`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.hands.cards import COMBOS, card_bits, live_combos
from engine.rules.state import HandState
from protocol.actions import Action
from protocol.gamedef import GameDef

PROBABILITY_SLACK: Final = 1e-3
"""Rounding and quantisation move a combo's sum of probabilities from 1."""


class Strategy(NamedTuple):
    """How a player acts at one public state with each of the hands it may hold."""

    actions: tuple[Action, ...]
    """A different legal actions; whatever is not listed is never done."""
    probabilities: NDArray[np.float32]
    """(H, A) float32; a hand's row sums to 1, rows of hands on the board mean nothing."""


class Policy(Protocol):
    """A strategy for one game: hold'em for two, or a small game of single private cards.

    To be measured on several processes it must be picklable.
    """

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return how `state.actor` plays each hand.

        Args:
            state: the betting so far; it need not be one that the policy itself would reach.
            board: the cards seen on this street, in the order they came.
        """


class GamePolicy(Policy, Protocol):
    """A strategy that says which game it is for."""

    @property
    def game(self) -> GameDef:
        """The game it plays."""


def check_strategy(strategy: Strategy, state: HandState, board: Sequence[int]) -> None:
    """Check every combo's row: for tests of policies, too slow for each question put to one.

    Raises:
        ValueError: an action is illegal or named twice, the array has another shape or dtype, or
            the row of a combo that is not on the board is negative or does not sum to 1.
    """
    check_actions(strategy, state)
    table = strategy.probabilities
    if table.dtype != np.float32:
        raise ValueError(f"policy at {state.betting!r}: want float32, got {table.dtype}")
    rows = table[live_combos(card_bits(board))]
    if not (rows >= 0).all() or not (np.abs(rows.sum(axis=1) - 1) <= PROBABILITY_SLACK).all():
        raise ValueError(f"policy at {state.betting!r}: a combo's probabilities do not sum to 1")


def check_actions(strategy: Strategy, state: HandState, hands: int = COMBOS) -> None:
    """Check the actions that a policy names and the shape of their probabilities.

    Args:
        hands: how many private hands there are: 1326, but for small games.

    Raises:
        ValueError: an action is illegal or named twice, or the shape is another one.
    """
    actions = strategy.actions
    if len(set(actions)) != len(actions) or not all(map(state.is_legal, actions)):
        texts = ", ".join(action.text for action in actions)
        raise ValueError(f"policy at {state.betting!r}: {texts}: illegal or named twice")
    if strategy.probabilities.shape != (hands, len(actions)):
        raise ValueError(
            f"policy at {state.betting!r}: want ({hands}, {len(actions)}) probabilities, "
            f"got {strategy.probabilities.shape}"
        )
