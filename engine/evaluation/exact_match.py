"""What one policy wins from another on given boards, exactly over all hands and all actions.

Only the five board cards are sampled.  The betting is walked with the reach of every combo of both
players, following each action that either takes with any of them.  So neither the cards in the
hands nor the actions add noise.  That is possible where few actions are played: a blueprint has a
handful at each decision, a script one.

    reach   (1326,) float32  probability that a player acts as it did, by combo
    value   chips per hand, over all pairs of combos that share no card with each other or the board
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.policy import Policy, check_actions
from engine.errors import InvalidGame
from engine.evaluation.board_matches import HOLDING_PAIRS
from engine.hands.cards import card_bits, live_combos
from engine.range_solver.terminal import BOARD_CARDS, fold_values, showdown_values
from engine.rules.state import HandState
from protocol.gamedef import GameDef

_ENDS_AT_ONCE: Final = 256


class _HandEnd(NamedTuple):
    """Where a hand ends."""

    reach: tuple[NDArray[np.float32], NDArray[np.float32]]
    stake: float
    """Chips that player 0 wins there; at a showdown, with the better hand."""


class ExactMatch:
    """Two policies at a table."""

    def __init__(self, game: GameDef, hero: Policy, villain: Policy) -> None:
        """Set up both seatings.

        Args:
            game: hold'em for two with 52 cards.
            hero: whose result counts.
            villain: the opponent.

        Raises:
            InvalidGame: the game is another one.
        """
        if game.players != 2 or not game.is_holdem:
            raise InvalidGame("exact matches are for hold'em for two with 52 cards")
        self.game: Final = game
        self._players: Final = (hero, villain)

    def value(self, board: Sequence[int]) -> float:
        """Return what `hero` wins on a board, chips per hand, mean of both seatings.

        Args:
            board: (5,) cards.

        Raises:
            ValueError: the board is none, or a policy gives no strategy.
        """
        if len(board) != BOARD_CARDS:
            raise ValueError(f"want {BOARD_CARDS} board cards, not {len(board)}")
        hero, villain = self._players
        cards = tuple(map(int, board))
        first = _ExactSeating((hero, villain), cards).value(self.game)
        return (first - _ExactSeating((villain, hero), cards).value(self.game)) / 2


class _ExactSeating:
    """One seating on one board."""

    def __init__(self, players: tuple[Policy, Policy], board: tuple[int, ...]) -> None:
        self._players = players
        self._board = board
        self._folds: list[_HandEnd] = []
        self._showdowns: list[_HandEnd] = []
        self._won = 0.0

    def value(self, game: GameDef) -> float:
        """Return what player 0 wins, chips per hand."""
        live = live_combos(card_bits(self._board)).astype(np.float32)
        self._walk(HandState.start(game), (live, live))
        self._settle(self._folds, showdown=False)
        self._settle(self._showdowns, showdown=True)
        return self._won / HOLDING_PAIRS

    def _walk(
        self, state: HandState, reach: tuple[NDArray[np.float32], NDArray[np.float32]]
    ) -> None:
        if state.over:
            self._end(state, reach)
            return
        visible = self._board[: state.game.board_seen(state.street)]
        strategy = self._players[state.actor].strategy(state, visible)
        check_actions(strategy, state)
        for column, action in enumerate(strategy.actions):
            taken = reach[state.actor] * strategy.probabilities[:, column]
            if taken.any():
                both = (taken, reach[1]) if state.actor == 0 else (reach[0], taken)
                self._walk(state.apply(action), both)

    def _end(
        self, state: HandState, reach: tuple[NDArray[np.float32], NDArray[np.float32]]
    ) -> None:
        stake = float(min(state.spent))
        if state.showdown:
            self._showdowns.append(_HandEnd(reach, stake))
            if len(self._showdowns) == _ENDS_AT_ONCE:
                self._settle(self._showdowns, showdown=True)
        else:
            self._folds.append(_HandEnd(reach, -stake if state.folded[0] else stake))
            if len(self._folds) == _ENDS_AT_ONCE:
                self._settle(self._folds, showdown=False)

    def _settle(self, ends: list[_HandEnd], *, showdown: bool) -> None:
        if not ends:
            return
        theirs = np.stack([end.reach[1] for end in ends])
        against = (
            showdown_values(theirs, self._board) if showdown else fold_values(theirs, self._board)
        )
        own_reach = np.stack([end.reach[0] for end in ends])
        won = np.einsum("eh,eh->e", own_reach, against, dtype=np.float64)
        self._won += float(won @ np.array([end.stake for end in ends]))
        ends.clear()
