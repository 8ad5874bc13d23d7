"""A hand in the clauses of the pokerbots competitions, and a bot's reply as an action.  Pure.

Three things differ from ACPC.  Raises count this street's chips there, and the whole hand's here.
Index 0 has the button there, position 1 here.  And when all chips are in before the river, each
player is still asked on each street and can only check there; here the hand is over.

The bounds of raises are the same, since both stacks are: at least by the last raise or the big
blind, at most all-in (`tests/property/test_pokerbots_hands.py`).  One rule of the reference dealer
has no match there: after 62 actions on a street nobody may raise, and a raise is then a call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.showdown.hand_values import hand_values
from protocol.actions import CALL, FOLD, Action, raise_to
from protocol.errors import WrongAnswer
from protocol.pokerbots import BotReply, cards_clause

if TYPE_CHECKING:
    from engine.rules.state import HandState
    from engine.rules.view import PlayerView

_PLAYERS: Final = 2


class HandClauses(NamedTuple):
    """What a bot is sent of a hand, in order."""

    clauses: tuple[str, ...]
    """Without the clock."""
    checks: tuple[int, ...]
    """Where it is asked though all chips are in: how many clauses come before."""


def hand_clauses(view: PlayerView) -> HandClauses:
    """Return all that the player of a view may be sent by now; `view` is of hold'em for two."""
    state, game = view.state, view.game
    clauses = [f"P{_index(view.position)}", cards_clause("H", view.hole)]
    checks: list[int] = []
    for before, action, after in state.steps():
        clauses.append(_action_clause(before, action))
        if after.street > before.street:
            streets = range(before.street + 1, after.street + 1)
            boards = [view.board[: game.board_seen(street)] for street in streets]
            if not after.over:
                clauses.append(cards_clause("B", boards[0]))
                continue
            for board in boards:  # all-in
                clauses.append(cards_clause("B", board))
                for index in (1, 0):
                    if index == _index(view.position):
                        checks.append(len(clauses))
                    clauses.append("K")
    if state.showdown:
        clauses.append(cards_clause("O", view.shown[1 - view.position]))
    if state.over:
        won = hand_values(state, view.shown, view.board)[view.position]
        clauses.append(f"D{int(won)}")
    return HandClauses(tuple(clauses), tuple(checks))


def action_of(reply: BotReply, view: PlayerView) -> Action:
    """Return the action that a reply means; `view` is that of the player to act.

    Raises:
        WrongAnswer: the rules of the competitions do not allow it: a fold or call where a check is
            free, a check where there is something to call, a raise out of bounds.
    """
    kind, amount = reply
    facing = view.to_call > 0
    if kind == "R":
        return _raise(amount, view)
    if facing != (kind != "K"):
        raise WrongAnswer(f"{kind}: there is {'something' if facing else 'nothing'} to call")
    return FOLD if kind == "F" else CALL


def street_chips(state: HandState) -> int:
    """Return how many chips each player had put in before the street that a state is on."""
    if not state.street:
        return 0
    history = state.history
    first = history[len(history) - state.actions].state if state.actions else state
    return first.to_match


def _raise(amount: int, view: PlayerView) -> Action:
    state = view.state
    if state.street_is_full:
        return CALL
    if not view.can_raise:
        raise WrongAnswer(f"R{amount}: no raise is possible")
    before = street_chips(state)
    least, most = view.min_raise_to - before, view.max_raise_to - before
    if not least <= amount <= most:
        raise WrongAnswer(f"R{amount}: a raise is to {least} to {most} chips of this street")
    return raise_to(before + amount)


def _action_clause(before: HandState, action: Action) -> str:
    if action.kind == "r":
        return f"R{action.raise_to - street_chips(before)}"
    if action.kind == "f":
        return "F"
    return "C" if before.to_call else "K"


def _index(position: int) -> int:
    return _PLAYERS - 1 - position
