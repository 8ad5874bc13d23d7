"""A decision as everybody at the table sees it, in numbers: the network's input.

`context_of` gives (F,) float32 in the order of `FEATURES`, every number within 0..1.  Only the
betting, the board and the player's earlier actions go in, so that a bot at the table gets the
same numbers as training.

Most inputs are those of the networks of Davidson, "Using artificial neural networks to model
opponents in Texas hold'em", 1999, and Billings, Davidson, Schaeffer, Szafron, "The challenge of
poker", Artificial Intelligence 134, 2002: pot odds, shares of bets, bets to call, street, what the
player did last, players left and yet to act, flush possible, ace and king, share of high cards.
They were made for limit games.  Added here are sizes of bets and stacks, legal actions, more of the
board, who raised on the street before, and the player's counters (`ActionHabits`).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.statistical.counting.situations import (
    ACTIONS,
    CALL,
    FOLD,
    KIND_CODES,
    RAISE,
    STREETS,
)
from agents.statistical.predicting.trained import check_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.counting.habits import ActionHabits
    from agents.statistical.counting.situations import DecisionPoint
    from engine.rules.state import HandState

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
    "folds here",  # the player's shares so far in this cell, see `ActionHabits`
    "calls here",
    "raises here",
    "known here",
    "folds",  # in all cells
    "raises",
)
FEATURE_COUNT: Final = len(FEATURES)
MAY_FOLD: Final = FEATURES.index("may fold")
MAY_RAISE: Final = FEATURES.index("may raise")

_NOBODY: Final = -1
_MOST_PLAYERS: Final = 10
_ACE: Final = 12
_KING: Final = 11
_QUEEN: Final = 10
_NO_BOARD: Final = (0.0,) * 7


def context_of(situation: DecisionPoint, habits: ActionHabits) -> NDArray[np.float32]:
    """Return (F,) float32, the context of a decision; habits are the actor's in the situation's
    cell.

    Raises:
        ValueError: the hand is over, or the board has too few cards.
    """
    state, board = situation.state, situation.board
    players = [position for position, folded in enumerate(state.folded) if not folded]
    if state.over:
        raise ValueError("the hand is over: nobody decides")
    if len(board) < state.game.board_seen(state.street):
        raise ValueError(f"{len(board)} board cards on street {state.street}")
    numbers = (
        *(float(state.street == street) for street in range(1, STREETS)),
        *_money(state, players),
        *_story(state, players),
        *_table(situation, players),
        *texture(board),
        *habits,
    )
    return np.array(numbers, np.float32)


def legal_in_contexts(contexts: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return (N, 3) bool, which actions (N, F) contexts say are legal; a call always is.

    Raises:
        ValueError: not (N, F) contexts.
    """
    check_contexts(contexts)
    legal = np.ones((len(contexts), ACTIONS), np.bool_)
    legal[:, FOLD] = contexts[:, MAY_FOLD] > 0
    legal[:, RAISE] = contexts[:, MAY_RAISE] > 0
    return legal


def check_contexts(contexts: NDArray[np.float32]) -> None:
    """Raise ValueError unless `contexts` are (N, F) float32."""
    check_array("contexts", contexts, "float32", (len(contexts), FEATURE_COUNT))


def _money(state: HandState, players: list[int]) -> tuple[float, ...]:
    """Return the features from "no raise" to "own share"."""
    actor = state.actor
    pot, to_call = state.pot, state.to_call
    behind = {player: state.game.stacks[player] - state.spent[player] for player in players}
    own_stack = behind.pop(actor)
    stack = min(own_stack, max(behind.values(), default=0)) / max(pot, 1)
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


def _story(state: HandState, players: list[int]) -> tuple[float, ...]:
    """Return the features from "bets" to "other led street before"."""
    actor = state.actor
    raises = calls = 0
    committed = faced = raised_last = False
    leader = raiser = _NOBODY
    for earlier, action, after in state.steps():
        kind, mover = KIND_CODES[action.kind], earlier.actor
        to_call = earlier.spent[mover] < earlier.to_match
        raises += kind == RAISE
        calls += kind == CALL and to_call
        if mover == actor:
            faced, raised_last = to_call, kind == RAISE
            committed |= after.spent[mover] > earlier.spent[mover]
        if kind == RAISE:
            raiser = mover
        if after.street != earlier.street:
            leader, raiser, committed = raiser, _NOBODY, False
    return (
        raises / (raises + calls) if raises + calls else 0.5,
        float(committed),
        float(faced),
        float(raised_last),
        float(state.actions > 0 and state.raises == 0),
        float(actor == _last_to_act(state, players)),
        float(leader == actor),
        float(leader not in (actor, _NOBODY)),
    )


def _table(situation: DecisionPoint, players: list[int]) -> tuple[float, ...]:
    """Return the features from "players" to "no-limit"."""
    state = situation.state
    able = sum(state.spent[position] < state.game.stacks[position] for position in players)
    may_fold, _, may_raise = situation.legal
    return (
        len(players) / _MOST_PLAYERS,
        max(able - state.settled - 1, 0) / _MOST_PLAYERS,
        float(may_fold),
        float(may_raise),
        float(state.game.no_limit),
    )


def _last_to_act(state: HandState, players: list[int]) -> int:
    """Return who of those left acts last on the streets after the first."""
    first = state.game.first_positions[-1]
    return max(players, key=lambda position: (position - first) % state.game.players)


@lru_cache(maxsize=4096)
def texture(board: tuple[int, ...]) -> tuple[float, ...]:
    """Return the features from "flush possible" to "high cards"; zeros without a board."""
    if not board:
        return _NO_BOARD
    ranks = [card >> 2 for card in board]
    most = max(sum(card & 3 == suit for card in board) for suit in range(4))
    low_ace = {-1} if _ACE in ranks else set()
    ranks_and_low_ace = {*ranks, *low_ace}
    straight = any(
        sum(low <= rank < low + 5 for rank in ranks_and_low_ace) >= 3 for low in range(-1, 9)
    )
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
