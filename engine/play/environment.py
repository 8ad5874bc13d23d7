"""Any game as an environment for learners: hands by numbered actions, masks and observations.

`Environment` plays one hand after the other, `EnvironmentRows` many side by side.  The rules are
the compiled ones; `environment_kernels` says what the numbers of actions and observations mean.
Where somebody wants a `PlayerView`, as our bots do, the actions are played again in `HandState`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from engine.play.environment_kernels import (
    CALLS,
    EACH,
    FOLDS,
    NOT_LEGAL,
    PLAYERS_AT,
    SMALLEST,
    TABLE_WIDTH,
    begin_table_hand,
    fill_vector,
    observe_rows,
    step_rows,
    take_action,
)
from engine.rules.dealing import Deal, DealStream
from engine.rules.fast_state import ACTOR, CALL, FOLD, FOLDED, RAISE, SPENT
from engine.rules.packed_game import pack_game
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from engine.showdown.hand_values import hand_values
from protocol import actions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from protocol.actions import Action
    from protocol.gamedef import GameDef

_KINDS: Final = {"f": FOLD, "c": CALL, "r": RAISE}
DEFAULT_RAISE_POTS: Final = (0.5, 1.0)


class Environment:
    """Hands of one game, one after the other; the players are positions."""

    def __init__(self, game: GameDef, pots: Sequence[float] = DEFAULT_RAISE_POTS) -> None:
        """Set the table up; `reset` comes next.

        Args:
            pots: raises to choose from besides the smallest and all-in, in pots; limit games have
                one raise and leave them out.

        Raises:
            ValueError: a raise is of no pot.
        """
        self.game: Final = game
        self._pots: Final = _checked_pots(game, pots)
        self.actions: Final = _action_count(game, pots)
        """How many there are to choose from."""
        self.width: Final = observation_width(game)
        self.hand_id = -1
        self.actor = -1
        """Position to act, -1 when the hand is over."""
        self._packed: Final = pack_game(game)
        self._hand: Final = np.zeros(TABLE_WIDTH, np.int64)
        self._sizes: Final = np.full(self.actions, NOT_LEGAL, np.int64)
        self._holes: Final = np.zeros((game.players, game.hole_cards), np.uint8)
        self._board: Final = np.zeros(game.board_total, np.uint8)
        self._start: Final = HandState.start(game)
        self._state = self._start
        self._taken: list[Action] = []
        self._deal: Deal = next(DealStream(game, 0))

    def reset(self, deal: Deal) -> None:
        """Begin the next hand."""
        self._deal = deal
        self._holes[:] = deal.holes
        self._board[:] = deal.board
        self._taken = []
        self._state = self._start
        self.hand_id += 1
        begin_table_hand(self._packed, self._hand, self._pots, self._sizes)
        self.actor = int(self._hand[ACTOR])

    def follow(self, view: PlayerView) -> None:
        """Set the table to a hand as one player sees it; only its own vector is right then."""
        unseen = (0,) * self.game.hole_cards
        later = (0,) * (self.game.board_total - len(view.board))
        self.reset(Deal(tuple(hole or unseen for hole in view.shown), (*view.board, *later)))
        for _, action in view.history:
            self.take(action)

    def step(self, action: int) -> None:
        """Take a numbered action; one that is not legal is a call.

        Raises:
            ValueError: the hand is over, or no action has this number.
        """
        self.take(self.action(action))

    def action(self, number: int) -> Action:
        """Return what a numbered action does now; a call where it is not legal.

        Raises:
            ValueError: no action has this number.
        """
        if not 0 <= number < self.actions:
            raise ValueError(f"action {number}: want 0 to {self.actions - 1}")
        size = int(self._sizes[number])
        if number == CALLS or size == NOT_LEGAL:
            return actions.CALL
        if number == FOLDS:
            return actions.FOLD
        return actions.raise_to(size) if self.game.no_limit else actions.RAISE

    def take(self, action: Action) -> None:
        """Take an action of any size.

        Raises:
            ValueError: it is not legal, or the hand is over.
        """
        packed, hand = self._packed, self._hand
        kind, chips = _KINDS[action.kind], action.raise_to
        if self.actor < 0 or not take_action(packed, hand, self._pots, self._sizes, kind, chips):
            raise ValueError(f"{action.text}: not legal, or the hand is over")
        self.actor = int(hand[ACTOR])
        self._taken.append(action)

    def legal(self) -> NDArray[np.int8]:
        """Return (A,) int8, 1 for the actions that are legal; all 0 when the hand is over."""
        legal: NDArray[np.bool_] = self._sizes != NOT_LEGAL
        return legal.astype(np.int8)

    def observation(self, position: int) -> NDArray[np.float32]:
        """Return what a position sees, (width,) float32 from 0 to 1: `environment_kernels`."""
        out = np.empty(self.width, np.float32)
        fill_vector(self._packed, self._hand, self._holes, self._board, position, out)
        return out

    def values(self) -> tuple[float, ...]:
        """Return the chips won or lost per position.  Raises ValueError: the hand is not over."""
        return _values(self._start, self._hand, self._deal)

    def view(self, position: int) -> PlayerView:
        """Return what a position may know of the hand, as our bots get it."""
        for action in self._taken[len(self._state.history) :]:
            self._state = self._state.apply(action)
        return PlayerView.of(self._state, self._deal, position, self.hand_id)


class EnvironmentRows:
    """N hands of one game side by side, for learners that choose for many at once."""

    def __init__(
        self, game: GameDef, rows: int, pots: Sequence[float] = DEFAULT_RAISE_POTS
    ) -> None:
        """Set up N tables; `reset` comes next.

        Args:
            rows: N.
            pots: as for `Environment`.

        Raises:
            ValueError: a raise is of no pot, or there is no row.
        """
        if rows < 1:
            raise ValueError(f"{rows} rows: want 1 or more")
        self.game: Final = game
        self.actions: Final = _action_count(game, pots)
        """How many there are to choose from."""
        self.width: Final = observation_width(game)
        self._pots: Final = _checked_pots(game, pots)
        self._packed: Final = pack_game(game)
        self._start: Final = HandState.start(game)
        self._hands: Final = np.zeros((rows, TABLE_WIDTH), np.int64)
        self._hands[:, ACTOR] = -1
        self._sizes: Final = np.full((rows, self.actions), NOT_LEGAL, np.int64)
        self._holes: Final = np.zeros((rows, game.players, game.hole_cards), np.uint8)
        self._boards: Final = np.zeros((rows, game.board_total), np.uint8)

    @property
    def actors(self) -> NDArray[np.int64]:
        """(N,) the position to act of each hand, -1 where it is over."""
        return self._hands[:, ACTOR].copy()

    def reset(self, row: int, deal: Deal) -> None:
        """Begin the next hand of a row."""
        self._holes[row], self._boards[row] = deal.holes, deal.board
        begin_table_hand(self._packed, self._hands[row], self._pots, self._sizes[row])

    def legal(self) -> NDArray[np.bool_]:
        """Return (N, A) which actions are legal; none in hands that are over."""
        legal: NDArray[np.bool_] = self._sizes != NOT_LEGAL
        return legal

    def step(self, actions: NDArray[np.int64]) -> None:
        """Take an action in every hand that is not over; one that is not legal is a call.

        Args:
            actions: (N,) numbers; those of hands that are over are not looked at.

        Raises:
            ValueError: they are not N int64, or no action has such a number.
        """
        rows = len(self._hands)
        if actions.shape != (rows,) or actions.dtype != np.int64:
            raise ValueError(f"actions {actions.dtype} {actions.shape}: want int64 ({rows},)")
        if not ((actions >= 0) & (actions < self.actions)).all():
            raise ValueError(
                f"actions of {actions.min()} to {actions.max()}: want 0 to {self.actions - 1}"
            )
        step_rows(self._packed, self._hands, self._pots, self._sizes, actions)

    def observations(self) -> NDArray[np.float32]:
        """Return (N, width) what whoever acts sees of each hand; 0 where it is over."""
        out = np.zeros((len(self._hands), self.width), np.float32)
        observe_rows(self._packed, self._hands, self._holes, self._boards, out)
        return out

    def values(self, row: int) -> tuple[float, ...]:
        """Return the chips won or lost per position.  Raises ValueError: the hand is not over."""
        holes, board = self._holes[row].tolist(), self._boards[row].tolist()
        return _values(self._start, self._hands[row], Deal(tuple(map(tuple, holes)), tuple(board)))


def observation_width(game: GameDef) -> int:
    """Return how many numbers an observation has."""
    return PLAYERS_AT + EACH * game.players


def _action_count(game: GameDef, pots: Sequence[float]) -> int:
    return SMALLEST + (2 + len(pots) if game.no_limit else 1)


def _checked_pots(game: GameDef, pots: Sequence[float]) -> NDArray[np.float64]:
    if any(not pot > 0 for pot in pots):
        raise ValueError(f"raises of {pots} pots: want positive numbers")
    return np.array(pots if game.no_limit else (), float)


def _values(start: HandState, hand: NDArray[np.int64], deal: Deal) -> tuple[float, ...]:
    """Return the chips won or lost per position.  Raises ValueError: the hand is not over."""
    players = start.game.players
    spent = hand[SPENT : SPENT + players].tolist()
    folded = (hand[FOLDED : FOLDED + players] != 0).tolist()
    end = start._replace(actor=int(hand[ACTOR]), spent=tuple(spent), folded=tuple(folded))
    return hand_values(end, deal.holes, deal.board)
