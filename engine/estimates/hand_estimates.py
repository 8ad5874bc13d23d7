"""Every estimator of everybody's win rate, from hands read one by one.

Values of N hands of P positions come as a table, name -> (N, P) chips by position, nan where an
estimator says nothing of a hand: "raw" and "allin" from the logs, and whatever else was computed
for the same hands in the same order.  Each is estimated hand by hand and, where deals were played
in every seating, over duplicate sets; or over sessions, for players who change while they play.

A player's total over several groups counts each deal once, however many of them played it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.estimates.agreement import EstimatorPair, adjusted, comparisons
from engine.estimates.duplicate_deals import DuplicateSets, find_sets
from engine.estimates.estimators import (
    DUPLICATE_SET,
    SESSION,
    Estimate,
    HandValues,
    SampleUnits,
    estimates,
    with_sets,
)
from engine.estimates.hand_results import HandResults, Lineups, lineups

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SHARED_DEALS_SHARE: Final = 0.05
"""Sessions with more deals in common are one sample: of 3000 hands of hold'em with the same numbers
two matches have 1 in 500 alike by chance."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What one player won of some others."""

    player: str
    against: tuple[str, ...]
    """The others at the table, () for everybody the player met."""
    hands: int
    estimates: tuple[Estimate, ...]
    """Raw first; estimators without any sample are left out."""

    def estimate(self, name: str) -> Estimate | None:
        """Return what an estimator says, None where it does not apply."""
        return next((estimate for estimate in self.estimates if estimate.name == name), None)


@dataclass(frozen=True, slots=True)
class Ratings:
    """The hands of one game."""

    hands: int
    totals: tuple[Rating, ...]
    """Each player over all hands, most hands first."""
    groups: tuple[Rating, ...]
    """Each group of players that met: between two from the view of the one with more hands, else
    one rating for each of them."""
    comparisons: tuple[EstimatorPair, ...]
    """Estimators compared on the same hands, see `engine.estimates.agreement`."""
    sets: int
    """Deals that the same players played in every seating."""
    repeated: int
    """Hands with the cards, players and seats of another one."""
    sessions: int
    alone: int
    """Hands in which a player sat in two seats; they are in no rating."""


