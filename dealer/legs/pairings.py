"""Who meets whom in a tournament: a pure function of its style, its bots and the results so far.

Round-robin: everybody meets everybody.  Gauntlet: the first bots, the challengers, meet all others.
In games of more than two, all tables are played that bots can sit at, a challenger at each table of
a gauntlet.  Knockout, for two: losers are out.  Bots are seeded in the order given, so the first
two can meet only in the last pairing; unless the bots are a power of two, the first of them have a
bye.

A pairing is known by its bots, never by a counter.  So what is left to play after an
interruption does not depend on the order in which pairings were played.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from itertools import combinations
from math import comb
from typing import NamedTuple, TypeAlias


class TournamentStyle(Enum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    KNOCKOUT = "knockout"


class Pairing(NamedTuple):
    """Bots that meet at a table."""

    bots: tuple[int, ...]
    """By their numbers in the tournament, ascending."""
    stage: int = 0
    """Of a knockout: how many rounds were before."""


Winner: TypeAlias = Callable[[Pairing], int | None]
"""Says who won a pairing, None while it is not over."""


def pairings(
    style: TournamentStyle | None,
    bots: int,
    winner: Winner,
    challengers: int = 1,
    players: int = 2,
) -> list[Pairing]:
    """Return all pairings that are known to come, in playing order.

    Args:
        winner: returns a pairing's winner; later pairings of a knockout depend on it.
        challengers: in a gauntlet, how many of the first bots meet all others.
        players: at a table.

    Raises:
        ValueError: there are too few bots for a table, or no challengers, or too few others.
    """
    if bots < players:
        raise ValueError(f"{bots} bots: want {players} or more")
    if style is TournamentStyle.KNOCKOUT:
        return _knockout(bots, winner)
    if style is TournamentStyle.GAUNTLET:
        most = bots - players + 1
        if not 0 < challengers <= most:
            raise ValueError(f"{challengers} challengers among {bots} bots: want 1 to {most}")
        others = [*combinations(range(challengers, bots), players - 1)]
        return [Pairing((one, *rest)) for one in range(challengers) for rest in others]
    return [Pairing(table) for table in combinations(range(bots), players)]


def pairing_count(
    style: TournamentStyle | None, bots: int, challengers: int = 1, players: int = 2
) -> int:
    """Return how many pairings the whole tournament has."""
    if style is TournamentStyle.KNOCKOUT:
        return bots - 1
    if style is TournamentStyle.GAUNTLET:
        return challengers * comb(bots - challengers, players - 1)
    return comb(bots, players)


def _knockout(bots: int, winner: Winner) -> list[Pairing]:
    size = 1
    while size < bots:
        size *= 2
    entrants: list[int | None] = list(_bracket(size))
    found: list[Pairing] = []
    stage = 0
    while len(entrants) > 1:
        survivors: list[int | None] = []
        for first, second in zip(entrants[::2], entrants[1::2], strict=True):
            if first is None or second is None:
                survivors.append(None)
            elif max(first, second) >= bots:  # nobody there: the other one waits a round
                survivors.append(min(first, second))
            else:
                pairing = Pairing((min(first, second), max(first, second)), stage)
                found.append(pairing)
                survivors.append(winner(pairing))
        entrants = survivors
        stage += 1
    return found


def _bracket(size: int) -> list[int]:
    """Return seeds, 0-based, in the order of the bracket: 0 3 1 2 for four."""
    order = [0]
    while len(order) < size:
        last = 2 * len(order) - 1
        order = [seed for one in order for seed in (one, last - one)]
    return order
