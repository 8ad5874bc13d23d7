"""A player's view of a hand as the plain values that `protocol.decision_json` writes."""

from __future__ import annotations

from operator import sub
from typing import TYPE_CHECKING

from engine.showdown.hand_values import hand_values
from protocol.decision_json import AskedDecision, BettingStep, FinishedHand

if TYPE_CHECKING:
    from engine.rules.state import PastAction
    from engine.rules.view import PlayerView


def decision_told(view: PlayerView) -> AskedDecision:
    """Return what the player of a view is asked; it is to act."""
    state = view.state
    return AskedDecision(
        hand_id=view.hand_id,
        position=view.position,
        hole=view.hole,
        board=view.board,
        street=state.street,
        betting=_betting(view.history),
        pot=state.pot,
        to_call=state.to_call,
        stacks=tuple(map(sub, view.game.stacks, state.spent)),
        can_fold=view.can_fold,
        raises=(view.min_raise_to, view.max_raise_to) if view.can_raise else None,
        no_limit=view.game.no_limit,
    )


def finished_hand_told(view: PlayerView) -> FinishedHand:
    """Return how a hand ended; it is over."""
    won = hand_values(view.state, view.shown, view.board)
    return FinishedHand(
        view.hand_id, view.position, won, view.shown, view.board, _betting(view.history)
    )


def _betting(history: tuple[PastAction, ...]) -> tuple[BettingStep, ...]:
    return tuple([_step(past) for past in history])


def _step(past: PastAction) -> BettingStep:
    kind = past.action.kind
    if kind == "c":
        word = "call" if past.facts.to_call else "check"
    else:
        word = "fold" if kind == "f" else "raise"
    return BettingStep(past.facts.street, past.facts.actor, word, past.raise_to)
