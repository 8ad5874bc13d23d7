"""What a learner sees of a decision in a limit game: cards and betting as a row of numbers.

P players, S streets, K kinds of cards (ranks where suits cannot matter, else cards), M actions that
a street has at most.  A row has

    P          1 at the position to act
    K          how many of its hole cards are of each kind
    K          the same of the board cards of each street that deals any
    S * M * 3  1 at what was done as each street's action 1, 2, ...: fold, call, raise

The scores of a network are those of ACTIONS: fold, call, raise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from engine.errors import InvalidGame
from engine.small_games.poker_tree import told_by_rank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.rules.state import HandState
    from protocol.gamedef import GameDef

ACTIONS: Final = ("f", "c", "r")
SUITS: Final = 4
_MOST_WIDTH: Final = 4096


class Encoder:
    """Makes the rows of one game.

    Attributes:
        width: F, numbers of a row.
    """

    def __init__(self, game: GameDef) -> None:
        """Lay the row out.

        Raises:
            InvalidGame: it is no limit game, or its raises have no limit that a row could hold.
        """
        if game.no_limit:
            raise InvalidGame("learners play limit games only: a raise is one action to them")
        self.game: Final = game
        by_rank = told_by_rank(game)
        kinds = sorted({card // SUITS if by_rank else card for card in game.deck})
        self._kind: Final = {
            card: kinds.index(card // SUITS if by_rank else card) for card in game.deck
        }
        width = game.players + len(kinds)
        self._board_at: Final[dict[int, int]] = {}
        for street in range(game.streets):
            if game.board_cards[street]:
                self._board_at[street] = width
                width += len(kinds)
        self._betting_at: Final[list[int]] = []
        for raises in game.max_raises[: game.streets]:
            self._betting_at.append(width)
            width += len(ACTIONS) * (game.players + raises * (game.players - 1))
        self.width: Final = width
        if self.width > _MOST_WIDTH:
            raise InvalidGame(f"the betting is too long to be learned: {self.width} numbers a row")

    def encode(
        self, state: HandState, hole: Sequence[int], board: Sequence[int]
    ) -> NDArray[np.float32]:
        """Return (F,) float32, what the player to act sees.

        Args:
            hole: its hole cards, in any order.
            board: the open cards, in deal order.
        """
        row = np.zeros(self.width, np.float32)
        game = self.game
        row[state.actor] = 1
        for card in hole:
            row[game.players + self._kind[card]] += 1
        for street, start in self._board_at.items():
            if street <= state.street:
                end = game.board_seen(street)
                for card in board[end - game.board_cards[street] : end]:
                    row[start + self._kind[card]] += 1
        counts = [0] * game.streets
        for past in state.history:
            street = past.facts.street
            slot = len(ACTIONS) * counts[street] + ACTIONS.index(past.action.kind)
            row[self._betting_at[street] + slot] = 1
            counts[street] += 1
        return row
