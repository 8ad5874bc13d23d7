"""What a learner can be shown of a hand: a vector for every game, or planes for hold'em for two."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from agents.compiled.spots import spots_of
from agents.poker_cnn.encoding_kernels import ROWS_OF_SUITS, encode_planes
from agents.poker_cnn.history_kernels import MOST_ROWS, ROW, note_action
from agents.poker_cnn.planes import PLANES, SIDE
from engine.equity.equity_tables import equity
from engine.play.spot import NOBODY, UNSEEN, Spot
from engine.rules.fast_state import CALL, FOLD, RAISE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.play.environment import Environment
    from engine.rules.view import PlayerView

_KINDS = {"f": FOLD, "c": CALL, "r": RAISE}


class Observation(Enum):
    """How a hand is shown."""

    VECTOR = "vector"
    """Numbers, see `environment_kernels`."""
    PLANES = "planes"
    """16 planes of 17 x 17, see `agents.poker_cnn.planes`."""

    def check(self, table: Environment) -> None:
        """Refuse games that cannot be shown so.

        Raises:
            ValueError: planes are of hold'em for two.
        """
        game = table.game
        if self is Observation.PLANES and not (game.is_holdem and game.players == 2):
            raise ValueError("planes show hold'em for two; other games have the vector only")

    def shape(self, table: Environment) -> tuple[int, ...]:
        """Return the shape of what `show` gives, float32 from 0 to 1."""
        return (table.width,) if self is Observation.VECTOR else (PLANES, SIDE, SIDE)

    def show(self, table: Environment, position: int) -> NDArray[np.float32]:
        """Return what a position sees."""
        if self is Observation.VECTOR:
            return table.observation(position)
        return planes_of(table.view(position))


def planes_of(view: PlayerView) -> NDArray[np.float32]:
    """Return the planes that Poker-CNN sees of a hand, (16, 17, 17) float32.

    Who is not to act has nothing to call.

    Raises:
        ValueError: the game is not hold'em for two.
    """
    history = np.zeros((MOST_ROWS, ROW))
    rows = 0
    for action in spots_of(view).taken:
        who, kind = int(not action.mine), _KINDS[action.action.kind]
        rows = note_action(history, rows, action.spot, who, kind, action.raise_to)
    planes = np.zeros((PLANES, SIDE, SIDE), np.float32)
    encode_planes(_spot(view), history, rows, np.array(ROWS_OF_SUITS, np.int64), planes)
    return planes


def _spot(view: PlayerView) -> Spot:
    """Return the spot of a player who may act or not."""
    state, game, position = view.state, view.game, view.position
    board = np.full(game.board_total, UNSEEN, np.int64)
    board[: len(view.board)] = view.board
    return Spot(
        hand=view.hand_id,
        street=view.street,
        button=int(game.blinds[position] < game.blinds[1 - position]),
        big_blind=game.big_blind,
        stack=game.stacks[position],
        pot=view.pot,
        to_match=state.to_match,
        spent=state.spent[position],
        to_call=view.to_call,
        low=view.min_raise_to,
        high=view.max_raise_to,
        raises=state.raises,
        raises_before=0,
        aggressor=NOBODY,
        p=equity(view.hole, view.board),
        percentile=float(UNSEEN),
        hole=np.array(view.hole, np.int64),
        board=board,
    )
