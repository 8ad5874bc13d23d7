"""Standings of a tournament, computed from the logs and the ledger alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dealer.legs.pairings import Pairing, TournamentStyle
from dealer.results.aivat_files import MatchEstimates
from dealer.tournaments.challengers import ChallengerComparison, compare_challengers
from dealer.tournaments.leg_queue import TournamentQueue
from engine.estimates.agreement import EstimatorPair, adjusted
from engine.estimates.estimators import AIVAT, ALLIN, RAW, Estimate, name_in_sets
from engine.estimates.nash_ranking import NashRanking, nash_ranking
from engine.estimates.ranking_certainty import (
    MOST_BLOCKS,
    BlockResults,
    Bootstrap,
    bankroll_ci95,
    bootstrap,
)
from engine.estimates.rankings import bankroll_ranks, run_off_ranks, total_bankroll, won_matrix
from engine.estimates.significance import FEWEST_SAMPLES, LEVEL, holm
from engine.estimates.winrate import WinRate

_LEAST_WIDTH: Final = 5e-4
"""Of an interval, mbb/h: less is 0 in all files."""
_LEAST_LUCK: Final = tuple(map(name_in_sets, (AIVAT, ALLIN, RAW)))


@dataclass(frozen=True, slots=True)
class PairingStanding:
    """Two bots that met, and what the first of them won."""

    one: int
    other: int
    name: str
    stage: int
    hands: int
    """Hands played to their end."""
    legs: int
    """Legs that are over."""
    estimates: tuple[Estimate, ...]
    """What the first bot won, by every estimator."""
    winner: int | None
    """None while the pairing is not over."""
    aivat: Mapping[str, Any] = field(default_factory=dict)
    """Which value function, and whose strategies were known; empty without AIVAT."""
    forfeits: tuple[int, int] = (0, 0)
    """Legs that the first and the other broke off."""
    p_value: float | None = None
    """Of the betting test, adjusted for all pairings (Holm); None where no set is complete."""
    decided: bool = False
    """Whether the sign of `quoted` is significant at 5 %, adjusted for all pairings (Holm)."""

    @property
    def ci95(self) -> float:
        """Half the 95 % interval of `quoted`, mbb/h; infinite where samples are too few to tell."""
        return _told(self.quoted.ci95, self.quoted.samples)

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
    bootstrap: Bootstrap | None
    """None with too few deals, and in a knockout, whose ranks are not by chips alone."""
    hands: int
    legs: int
    """Legs that are over, of `legs_planned`."""
    legs_planned: int
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


def standings(
    queue: TournamentQueue,
    progress: Callable[[int], None] | None = None,
    aivat: Sequence[MatchEstimates] | None = None,
) -> Standings:
    """Return the standings over all hands that are in the logs.

    Args:
        progress: called with the number of further run-outs; None leaves all-in expectation out.
        aivat: estimates of all pairings, in their order; None leaves AIVAT out.

    Raises:
        MatchError: a log cannot be read.
    """
    labels = queue.tournament.labels
    pairings = queue.pairings()
    matches = [queue.match(pairing) for pairing in pairings]
    for match in matches:
        match.read_new()
    played = [
        match.played(progress, None if aivat is None else aivat[at].chips)
        for at, match in enumerate(matches)
    ]
    name = AIVAT if aivat is not None else RAW if progress is None else ALLIN
    told = _decided(
        _pairing_standing(
            queue, pairing, played[at].estimates(0), {} if aivat is None else aivat[at].facts
        )
        for at, pairing in enumerate(pairings)
    )
    met = [at for at, one in enumerate(told) if one.quoted.samples]
    pairs = np.array([(told[at].one, told[at].other) for at in met], np.int64).reshape(-1, 2)
    broken_off = [entry.bot for entry in queue.ledger.entries.values() if entry.forfeited]
    forfeits = np.array([broken_off.count(label) for label in labels], np.int64)
    style, challengers = queue.tournament.style, None
    if style is TournamentStyle.GAUNTLET:
        challengers = queue.tournament.challengers
    before = forfeits.copy()
    before[challengers or len(labels) :] += forfeits.max(initial=0) + 1
    sums, counts = _blocks([played[at].set_means(name, 0) for at in met], queue)
    results = BlockResults(len(labels), pairs, sums, counts, before)
    won = won_matrix(len(labels), pairs, np.array([told[at].quoted.mbb_per_hand for at in met]))
    knockout = style is TournamentStyle.KNOCKOUT
    return Standings(
        _bot_standings(queue, told, won, results, forfeits),
        told,
        None if knockout else bootstrap(results),
        sum(one.hands for one in told),
        sum(one.legs for one in told),
        queue.tournament.leg_count,
        name,
        tuple(
            adjusted(
                one
                for match, hands in zip(matches, played, strict=True)
                for one in hands.comparisons(0, match.labels)
            )
        ),
        knockout,
        challengers,
        nash_ranking(results) if style is TournamentStyle.ROUND_ROBIN else None,
        queue.ledger.joined,
        compare_challengers(
            labels,
            challengers or 0,
            {(told[at].one, told[at].other): played[at] for at in met},
        ),
    )


def _decided(pairings: Iterable[PairingStanding]) -> tuple[PairingStanding, ...]:
    """Return pairings with what is significant among all of them."""
    told = [*pairings]
    chances = holm([one.tested.p_value for one in told])
    return tuple(
        replace(one, p_value=p, decided=p is not None and p < LEVEL)
        for one, p in zip(told, chances, strict=True)
    )


def _told(half_width: float, samples: int) -> float:
    """Return the half width, infinite where it is 0 because a few samples are all alike."""
    alike = half_width < _LEAST_WIDTH and samples < FEWEST_SAMPLES
    return math.inf if alike else half_width


def _pairing_standing(
    queue: TournamentQueue,
    pairing: Pairing,
    estimates: tuple[Estimate, ...],
    aivat: Mapping[str, Any],
) -> PairingStanding:
    match = queue.match(pairing)
    entries = queue.entries(match)
    one, other = match.labels
    return PairingStanding(
        pairing.one,
        pairing.other,
        match.folder.name,
        pairing.stage,
        match.hands,
        len(entries),
        estimates,
        queue.winner(pairing),
        aivat,
        (sum(leg.bot == one for leg in entries), sum(leg.bot == other for leg in entries)),
    )


def _blocks(
    sets: Sequence[NDArray[np.float64]], queue: TournamentQueue
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return sums, mbb/h, and counts of the sets of each block of deals, see `rankings`.

    A block is a piece of a leg, so that what bots learn in one does not go on in the next.
    """
    if not sets:
        return np.zeros((0, 0)), np.zeros((0, 0), np.int64)
    hands, runs = queue.tournament.hands, queue.tournament.runs
    pieces = min(max(MOST_BLOCKS // runs, 1), hands)
    every = (np.arange(runs)[:, None] * pieces + np.arange(hands) * pieces // hands).ravel()
    blocks = min(runs * pieces, MOST_BLOCKS)
    every = every * blocks // (runs * pieces)
    to_mbb = 1000 / queue.game.big_blind
    sums = np.array([np.bincount(every, np.nan_to_num(one), blocks) * to_mbb for one in sets])
    counts = np.array([np.bincount(every, ~np.isnan(one), blocks) for one in sets]).astype(np.int64)
    played = counts.any(axis=0)
    return sums[:, played], counts[:, played]


def _bot_standings(
    queue: TournamentQueue,
    told: Sequence[PairingStanding],
    won: NDArray[np.float64],
    results: BlockResults,
    forfeits: NDArray[np.int64],
) -> tuple[BotStanding, ...]:
    labels = queue.tournament.labels
    bankroll = total_bankroll(won)
    ranks = bankroll_ranks(won, results.forfeits)
    if queue.tournament.style is TournamentStyle.KNOCKOUT:
        ranks = _knockout_ranks(told, ranks)
    run_off = run_off_ranks(won, results.forfeits)
    widths = bankroll_ci95(results)
    mine = [[one for one in told if bot in (one.one, one.other)] for bot in range(len(labels))]
    return tuple(
        BotStanding(
            label,
            int(ranks[bot]) + 1,
            int(run_off[bot]) + 1,
            None if np.isnan(bankroll[bot]) else float(bankroll[bot]),
            _told(float(widths[bot]), sum(one.quoted.samples for one in mine[bot])),
            sum(one.hands for one in mine[bot]),
            int(forfeits[bot]),
            int((won[bot] > 0).sum()),
            int((won[bot] < 0).sum()),
        )
        for bot, label in enumerate(labels)
    )


def _knockout_ranks(
    told: Sequence[PairingStanding], by_bankroll: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return (N,) ranks by the stage in which a bot was beaten, of equals by total bankroll."""
    stages = np.full(len(by_bankroll), len(by_bankroll))
    for one in told:
        if one.winner is not None:
            stages[one.other if one.winner == one.one else one.one] = one.stage
    ranks = np.empty(len(by_bankroll), np.int64)
    ranks[np.lexsort((by_bankroll, -stages))] = np.arange(len(ranks))
    return ranks
