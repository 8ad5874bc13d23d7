"""How sure a ranking is, from blocks of the same deals in all pairs: intervals and a bootstrap.

A sample is a duplicate set, a block some consecutive deals.  Block b has the same deals in all
pairs, so the bootstrap weights blocks for all pairs together: luck of the deals that all share
stays shared, and bots that adapt keep their hands in order within a block.  It is the multiplier
bootstrap: a draw adds to each rate the error of every block times a normal number of that block.
So pairs may have different numbers of blocks, and few, which Student's quantile pays for.
Sources: Chernozhukov, Chetverikov, Kato, "Gaussian approximations and multiplier bootstrap for
maxima of sums of high-dimensional random vectors", Ann. Statist. 41, 2013; Cochran, "Sampling
techniques", 1977, 6.4, for the standard error of a ratio of means.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.estimates.places import PlaceRanges, draws_above, place_ranges
from engine.estimates.rankings import (
    BANKROLL_DIGITS,
    rank_classes,
    run_off_ranks,
    total_bankroll,
    won_matrix,
)
from engine.estimates.winrate import Z95, t95, told_width

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES: Final = 2000
MOST_BLOCKS: Final = 200


@dataclass(frozen=True, slots=True, eq=False)
class BlockResults:
    """What N bots won of each other in B blocks; only pairs that have a sample."""

    bots: int
    """N."""
    pairs: NDArray[np.int64]
    """(P, 2) the numbers of the two bots, the first one first."""
    sums: NDArray[np.float64]
    """(P, B) per pair, the sum over a block's samples of what its first bot won, mbb/h."""
    counts: NDArray[np.int64]
    """(P, B) how many samples those are."""
    forfeits: NDArray[np.int64] | None = None
    """(N,) legs that each bot broke off; None: nobody."""
    tables: NDArray[np.int64] | None = None
    """(P,) at how many tables both sat, the weight of a pair in a bankroll; None: at one."""

    @property
    def weights(self) -> NDArray[np.float64]:
        """(N, N) of the column's bot in the bankroll of the row's; 0 where they did not meet."""
        tables = np.ones(len(self.pairs)) if self.tables is None else self.tables
        matrix = np.zeros((self.bots, self.bots))
        matrix[self.pairs[:, 0], self.pairs[:, 1]] = tables
        return matrix + matrix.T

    def part(self, pairs: NDArray[np.int64]) -> BlockResults:
        """Return the results of some pairs, given as their rows."""
        return replace(
            self,
            pairs=self.pairs[pairs],
            sums=self.sums[pairs],
            counts=self.counts[pairs],
            tables=None if self.tables is None else self.tables[pairs],
        )

    @property
    def rates(self) -> NDArray[np.float64]:
        """(P,) what the first bot of each pair won, mbb/h."""
        rates: NDArray[np.float64] = self.sums.sum(axis=1) / self.counts.sum(axis=1)
        return rates


@dataclass(frozen=True, slots=True, eq=False)
class Bootstrap:
    """What R resamples of the blocks say; equals share what they are equal for.

    Forfeits are what they are in all of them.  Nan is what cannot be said: of who met nobody, and
    of chips between bots of which one has an infinite interval.
    """

    above: NDArray[np.float64]
    """(N, N) share of resamples in which the row's bot is above the column's by total bankroll."""
    bankroll_ranks: NDArray[np.float64]
    """(N, N) share of resamples in which a bot (row) has that rank (column, 0 is best)."""
    run_off_ranks: NDArray[np.float64]
    """The same of the instant run-off."""
    places: PlaceRanges
    """By total bankroll."""
    run_off_places: PlaceRanges


def bankroll_ci95(results: BlockResults) -> NDArray[np.float64]:
    """Return (N,) half the 95 % interval of each total bankroll, mbb/h, see `bankroll_width`."""
    return np.array([bankroll_width(results, bot) for bot in range(results.bots)])


def bankroll_width(results: BlockResults, bot: int) -> float:
    """Return half the 95 % interval of a bot's total bankroll, mbb/h.

    It is that of a mean of ratio estimates that share their blocks, with Student's quantile of the
    fewest blocks that a pair of the bot has.  With a sample a block for each opponent it is the
    interval of `engine.estimates.winrate` over deals.  Infinite for who met nobody, or played fewer
    than two blocks against some opponent.
    """
    sign = (results.pairs[:, 0] == bot).astype(np.int64) - (results.pairs[:, 1] == bot)
    mine = np.flatnonzero(sign)
    if not len(mine):
        return math.inf
    blocks, apart = _departures(results.part(mine))
    if blocks.min() < 2:
        return math.inf
    tables = np.ones(len(mine)) if results.tables is None else results.tables[mine]
    mean = (sign[mine] * tables) @ apart / tables.sum()
    return t95(int(blocks.min()) - 1) * math.sqrt(float(np.square(mean).sum()))


def pair_ci95(results: BlockResults) -> NDArray[np.float64]:
    """Return (P,) half the 95 % interval of what the first bot of each pair won, mbb/h.

    As `bankroll_ci95` of bots with one opponent; infinite with fewer than two blocks.
    """
    if not len(results.pairs):
        return np.zeros(0)
    blocks, apart = _departures(results)
    quantiles = [t95(count - 1) if count > 1 else math.inf for count in blocks.tolist()]
    widths: NDArray[np.float64] = np.array(quantiles) * np.sqrt(np.square(apart).sum(axis=1))
    return widths


