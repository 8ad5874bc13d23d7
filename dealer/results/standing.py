"""Standings of a tournament, computed from the logs and the ledger alone.

At a table of P, what a bot won from another is (P - 1) / P of the difference between their
results. The mean over its opponents at the table is then what it won there, and at a table of two
what it won from the other is just that. So rankings of pairs rank the bots of larger tables too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealer.bots.participants import ExploitabilityBound
from dealer.ratings.titles import quoted_name
from dealer.ratings.verdict import Players, verdict_document, verdict_text
from dealer.results.aivat import MatchEstimates
from dealer.results.match_result import PlayedHands, hands_of_match
from dealer.series.schedule import Pairing, TournamentStyle
from dealer.series.series import Series
from engine.console.quantities import interval
from engine.estimates.agreement import EstimatorPair, adjusted
from engine.estimates.estimators import AIVAT, ALLIN, RAW, Estimate, name_in_sets
from engine.estimates.nash_ranking import NashRanking, nash_ranking
from engine.estimates.paired import paired_difference
from engine.estimates.places import surest_cycles
from engine.estimates.ranking_certainty import (
    MOST_BLOCKS,
    BlockResults,
    Bootstrap,
    bankroll_width,
    bootstrap,
    pair_ci95,
)
from engine.estimates.rankings import bankroll_ranks, run_off_ranks, total_bankroll, won_matrix
from engine.estimates.significance import SIGNIFICANCE_LEVEL, holm
from engine.estimates.winrate import WinRate, told_width

_LEAST_LUCK: Final = tuple(map(name_in_sets, (AIVAT, ALLIN, RAW)))


@dataclass(frozen=True, slots=True)
class PairingStanding:
    """Bots that met, and what one of them won; at tables of more than two there is one of each."""

    bot: int
    """Whose winnings these are: of two, the first bot of the pairing."""
    opponents: tuple[int, ...]
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
        return next(
            estimate.rate for estimate in self.estimates if estimate.name == self.quoted_name
        )

    @property
    def tested(self) -> WinRate:
        """The lowest-variance estimate whose samples have bounds, for the betting test."""
        rates = {
            estimate.name: estimate.rate
            for estimate in self.estimates
            if estimate.rate.p_value is not None
        }
        return next((rates[name] for name in _LEAST_LUCK if name in rates), self.quoted)

    @property
    def quoted_name(self) -> str:
        """Which one that is."""
        names = {estimate.name for estimate in self.estimates}
        return next(name for name in _LEAST_LUCK if name in names)


class CrosstableCell(NamedTuple):
    """What a bot won from another one, mbb/h."""

    bot: int
    opponent: int
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
        last = max(self.pairings, key=lambda pairing: pairing.stage, default=None)
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
        place_ranges = {
            "bankroll": None if sure is None else sure.places,
            "run_off": None if sure is None else sure.run_off_places,
            "nash": None if self.nash is None else self.nash.places,
        }
        return {
            name: None
            if ranges_of is None or not self.is_ranked(bot)
            else (int(ranges_of.best[at]), int(ranges_of.worst[at]))
            for name, ranges_of in place_ranges.items()
        }

    def cycles(self) -> list[tuple[int, ...]]:
        """Return cycles of significant wins, each bot winning from the next; the surest first."""
        wins = {
            (cell.bot, cell.opponent) if cell.mbb_per_hand > 0 else (cell.opponent, cell.bot): abs(
                cell.mbb_per_hand
            )
            for cell in self.cells
            if cell.decided
        }
        return surest_cycles(wins)

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
            first = None if sure is None else share_or_none(sure.bankroll_ranks[at, 0])
            above = None if sure is None or below is None else share_or_none(sure.above[at, below])
            yield bot, first, above
        yield from ((bot, None, None) for bot in others)


def share_or_none(share: float) -> float | None:
    """Return a share of resamples, None for nan."""
    return None if math.isnan(share) else float(share)


@dataclass(frozen=True, slots=True)
class ChallengerComparison:
    """Two challengers, and what the first of them wins more than the other."""

    challenger: str
    rival: str
    opponents: int
    """That both met."""
    rates: Mapping[str, WinRate]
    """The difference by every estimator that all their hands have, over deals."""

    @property
    def rate(self) -> WinRate:
        """The lowest-variance estimate available."""
        return self.rates[quoted_name(self.rates)]

    @property
    def players(self) -> Players:
        """Both, with the difference from the view of each."""
        behind = {
            name: replace(rate, mbb_per_hand=-rate.mbb_per_hand)
            for name, rate in self.rates.items()
        }
        return (self.challenger, self.rates), (self.rival, behind)


def compare_challengers(
    labels: Sequence[str],
    challengers: int,
    played: Mapping[tuple[int, tuple[int, ...]], PlayedHands],
) -> tuple[ChallengerComparison, ...]:
    """Return all pairs of challengers, compared over the opponents that both have met.

    Args:
        labels: of all bots, the challengers first.
        played: by numbers of challenger and opponents, all with the same estimators.
    """
    comparisons = []
    for challenger, rival in combinations(range(challengers), 2):
        common = [met for bot, met in played if bot == challenger and (rival, met) in played]
        if not common:
            continue
        pairs = [(played[challenger, met], played[rival, met]) for met in common]
        rates: dict[str, WinRate] = {}
        for name in pairs[0][0].values:
            rate = _difference(pairs, name)
            rates |= {name: rate, name_in_sets(name): rate}
        comparisons.append(
            ChallengerComparison(labels[challenger], labels[rival], len(common), rates)
        )
    return _adjusted(comparisons)


def _adjusted(comparisons: Sequence[ChallengerComparison]) -> tuple[ChallengerComparison, ...]:
    """Return the comparisons with the p-values of the betting test adjusted for all (Holm)."""
    chances = {
        name: holm([pair.rates[name].p_value for pair in comparisons])
        for name in (comparisons[0].rates if comparisons else ())
    }
    return tuple(
        replace(
            pair,
            rates={
                name: replace(rate, p_value=chances[name][at]) for name, rate in pair.rates.items()
            },
        )
        for at, pair in enumerate(comparisons)
    )


def _difference(pairs: Sequence[tuple[PlayedHands, PlayedHands]], name: str) -> WinRate:
    """Return what the first of two challengers wins more, by one estimator of the hands."""
    some = pairs[0][0]
    return paired_difference(
        [hands.set_means(name, 0) for hands, _ in pairs],
        [hands.set_means(name, 0) for _, hands in pairs],
        some.big_blind,
        some.seatings,
        None if name == AIVAT else some.bounds,
    )


def challenger_lines(comparisons: Sequence[ChallengerComparison]) -> list[str]:
    """Return a line for each pair of challengers; none where there is no pair."""
    if not comparisons:
        return []
    return [
        "challengers compared on the same deals, against the same opponents:",
        *(
            f"  {pair.challenger} - {pair.rival}: "
            f"{interval(pair.rate.mbb_per_hand, pair.rate.ci95, 0)} mbb/h over "
            f"{pair.rate.samples:,} deals and {pair.opponents:,} opponents; "
            f"{verdict_text(pair.players)}"
            for pair in comparisons
        ),
        "",
    ]


def challengers_document(comparisons: Sequence[ChallengerComparison]) -> list[dict[str, Any]]:
    """Return the same for programs."""
    return [
        {
            "challenger": pair.challenger,
            "other": pair.rival,
            "opponents": pair.opponents,
            "deals": pair.rate.samples,
            "mbb_per_hand": pair.rate.mbb_per_hand,
            "ci95": pair.rate.ci95 if math.isfinite(pair.rate.ci95) else None,
            "verdict": verdict_document(pair.players),
        }
        for pair in comparisons
    ]


Pair = tuple[int, int]


def shares_of_pairs(
    tables: Mapping[tuple[int, ...], PlayedHands], name: str
) -> dict[Pair, list[NDArray[np.float64]]]:
    """Return what the first of each two bots won from the other, of those with a complete deal.

    Args:
        tables: bots at a table, ascending -> what they played there.
        name: of the estimator.

    Returns:
        (bot, opponent) -> for each table with both, (D,) chips per hand in each deal, nan where a
        seating is missing.
    """
    shares_by_pair: dict[Pair, list[NDArray[np.float64]]] = {}
    for bots, hands in tables.items():
        if not hands.sets:
            continue
        if len(bots) == 2:
            shares_by_pair[bots[0], bots[1]] = [hands.set_means(name, 0)]
            continue
        won = [hands.set_means(name, seat) for seat in range(len(bots))]
        part = (len(bots) - 1) / len(bots)
        for seat, later_seat in combinations(range(len(bots)), 2):
            shares = shares_by_pair.setdefault((bots[seat], bots[later_seat]), [])
            shares.append(part * (won[seat] - won[later_seat]))
    return shares_by_pair


def standings(
    series: Series,
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
    labels = series.manifest.labels
    pairings = series.pairings()
    matches = [series.match(pairing) for pairing in pairings]
    played = hands_of_pairings(series, progress, aivat)
    name = AIVAT if aivat is not None else RAW if progress is None else ALLIN
    players = series.manifest.players
    views = range(1 if players == 2 else players)
    pairing_standings = _decided(
        _pairing_standing(
            series,
            pairing,
            seat,
            played[at].estimates(seat),
            {} if aivat is None else aivat[at].facts,
        )
        for at, pairing in enumerate(pairings)
        for seat in views
    )
    style = series.manifest.style
    shares = pair_shares(series, played, name)
    results = block_results(series, shares)
    widths = [
        _width(bot, {pair: each for pair, each in shares.items() if bot in pair}, series)
        for bot in range(len(labels))
    ]
    cells = _cells(pairing_standings, results)
    won = won_matrix(len(labels), results.pairs, np.array([cell.mbb_per_hand for cell in cells]))
    challengers = _challengers(series)
    knockout = style is TournamentStyle.KNOCKOUT
    return Standings(
        _bot_standings(series, pairing_standings, won, results, widths),
        pairing_standings,
        cells,
        None if knockout else bootstrap(results),
        sum(pairing.hands for pairing in pairing_standings) // len(views),
        sum(pairing.legs for pairing in pairing_standings) // len(views),
        series.leg_count,
        players,
        name,
        tuple(
            adjusted(
                pair
                for match, hands in zip(matches, played, strict=True)
                for seat in views
                for pair in hands.comparisons(seat, match.labels)
            )
        ),
        knockout,
        challengers,
        nash_ranking(results) if style is TournamentStyle.ROUND_ROBIN else None,
        {label: legs for label, legs in series.ledger.joined.items() if label in labels},
        compare_challengers(
            labels,
            challengers or 0,
            {
                (pairing.bots[0], pairing.bots[1:]): hands
                for pairing, hands in zip(pairings, played, strict=True)
                if hands.sets
            },
        ),
    )


def hands_of_pairings(
    series: Series,
    progress: Callable[[int], None] | None = None,
    aivat: Sequence[MatchEstimates] | None = None,
) -> list[PlayedHands]:
    """Return the hands of all pairings, in their order, each with the deals of the longest.

    Args: see `standings`.

    Raises:
        MatchError: a log cannot be read.
    """
    matches = [series.match(pairing) for pairing in series.pairings()]
    played = []
    for at, match in enumerate(matches):
        match.read_new()
        played.append(hands_of_match(match, progress, None if aivat is None else aivat[at].chips))
    deals = max((hands.deals for hands in played), default=0)
    return [replace(hands, deals=deals) for hands in played]


def pair_shares(
    series: Series, played: Sequence[PlayedHands], name: str
) -> dict[tuple[int, int], list[NDArray[np.float64]]]:
    """Return what the bots won of each other, see `shares_of_pairs`.

    Args:
        played: see `hands_of_pairings`.
        name: of the estimator.
    """
    tables = {pairing.bots: hands for pairing, hands in zip(series.pairings(), played, strict=True)}
    return shares_of_pairs(tables, name)


def block_results(
    series: Series, shares: Mapping[tuple[int, int], Sequence[NDArray[np.float64]]]
) -> BlockResults:
    """Return the same in blocks of deals."""
    bots = len(series.manifest.labels)
    forfeit_ranks = _forfeits(series)
    forfeit_ranks[_challengers(series) or bots :] += forfeit_ranks.max(initial=0) + 1
    sums, counts = _blocks([*shares.values()], series)
    pairs = np.array([*shares], np.int64).reshape(-1, 2)
    weights = np.array([len(each) for each in shares.values()], np.int64)
    return BlockResults(bots, pairs, sums, counts, forfeit_ranks, weights)


def _challengers(series: Series) -> int | None:
    """Return how many of the first bots of a gauntlet are ranked; None: all are."""
    gauntlet = series.manifest.style is TournamentStyle.GAUNTLET
    return series.manifest.challengers if gauntlet else None


def _forfeits(series: Series) -> NDArray[np.int64]:
    """Return (N,) the legs that each bot broke off."""
    broken_off = [entry.bot for entry in series.ledger.entries.values() if entry.forfeited]
    return np.array([broken_off.count(label) for label in series.manifest.labels], np.int64)


def _cells(
    pairings: Sequence[PairingStanding], results: BlockResults
) -> tuple[CrosstableCell, ...]:
    """Return the cells of the pairs of some results, in their order."""
    if all(len(pairing.opponents) == 1 for pairing in pairings):
        return tuple(
            CrosstableCell(
                pairing.bot,
                pairing.opponents[0],
                pairing.quoted.mbb_per_hand,
                pairing.ci95,
                pairing.quoted.samples,
                pairing.decided,
            )
            for pairing in pairings
            if pairing.quoted.samples
        )
    samples = results.counts.sum(axis=1)
    return tuple(
        CrosstableCell(bot, opponent, rate, told_width(width, count), count, decided=False)
        for (bot, opponent), rate, width, count in zip(
            results.pairs.tolist(),
            results.rates.tolist(),
            pair_ci95(results).tolist(),
            samples.tolist(),
            strict=True,
        )
    )


def _decided(pairings: Iterable[PairingStanding]) -> tuple[PairingStanding, ...]:
    """Return pairings with what is significant among all of them."""
    standings = [*pairings]
    chances = holm([standing.tested.p_value for standing in standings])
    return tuple(
        replace(standing, p_value=p, decided=p is not None and p < SIGNIFICANCE_LEVEL)
        for standing, p in zip(standings, chances, strict=True)
    )


def _pairing_standing(
    series: Series,
    pairing: Pairing,
    seat: int,
    estimates: tuple[Estimate, ...],
    aivat: Mapping[str, Any],
) -> PairingStanding:
    match = series.match(pairing)
    entries = series.entries(match)
    broken_off = [leg.bot for leg in entries if leg.bot is not None]
    bot_forfeits = broken_off.count(match.labels[seat])
    return PairingStanding(
        pairing.bots[seat],
        pairing.bots[:seat] + pairing.bots[seat + 1 :],
        match.folder.name,
        pairing.stage,
        match.hands,
        len(entries),
        estimates,
        series.winner(pairing),
        aivat,
        (bot_forfeits, len(broken_off) - bot_forfeits),
    )


def _blocks(
    sets: Sequence[Sequence[NDArray[np.float64]]], series: Series
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return sums, mbb/h, and counts of the sets of each block of deals, see `rankings`.

    Args:
        sets: of each pair, the deals of every table where both sat.

    A block is a piece of a leg, so that what bots learn in one does not go on in the next.  Rounds
    that only some pairings play have blocks of their own.
    """
    if not sets:
        return np.zeros((0, 0)), np.zeros((0, 0), np.int64)
    hands, runs = series.manifest.hands, series.manifest.runs
    more = len(sets[0][0]) // hands - runs
    every = _block_numbers(runs, hands)
    every = np.append(every, every[-1] + 1 + _block_numbers(more, hands))
    blocks = int(every[-1]) + 1
    to_mbb = 1000 / series.game.big_blind
    sums = np.array(
        [
            sum(np.bincount(every, np.nan_to_num(table), blocks) * to_mbb for table in tables)
            for tables in sets
        ]
    )
    counts = np.array(
        [sum(np.bincount(every, ~np.isnan(table), blocks) for table in tables) for tables in sets]
    ).astype(np.int64)
    played = counts.any(axis=0)
    return sums[:, played], counts[:, played]


