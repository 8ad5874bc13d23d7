"""Places as ranges: which bots are surely above a bot, and which surely not, given the noise.

    above    (N, N) float64  share of draws of the noise in which the row's bot is above the
                             column's
    places   best = 1 + bots surely above; worst = 1 + bots of which that is possible

Each range takes two tests of every other bot, adjusted for all of them (Holm).  So it misses the
true place of a bot with about the probability of the level at most.  Quantiles of the place over
the draws would be narrower, and miss it far more often where bots are nearly equal: that of the
last of ten near equals in 4 of 10 tournaments (tests/studies/places.py).
Source: Mogstad, Romano, Shaikh, Wilhelm, "Inference for ranks with applications to mobility across
neighbourhoods and academic achievement across countries", Rev. Econ. Stud. 91, 2024.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.estimates.significance import SIGNIFICANCE_LEVEL, holm

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

_DRAWS_AT_ONCE: Final = 200


class PlaceRanges(NamedTuple):
    """Of N bots; 1 is best, and equals share a place."""

    best: NDArray[np.int64]
    """(N,) the best place that each may have."""
    worst: NDArray[np.int64]
    """(N,) the worst."""

    def text(self, bot: int) -> str:
        """Return the range of one bot in words."""
        return range_text((int(self.best[bot]), int(self.worst[bot])))


def range_text(places: tuple[int, int]) -> str:
    """Return a best and a worst place in words."""
    best, worst = places
    return str(best) if best == worst else f"{best}-{worst}"


def place_ranges(above: NDArray[np.float64], level: float = SIGNIFICANCE_LEVEL) -> PlaceRanges:
    """Return the ranges of places.

    Args:
        above: see the head of this file; nan where nothing is known.
        level: how often the range of a bot may miss its place.
    """
    bots = len(above)
    best, worst = np.ones(bots, np.int64), np.ones(bots, np.int64)
    for bot in range(bots):
        shares = np.delete(above[:, bot], bot)
        is_known = ~np.isnan(shares)
        tails = 2 * np.minimum(shares, 1 - shares)
        adjusted = holm(
            [float(p) if here else None for p, here in zip(tails, is_known, strict=True)]
        )
        sure = np.array([p is not None and p < level for p in adjusted], np.bool_)
        best[bot] += int((sure & (shares > 0.5)).sum())
        worst[bot] += int((~sure | (shares > 0.5)).sum())
    return PlaceRanges(best, worst)


def draws_above(scores: NDArray[np.float64], least: float = 0.0) -> NDArray[np.float64]:
    """Return (N, N) the share of draws in which the row's bot is above the column's.

    Args:
        scores: (R, N) of each bot in each draw, the more the better.
        least: difference that counts.
    """
    count = np.zeros((scores.shape[1],) * 2)
    for first in range(0, len(scores), _DRAWS_AT_ONCE):
        some = scores[first : first + _DRAWS_AT_ONCE]
        count += (some[:, :, None] > some[:, None, :] + least).sum(axis=0)
    return count / len(scores)


def cycles(wins: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return for each of some wins the shortest cycle through it, each cycle once.

    Args:
        wins: (winner, loser).
    """
    beats: dict[int, list[int]] = {}
    for winner, loser in wins:
        beats.setdefault(winner, []).append(loser)
    unique_cycles: dict[tuple[int, ...], None] = {}
    for winner, losers in beats.items():
        for loser in losers:
            path = _shortest(beats, loser, winner)
            if path:
                first = path.index(min(path))
                unique_cycles[(*path[first:], *path[:first])] = None
    return [*unique_cycles]


def surest_cycles(wins: Mapping[tuple[int, int], float]) -> list[tuple[int, ...]]:
    """Return the cycles of some wins, short ones first, then by the least win in each.

    Args:
        wins: (winner, loser) -> what was won.
    """

    def least(cycle: tuple[int, ...]) -> float:
        return min(wins[pair] for pair in zip(cycle, (*cycle[1:], cycle[0]), strict=True))

    return sorted(cycles(wins), key=lambda cycle: (len(cycle), -least(cycle)))


def _shortest(beats: dict[int, list[int]], start: int, end: int) -> list[int]:
    """Return a shortest way from one bot to another by wins, both included; [] without any."""
    came_from = {start: start}
    queue = deque([start])
    while queue and end not in came_from:
        at = queue.popleft()
        for there in beats.get(at, ()):
            if there not in came_from:
                came_from[there] = at
                queue.append(there)
    if end not in came_from:
        return []
    path = [end]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    return path[::-1]
