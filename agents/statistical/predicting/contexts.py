"""A decision as everybody at the table sees it, in numbers: what a predictor of actions goes by.

`HandReader` follows the betting of a hand and gives the context of each decision, (F,) float32 in
the order of `FEATURES`, every number within 0..1.  Nothing but the betting, the board and the
player's earlier actions goes in, so that a bot at the table gets the same numbers as training.

Most inputs are those of the networks of Davidson, "Using artificial neural networks to model
opponents in Texas hold'em", 1999, and Billings, Davidson, Schaeffer, Szafron, "The challenge of
poker", Artificial Intelligence 134, 2002: pot odds, shares of bets, bets to call, street, what the
player did last, players left and yet to act, flush possible, ace and king, share of high cards.
They were made for limit games; here sizes of bets and stacks, legal actions, more of the board, who
raised on the street before, and the player's counters (`Habits`) come on top.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.statistical.counting.habits import CALL, FOLD, RAISE, STREETS, Habits, cell_of
from engine.rules.state import HandState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from protocol.actions import Action
    from protocol.gamedef import GameDef

FEATURES: Final = (
    "flop",
    "turn",
    "river",
    "no raise",
    "one raise",
    "more raises",
    "pot odds",  # to call / (pot + to call)
    "bet",  # to call / (pot - to call), at most 2, halved: the size of a first bet
    "stack",  # s / (1 + s), s the smaller stack behind / pot
    "pot",  # log2(pot / big blind) / 10, at most 1
    "own share",  # chips put in / pot
    "bets",  # raises / (raises + calls) in the hand so far, by all; 0.5 at first
    "committed",  # put in chips on this street, by an action
    "faced bet",  # there was something to call at the player's last decision
    "raised last",  # the player's last action was a raise
    "checked to",  # somebody has acted on this street, and nobody raised
    "last to act",  # of those left, on the streets after the first
    "led street before",  # was the last to raise on the street before
    "other led street before",
    "players",  # left in the hand, / 10
    "to act",  # others to act before the street can end, / 10
    "may fold",
    "may raise",
    "no-limit",
    "flush possible",  # three or more of a suit
    "two of a suit",  # at most, with cards to come
    "paired",
    "straight possible",  # three ranks within five
    "ace",
    "king",
    "high cards",  # share of aces, kings and queens
    "folds here",  # the player's shares so far in this cell, see `Habits`
    "calls here",
    "raises here",
    "known here",
    "folds",  # in all cells
    "raises",
)
FEATURE_COUNT: Final = len(FEATURES)
NO_RAISE: Final = FEATURES.index("no raise")
MAY_FOLD: Final = FEATURES.index("may fold")
MAY_RAISE: Final = FEATURES.index("may raise")
FOLDS_HERE: Final = FEATURES.index("folds here")
KNOWN_HERE: Final = FEATURES.index("known here")

KIND_CODES: Final = {"f": FOLD, "c": CALL, "r": RAISE}
"""Kind of an action on the wire -> `FOLD`, `CALL`, `RAISE`."""

_NOBODY: Final = -1
_MOST_PLAYERS: Final = 10
_ACE: Final = 12
_KING: Final = 11
_QUEEN: Final = 10
_NO_BOARD: Final = (0.0,) * 7


class HandReader:
    """Follows the betting of one hand of hold'em, for any number of players.

    Attributes:
        state: the betting up to now.
    """

    __slots__ = (
        "_calls",
        "_committed",
        "_faced",
        "_last",
        "_leader",
        "_raiser",
        "_raises",
        "state",
    )

    def __init__(self, game: GameDef) -> None:
        """Begin a hand.

        Raises:
            ValueError: the game is no hold'em.
        """
        if not game.is_holdem:
            raise ValueError("contexts are those of hold'em")
        players = game.players
        self.state = HandState.start(game)
        self._last = [_NOBODY] * players
        self._faced = [False] * players
        self._committed = [False] * players
        self._leader = self._raiser = _NOBODY
        self._raises = self._calls = 0

    @classmethod
    def at(cls, state: HandState) -> HandReader:
        """Return a reader that has followed a hand up to a state."""
        from protocol.betting import parse_betting

        reader = cls(state.game)
        for street in parse_betting(state.betting):
            for action in street:
                reader.take(action)
        return reader

    @property
    def cell(self) -> int:
        """The cell of the counters that the decision now to be made belongs to."""
        return cell_of(self.state.street, self.state.raises)

    def take(self, action: Action) -> None:
        """Follow the action of whoever is to act.

        Raises:
            IllegalAction: the rules do not allow it.
        """
        before = self.state
        after = before.apply(action)
        actor = before.actor
        code = KIND_CODES[action.kind]
        faced = before.spent[actor] < before.to_match
        self._last[actor] = code
        self._faced[actor] = faced
        if code == RAISE:
            self._raises += 1
            self._raiser = actor
        elif code == CALL and faced:
            self._calls += 1
        self._committed[actor] |= after.spent[actor] > before.spent[actor]
        if after.street != before.street:
            self._leader, self._raiser = self._raiser, _NOBODY
            self._committed = [False] * len(self._committed)
        self.state = after

    def context(self, board: Sequence[int], habits: Habits) -> NDArray[np.float32]:
        """Return (F,) float32, the context of the decision now to be made.

        Args:
            board: at least the cards of the streets reached; more are not looked at.
            habits: the counters of whoever is to act.

        Raises:
            ValueError: the hand is over, or the board has too few cards.
        """
        state = self.state
        if state.over:
            raise ValueError("the hand is over: nobody decides")
        seen = state.game.board_seen(state.street)
        if len(board) < seen:
            raise ValueError(f"{len(board)} board cards on street {state.street}")
        numbers = (
            *(float(state.street == street) for street in range(1, STREETS)),
            *self._money(),
            *self._story(),
            *texture(tuple(map(int, board[:seen]))),
            *self._shares(habits),
        )
        return np.array(numbers, np.float32)

    def _money(self) -> tuple[float, ...]:
        """Return the features from "no raise" to "own share"."""
        state = self.state
        actor = state.actor
        pot, to_call = state.pot, state.to_call
        behind = [
            stack - spent
            for stack, spent, folded in zip(
                state.game.stacks, state.spent, state.folded, strict=True
            )
            if not folded
        ]
        own = state.game.stacks[actor] - state.spent[actor]
        behind.remove(own)
        stack = min(own, max(behind, default=0)) / max(pot, 1)
        earlier = max(pot - to_call, 1)
        return (
            float(state.raises == 0),
            float(state.raises == 1),
            float(state.raises > 1),
            to_call / max(pot + to_call, 1),
            min(to_call / earlier, 2.0) / 2,
            stack / (1 + stack),
            min(math.log2(max(pot / state.game.big_blind, 1)) / 10, 1.0),
            state.spent[actor] / max(pot, 1),
        )

    def _story(self) -> tuple[float, ...]:
        """Return the features from "bets" to "no-limit"."""
        state = self.state
        actor = state.actor
        moves = self._raises + self._calls
        left = [position for position, folded in enumerate(state.folded) if not folded]
        able = sum(state.spent[position] < state.game.stacks[position] for position in left)
        return (
            self._raises / moves if moves else 0.5,
            float(self._committed[actor]),
            float(self._faced[actor]),
            float(self._last[actor] == RAISE),
            float(state.actions > 0 and state.raises == 0),
            float(actor == self._last_to_act(left)),
            float(self._leader == actor),
            float(self._leader not in (actor, _NOBODY)),
            len(left) / _MOST_PLAYERS,
            max(able - state.settled - 1, 0) / _MOST_PLAYERS,
            float(state.can_fold),
            float(state.can_raise),
            float(state.game.no_limit),
        )

    def _last_to_act(self, left: list[int]) -> int:
        """Return who of those left acts last on the streets after the first."""
        first = self.state.game.first_positions[-1]
        players = self.state.game.players
        return max(left, key=lambda position: (position - first) % players)

    def _shares(self, habits: Habits) -> tuple[float, ...]:
        """Return the features from "folds here" on; they are the fields of `Shares`."""
        return tuple(habits.shares(self.cell))


@lru_cache(maxsize=4096)
def texture(board: tuple[int, ...]) -> tuple[float, ...]:
    """Return the features from "flush possible" to "high cards"; zeros without a board."""
    if not board:
        return _NO_BOARD
    ranks = [card >> 2 for card in board]
    most = max(sum(card & 3 == suit for card in board) for suit in range(4))
    low_ace = {-1} if _ACE in ranks else set()
    held = {*ranks, *low_ace}
    straight = any(sum(low <= rank < low + 5 for rank in held) >= 3 for low in range(-1, 9))
    high = sum(rank >= _QUEEN for rank in ranks)
    return (
        float(most >= 3),
        float(most == 2 and len(board) < 5),
        float(len(set(ranks)) < len(ranks)),
        float(straight),
        float(_ACE in ranks),
        float(_KING in ranks),
        high / len(ranks),
    )
