"""Statistics of players as poker trackers show them, from counts over logged hands.

    VPIP   hands with a voluntary call or raise on the first street / hands dealt
    PFR    hands with a raise on the first street / hands dealt
    AF     (bets + raises) / calls, on the streets after the first
    AFq    (bets + raises) / (bets + raises + calls + folds), on the streets after the first
    WTSD   showdowns / hands that saw the second street
    W$SD   showdowns that brought part of a contested pot / showdowns
    won    hands with a positive result / hands

Blinds are not voluntary; a hand in which everybody folds to the big blind is dealt, but leaves him
no decision: VPIP and PFR per decision leave it out.
Chips that nobody could match come back and count as no win.  Where a game has one street only,
AF and AFq are about that street and WTSD is about all hands.  The definitions are those that
trackers agree on (PokerTracker 4's and Hold'em Manager's manuals), stated here because they differ
in details.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from engine.estimates.winrate import WinRate, win_rate_from_sums
from engine.handlogs import hand_counts as c
from engine.handlogs import tally_block as b
from engine.handlogs.positions import position_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.handlogs.tally import Tally

_Numbers: TypeAlias = "tuple[NDArray[np.int64], NDArray[np.float64]]"


@dataclass(frozen=True, slots=True)
class PlayerCounts:
    """The whole numbers behind the shares of a player."""

    decisions: int
    """Hands with a decision on the first street."""
    vpip: int
    pfr: int
    raises: int
    """Bets and raises on the streets of AF, as the next two."""
    calls: int
    folds: int
    second_streets: int
    """Hands that saw the second street."""
    showdowns: int
    showdowns_won: int
    won: int


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """What one player did; shares are 0..1 and None where there was no occasion."""

    player: str
    position: str
    """Name of the position, "" for all positions together."""
    hands: int
    raw: WinRate
    expected: WinRate | None
    """All-in hands at their expectation; None where that was not computed."""
    vpip: float | None
    """Per hand dealt, as trackers count."""
    pfr: float | None
    """Per hand dealt."""
    vpip_per_decision: float | None
    """Per hand with a decision on the first street."""
    pfr_per_decision: float | None
    aggression_factor: float | None
    aggression_frequency: float | None
    went_to_showdown: float | None
    won_at_showdown: float | None
    won: float | None
    counts: PlayerCounts
    sets: WinRate | None = None
    """Over duplicate sets; None where there are none, and for single positions."""


def player_stats(
    tallies: Iterable[Tally],
    *,
    by_position: bool = False,
    expectation: bool = True,
    sets: Mapping[str, WinRate] = MappingProxyType({}),
) -> list[PlayerStats]:
    """Return the statistics of all players, most hands first.

    Args:
        tallies: counts of one or several games; a player's add up, results in big blinds.
        by_position: whether to return a row per player and position besides, behind each player's
            own, in the order of positions.
        expectation: whether the tallies computed all-in expectations.
        sets: win rates over duplicate sets, of the players that have any.
    """
    found: dict[str, dict[str, _Numbers]] = {}
    for tally in tallies:
        places = position_names(tally.game)
        for line in tally.lines():
            own = found.setdefault(line.player, {})
            for place in ("", places[line.position]) if by_position else ("",):
                counts, sums = own.get(place, (np.zeros(c.BASIC, np.int64), np.zeros(b.SUMS)))
                own[place] = (counts + line.counts, sums + line.sums)
    ranked = sorted(found, key=lambda player: (-int(found[player][""][0][c.COUNT_HANDS]), player))
    return [
        replace(
            _stats(player, place, counts, sums, expectation),
            sets=None if place else sets.get(player),
        )
        for player in ranked
        for place, (counts, sums) in found[player].items()
    ]


def _stats(
    player: str,
    position: str,
    counts: NDArray[np.int64],
    sums: NDArray[np.float64],
    expectation: bool,
) -> PlayerStats:
    count = counts.tolist()
    raises, calls, folds = count[c.COUNT_RAISES], count[c.COUNT_CALLS], count[c.COUNT_FOLDS]
    hands = count[c.COUNT_HANDS]
    raw = win_rate_from_sums(hands, float(sums[b.SUM_RAW]), float(sums[b.SUM_RAW_SQUARES]), 1)
    expected = win_rate_from_sums(
        hands, float(sums[b.SUM_EXPECTED]), float(sums[b.SUM_EXPECTED_SQUARES]), 1
    )
    return PlayerStats(
        player=player,
        position=position,
        hands=hands,
        raw=raw,
        expected=expected if expectation else None,
        vpip=_share(count[c.COUNT_VOLUNTARY], hands),
        pfr=_share(count[c.COUNT_FIRST_RAISES], hands),
        vpip_per_decision=_share(count[c.COUNT_VOLUNTARY], count[c.COUNT_FIRST_DECISIONS]),
        pfr_per_decision=_share(count[c.COUNT_FIRST_RAISES], count[c.COUNT_FIRST_DECISIONS]),
        aggression_factor=_share(raises, calls),
        aggression_frequency=_share(raises, raises + calls + folds),
        went_to_showdown=_share(count[c.COUNT_SHOWDOWNS], count[c.COUNT_SECOND_STREET]),
        won_at_showdown=_share(count[c.COUNT_SHOWDOWNS_WON], count[c.COUNT_SHOWDOWNS]),
        won=_share(count[c.COUNT_WON], hands),
        counts=PlayerCounts(
            decisions=count[c.COUNT_FIRST_DECISIONS],
            vpip=count[c.COUNT_VOLUNTARY],
            pfr=count[c.COUNT_FIRST_RAISES],
            raises=raises,
            calls=calls,
            folds=folds,
            second_streets=count[c.COUNT_SECOND_STREET],
            showdowns=count[c.COUNT_SHOWDOWNS],
            showdowns_won=count[c.COUNT_SHOWDOWNS_WON],
            won=count[c.COUNT_WON],
        ),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
