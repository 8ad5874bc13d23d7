"""Ratings by least squares: one number a bot, from the win rates of pairs of which many never met.

    rates    (P,) float64  mbb/h that the first bot of a pair won from the second
    errors   (P,) float64  their standard errors

A pair's rate is the difference of two ratings, plus what is peculiar to the pair, plus noise.  The
spread of the peculiar part is estimated from what is left beyond the noise, so where bots beat each
other in circles no rating looks surer than it is, and one long match does not outweigh many.
Ratings are what a bot would win from the average bot, and mean 0.  A pair of whom one met nobody
else says nothing about the other.  It is the margin's twin of Bradley's and Terry's model.
Sources: Massey, "Statistical models applied to the rating of sports teams", 1997; DerSimonian,
Laird, "Meta-analysis in clinical trials", Control. Clin. Trials 7, 1986, for the spread.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEAST_ERROR: Final = 1e-3
"""mbb/h; of pairs whose samples are all alike."""


@dataclass(frozen=True, slots=True, eq=False)
class LeastSquaresRatings:
    """Of N bots."""

    ratings: NDArray[np.float64]
    """(N,) mbb/h from the average bot."""
    covariance: NDArray[np.float64]
    """(N, N) of the ratings."""
    spread: float
    """Standard deviation of what is peculiar to a pair, mbb/h."""

    def response(
        self, pairs: NDArray[np.int64], errors: NDArray[np.float64], rates: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return (R, N) the ratings for R other outcomes of the same pairs.

        Args:
            rates: (R, P).
        """
        weighted = rates / _variances(errors, self.spread)
        return _totals(len(self.ratings), pairs, weighted) @ self.covariance


def least_squares_ratings(
    bots: int,
    pairs: NDArray[np.int64],
    rates: NDArray[np.float64],
    errors: NDArray[np.float64],
) -> LeastSquaresRatings:
    """Return the ratings of N bots.

    Args:
        bots: N.
        pairs: (P, 2) numbers of the two bots; each pair once, and all bots linked by them.

    Raises:
        ValueError: bots are not linked.
    """
    if len(set(components(bots, pairs).tolist())) > 1:
        raise ValueError("want bots that are all linked by pairs which met")
    ratings, covariance = _fit(bots, pairs, rates, _variances(errors, 0.0))
    weights = 1 / _variances(errors, 0.0)
    first, second = pairs[:, 0], pairs[:, 1]
    variances = np.diag(covariance)
    explained = variances[first] + variances[second] - 2 * covariance[first, second]
    rest = float(weights @ np.square(rates - ratings[first] + ratings[second]))
    surplus = rest - (len(pairs) - bots + 1)
    scale = float(weights.sum() - np.square(weights) @ explained)
    spread = math.sqrt(surplus / scale) if surplus > 0 and scale > 0 else 0.0
    if spread:
        ratings, covariance = _fit(bots, pairs, rates, _variances(errors, spread))
    return LeastSquaresRatings(ratings, covariance, spread)


def components(bots: int, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (N,) for each bot the lowest number of a bot that pairs link it to."""
    lowest = np.arange(bots, dtype=np.int64)
    while True:
        reached = lowest.copy()
        np.minimum.at(reached, pairs[:, 0], lowest[pairs[:, 1]])
        np.minimum.at(reached, pairs[:, 1], lowest[pairs[:, 0]])
        reached = reached[reached]
        if (reached == lowest).all():
            return lowest
        lowest = reached


def _variances(errors: NDArray[np.float64], spread: float) -> NDArray[np.float64]:
    return np.square(np.maximum(errors, _LEAST_ERROR)) + spread * spread


def _fit(
    bots: int,
    pairs: NDArray[np.int64],
    rates: NDArray[np.float64],
    variances: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (N,) ratings of mean 0, and (N, N) their covariance."""
    weights = 1 / variances
    laplacian = np.zeros((bots, bots))
    laplacian[pairs[:, 0], pairs[:, 1]] = laplacian[pairs[:, 1], pairs[:, 0]] = -weights
    laplacian[np.diag_indices(bots)] = -laplacian.sum(axis=1)
    # Its null space is the mean; that scaled as the rest, the matrix is well conditioned
    mean = np.full((bots, bots), weights.mean() / bots if len(pairs) else 1.0)
    covariance = np.linalg.inv(laplacian + mean)
    covariance -= covariance.sum() / max(bots * bots, 1)
    return covariance @ _totals(bots, pairs, (rates * weights)[None])[0], covariance


def _totals(
    bots: int, pairs: NDArray[np.int64], weighted: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return (R, N) what each bot won in all, of (R, P) what the first of each pair did."""
    totals = np.zeros((bots, len(weighted)))
    np.add.at(totals, pairs[:, 0], weighted.T)
    np.subtract.at(totals, pairs[:, 1], weighted.T)
    return totals.T
