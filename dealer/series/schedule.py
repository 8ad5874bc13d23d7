"""Who meets whom, and in which legs: pure functions of bots, style, seed, runs and results so far.

A leg is one run of the dealer: all hands of one seating.  The legs of one run share their seed, so
the same cards go to the same positions; the seats rotate, so each bot gets, deal by deal, every
position's cards once.  A pairing is known by its bots and a leg by (run, seating), never by a
counter, so that what is left to play after an interruption does not depend on the order in which
legs were played.

Round-robin: everybody meets everybody.  Gauntlet: the first bots, the challengers, meet all others.
In games of more than two, all tables are played that bots can sit at, a challenger at each table of
a gauntlet.  Knockout, for two: losers are out.  Bots are seeded in the order given, so the first
two can meet only in the last pairing; unless the bots are a power of two, the first of them have a
bye.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from math import comb
from typing import Final, NamedTuple, TypeAlias

MOST_LEG_HANDS: Final = 10**8
"""The results of a leg, some 20 bytes a hand, have to fit into memory."""
MOST_RUNS: Final = 10**5
START_LIMIT_MS: Final = 120_000
GUEST_START_LIMIT_MS: Final = 600_000
"""The competitions gave as much to programs from outside."""
MOST_LABEL_CHARACTERS: Final = 120
"""All labels of a leg stand in a file name, which ends at 255 characters."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One run of the dealer."""

    run: int
    """0-based; each run has other cards."""
    seating: int
    """0-based; the legs of a run share their cards."""
    seed: int
    """Random number seed for the dealer."""
    seats: tuple[int, ...]
    """Bot index per seat."""
    name: str
    """Match name for the dealer and stem of the leg's files: A.B.<run>.<seating>."""


def schedule(
    labels: Sequence[str],
    *,
    seed: int,
    runs: int = 1,
    duplicate: bool = True,
    first_seat: int = 0,
) -> tuple[Leg, ...]:
    """Return the legs in playing order: run by run, seating by seating.

    In duplicate each run has as many seatings as players: seat i of seating k is held by bot
    (i + k) mod n.  Otherwise every run has only the one in which bot 0 has seat `first_seat`.
    """
    players = len(labels)
    only = -first_seat % max(players, 1)
    stem = file_stem(labels)
    return tuple(
        Leg(
            run=run,
            seating=seating,
            seed=run_seed(seed, run),
            seats=tuple((seat + seating) % players for seat in range(players)),
            name=f"{stem}.{run}.{seating}",
        )
        for run in range(runs)
        for seating in (range(players) if duplicate else (only,))
    )


def file_stem(labels: Sequence[str]) -> str:
    """Return what the names of a match's files start with."""
    stem = ".".join(labels)
    if len(stem) <= MOST_LABEL_CHARACTERS:
        return stem
    return f"{labels[0]}.and-{len(labels) - 1}-more"


def run_seed(seed: int, run: int) -> int:
    """Return the dealer's seed for one run: the match's own for run 0, then counting up."""
    return (seed + run) % 2**32


def bot_seed(leg: Leg, bot: int) -> int:
    """Return the seed for a bot's own choices in one leg, 0..2**31 - 1.

    Different for every leg and bot, so that two random bots never choose in step; the same again
    when a leg is resumed.
    """
    text = f"{leg.seed}/{leg.run}/{leg.seating}/{bot}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


class TournamentStyle(Enum):
    """Who meets whom; in a match all bots sit at one table."""

    MATCH = "match"
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
    style: TournamentStyle,
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
        tables = [*combinations(range(challengers, bots), players - 1)]
        return [Pairing((bot, *rest)) for bot in range(challengers) for rest in tables]
    return [Pairing(table) for table in combinations(range(bots), players)]


def pairing_count(style: TournamentStyle, bots: int, challengers: int = 1, players: int = 2) -> int:
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
    pairings: list[Pairing] = []
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
                pairings.append(pairing)
                survivors.append(winner(pairing))
        entrants = survivors
        stage += 1
    return pairings


def _bracket(size: int) -> list[int]:
    """Return seeds, 0-based, in the order of the bracket: 0 3 1 2 for four."""
    order = [0]
    while len(order) < size:
        last = 2 * len(order) - 1
        order = [seed for upper in order for seed in (upper, last - upper)]
    return order