def rate_hands(
    results: HandResults,
    names: Sequence[str],
    big_blind: int,
    values: Mapping[str, NDArray[np.float64]],
    *,
    by_session: bool = False,
    bounds: tuple[float, float] | None = None,
) -> Ratings:
    """Return what every estimator says of every player.

    Args:
        results: N hands of one game.
        values: the table, see above; "raw" must be in it.
        by_session: take sessions for samples.
        bounds: the most chips that a hand can cost and bring a player; None: not known.
    """
    if not len(results):
        return Ratings(0, (), (), (), 0, 0, 0, 0)
    played = lineups(results.players)
    sets = find_sets(results, played)
    table = _RatedHands(
        played,
        sets,
        _sessions(results.session, sets.deal) if by_session else None,
        {name: played.by_player(chips) for name, chips in values.items()},
        big_blind,
        bounds,
    )
    hands_of = np.bincount(played.groups[played.group].ravel(), minlength=len(names))
    rank_of = {name: (-int(hands), name) for name, hands in zip(names, hands_of, strict=True)}
    order = np.argsort(played.group, kind="stable")
    ends = np.cumsum(np.bincount(played.group, minlength=len(played.groups)))
    seats: dict[str, list[tuple[NDArray[np.int64], int]]] = {}
    groups = []
    compared = []
    alone = 0
    for number, rows in enumerate(np.split(order, ends[:-1])):
        members = [names[player] for player in played.groups[number].tolist()]
        if len(set(members)) < len(members):
            alone += len(rows)  # somebody against himself wins nothing and loses nothing
            continue
        for rank, name in enumerate(members):
            seats.setdefault(name, []).append((rows, rank))
        for name in sorted(members, key=rank_of.__getitem__)[: 1 if len(members) == 2 else None]:
            rank = members.index(name)
            others = tuple(sorted({*members} - {name}, key=rank_of.__getitem__))
            groups.append(table.rating(name, others, [(rows, rank)]))
            compared += table.compared(name, others, [(rows, rank)])
    totals = [
        table.rating(name, (), seats[name]) for name in sorted(seats, key=rank_of.__getitem__)
    ]
    for name, player_seats in seats.items():
        if len(player_seats) > 1:
            compared += table.compared(name, (), player_seats)
    return Ratings(
        len(results),
        tuple(totals),
        tuple(
            sorted(
                groups, key=lambda rating: (-rating.hands, rank_of[rating.player], rating.against)
            )
        ),
        tuple(adjusted(compared)),
        sets.count,
        sets.repeated,
        int(results.session.max()) + 1,
        alone,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _RatedHands:
    """All hands of one game, and what each was worth to whom."""

    played: Lineups
    sets: DuplicateSets
    sessions: NDArray[np.int64] | None
    """(N,) independent sessions, where those are the samples."""
    values: dict[str, NDArray[np.float64]]
    """Estimator: (N, P) chips by the rank of a player in the group."""
    big_blind: int
    bounds: tuple[float, float] | None

    def rating(
        self, player: str, against: tuple[str, ...], seats: Sequence[tuple[NDArray[np.int64], int]]
    ) -> Rating:
        """Return what a player won in some hands, given as rows and his rank in their group."""
        rows = np.concatenate([rows for rows, _ in seats])
        table = self._hand_values(seats)
        if self.sessions is not None:
            whole = np.ones(len(rows))
            units = SampleUnits(SESSION, self.sessions[rows], whole, whole=False)
            table = [replace(values, units=units) for values in table]
        elif self.sets.count:
            in_sets = self.sets.set[rows] >= 0
            deal = np.where(in_sets, self.sets.deal[rows], -1)
            weight = self.sets.weight[rows]
            table = with_sets(table, SampleUnits(DUPLICATE_SET, deal, weight, whole=True))
        all_estimates = estimates(table, self.big_blind, self.bounds)
        return Rating(
            player,
            against,
            len(rows),
            tuple(estimate for estimate in all_estimates if estimate.rate.samples),
        )

    def compared(
        self, player: str, against: tuple[str, ...], seats: Sequence[tuple[NDArray[np.int64], int]]
    ) -> list[EstimatorPair]:
        """Return the comparison of each two estimators on the same hands."""
        rows = np.concatenate([rows for rows, _ in seats])
        deal = self.sets.deal[rows] if self.sessions is None else self.sessions[rows]
        shared = self.sessions is not None or len(np.unique(deal)) < len(deal)
        return comparisons(
            self._hand_values(seats),
            self.big_blind,
            player,
            ", ".join(against),
            deal if shared else None,
        )

    def _hand_values(self, seats: Sequence[tuple[NDArray[np.int64], int]]) -> list[HandValues]:
        return [
            HandValues(name, np.concatenate([chips[rows, rank] for rows, rank in seats]))
            for name, chips in self.values.items()
        ]


def _sessions(session: NDArray[np.int32], deal: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (N,) sessions, those that share deals, as in duplicate, being one."""
    count = int(session.max()) + 1
    hands = np.bincount(session, minlength=count)
    order = np.lexsort((session, deal))
    session_of, deal_of = session[order].astype(np.int64), deal[order]
    same = (deal_of[1:] == deal_of[:-1]) & (session_of[1:] != session_of[:-1])
    pairs, shared = np.unique(
        session_of[:-1][same] * count + session_of[1:][same], return_counts=True
    )
    first = list(range(count))

    def root(number: int) -> int:
        while first[number] != number:
            number = first[number] = first[first[number]]
        return number

    for pair, times in zip(pairs.tolist(), shared.tolist(), strict=True):
        left_root, right_root = root(pair // count), root(pair % count)
        if times >= _SHARED_DEALS_SHARE * min(hands[pair // count], hands[pair % count]):
            first[max(left_root, right_root)] = min(left_root, right_root)
    return np.array([root(number) for number in range(count)], np.int64)[session]
