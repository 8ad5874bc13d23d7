"""Standings computed from the logs and the ledger alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dealer.legs.pairings import Pairing, TournamentStyle
from dealer.results.aivat_files import MatchEstimates
from dealer.results.played_hands import PlayedHands
from dealer.tournaments.challengers import compare_challengers
from dealer.tournaments.leg_queue import TournamentQueue
from dealer.tournaments.standing import (
    BotStanding,
    CrosstableCell,
    PairingStanding,
    Standings,
)
from dealer.tournaments.table_shares import shares_of_pairs
from engine.estimates.agreement import adjusted
from engine.estimates.estimators import AIVAT, ALLIN, RAW, Estimate
from engine.estimates.nash_ranking import nash_ranking
from engine.estimates.ranking_certainty import (
    MOST_BLOCKS,
    BlockResults,
    bankroll_width,
    bootstrap,
    pair_ci95,
)
from engine.estimates.rankings import bankroll_ranks, run_off_ranks, total_bankroll, won_matrix
from engine.estimates.significance import LEVEL, holm
from engine.estimates.winrate import told_width


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
    played = hands_of_pairings(queue, progress, aivat)
    name = AIVAT if aivat is not None else RAW if progress is None else ALLIN
    players = queue.tournament.players
    views = range(1 if players == 2 else players)
    told = _decided(
        _pairing_standing(
            queue,
            pairing,
            place,
            played[at].estimates(place),
            {} if aivat is None else aivat[at].facts,
        )
        for at, pairing in enumerate(pairings)
        for place in views
    )
    style = queue.tournament.style
    shares = pair_shares(queue, played, name)
    results = block_results(queue, shares)
    widths = [
        _width(bot, {pair: each for pair, each in shares.items() if bot in pair}, queue)
        for bot in range(len(labels))
    ]
    cells = _cells(told, results)
    won = won_matrix(len(labels), results.pairs, np.array([cell.mbb_per_hand for cell in cells]))
    challengers = _challengers(queue)
    knockout = style is TournamentStyle.KNOCKOUT
    return Standings(
        _bot_standings(queue, told, won, results, widths),
        told,
        cells,
        None if knockout else bootstrap(results),
        sum(one.hands for one in told) // len(views),
        sum(one.legs for one in told) // len(views),
        queue.leg_count,
        players,
        name,
        tuple(
            adjusted(
                one
                for match, hands in zip(matches, played, strict=True)
                for place in views
                for one in hands.comparisons(place, match.labels)
            )
        ),
        knockout,
        challengers,
        nash_ranking(results) if style is TournamentStyle.ROUND_ROBIN else None,
        {label: legs for label, legs in queue.ledger.joined.items() if label in labels},
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
    queue: TournamentQueue,
    progress: Callable[[int], None] | None = None,
    aivat: Sequence[MatchEstimates] | None = None,
) -> list[PlayedHands]:
    """Return the hands of all pairings, in their order, each with the deals of the longest.

    Args: see `standings`.

    Raises:
        MatchError: a log cannot be read.
    """
    matches = [queue.match(pairing) for pairing in queue.pairings()]
    played = []
    for at, match in enumerate(matches):
        match.read_new()
        played.append(match.played(progress, None if aivat is None else aivat[at].chips))
    deals = max((hands.deals for hands in played), default=0)
    return [replace(hands, deals=deals) for hands in played]


def pair_shares(
    queue: TournamentQueue, played: Sequence[PlayedHands], name: str
) -> dict[tuple[int, int], list[NDArray[np.float64]]]:
    """Return what the bots won of each other, see `shares_of_pairs`.

    Args:
        played: see `hands_of_pairings`.
        name: of the estimator.
    """
    tables = {pairing.bots: hands for pairing, hands in zip(queue.pairings(), played, strict=True)}
    return shares_of_pairs(tables, name)


def block_results(
    queue: TournamentQueue, shares: Mapping[tuple[int, int], Sequence[NDArray[np.float64]]]
) -> BlockResults:
    """Return the same in blocks of deals."""
    bots = len(queue.tournament.labels)
    before = _forfeits(queue)
    before[_challengers(queue) or bots :] += before.max(initial=0) + 1
    sums, counts = _blocks([*shares.values()], queue)
    pairs = np.array([*shares], np.int64).reshape(-1, 2)
    weights = np.array([len(each) for each in shares.values()], np.int64)
    return BlockResults(bots, pairs, sums, counts, before, weights)


def _challengers(queue: TournamentQueue) -> int | None:
    """Return how many of the first bots of a gauntlet are ranked; None: all are."""
    gauntlet = queue.tournament.style is TournamentStyle.GAUNTLET
    return queue.tournament.challengers if gauntlet else None


def _forfeits(queue: TournamentQueue) -> NDArray[np.int64]:
    """Return (N,) the legs that each bot broke off."""
    broken_off = [entry.bot for entry in queue.ledger.entries.values() if entry.forfeited]
    return np.array([broken_off.count(label) for label in queue.tournament.labels], np.int64)


def _cells(told: Sequence[PairingStanding], results: BlockResults) -> tuple[CrosstableCell, ...]:
    """Return the cells of the pairs of some results, in their order."""
    if all(len(one.others) == 1 for one in told):
        return tuple(
            CrosstableCell(
                one.one,
                one.others[0],
                one.quoted.mbb_per_hand,
                one.ci95,
                one.quoted.samples,
                one.decided,
            )
            for one in told
            if one.quoted.samples
        )
    samples = results.counts.sum(axis=1)
    return tuple(
        CrosstableCell(one, other, rate, told_width(width, count), count, decided=False)
        for (one, other), rate, width, count in zip(
            results.pairs.tolist(),
            results.rates.tolist(),
            pair_ci95(results).tolist(),
            samples.tolist(),
            strict=True,
        )
    )


def _decided(pairings: Iterable[PairingStanding]) -> tuple[PairingStanding, ...]:
    """Return pairings with what is significant among all of them."""
    told = [*pairings]
    chances = holm([one.tested.p_value for one in told])
    return tuple(
        replace(one, p_value=p, decided=p is not None and p < LEVEL)
        for one, p in zip(told, chances, strict=True)
    )


def _pairing_standing(
    queue: TournamentQueue,
    pairing: Pairing,
    place: int,
    estimates: tuple[Estimate, ...],
    aivat: Mapping[str, Any],
) -> PairingStanding:
    match = queue.match(pairing)
    entries = queue.entries(match)
    broken_off = [leg.bot for leg in entries if leg.bot is not None]
    own = broken_off.count(match.labels[place])
    return PairingStanding(
        pairing.bots[place],
        pairing.bots[:place] + pairing.bots[place + 1 :],
        match.folder.name,
        pairing.stage,
        match.hands,
        len(entries),
        estimates,
        queue.winner(pairing),
        aivat,
        (own, len(broken_off) - own),
    )


def _blocks(
    sets: Sequence[Sequence[NDArray[np.float64]]], queue: TournamentQueue
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return sums, mbb/h, and counts of the sets of each block of deals, see `rankings`.

    Args:
        sets: of each pair, the deals of every table where both sat.

    A block is a piece of a leg, so that what bots learn in one does not go on in the next.  Rounds
    that only some pairings play have blocks of their own.
    """
    if not sets:
        return np.zeros((0, 0)), np.zeros((0, 0), np.int64)
    hands, runs = queue.tournament.hands, queue.tournament.runs
    more = len(sets[0][0]) // hands - runs
    every = _block_numbers(runs, hands)
    every = np.append(every, every[-1] + 1 + _block_numbers(more, hands))
    blocks = int(every[-1]) + 1
    to_mbb = 1000 / queue.game.big_blind
    sums = np.array(
        [
            sum(np.bincount(every, np.nan_to_num(one), blocks) * to_mbb for one in tables)
            for tables in sets
        ]
    )
    counts = np.array(
        [sum(np.bincount(every, ~np.isnan(one), blocks) for one in tables) for tables in sets]
    ).astype(np.int64)
    played = counts.any(axis=0)
    return sums[:, played], counts[:, played]


