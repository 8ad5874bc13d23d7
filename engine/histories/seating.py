"""Seats and names at a table, for formats in which every player has a seat of his own.

Logs have neither seats nor names that differ: players get the seats 1, 2, ... in the order of the
first hand and keep them as long as the same players go round, and of two players of one name the
second is called "name (2)".  A reader that gives seats as the writer does knows which ones say
nothing about the hand.
"""

from __future__ import annotations

from collections.abc import Sequence


class Seating:
    """The seats that players without seats get, hand by hand."""

    def __init__(self) -> None:
        """Begin a table that nobody sits at."""
        self._order: tuple[str, ...] = ()

    def seats(self, names: Sequence[str]) -> list[int]:
        """Return a seat for each position of the next hand, whose names differ."""
        order = self._order
        first = order.index(names[0]) if names[0] in order else -1
        if first < 0 or order[first:] + order[:first] != tuple(names):
            self._order = order = tuple(names)
            first = 0
        players = len(names)
        return [(first + position) % players + 1 for position in range(players)]


def different_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, changed where one is empty, ends in spaces or stands twice."""
    if len(set(names)) == len(names) and all(name and name == name.strip() for name in names):
        return tuple(names)
    unique_names: list[str] = []
    for number, name in enumerate(names, 1):
        plain = base = name.strip() or f"p{number}"
        count = 1
        while plain in unique_names or (plain != name and plain in names):
            count += 1
            plain = f"{base} ({count})"
        unique_names.append(plain)
    return tuple(unique_names)


def given_seats(value: object, players: int) -> list[int] | None:
    """Return the seats of a hand's fields if players can sit on them as they act."""
    if not isinstance(value, list) or len(value) != players:
        return None
    if not all(type(seat) is int and 0 < seat < 1000 for seat in value):
        return None
    lowest = value.index(min(value))
    around = value[lowest:] + value[:lowest]
    return value if around == sorted(set(around)) else None
