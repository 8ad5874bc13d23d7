"""Nash averages of a round-robin, with intervals by the bootstrap over its blocks of deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.estimates.nash_average import nash_averages
from engine.estimates.places import PlaceRanges, draws_above, place_ranges
from engine.estimates.ranking_certainty import drawn_rates
from engine.estimates.rankings import won_matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.estimates.ranking_certainty import BlockResults

NASH_RESAMPLES: Final = 1000
MOST_NASH_BOTS: Final = 100
"""A hundred take some seconds."""
_TAILS: Final = (2.5, 97.5)
_FEWEST_BLOCKS: Final = 4
"""With two, the noise of all cells lies on a line: ranges of 3 bots missed a place in 15 %."""
LEAST_LEAD_MBB: Final = 1.0
"""Bots of one mixture are equals."""


@dataclass(frozen=True, slots=True, eq=False)
class NashRanking:
    """Of N bots."""

    shares: NDArray[np.float64]
    """(N,) in the mixture."""
    ratings: NDArray[np.float64]
    """(N,) what each wins from the mixture, mbb/h."""
    low: NDArray[np.float64]
    """(N,) lower end of the 95 % percentile interval of the rating; nan below four blocks."""
    high: NDArray[np.float64]
    places: PlaceRanges
    """By the rating, where bots of the mixture share the first; all places below four blocks."""


def nash_ranking(
    results: BlockResults, resamples: int = NASH_RESAMPLES, seed: int = 1
) -> NashRanking | None:
    """Return the Nash averages; None where not all have met, or there are over `MOST_NASH_BOTS`."""
    if not has_nash_averages(results):
        return None
    bots = results.bots
    averages = nash_averages(_tables(results, results.rates[None]))
    ends, above = np.full((2, bots), np.nan), np.full((bots, bots), np.nan)
    if (results.counts > 0).sum(axis=1).min() >= _FEWEST_BLOCKS:
        drawn = nash_ratings(results, drawn_rates(results, resamples, np.random.default_rng(seed)))
        ends = np.percentile(drawn, _TAILS, axis=0)
        above = draws_above(drawn, LEAST_LEAD_MBB)
    return NashRanking(
        averages.shares[0], averages.ratings[0], ends[0], ends[1], place_ranges(above)
    )


def has_nash_averages(results: BlockResults) -> bool:
    """Return whether all bots have met, and are at most `MOST_NASH_BOTS`."""
    bots = results.bots
    return bots <= MOST_NASH_BOTS and len(results.pairs) == bots * (bots - 1) // 2


def nash_ratings(results: BlockResults, rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (R, N) what each bot wins from the mixture in R draws of the noise, mbb/h.

    Args:
        rates: (R, P) see `drawn_rates`.
    """
    return nash_averages(_tables(results, rates)).ratings


def _tables(results: BlockResults, rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (R, N, N) tables of (R, P) rates."""
    return np.nan_to_num(won_matrix(results.bots, results.pairs, rates))
