"""Matches in one process between bots that learn: each is told how every hand ended.

`engine.simulate` plays functions that only act; a bot that learns from folds and showdowns needs
`end_hand` as well, and one of its own for each rotation of the seats, or it would know the cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.rules.dealing import DealStream
from engine.rules.view import PlayerView
from engine.simulate import play_hand

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.bot import Bot
    from protocol.gamedef import GameDef


class Table(NamedTuple):
    """Who plays a match."""

    bots: Sequence[Bot]
    """One per seat."""
    shift: int = 0
    """Seats that the button is ahead of where an ordinary match has it."""


def play_tables(
    game: GameDef, seed: int, hands: int, tables: Sequence[Table]
) -> NDArray[np.float64]:
    """Play matches with the same deals, from `start_match` to the last `end_hand`.

    A deal is played at all tables before the next one comes, so what bots that sit at different
    tables share, such as strengths on a board, is found out once.  Hands, seats and results are as
    in `engine.simulate.play_hands`; seat s is started with the seed seed + s.

    Returns:
        (H, T, P) float64 chips won or lost per hand, table and seat.

    Raises:
        IllegalAction: a bot did what the rules do not allow.
        InvalidGame: there is not one bot per seat.
        ValueError: a bot does not play the game, or there is no table.
    """
    if not tables:
        raise ValueError("no table to play at")
    seats = len(tables[0].bots)
    won = np.empty((hands, len(tables), seats))
    for table in tables:
        for seat, bot in enumerate(table.bots):
            bot.start_match(game, seed + seat)
    for hand, deal in zip(range(hands), DealStream(game, seed), strict=False):
        for number, (bots, shift) in enumerate(tables):
            order = [(position + hand + shift) % seats for position in range(seats)]
            state, values = play_hand(game, deal, [bots[seat].act for seat in order], hand)
            won[hand, number, order] = values
            for position, seat in enumerate(order):
                bots[seat].end_hand(PlayerView.of(state, deal, position, hand))
    return won


def play_match(
    game: GameDef, seed: int, hands: int, bots: Sequence[Bot], *, shift: int = 0
) -> NDArray[np.float64]:
    """Play one match; arguments and errors as for `play_tables`.

    Returns:
        (H, P) float64 chips won or lost per hand and seat.
    """
    return play_tables(game, seed, hands, [Table(bots, shift)])[:, 0]


def rotations(builders: Sequence[Callable[[], Bot]]) -> list[Table]:
    """Return a table for each rotation of the seats, every one with bots newly built."""
    return [Table([build() for build in builders], shift) for shift in range(len(builders))]
