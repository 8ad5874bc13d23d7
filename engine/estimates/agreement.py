"""Do estimators of the same hands agree?  They have the same mean, so they differ by chance alone.

Each pair of estimators is compared hand by hand.  The mean of the differences is 0 if both are
right; Student's test says how probable one so far from 0 is by chance, and the probabilities are
adjusted for so many comparisons (Holm, `engine.estimates.significance`).  Below `WARNING_LEVEL`
there is more to it: a mistake in an estimator, a log whose values are not those of its cards, cards
that do not come as they should.

Most differences are 0 - all-in expectation changes one hand in a hundred - and some are huge, so a
million hands may say no more than thirty.  Degrees of freedom are therefore not those of the hands
but of the effective number of differences, (sum d^2)^2 / sum d^4, which is n for n of equal size.
Below `FEWEST_EFFECTIVE_DIFFERENCES` of them nothing is said (Kish, "Survey sampling", 1965, on
effective sizes).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.estimates.estimators import HandValues
from engine.estimates.significance import holm
from engine.estimates.student import two_sided_p
from engine.estimates.winrate import t95, win_rate_of_units

if TYPE_CHECKING:
    from numpy.typing import NDArray

WARNING_LEVEL: Final = 0.01
"""Sound estimators are warned of so often, in all comparisons of one result together."""
FEWEST_EFFECTIVE_DIFFERENCES: Final = 20.0


@dataclass(frozen=True, slots=True)
class EstimatorPair:
    """Two estimators of what one player won, on the hands that both know."""

    player: str
    against: str
    """The others at the table; "" for all tables of the player."""
    estimator: str
    reference: str
    """Names of the estimators."""
    mbb_per_hand: float
    """Mean of `estimator` less `reference`."""
    ci95: float
    """Half its 95 % interval; infinite where too few hands differ."""
    hands: int
    """Hands compared."""
    differing: int
    """Hands with different values."""
    p_value: float | None
    """Probability of such a difference by chance; None where too few hands differ to say."""

    @property
    def warns(self) -> bool:
        """Whether they differ by more than chance allows."""
        return self.p_value is not None and self.p_value < WARNING_LEVEL


def comparisons(
    table: Sequence[HandValues],
    big_blind: int,
    player: str,
    against: str = "",
    deal: NDArray[np.int64] | None = None,
) -> list[EstimatorPair]:
    """Return each pair of estimators of one player compared; probabilities not yet adjusted.

    Args:
        table: estimators of the same hands; their units do not matter.
        deal: (H,) number of each hand's deal, where deals were played more than once: then hands
            of one deal are not independent.
    """
    return [
        _compare(estimator, reference, big_blind, player, against, deal)
        for estimator, reference in combinations(table, 2)
    ]


def adjusted(pairs: Iterable[EstimatorPair]) -> list[EstimatorPair]:
    """Return all comparisons of one result, probabilities adjusted for their number (Holm)."""
    every = list(pairs)
    chances = holm([pair.p_value for pair in every])
    return [replace(pair, p_value=p) for pair, p in zip(every, chances, strict=True)]


def _compare(
    estimator: HandValues,
    reference: HandValues,
    big_blind: int,
    player: str,
    against: str,
    deal: NDArray[np.int64] | None,
) -> EstimatorPair:
    apart = estimator.chips - reference.chips
    mask = ~np.isnan(apart)
    apart = apart[mask]
    totals, sizes = apart, np.ones(len(apart))
    if deal is not None:
        _, unit = np.unique(deal[mask], return_inverse=True)
        totals = np.bincount(unit, apart).astype(np.float64)
        sizes = np.bincount(unit).astype(np.float64)
    rate = win_rate_of_units(totals, sizes, big_blind, hands=len(apart))
    ci95, p = math.inf, None
    if (effective := _effective(totals)) >= FEWEST_EFFECTIVE_DIFFERENCES:
        freedom = math.floor(effective) - 1
        error = rate.sd / math.sqrt(rate.samples)
        ci95 = t95(freedom) * error
        p = two_sided_p(rate.mbb_per_hand / error if error else math.inf, freedom)
    differing = int(np.count_nonzero(apart))
    return EstimatorPair(
        player,
        against,
        estimator.name,
        reference.name,
        rate.mbb_per_hand,
        ci95,
        rate.hands,
        differing,
        p,
    )


def _effective(differences: NDArray[np.float64]) -> float:
    """Return how many equally large differences would say as much."""
    squares = np.square(differences)
    fourth = float(np.square(squares).sum())
    return float(squares.sum()) ** 2 / fourth if fourth else 0.0
