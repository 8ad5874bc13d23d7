"""Standings of N bots from what each pair won of each other, and how sure they are.

    won      (N, N) float64  mbb/h of the row's bot against the column's, nan where they did not
                             meet; won[j, i] = -won[i, j]
    sums     (P, B) float64  per pair, the sum over a block's samples of what its first bot won
    counts   (P, B) int64    how many samples those are
    pairs    (P, 2) int64    the numbers of the two bots, the first one first

A sample is a duplicate set, a block some consecutive deals.  Block b has the same deals in all
pairs, so the bootstrap draws blocks for all pairs together: luck of the deals that all share stays
shared, and bots that adapt keep their hands in order within a block.

Total bankroll and bankroll instant run-off are the two rankings of the computer poker
competitions: by the mean over all opponents; and by taking out again and again who has the least
among those left.
Sources: Bard, Hawkin, Rubin, Zinkevich, "The annual computer poker competition", AI Magazine 34,
2013; Efron, Tibshirani, "An introduction to the bootstrap", 1993.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES: Final = 2000
MOST_BLOCKS: Final = 200


@dataclass(frozen=True, slots=True, eq=False)
class Bootstrap:
    """What R resamples of the blocks say."""

    bankroll_sd: NDArray[np.float64]
    """(N,) standard error of each total bankroll, mbb/h."""
    above: NDArray[np.float64]
    """(N, N) share of resamples in which the row's bankroll is above the column's."""
    bankroll_ranks: NDArray[np.float64]
    """(N, N) share of resamples in which a bot (row) has that rank (column, 0 is best)."""
    run_off_ranks: NDArray[np.float64]
    """The same of the instant run-off."""


def total_bankroll(won: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (N,) each bot's mean over those it met, nan for one who met nobody."""
    met = ~np.isnan(won)
    count = met.sum(axis=1)
    total = np.where(met, won, 0.0).sum(axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def bankroll_ranks(won: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return (N,) each bot's rank by total bankroll, 0 is best; equals in their order.

    Who met nobody comes last.
    """
    bankroll = np.nan_to_num(total_bankroll(won), nan=-np.inf)
    ranks = np.empty(len(won), np.int64)
    ranks[np.argsort(-bankroll, kind="stable")] = np.arange(len(won))
    return ranks


def run_off_ranks(won: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return (N,) each bot's rank by bankroll instant run-off, 0 is best.

    The one with the least total bankroll against those left is taken out; of equals the later one.
    """
    left = list(range(len(won)))
    ranks = np.empty(len(won), np.int64)
    while left:
        bankroll = np.nan_to_num(total_bankroll(won[np.ix_(left, left)]), nan=np.inf)
        worst = len(left) - 1 - int(np.argmin(bankroll[::-1]))
        out = left.pop(worst)
        ranks[out] = len(left)
    return ranks


def won_matrix(
    bots: int, pairs: NDArray[np.int64], rates: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return (N, N) what each bot won from each, from (P,) mbb/h of the first bot of each pair."""
    won = np.full((bots, bots), np.nan)
    won[pairs[:, 0], pairs[:, 1]] = rates
    won[pairs[:, 1], pairs[:, 0]] = -rates
    return won


def bootstrap(
    bots: int,
    pairs: NDArray[np.int64],
    sums: NDArray[np.float64],
    counts: NDArray[np.int64],
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> Bootstrap | None:
    """Return how sure the standings are; None with fewer than two blocks.

    Args:
        bots: N.
        pairs: see above.
        sums: see above.
        counts: see above.
        resamples: R.
        seed: of what is drawn.
    """
    blocks = sums.shape[1]
    if blocks < 2 or not len(pairs):
        return None
    rng = np.random.default_rng(seed)
    draws = rng.multinomial(blocks, np.full(blocks, 1 / blocks), resamples).astype(np.float64)
    drawn = draws @ counts.T
    with np.errstate(invalid="ignore"):
        rates = np.where(drawn > 0, (draws @ sums.T) / np.maximum(drawn, 1), np.nan)
    bankrolls = np.empty((resamples, bots))
    ranked = np.zeros((bots, bots))
    run_off = np.zeros((bots, bots))
    everyone = np.arange(bots)
    for number, found in enumerate(rates):
        won = won_matrix(bots, pairs, found)
        bankrolls[number] = total_bankroll(won)
        ranked[everyone, bankroll_ranks(won)] += 1
        run_off[everyone, run_off_ranks(won)] += 1
    above = np.stack([(bankrolls[:, [bot]] > bankrolls).mean(axis=0) for bot in everyone])
    return Bootstrap(bankrolls.std(axis=0, ddof=1), above, ranked / resamples, run_off / resamples)
