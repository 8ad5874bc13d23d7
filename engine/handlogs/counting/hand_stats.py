"""Statistics of players as poker trackers show them, from counts over logged hands.

    VPIP   hands with a voluntary call or raise on the first street / hands dealt
    PFR    hands with a raise on the first street / hands dealt
    AF     (bets + raises) / calls, on the streets after the first
    AFq    (bets + raises) / (bets + raises + calls + folds), on the streets after the first
    WTSD   showdowns / hands that saw the second street
    W$SD   showdowns that brought part of a contested pot / showdowns
    won    hands with a positive result / hands

What else trackers tell is in `tracker_stats`, the definitions in docs/tracker.md.
Blinds are not voluntary; a hand in which everybody folds to the big blind is dealt, but leaves him
no decision: VPIP and PFR per decision leave it out.
Chips that nobody could match come back and count as no win.  Where a game has one street only,
AF and AFq are about that street and WTSD is about all hands.  The definitions are those that
trackers agree on (PokerTracker 4's and Hold'em Manager's manuals), stated here because they differ
in details.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from engine.estimates.winrate import WinRate, win_rate_from_sums
from engine.handlogs.counting import hand_counts as c
from engine.handlogs.counting import tally_block as b
from engine.handlogs.counting.tally import DEPTH_NAMES
from engine.handlogs.counting.tracker_stats import TrackerStats, tracker_stats
from engine.rules.positions import position_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.handlogs.counting.opponents import PairLine
    from engine.handlogs.counting.tally import Tally, TallyLine

GROUPS: Final = ("position", "depth", "players", "opponent")
_Numbers: TypeAlias = "tuple[NDArray[np.int64], NDArray[np.float64]]"
_Part: TypeAlias = tuple[str, str]
_ALL: Final = ("", "")


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
    """Over duplicate sets; None where there are none, and for parts of the hands."""
    depth: str = ""
    """Of `engine.handlogs.counting.tally`; this and the next are "" but for rows of such parts."""
    players: str = ""
    """How many sat at the table."""
    opponent: str = ""
    """Who sat there too."""
    tracker: TrackerStats | None = None
    """None where the tallies did not count it."""

    @property
    def part(self) -> str:
        """What part of the player's hands this is about, "" for all."""
        return self.position or self.depth or self.players or self.opponent


def player_stats(
    tallies: Iterable[Tally],
    *,
    by: Sequence[str] = (),
    expectation: bool = True,
    sets: Mapping[str, WinRate] = MappingProxyType({}),
) -> list[PlayerStats]:
    """Return the statistics of all players, most hands first.

    Args:
        tallies: counts of one or several games; a player's add up, results in big blinds.
        by: which of `GROUPS` to return rows of besides, behind each player's own: a row for each
            position, depth or number of players in its order, for each opponent by hands.
        expectation: whether the tallies computed all-in expectations.
        sets: win rates over duplicate sets, of the players that have any.
    """
    numbers_of: dict[str, dict[_Part, _Numbers]] = {}
    for tally in tallies:
        places = position_names(tally.game)
        for line in tally.lines():
            parts = {
                "position": places[line.position],
                "depth": DEPTH_NAMES[line.depth],
                "players": str(len(places)),
            }
            _add(numbers_of, line.player, _ALL, line)
            for group, name in parts.items():
                if group in by:
                    _add(numbers_of, line.player, (group, name), line)
        for pair in tally.pair_lines() if "opponent" in by else ():
            _add(numbers_of, pair.player, ("opponent", pair.opponent), pair)
    ranked = sorted(numbers_of, key=lambda player: (-_hands(numbers_of[player][_ALL]), player))
    return [
        _stats(player, part, numbers_of[player][part], expectation, sets)
        for player in ranked
        for part in sorted(
            numbers_of[player], key=lambda part: _order(part, numbers_of[player][part], by)
        )
    ]


def _order(part: _Part, numbers: _Numbers, by: Sequence[str]) -> tuple[int, int]:
    """Return what sorts the parts of a player; positions stay as they were met."""
    group, name = part
    if not group:
        return -1, 0
    rank = 0
    if group == "depth":
        rank = DEPTH_NAMES.index(name)
    elif group == "players":
        rank = int(name)
    elif group == "opponent":
        rank = -_hands(numbers)
    return by.index(group), rank


def _hands(numbers: _Numbers) -> int:
    return int(numbers[0][c.COUNT_HANDS])


def _add(
    numbers_of: dict[str, dict[_Part, _Numbers]],
    player: str,
    part: _Part,
    line: TallyLine | PairLine,
) -> None:
    parts = numbers_of.setdefault(player, {})
    counts, sums = parts.get(part, (np.zeros_like(line.counts), np.zeros_like(line.sums)))
    parts[part] = (counts + line.counts, sums + line.sums)


def _stats(
    player: str,
    part: _Part,
    numbers: _Numbers,
    expectation: bool,
    sets: Mapping[str, WinRate],
) -> PlayerStats:
    counts, sums = numbers
    count = counts.tolist()
    group, name = part
    raises, calls, folds = count[c.COUNT_RAISES], count[c.COUNT_CALLS], count[c.COUNT_FOLDS]
    hands = count[c.COUNT_HANDS]
    raw = win_rate_from_sums(hands, float(sums[b.SUM_RAW]), float(sums[b.SUM_RAW_SQUARES]), 1)
    expected = win_rate_from_sums(
        hands, float(sums[b.SUM_EXPECTED]), float(sums[b.SUM_EXPECTED_SQUARES]), 1
    )
    return PlayerStats(
        player=player,
        position=name if group == "position" else "",
        depth=name if group == "depth" else "",
        players=name if group == "players" else "",
        opponent=name if group == "opponent" else "",
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
        sets=None if group else sets.get(player),
        tracker=tracker_stats(counts, sums) if len(counts) == c.COUNTS else None,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
