"""Spots from a player's view of a hand: what `engine.play` tells a compiled policy, at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.play.spot import NOBODY, UNSEEN, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules.state import DecisionFacts, HandState
    from engine.rules.view import PlayerView
    from protocol.actions import Action

_BOARD = 5


class Taken(NamedTuple):
    """An action that was taken."""

    spot: Spot
    """As everybody saw it: hole cards and strength are `UNSEEN`."""
    action: Action
    raise_to: int
    """Total over the hand of a raise, in limit games too; else 0."""
    mine: bool


class HandSpots(NamedTuple):
    """A hand as far as it has gone."""

    taken: list[Taken]
    """All actions in order."""
    spot: Spot | None
    """Where the viewer is to act, strength `UNSEEN`; None where it is not its turn."""


def spots_of(view: PlayerView, earlier: Sequence[Taken] = ()) -> HandSpots:
    """Return the actions of a hand of two players and the spot to decide in.

    Args:
        view: of the hand.
        earlier: what an earlier view of the same hand gave.

    Raises:
        ValueError: the game is not for two.
    """
    if view.game.players != 2:
        raise ValueError(f"a spot is one of two players, not of {view.game.players}")
    taken = list(earlier)
    for past in view.history[len(earlier) :]:
        spot = _spot(view, past.state, past.facts)
        mine = past.facts.actor == view.position
        taken.append(Taken(spot, past.action, past.raise_to, mine))
    state = view.state
    if state.actor != view.position:
        return HandSpots(taken, None)
    spot = _spot(view, state, state.facts())
    return HandSpots(taken, spot._replace(hole=np.array(view.hole, np.int64)))


def _spot(view: PlayerView, state: HandState, facts: DecisionFacts) -> Spot:
    game, actor, raiser = state.game, facts.actor, facts.raiser_before
    board = np.full(_BOARD, UNSEEN, np.int64)
    cards = view.board[: game.board_seen(facts.street)]
    board[: len(cards)] = cards
    return Spot(
        hand=view.hand_id,
        street=facts.street,
        button=int(game.blinds[actor] < game.blinds[1 - actor]),
        big_blind=max(game.blinds),
        stack=game.stacks[actor],
        pot=facts.pot,
        to_match=state.to_match,
        spent=state.spent[actor],
        to_call=facts.to_call,
        low=facts.low,
        high=facts.high,
        raises=state.raises,
        raises_before=facts.raises_before,
        aggressor=NOBODY if raiser == NOBODY else int(raiser == actor),
        p=float(UNSEEN),
        percentile=float(UNSEEN),
        hole=np.full(2, UNSEEN, np.int64),
        board=board,
    )
