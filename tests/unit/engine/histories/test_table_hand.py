"""Seats and names for players that have none."""

import pytest

from engine.histories.hand import HandFields
from engine.histories.table_hand import Seating, different_names, given_seats


def test_players_keep_their_seats_as_long_as_they_go_round():
    """And sit down anew when others come."""
    seating = Seating()
    seats = [seating.seats(tuple(names)) for names in ("abc", "bca", "cba", "bc")]
    assert seats == [[1, 2, 3], [2, 3, 1], [1, 2, 3], [1, 2]]


@pytest.mark.parametrize(
    ("names", "different"),
    [
        (("a", "b"), ("a", "b")),
        (("a", "a", "a (2)"), ("a", "a (3)", "a (2)")),
        (("", " x ", "x"), ("p1", "x (2)", "x")),
    ],
)
def test_names_become_different(names, different):
    """And are left as they are where they differ."""
    assert different_names(names) == different


@pytest.mark.parametrize(
    ("seats", "players", "given"),
    [
        *(([5, 8, 1], 3, [5, 8, 1]), ([8, 5, 1], 3, None), ([1, 1], 2, None)),
        *(([1, 2], 3, None), ("12", 2, None)),
    ],
)
def test_seats_of_a_file_must_go_round(seats, players, given):
    """Players act in the order in which they sit."""
    assert given_seats(HandFields(seats=seats).seats, players) == given
