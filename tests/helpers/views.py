"""What players see of hands that are told in a line, as bots and as compiled policies have it."""

import numpy as np

from engine.play.spot import Spot
from engine.rules.view import PlayerView, replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
FIRST = Spot(
    0, 0, 1, 100, 20_000, 150, 100, 50, 50, 200, 20_000, 0, 0, -1, 0.5, 0.5,
    np.array([51, 46]), np.full(5, -1),
)  # fmt: skip
"""The button's first decision in hunl, 50 of 100 chips in."""


def view_of(betting, hole, board="", game=HUNL, viewer=None, hand=0) -> PlayerView:
    """Return the view of a position with some hole cards; of whoever acts if none is given."""
    state = replay_betting(game, betting)
    viewer = state.actor if viewer is None else viewer
    shown = tuple(parse_cards(hole) if seat == viewer else () for seat in range(game.players))
    return PlayerView(state, hand, viewer, shown, parse_cards(board))
