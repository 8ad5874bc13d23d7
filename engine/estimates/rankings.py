"""Rankings of N bots from what each pair won of each other.

    won       (N, N) float64  mbb/h of the row's bot against the column's, nan where they did not
                              meet; won[j, i] = -won[i, j]
    forfeits  (N,) int64      legs that each bot broke off

Total bankroll and bankroll instant run-off are the two rankings of the computer poker
competitions: by the mean over all opponents; and by taking out again and again who has the least
among those left.  Two things come before the chips.  Who met nobody is last, since nothing is
known of it.  A bot that forfeited more legs is behind all that forfeited fewer: hands after a
forfeit are not made up, and who is ahead must gain nothing by breaking off.
Source: Bard, Hawkin, Rubin, Zinkevich, "The annual computer poker competition", AI Magazine 34,
2013.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BANKROLL_DIGITS: Final = 6
"""Bankrolls in mbb/h that differ by less are equal, as rounding errors are."""


def total_bankroll(
    won: NDArray[np.float64], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return (..., N) each bot's mean over those it met, mbb/h; nan for one who met nobody.

    Args:
        won: (..., N, N).
        weights: (N, N) of the column's bot in the mean of the row's; None: all alike.
    """
    met = np.where(np.isnan(won), 0.0, 1.0 if weights is None else weights)
    count = met.sum(axis=-1)
    total: NDArray[np.float64] = (met * np.nan_to_num(won)).sum(axis=-1)
    mean: NDArray[np.float64] = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    return mean.round(BANKROLL_DIGITS)


def rank_classes(met: NDArray[np.bool_], forfeits: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Return (N,) what counts before chips, 0 is best: who met nobody is last, who forfeited later.

    Args:
        forfeits: see above; None: nobody forfeited.
    """
    broken_off = np.zeros(len(met), np.int64) if forfeits is None else forfeits
    return np.where(met, 0, broken_off.max(initial=0) + 1) + broken_off


def bankroll_ranks(
    won: NDArray[np.float64], forfeits: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Return (N,) each bot's rank by total bankroll, 0 is best; equals in their order."""
    bankroll = total_bankroll(won)
    classes = rank_classes(~np.isnan(bankroll), forfeits)
    ranks = np.empty(len(won), np.int64)
    ranks[np.lexsort((-np.nan_to_num(bankroll), classes))] = np.arange(len(won))
    return ranks


def run_off_ranks(
    won: NDArray[np.float64],
    forfeits: NDArray[np.int64] | None = None,
    order: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Return (..., N) each bot's rank by bankroll instant run-off, 0 is best.

    The one with the least total bankroll against those left is taken out; of equals the last one.
    Who met none of those left counts with its total bankroll.

    Args:
        won: (..., N, N) tables of bots that met the same others in all of them.
        forfeits: see above; None: nobody forfeited.
        order: (..., N) of the bots, for equals; None: as they are numbered.
    """
    bots = won.shape[-1]
    tables = won.reshape(-1, bots, bots)
    overall = total_bankroll(tables)
    met = ~np.isnan(tables[0])
    classes = rank_classes(~np.isnan(overall[0]), forfeits)
    overall, tables = np.nan_to_num(overall), np.nan_to_num(tables)
    turns = np.arange(bots) if order is None else np.argsort(order.reshape(-1, bots), axis=1)
    ranks = np.empty(overall.shape, np.int64)
    survivors = np.ones(overall.shape, np.bool_)
    rows = np.arange(len(tables))
    for rank in reversed(range(bots)):
        total = (tables @ survivors[:, :, None].astype(np.float64))[:, :, 0]
        count = survivors.astype(np.int64) @ met.T.astype(np.int64)
        bankroll = np.where(count > 0, total / np.maximum(count, 1), overall).round(BANKROLL_DIGITS)
        lowest_class = np.where(survivors, classes, -1).max(axis=1, keepdims=True)
        bankroll[~survivors | (classes < lowest_class)] = np.inf
        last = bankroll == bankroll.min(axis=1, keepdims=True)
        worst = np.where(last, turns, -1).argmax(axis=1)
        ranks[rows, worst] = rank
        survivors[rows, worst] = False
    return ranks.reshape(won.shape[:-1])


def won_matrix(
    bots: int, pairs: NDArray[np.int64], rates: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return (..., N, N) what each bot won from each.

    Args:
        pairs: (P, 2) the numbers of the two bots of each pair.
        rates: (..., P) mbb/h of the first one of each.
    """
    won = np.full((*rates.shape[:-1], bots, bots), np.nan)
    won[..., pairs[:, 0], pairs[:, 1]] = rates
    won[..., pairs[:, 1], pairs[:, 0]] = -rates
    return won