def _width(
    bot: int,
    shares: Mapping[tuple[int, int], Sequence[NDArray[np.float64]]],
    series: Series,
) -> float:
    """Return half the 95 % interval of a bot's bankroll, mbb/h; a deal is a sample, as in rates.

    Args:
        shares: of each pair with the bot, the deals of every table where both sat.
    """
    if not shares:
        return math.inf
    pairs = np.array([*shares], np.int64)
    won = np.array([np.nansum(tables, axis=0) for tables in shares.values()])
    sums = won * (1000 / series.game.big_blind)
    counts = np.array([np.sum(~np.isnan(tables), axis=0) for tables in shares.values()], np.int64)
    sizes = np.array([len(tables) for tables in shares.values()], np.int64)
    deals = BlockResults(len(series.manifest.labels), pairs, sums, counts, None, sizes)
    return bankroll_width(deals, bot)


def _block_numbers(runs: int, hands: int) -> NDArray[np.int64]:
    """Return (D,) the block of each deal of some runs."""
    if not runs:
        return np.zeros(0, np.int64)
    pieces = min(max(MOST_BLOCKS // runs, 1), hands)
    every = (np.arange(runs)[:, None] * pieces + np.arange(hands) * pieces // hands).ravel()
    blocks = min(runs * pieces, MOST_BLOCKS)
    numbers: NDArray[np.int64] = every * blocks // (runs * pieces)
    return numbers


def _bot_standings(
    series: Series,
    pairings: Sequence[PairingStanding],
    won: NDArray[np.float64],
    results: BlockResults,
    widths: Sequence[float],
) -> tuple[BotStanding, ...]:
    labels, forfeits = series.manifest.labels, _forfeits(series)
    bankroll = total_bankroll(won, results.weights)
    ranks = bankroll_ranks(won, results.forfeits)
    if series.manifest.style is TournamentStyle.KNOCKOUT:
        ranks = _knockout_ranks(pairings, ranks)
    run_off = run_off_ranks(won, results.forfeits)
    mine: list[list[PairingStanding]] = [[] for _ in labels]
    for pairing in pairings:
        for bot in (
            (pairing.bot,) if len(pairing.opponents) > 1 else (pairing.bot, *pairing.opponents)
        ):
            mine[bot].append(pairing)
    return tuple(
        BotStanding(
            label,
            int(ranks[bot]) + 1,
            int(run_off[bot]) + 1,
            None if np.isnan(bankroll[bot]) else float(bankroll[bot]),
            told_width(widths[bot], sum(pairing.quoted.samples for pairing in mine[bot])),
            sum(pairing.hands for pairing in mine[bot]),
            int(forfeits[bot]),
            int((won[bot] > 0).sum()),
            int((won[bot] < 0).sum()),
        )
        for bot, label in enumerate(labels)
    )


def _knockout_ranks(
    pairings: Sequence[PairingStanding], by_bankroll: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return (N,) ranks by the stage in which a bot was beaten, of equals by total bankroll."""
    stages = np.full(len(by_bankroll), len(by_bankroll))
    for pairing in pairings:
        if pairing.winner is not None:
            stages[pairing.opponents[0] if pairing.winner == pairing.bot else pairing.bot] = (
                pairing.stage
            )
    ranks = np.empty(len(by_bankroll), np.int64)
    ranks[np.lexsort((by_bankroll, -stages))] = np.arange(len(ranks))
    return ranks
