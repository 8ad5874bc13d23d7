"""Hands between players in one process: no sockets, no clocks, the same rules and deals as a match.

A player is a callable from its view of the hand to an action, so a bot takes part as `bot.act`; one
that takes a time budget as well gets all the time there is.  Everything here is as slow and as
clear as `HandState`: about 20 microseconds an action on top of what the players take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import InvalidGame
from engine.play.budget import without_budget
from engine.rules.dealing import DealStream
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from engine.showdown.hand_values import hand_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.rules.dealing import Deal
    from protocol.actions import Action
    from protocol.gamedef import GameDef

Player = Callable[..., "Action"]
"""From a `PlayerView`, or from that and a `TimeBudget`, to an action."""


def play_hand(
    game: GameDef,
    deal: Deal,
    players: Sequence[Callable[[PlayerView], Action]],
    hand_id: int = 0,
    watchers: Sequence[Callable[[PlayerView], None]] = (),
) -> tuple[HandState, tuple[float, ...]]:
    """Play one hand to its end.

    Args:
        players: one per position; `without_budget` makes them of those that take a budget.
        hand_id: number of the hand, for the players' views.
        watchers: one per position, or none; each is shown every state in which another one acts.

    Returns:
        The final state, and the chips won or lost per position.

    Raises:
        IllegalAction: a player did what the rules do not allow.
        InvalidGame: there is not one player per position.
    """
    if len(players) != game.players:
        raise InvalidGame(f"{len(players)} players at a table of {game.players}")
    state = HandState.start(game)
    while not state.over:
        for position, watcher in enumerate(watchers):
            if position != state.actor:
                watcher(PlayerView.of(state, deal, position, hand_id))
        view = PlayerView.of(state, deal, state.actor, hand_id)
        state = state.apply(players[state.actor](view))
    return state, hand_values(state, deal.holes, deal.board)


def play_hands(
    game: GameDef, seed: int, hands: int, players: Sequence[Player], *, shift: int = 0
) -> NDArray[np.float64]:
    """Play a match: hand h deals from `seed`, and the button moves one seat a hand.

    Args:
        seed: of the deals, 0 to 2**32 - 1; the same seed gives the cards of a dealer's match.
        hands: H, how many to play.
        players: P, one per seat.
        shift: seats that the button is ahead of where an ordinary match has it.

    Returns:
        (H, P) float64 chips won or lost per hand and seat.

    Raises:
        IllegalAction: a player did what the rules do not allow.
        InvalidGame: there is not one player per seat.
    """
    seats = len(players)
    won = np.empty((hands, seats))
    acts = [without_budget(player) for player in players]
    for hand, deal in zip(range(hands), DealStream(game, seed), strict=False):
        order = [(position + hand + shift) % seats for position in range(seats)]
        _, values = play_hand(game, deal, [acts[seat] for seat in order], hand)
        won[hand, order] = values
    return won


def play_duplicate(
    game: GameDef, seed: int, hands: int, players: Sequence[Player]
) -> NDArray[np.float64]:
    """Play every deal once from each rotation of the seats, so that all hold the same cards.

    Args and errors as for `play_hands`.

    Returns:
        (H, P, P) float64 chips won or lost per deal, rotation and seat; the mean over the middle
        axis is what a seat won with the luck of the deal shared out.
    """
    rotations = [
        play_hands(game, seed, hands, players, shift=shift) for shift in range(len(players))
    ]
    return np.stack(rotations, axis=1)
