"""Matches in one process between bots that learn: each is told how every hand ended.

`engine.simulate` plays functions that only act; a bot that learns from folds and showdowns needs
`end_hand` as well, and one of its own for each rotation of the seats, or it would know the cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.rules.dealing import DealStream
from engine.rules.view import PlayerView
from engine.simulate import play_hand

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.bot import Bot
    from protocol.gamedef import GameDef


def play_match(
    game: GameDef, seed: int, hands: int, bots: Sequence[Bot], *, shift: int = 0
) -> NDArray[np.float64]:
    """Play a match as `engine.simulate.play_hands` does, from `start_match` to the last `end_hand`.

    Seat s is started with the seed seed + s.

    Returns:
        (H, P) float64 chips won or lost per hand and seat.

    Raises:
        IllegalAction: a bot did what the rules do not allow.
        InvalidGame: there is not one bot per seat.
        ValueError: a bot does not play the game.
    """
    seats = len(bots)
    won = np.empty((hands, seats))
    for seat, bot in enumerate(bots):
        bot.start_match(game, seed + seat)
    for hand, deal in zip(range(hands), DealStream(game, seed), strict=False):
        order = [(position + hand + shift) % seats for position in range(seats)]
        state, values = play_hand(game, deal, [bots[seat].act for seat in order], hand)
        won[hand, order] = values
        for position, seat in enumerate(order):
            bots[seat].end_hand(PlayerView.of(state, deal, position, hand))
    return won


def play_duplicate_match(
    game: GameDef, seed: int, hands: int, builders: Sequence[Callable[[], Bot]]
) -> NDArray[np.float64]:
    """Play a match from each rotation of the seats, every time with bots newly built.

    Args and errors as for `play_match`, with functions that build the bots.

    Returns:
        (H, P, P) float64 chips won or lost per deal, rotation and seat.
    """
    rotations = [
        play_match(game, seed, hands, [build() for build in builders], shift=shift)
        for shift in range(len(builders))
    ]
    return np.stack(rotations, axis=1)
