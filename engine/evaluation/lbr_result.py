"""What a measurement with local best response comes to: win rate, interval, play by street.

The samples carry sums that are pure luck, 0 on the mean whatever is played.  Their correlation
with the winnings tells how much of those was luck, and that much is taken out: winnings minus
luck @ coefficients, with least-squares coefficients.  Coefficients fitted to the very pairs that
they correct would bias the mean a little.  So the even pairs get those of the odd pairs and the
other way round; pairs are independent, and the mean stays that of the winnings exactly.

With all of LBR's hands at once all of the luck is taken out first: few pairs tell enough then, and
no coefficient need be fitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.estimates.winrate import WinRate, win_rate
from engine.evaluation.lbr_hand import (
    CALLS,
    FOLDS,
    OPPONENT_FOLDS,
    RAISED,
    RAISES,
    WON,
)
from engine.evaluation.lbr_match import ALL_HOLES, POSITIONS, LbrSamples

_FEWEST_PAIRS_PER_COEFFICIENT: Final = 10
"""With fewer in each half nothing is taken out: noise would be added."""


@dataclass(frozen=True, slots=True)
class StreetPlay:
    """LBR's play on one street, per hand dealt."""

    folds: float
    calls: float
    """Checks included."""
    raises: float
    raise_chips: float
    """Mean chips of a raise over a call; 0 without raises."""
    opponent_folds: float
    mbb_per_hand: float
    """From hands that end on the street, luck included."""


@dataclass(frozen=True, slots=True)
class LbrResult:
    """How much local best response wins."""

    settings: str
    rate: WinRate
    """Luck taken out; a sample is a pair of hands."""
    plain: WinRate
    """The same pairs with their luck."""
    streets: tuple[StreetPlay, ...]
    """Unlike `rate` with their luck; their mbb/h add up to `plain`."""


def result_of(samples: LbrSamples) -> LbrResult:
    """Sum up a measurement."""
    big_blind = samples.game.big_blind
    won = samples.won.mean(axis=1)
    lucky = samples.luck.reshape(samples.pairs, -1)
    less = won - samples.luck.sum(axis=2).mean(axis=1) if samples.holes == ALL_HOLES else won
    return LbrResult(
        samples.settings.name,
        win_rate(without_luck(less, lucky), big_blind, hands_per_sample=POSITIONS * samples.holes),
        win_rate(won, big_blind, hands_per_sample=POSITIONS * samples.holes),
        tuple(_street(row, 1000.0 / big_blind) for row in samples.tally.mean(axis=(0, 1)).tolist()),
    )


def without_luck(values: NDArray[np.float64], luck: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values less what luck explains of them; the mean of both is the same quantity.

    Args:
        values: (N,) independent samples.
        luck: (N, K) quantities of each sample whose true mean is 0.

    Raises:
        ValueError: the shapes differ, or something is not finite.
    """
    if luck.shape[:1] != values.shape or luck.ndim != 2:
        raise ValueError(f"values {values.shape} and luck {luck.shape} must be (N,) and (N, K)")
    if not (np.isfinite(values).all() and np.isfinite(luck).all()):
        raise ValueError("values and luck must be finite")
    cleaned = values.copy()
    even = np.arange(len(values)) % 2 == 0
    for half in (even, ~even):
        cleaned[half] -= luck[half] @ _coefficients(values[~half], luck[~half])
    return cleaned


def _coefficients(values: NDArray[np.float64], luck: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (K,) the least-squares coefficients of luck for values, 0 where it never varies."""
    if len(values) < _FEWEST_PAIRS_PER_COEFFICIENT * luck.shape[1]:
        return np.zeros(luck.shape[1])
    spread = luck.std(axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    centred = (luck - luck.mean(axis=0)) / scale
    fitted, *_ = np.linalg.lstsq(centred, values - values.mean(), rcond=None)
    coefficients: NDArray[np.float64] = fitted / scale
    return coefficients


def _street(row: list[float], to_mbb: float) -> StreetPlay:
    raises = row[RAISES]
    return StreetPlay(
        folds=row[FOLDS],
        calls=row[CALLS],
        raises=raises,
        raise_chips=row[RAISED] / raises if raises else 0.0,
        opponent_folds=row[OPPONENT_FOLDS],
        mbb_per_hand=row[WON] * to_mbb,
    )
