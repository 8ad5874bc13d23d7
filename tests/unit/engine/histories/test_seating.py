"""Seats and names for players that have none."""

from engine.histories.seating import Seating, different_names, given_seats


def test_players_keep_their_seats_as_long_as_they_go_round():
    """And sit down anew when others come."""
    seating = Seating()
    assert seating.seats(("a", "b", "c")) == [1, 2, 3]
    assert seating.seats(("b", "c", "a")) == [2, 3, 1]
    assert seating.seats(("c", "b", "a")) == [1, 2, 3]
    assert seating.seats(("b", "c")) == [1, 2]


def test_names_become_different():
    """And are left as they are where they differ."""
    assert different_names(("a", "b")) == ("a", "b")
    assert different_names(("a", "a", "a (2)")) == ("a", "a (3)", "a (2)")
    assert different_names(("", " x ", "x")) == ("p1", "x (2)", "x")


def test_seats_of_a_file_must_go_round():
    """Players act in the order in which they sit."""
    assert given_seats([5, 8, 1], 3) == [5, 8, 1]
    assert given_seats([8, 5, 1], 3) is None
    assert given_seats([1, 1], 2) is None
    assert given_seats([1, 2], 3) is None
    assert given_seats("12", 2) is None
