"""Spots from a player's view of a hand: what `engine.play` tells a compiled policy, at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.play.spot import NOBODY, UNSEEN, Spot

if TYPE_CHECKING:
    from engine.rules.state import HandState
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


def spots_of(view: PlayerView) -> HandSpots:
    """Return the actions of a hand of two players and the spot to decide in.

    Raises:
        ValueError: the game is not for two.
    """
    if view.game.players != 2:
        raise ValueError(f"a spot is one of two players, not of {view.game.players}")
    taken: list[Taken] = []
    raises_before = 0
    raised_last = raised_before = NOBODY
    for state, action, after in view.state.steps():
        raised = action.kind == "r"
        spot = _spot(view, state, raises_before, raised_before)
        mine = state.actor == view.position
        taken.append(Taken(spot, action, after.to_match * raised, mine))
        raised_last = state.actor if raised else raised_last
        if after.street > state.street:
            raises_before += state.raises + raised
            raised_before, raised_last = raised_last, NOBODY
    state = view.state
    if state.actor != view.position:
        return HandSpots(taken, None)
    spot = _spot(view, state, raises_before, raised_before)
    return HandSpots(taken, spot._replace(hole=np.array(view.hole, np.int64)))


def _spot(view: PlayerView, state: HandState, raises_before: int, raised_before: int) -> Spot:
    game, actor = state.game, state.actor
    low, high = state.raise_range() or (0, 0)
    board = np.full(_BOARD, UNSEEN, np.int64)
    seen = view.board[: game.board_seen(state.street)]
    board[: len(seen)] = seen
    return Spot(
        hand=view.hand_id,
        street=state.street,
        button=int(game.blinds[actor] < game.blinds[1 - actor]),
        big_blind=max(game.blinds),
        stack=game.stacks[actor],
        pot=state.pot,
        to_match=state.to_match,
        spent=state.spent[actor],
        to_call=state.to_call,
        low=low,
        high=high,
        raises=state.raises,
        raises_before=raises_before,
        aggressor=NOBODY if raised_before == NOBODY else int(raised_before == actor),
        p=float(UNSEEN),
        percentile=float(UNSEEN),
        hole=np.full(2, UNSEEN, np.int64),
        board=board,
    )