def _few_alike(results: BlockResults) -> NDArray[np.bool_]:
    """Return (N,) which bots have an interval of 0 only because a few samples are all alike."""
    counts = np.repeat(results.counts.sum(axis=1), 2)
    samples = np.bincount(results.pairs.ravel(), counts, results.bots)
    widths = bankroll_ci95(results)
    return np.array(
        [
            math.isinf(told_width(width, int(count)))
            for width, count in zip(widths.tolist(), samples.tolist(), strict=True)
        ]
    )


def _departures(results: BlockResults) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return (P,) blocks with a sample, and (P, B) what each adds to the error of a pair's rate."""
    blocks = (results.counts > 0).sum(axis=1)
    small = np.sqrt(blocks / np.maximum(blocks - 1, 1))
    apart = results.sums - results.rates[:, None] * results.counts
    return blocks, apart * (small / results.counts.sum(axis=1))[:, None]


def bootstrap(results: BlockResults, resamples: int = RESAMPLES, seed: int = 1) -> Bootstrap | None:
    """Return how sure the ranks are, from R resamples; None with fewer than two blocks."""
    blocks = results.sums.shape[1]
    if blocks < 2 or not len(results.pairs):
        return None
    rng = np.random.default_rng(seed)
    rates = drawn_rates(results, resamples, rng)
    won = won_matrix(results.bots, results.pairs, rates)
    bankrolls = total_bankroll(won, results.weights)
    everyone = np.arange(results.bots, dtype=np.int64)
    # Equals by lot, each order in both directions, so that two of them share evenly
    lots = rng.permuted(np.tile(everyone, ((resamples + 1) // 2, 1)), axis=1)
    order = np.stack([lots, lots[:, ::-1]], axis=1).reshape(-1, results.bots)[:resamples]
    run_off = run_off_ranks(won, results.forfeits, order)
    met = np.isin(everyone, results.pairs)
    classes = rank_classes(met, results.forfeits)
    above, ranked = _bankroll_shares(bankrolls, classes)
    by_chips = classes[:, None] == classes
    np.fill_diagonal(by_chips, val=False)
    unknown = np.isinf(bankroll_ci95(results))
    unsure = by_chips & (unknown | unknown[:, None])
    unranked = ~met | unsure.any(axis=1)
    unsure[~met] = unsure[:, ~met] = True
    above[unsure] = np.nan
    run_off_shares = np.stack([(run_off == rank).mean(axis=0) for rank in everyone], axis=1)
    ranked[unranked] = run_off_shares[unranked] = np.nan
    strictly = np.where(by_chips, draws_above(bankrolls), classes[:, None] < classes)
    run_off_above = draws_above(-run_off.astype(np.float64))
    alike = _few_alike(results)
    unsure |= by_chips & (alike | alike[:, None])
    strictly[unsure] = run_off_above[unsure] = np.nan
    places, run_off_places = place_ranges(strictly), place_ranges(run_off_above)
    return Bootstrap(above, ranked, run_off_shares, places, run_off_places)


def drawn_rates(results: BlockResults, draws: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return (R, P) what the first bot of each pair won, mbb/h, in R draws of the noise.

    A pair with a sample in fewer than two blocks keeps what it won.
    """
    blocks, apart = _departures(results)
    widths = [t95(count - 1) / Z95 if count > 1 else 0.0 for count in blocks.tolist()]
    weights = rng.standard_normal((draws, apart.shape[1]))
    noise = weights @ (apart * np.array(widths)[:, None]).T
    rates: NDArray[np.float64] = results.rates + noise
    return rates.round(BANKROLL_DIGITS)


def bankroll_places(
    bots: int,
    pairs: NDArray[np.int64],
    rates: NDArray[np.float64],
    ci95: NDArray[np.float64],
    seed: int = 1,
) -> PlaceRanges:
    """Return the places by the mean over opponents where pairs are independent of each other.

    Args:
        pairs: (P, 2) the numbers of the two bots.
        rates: (P,) mbb/h of the first one.
        ci95: (P,) half the 95 % intervals; infinite: not known.
    """
    is_known = np.isfinite(ci95)
    errors = np.where(is_known, ci95, 0.0) / Z95
    noise = np.random.default_rng(seed).standard_normal((RESAMPLES, len(pairs)))
    above = draws_above(total_bankroll(won_matrix(bots, pairs, rates + noise * errors)))
    unsure = np.isin(np.arange(bots), pairs[~is_known])
    above[unsure] = above[:, unsure] = np.nan
    return place_ranges(above)


def _bankroll_shares(
    bankrolls: NDArray[np.float64], classes: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (N, N) shares of being above each other bot, and of having each rank.

    Args:
        bankrolls: (R, N) mbb/h.
        classes: (N,) what counts before them, see `rank_classes`.
    """
    bots = len(classes)
    bankrolls = np.nan_to_num(bankrolls)
    above = np.zeros((bots, bots))
    ranked = np.zeros((bots, bots))
    for bot in range(bots):
        mine, same = bankrolls[:, [bot]], classes == classes[bot]
        equal = same & (bankrolls == mine)
        better = (classes < classes[bot]) | (same & (bankrolls > mine))
        above[bot] = 1 - better.mean(axis=0) - equal.mean(axis=0) / 2
        above[bot, bot] = 0.0
        first, count = better.sum(axis=1), equal.sum(axis=1)
        for offset in range(int(count.max())):
            some = count > offset
            ranked[bot] += np.bincount(first[some] + offset, 1 / count[some], bots)
    return above, ranked / len(bankrolls)
