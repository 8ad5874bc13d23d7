"""Strategies simple enough to know by heart: for proofs, baselines and first tries.

All of them play every hand alike, except `TablePolicy`, which does what its table says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.betting.bet_menu import BetMenu
from engine.betting.policy import Strategy
from engine.hands.private_hands import private_hands
from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, RAISE, Action, raise_to


class FoldPolicy:
    """Folds to every bet, checks when that is free: how the published always-fold bot plays."""

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return the one action for all hands; raises as `engine.hands.private_hands`."""
        return _alike(state, (FOLD if state.can_fold else CALL,))


class CallPolicy:
    """Checks and calls."""

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return the one action for all hands; raises as `engine.hands.private_hands`."""
        return _alike(state, (CALL,))


class Uniform:
    """Does each thing that its menu offers equally often, whatever it holds."""

    def __init__(self, menu: BetMenu) -> None:
        self._menu = menu

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return the same share for every action."""
        folds = [FOLD] if state.can_fold else []
        raises = self._menu.raise_tos(state)
        no_limit = state.game.no_limit
        return _alike(state, (*folds, CALL, *(raise_to(r) if no_limit else RAISE for r in raises)))


class TablePolicy:
    """Plays by a table of betting texts; checks and calls where the table is silent."""

    def __init__(self, table: Mapping[str, Mapping[Action, NDArray[np.float32]]]) -> None:
        """Take, for a betting text as in `HandState.betting`, each action's probability (1326,).

        The board plays no role.
        """
        self._table = {
            betting: Strategy(
                tuple(row), np.stack(tuple(row.values()), axis=1).astype(np.float32, copy=False)
            )
            for betting, row in table.items()
        }

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return the row of the betting so far."""
        row = self._table.get(state.betting)
        return _alike(state, (CALL,)) if row is None else row


def _alike(state: HandState, actions: tuple[Action, ...]) -> Strategy:
    hands = private_hands(state.game).count
    share = np.full((hands, len(actions)), 1.0 / len(actions), np.float32)
    return Strategy(actions, share)
