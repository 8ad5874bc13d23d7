"""Standings of a tournament: bots, pairings, the crosstable."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from dealer.bots.roster import ExploitabilityBound
from dealer.tournaments.challengers import ChallengerComparison
from engine.estimates.agreement import EstimatorPair
from engine.estimates.estimators import AIVAT, ALLIN, RAW, Estimate, name_in_sets
from engine.estimates.nash_ranking import NashRanking
from engine.estimates.places import cycles
from engine.estimates.ranking_certainty import Bootstrap
from engine.estimates.winrate import WinRate

_LEAST_LUCK: Final = tuple(map(name_in_sets, (AIVAT, ALLIN, RAW)))


@dataclass(frozen=True, slots=True)
class PairingStanding:
    """Bots that met, and what one of them won; at tables of more than two there is one of each."""

    one: int
    """Whose winnings these are: of two, the first bot of the pairing."""
    others: tuple[int, ...]
    """Its opponents."""
    name: str
    stage: int
    hands: int
    """Hands played to their end."""
    legs: int
    """Legs that are over."""
    estimates: tuple[Estimate, ...]
    """What the bot won, by every estimator."""
    winner: int | None
    """None while the pairing is not over."""
    aivat: Mapping[str, Any] = field(default_factory=dict)
    """Which value function, and whose strategies were known; empty without AIVAT."""
    forfeits: tuple[int, int] = (0, 0)
    """Legs that the bot and its opponents broke off."""
    p_value: float | None = None
    """Of the betting test, adjusted for all pairings (Holm); None where no set is complete."""
    decided: bool = False
    """Whether the sign of `quoted` is significant at 5 %, adjusted for all pairings (Holm)."""

    @property
    def ci95(self) -> float:
        """Half the 95 % interval of `quoted`, mbb/h; infinite where samples are too few to tell."""
        return self.quoted.ci95

    @property
    def quoted(self) -> WinRate:
        """The lowest-variance estimate available: over duplicate sets, which all bots share."""
        return next(one.rate for one in self.estimates if one.name == self.quoted_name)

    @property
    def tested(self) -> WinRate:
        """The lowest-variance estimate whose samples have bounds, for the betting test."""
        rates = {one.name: one.rate for one in self.estimates if one.rate.p_value is not None}
        return next((rates[name] for name in _LEAST_LUCK if name in rates), self.quoted)

    @property
    def quoted_name(self) -> str:
        """Which one that is."""
        names = {one.name for one in self.estimates}
        return next(name for name in _LEAST_LUCK if name in names)


class CrosstableCell(NamedTuple):
    """What a bot won from another one, mbb/h."""

    one: int
    other: int
    mbb_per_hand: float
    ci95: float
    """Infinite where samples are too few to tell."""
    samples: int
    decided: bool
    """See `PairingStanding`; False at tables of more than two."""


@dataclass(frozen=True, slots=True)
class BotStanding:
    """One bot among all."""

    label: str
    rank: int
    """By total bankroll, 1 is best, see `rankings`; in a knockout by how far it came."""
    run_off_rank: int
    """By bankroll instant run-off, 1 is best, see `rankings`."""
    bankroll: float | None
    """Mean over all it met, mbb/h; None before it met anybody."""
    ci95: float
    """Half the 95 % interval of that; infinite where samples are too few to tell."""
    hands: int
    forfeits: int
    """Legs that it broke off."""
    wins: int
    """Opponents from whom it won."""
    losses: int
    """Opponents to whom it lost."""


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """What a tournament says so far."""

    bots: tuple[BotStanding, ...]
    """In the order of the tournament."""
    pairings: tuple[PairingStanding, ...]
    cells: tuple[CrosstableCell, ...]
    """Of each two bots that met, the first one's view."""
    bootstrap: Bootstrap | None
    """None with too few deals, and in a knockout, whose ranks are not by chips alone."""
    hands: int
    legs: int
    """Legs that are over, of `legs_planned`."""
    legs_planned: int
    players: int
    """At a table."""
    estimator: str
    """Of the values of hands that all pairings are rated by: `RAW`, `ALLIN` or `AIVAT`."""
    comparisons: tuple[EstimatorPair, ...]
    """Estimators of each pairing compared on the same hands: do they agree?"""
    knockout: bool = False
    """Whether who loses is out."""
    challengers: int | None = None
    """Of a gauntlet: how many of the first bots are ranked; None: all are."""
    nash: NashRanking | None = None
    """Of a round-robin in which all have met; None of others, and of too many bots."""
    joined: Mapping[str, int] = field(default_factory=dict)
    """Bots that joined -> legs that were over by then."""
    gaps: tuple[ChallengerComparison, ...] = ()
    """Challengers of a gauntlet compared with each other."""
    bounds: Mapping[str, ExploitabilityBound] = field(default_factory=dict)
    """Bots of which an attack is on record -> what the best of them wins."""

    @property
    def winner(self) -> BotStanding | None:
        """Who won a knockout that is over; None of others."""
        last = max(self.pairings, key=lambda one: one.stage, default=None)
        if not self.knockout or last is None or last.winner is None:
            return None
        return self.bots[last.winner] if len(self.pairings) == len(self.bots) - 1 else None

    def ranked(self) -> list[BotStanding]:
        """Return the bots, best first; those that are not ranked are the last."""
        return sorted(self.bots, key=lambda bot: bot.rank)

    def is_ranked(self, bot: BotStanding) -> bool:
        """Return whether a bot has a rank: the opponents in a gauntlet met challengers alone."""
        return self.challengers is None or self.bots.index(bot) < self.challengers

    def places(self, bot: BotStanding) -> dict[str, tuple[int, int] | None]:
        """Return the best and the worst place by each ranking, with 95 %; None: not known."""
        at, sure = self.bots.index(bot), self.bootstrap
        ranges = {
            "bankroll": None if sure is None else sure.places,
            "run_off": None if sure is None else sure.run_off_places,
            "nash": None if self.nash is None else self.nash.places,
        }
        return {
            name: None
            if one is None or not self.is_ranked(bot)
            else (int(one.best[at]), int(one.worst[at]))
            for name, one in ranges.items()
        }

    def cycles(self) -> list[tuple[int, ...]]:
        """Return cycles of significant wins, each bot winning from the next; the surest first."""
        wins = {
            (cell.one, cell.other) if cell.mbb_per_hand > 0 else (cell.other, cell.one): abs(
                cell.mbb_per_hand
            )
            for cell in self.cells
            if cell.decided
        }

        def least(cycle: tuple[int, ...]) -> float:
            return min(wins[pair] for pair in zip(cycle, (*cycle[1:], cycle[0]), strict=True))

        return sorted(cycles(wins), key=lambda cycle: (len(cycle), -least(cycle)))

    def ranking(self) -> Iterator[tuple[BotStanding, float | None, float | None]]:
        """Yield the bots, best first, with the shares of resamples in which each is first, and
        above the next one; None where that is not known.
        """
        ranked = self.ranked()
        others = [bot for bot in ranked if not self.is_ranked(bot)]
        ranked = ranked[: len(ranked) - len(others)]
        places = [self.bots.index(bot) for bot in ranked]
        for bot, at, below in zip(ranked, places, [*places[1:], None], strict=True):
            sure = self.bootstrap
            first = None if sure is None else known(sure.bankroll_ranks[at, 0])
            above = None if sure is None or below is None else known(sure.above[at, below])
            yield bot, first, above
        yield from ((bot, None, None) for bot in others)


def known(share: float) -> float | None:
    """Return a share of resamples, None for nan."""
    return None if math.isnan(share) else float(share)
