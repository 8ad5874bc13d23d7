"""Nash averages of a round-robin, with intervals by the bootstrap over its blocks of deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.estimates.nash_average import nash_averages
from engine.estimates.ranking_certainty import resampled_rates
from engine.estimates.rankings import won_matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.estimates.ranking_certainty import BlockResults

NASH_RESAMPLES: Final = 200
MOST_BOTS: Final = 100
"""Of whom Nash averages are computed: a hundred take some seconds."""
_TAILS: Final = (2.5, 97.5)


@dataclass(frozen=True, slots=True, eq=False)
class NashRanking:
    """Of N bots."""

    shares: NDArray[np.float64]
    """(N,) in the mixture."""
    ratings: NDArray[np.float64]
    """(N,) what each wins from the mixture, mbb/h."""
    low: NDArray[np.float64]
    """(N,) lower end of the 95 % percentile interval of the rating; nan below two blocks."""
    high: NDArray[np.float64]


def nash_ranking(
    results: BlockResults, resamples: int = NASH_RESAMPLES, seed: int = 1
) -> NashRanking | None:
    """Return the Nash averages; None where not all have met, or there are over `MOST_BOTS`."""
    bots = results.bots
    if bots > MOST_BOTS or len(results.pairs) != bots * (bots - 1) // 2:
        return None
    found = nash_averages(_tables(results, results.rates[None]))
    ends = np.full((2, bots), np.nan)
    if results.sums.shape[1] > 1:
        rates = resampled_rates(results, resamples, np.random.default_rng(seed))
        drawn = nash_averages(_tables(results, rates)).ratings
        ends = np.percentile(drawn, _TAILS, axis=0)
    return NashRanking(found.shares[0], found.ratings[0], ends[0], ends[1])


def _tables(results: BlockResults, rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (R, N, N) tables of (R, P) rates."""
    found: NDArray[np.float64] = np.nan_to_num(
        [won_matrix(results.bots, results.pairs, one) for one in rates]
    )
    return found