def _width(
    bot: int,
    shares: Mapping[tuple[int, int], Sequence[NDArray[np.float64]]],
    queue: TournamentQueue,
) -> float:
    """Return half the 95 % interval of a bot's bankroll, mbb/h; a deal is a sample, as in rates.

    Args:
        shares: of each pair with the bot, the deals of every table where both sat.
    """
    if not shares:
        return math.inf
    pairs = np.array([*shares], np.int64)
    won = np.array([np.nansum(tables, axis=0) for tables in shares.values()])
    sums = won * (1000 / queue.game.big_blind)
    counts = np.array([np.sum(~np.isnan(tables), axis=0) for tables in shares.values()], np.int64)
    sizes = np.array([len(tables) for tables in shares.values()], np.int64)
    deals = BlockResults(len(queue.tournament.labels), pairs, sums, counts, None, sizes)
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
    queue: TournamentQueue,
    told: Sequence[PairingStanding],
    won: NDArray[np.float64],
    results: BlockResults,
    widths: Sequence[float],
) -> tuple[BotStanding, ...]:
    labels, forfeits = queue.tournament.labels, _forfeits(queue)
    bankroll = total_bankroll(won, results.weights)
    ranks = bankroll_ranks(won, results.forfeits)
    if queue.tournament.style is TournamentStyle.KNOCKOUT:
        ranks = _knockout_ranks(told, ranks)
    run_off = run_off_ranks(won, results.forfeits)
    mine: list[list[PairingStanding]] = [[] for _ in labels]
    for one in told:
        for bot in (one.one,) if len(one.others) > 1 else (one.one, *one.others):
            mine[bot].append(one)
    return tuple(
        BotStanding(
            label,
            int(ranks[bot]) + 1,
            int(run_off[bot]) + 1,
            None if np.isnan(bankroll[bot]) else float(bankroll[bot]),
            told_width(widths[bot], sum(one.quoted.samples for one in mine[bot])),
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
            stages[one.others[0] if one.winner == one.one else one.one] = one.stage
    ranks = np.empty(len(by_bankroll), np.int64)
    ranks[np.lexsort((by_bankroll, -stages))] = np.arange(len(ranks))
    return ranks
