"""Spots made from a player's view of a hand."""

import numpy as np
import pytest

from agents.compiled.spots import spots_of
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.views import view_of

HUNL = load_builtin("hunl")


def view(betting, position=None, board="", game=HUNL):
    """Return the view of a position, that of whoever acts if none is given."""
    return view_of(betting, "AhKd", board, game, position, hand=7)


def test_the_first_decision():
    """The button has posted 50 of 100 chips."""
    taken, spot = spots_of(view(""))
    assert taken == []
    assert spot._replace(hole=None, board=None) == (
        7, 0, 1, 100, 20_000, 150, 100, 50, 50, 200, 20_000, 0, 0, -1, -1.0, -1.0, None, None,
    )  # fmt: skip
    assert spot.hole.tolist() == list(parse_cards("AhKd"))
    assert spot.board.tolist() == [-1] * 5
    assert spot.hole.dtype == spot.board.dtype == np.int64


def test_a_hand_with_raises_on_two_streets():
    """Limp, raise, call; check, bet, raise: the button is to answer the last."""
    taken, spot = spots_of(view("cr300c/cr600r1800", board="2c7dTs"))
    assert [one.mine for one in taken] == [True, False, True, False, True, False]
    assert [one.raise_to for one in taken] == [0, 300, 0, 0, 600, 1800]
    assert [one.spot.raises for one in taken] == [0, 0, 1, 0, 0, 1]
    assert [one.spot.raises_before for one in taken] == [0, 0, 0, 1, 1, 1]
    # The big blind raised last before the flop.
    assert [one.spot.aggressor for one in taken] == [-1, -1, -1, 1, 0, 1]
    assert [one.spot.button for one in taken] == [1, 0, 1, 0, 1, 0]
    assert (spot.street, spot.raises, spot.raises_before, spot.aggressor) == (1, 2, 1, 0)
    assert (spot.pot, spot.to_match, spot.spent, spot.to_call) == (2400, 1800, 600, 1200)
    assert (spot.low, spot.high) == (3000, 20_000)
    assert spot.board.tolist() == [*parse_cards("2c7dTs"), -1, -1]


def test_earlier_spots_hide_what_nobody_saw_then():
    """Boards of later streets, strength and cards; also the viewer's own, which it completes."""
    taken, _ = spots_of(view("cc/cc/cc/", board="2c7dTs3h9c"))
    assert [int((one.spot.board >= 0).sum()) for one in taken] == [0, 0, 3, 3, 4, 4]
    for one in taken:
        assert one.spot.p == one.spot.percentile == -1
        assert one.spot.hole.tolist() == [-1, -1]


def test_spots_where_little_is_to_be_done():
    """After a raise two streets ago, after an all-in, and where it is not the viewer's turn."""
    _, spot = spots_of(view("r300c/cc/", board="2c7dTs3h"))
    assert (spot.aggressor, spot.raises_before) == (-1, 1)
    _, spot = spots_of(view("r20000"))
    assert (spot.low, spot.high, spot.to_call) == (0, 0, 19_900)
    assert spots_of(view("f", position=0)).spot is None
    assert spots_of(view("c", position=1)).spot is None


def test_limit_raises_say_what_they_came_to():
    """Two raises of ten and one of twenty."""
    taken, spot = spots_of(view("rrc/cc/r", board="2c7dTs3h", game=load_builtin("hulhe")))
    assert [one.raise_to for one in taken] == [20, 30, 0, 0, 0, 50]
    assert (spot.low, spot.high) == (70, 70)


def test_more_than_two_players_are_refused():
    """Their spots would need other fields."""
    with pytest.raises(ValueError, match="two players"):
        spots_of(view("", game=load_builtin("nolimit3")))
