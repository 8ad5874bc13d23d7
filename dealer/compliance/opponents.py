"""How all seats but the bot's play: a function of the betting alone, legal in every state."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from protocol.actions import CALL, FOLD, RAISE, Action, raise_to

if TYPE_CHECKING:
    import numpy as np

    from engine.rules.state import HandState

Opponents: TypeAlias = "Callable[[HandState], Action]"

_FOLDS: Final = 0.1
"""How often the random line folds where it may; more, and hardly a hand would reach the river."""
_RAISES: Final = 0.45
_SMALLEST: Final = 0.3
"""Of raises: how often by the least that is legal."""
_LARGEST: Final = 0.1
"""Of raises: how often by all chips."""


def calls(_state: HandState) -> Action:
    """Check or call."""
    return CALL


def folds(state: HandState) -> Action:
    """Fold, check where that is free."""
    return FOLD if state.can_fold else CALL


def raises_least(state: HandState) -> Action:
    """Raise by the least that is legal, as long as a raise is."""
    legal = state.raise_range()
    return CALL if legal is None else _raise(state, legal[0])


def bets_all_on(street: int) -> Opponents:
    """Return the line that calls up to a street and bets all its chips from there on."""

    def line(state: HandState) -> Action:
        legal = state.raise_range()
        return CALL if legal is None or state.street < street else _raise(state, legal[1])

    return line


def leaves_one_size(state: HandState) -> Action:
    """Raise so far that the only raise left to others is all-in; call where that is not possible.

    Where all have the same stack, a raise to all chips but one does it.
    """
    legal = state.raise_range()
    if legal is None or legal[0] >= legal[1]:
        return CALL
    return _raise(state, legal[1] - 1)


def raises_past_half(state: HandState) -> Action:
    """Raise to a little more than half the stack: a full raise would then be more than all."""
    legal = state.raise_range()
    if legal is None:
        return CALL
    smallest, largest = legal
    return _raise(state, max(smallest, min(largest, largest // 2 + state.game.big_blind)))


class RandomOpponents:
    """Plays at random: calls and raises about equally often, seldom folds; raises of all sizes."""

    def __init__(self, generator: np.random.Generator) -> None:
        """Draw everything from `generator`."""
        self._draw = generator.random

    def __call__(self, state: HandState) -> Action:
        """Return an action of whoever is to act."""
        pick = self._draw()
        if pick < _FOLDS and state.can_fold:
            return FOLD
        legal = state.raise_range()
        if legal is None or pick > _FOLDS + _RAISES:
            return CALL
        smallest, largest = legal
        manner = self._draw()
        if manner < _SMALLEST:
            return _raise(state, smallest)
        if manner < _SMALLEST + _LARGEST:
            return _raise(state, largest)
        return _raise(state, round(smallest * (largest / smallest) ** self._draw()))


def _raise(state: HandState, chips: int) -> Action:
    return raise_to(chips) if state.game.no_limit else RAISE
