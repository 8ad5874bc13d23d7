"""Which legs a match consists of: a pure function of the bots, the seed and the number of runs.

A leg is one run of the dealer: all hands of one seating.  The legs of one run share their seed, so
the same cards go to the same positions; the seats rotate, so each bot gets, deal by deal, every
position's cards once.  A leg is known by (run, seating), never by a counter, so that what is left
to play after an interruption does not depend on the order in which legs were played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MOST_HANDS: Final = 10**8
"""Of a leg: what is kept of each, some 20 bytes, has to fit into memory."""
MOST_RUNS: Final = 10**5
START_MS: Final = 120_000
"""How long programs on this machine may take to connect; our own ones have compiled by then."""
GUEST_START_MS: Final = 600_000
"""How long somebody outside may take to connect, as in the competitions."""
LONGEST_STEM: Final = 120
"""Characters of all labels together in a file name; file systems end at 255."""


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
    if len(stem) <= LONGEST_STEM:
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
