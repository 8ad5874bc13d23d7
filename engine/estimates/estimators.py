"""Estimators of a win rate side by side, on the same hands.

H hands of one player, U samples.  An estimator is a line of a small table, `HandValues`:

    name     "raw" for the chips as paid, "allin", "aivat", ...
    chips    (H,) float64  what each hand was worth by it, nan where it says nothing of a hand
    units    what counts as one independent sample, None for the single hand

so that whatever makes a value of a hand - an expectation, a corrected result computed elsewhere -
gets its interval and its worth beside the others.  Duplicate sets are no other values, they are
other units: `with_sets` makes "sets" of "raw" and "allin_sets" of "allin".

The mean over units is the ratio estimate, sum of chips over sum of hands, its standard error that
of a ratio of means (Cochran, "Sampling techniques", 1977, 6.4); where all units are
equally large, as duplicate sets are, it is the plain mean of the samples.

    hands saved   variance per hand of raw / variance per hand of the estimator, on the same hands:
                  for the same interval raw takes so many times the hands, each dealt anew
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.estimates.betting import betting_wealths
from engine.estimates.winrate import WinRate, win_rate, win_rate_of_units

if TYPE_CHECKING:
    from numpy.typing import NDArray

RAW: Final = "raw"
ALLIN: Final = "allin"
AIVAT: Final = "aivat"
_BOUNDED_ESTIMATORS: Final = (RAW, ALLIN, "sets", "allin_sets")
"""Their samples, chips as paid or means of them, are within what a hand can cost and bring.  AIVAT
subtracts luck, which has no bound in advance."""
HAND_UNIT: Final = "hand"
DUPLICATE_SET: Final = "duplicate set"
SESSION: Final = "session"


@dataclass(frozen=True, slots=True, eq=False)
class SampleUnits:
    """Which hands make one independent sample together."""

    name: str
    """Of one of them: "duplicate set", "session"."""
    unit: NDArray[np.int64]
    """(H,) number of each hand's unit, from 0; -1 for hands that are left out."""
    weight: NDArray[np.float64]
    """(H,) what a hand counts in its unit: 1 for a whole hand."""
    whole: bool
    """Whether a unit counts only if all its hands have a value."""


@dataclass(frozen=True, slots=True, eq=False)
class HandValues:
    """What each hand was worth to one player by one estimator."""

    name: str
    chips: NDArray[np.float64]
    """(H,) chips; nan where the estimator says nothing of a hand."""
    units: SampleUnits | None = None
    """None: each hand is a sample."""

    def used_hands(self) -> NDArray[np.bool_]:
        """Return (H,) which hands are behind the estimate."""
        mask = ~np.isnan(self.chips)
        if self.units is None:
            return mask
        mask &= self.units.unit >= 0
        if self.units.whole:
            broken = np.unique(self.units.unit[(self.units.unit >= 0) & ~mask])
            mask &= ~np.isin(self.units.unit, broken)
        return mask


@dataclass(frozen=True, slots=True)
class Estimate:
    """A win rate by one estimator."""

    name: str
    unit: str
    """What one sample is: `HAND_UNIT`, or the name of its units."""
    rate: WinRate
    hands_saved: float | None
    """See above; 1 for raw, None where it is not known."""

    @property
    def sd_per_hand(self) -> float:
        """Standard deviation in mbb/h that single hands would have for the same interval."""
        return sd_per_hand(self.rate)


def sd_per_hand(rate: WinRate) -> float:
    """Return the standard deviation in mbb/h of hands, each a sample, with the same interval."""
    return rate.sd * math.sqrt(rate.hands / rate.samples) if rate.samples else math.inf


def name_in_sets(name: str) -> str:
    """Return the name of an estimator over duplicate sets."""
    return "sets" if name == RAW else f"{name}_sets"


def with_sets(table: Sequence[HandValues], sets: SampleUnits) -> list[HandValues]:
    """Return each estimator followed by itself over duplicate sets."""
    return [
        entry
        for values in table
        for entry in (values, replace(values, name=name_in_sets(values.name), units=sets))
    ]


def estimates(
    table: Sequence[HandValues], big_blind: int, bounds: tuple[float, float] | None = None
) -> tuple[Estimate, ...]:
    """Return what each estimator of one player says; `RAW` must be among them.

    Args:
        table: a line for each estimator.
        big_blind: chips.
        bounds: the most chips that a hand can cost and bring the player; None: not known.

    Raises:
        ValueError: there is no raw one, or the numbers of hands differ.
    """
    raw = next((values for values in table if values.name == RAW), None)
    if raw is None or any(values.chips.shape != raw.chips.shape for values in table):
        raise ValueError("want estimators of the same hands, raw among them")
    return tuple(_estimate(values, raw, big_blind, bounds) for values in table)


def rate_of(
    values: HandValues, big_blind: int, bounds: tuple[float, float] | None = None
) -> WinRate:
    """Return the win rate by one estimator, with a p-value where `bounds` of hands are given."""
    mask = values.used_hands()
    chips = values.chips[mask]
    if values.units is None:
        return _tested(win_rate(chips, big_blind), chips, big_blind, bounds)
    weights = values.units.weight[mask]
    numbers, unit = np.unique(values.units.unit[mask], return_inverse=True)
    totals = np.bincount(unit, weights * chips, len(numbers)).astype(np.float64)
    sizes = np.bincount(unit, weights, len(numbers)).astype(np.float64)
    rate = win_rate_of_units(totals, sizes, big_blind, hands=int(mask.sum()))
    largest = float(sizes.max(initial=0.0)) or 1.0
    return _tested(rate, totals / largest, big_blind, bounds)


def _tested(
    rate: WinRate,
    samples: NDArray[np.float64],
    big_blind: int,
    bounds: tuple[float, float] | None,
) -> WinRate:
    """Return a win rate with the p-value of its samples, chips.

    Units that are smaller than the largest one count by their size, which keeps their mean at 0 if
    that of hands is, and their samples within the bounds of a hand.
    """
    if bounds is None:
        return rate
    wealths = betting_wealths(samples, *bounds)
    p = None if wealths is None else wealths.p_value
    return replace(rate, most_lost=bounds[0] * 1000 / big_blind, p_value=p, wealths=wealths)


def hands_saved(rate: WinRate, raw: WinRate) -> float | None:
    """Return how many times as many hands raw takes for the same interval; None if not known.

    Both rates are of the same hands.
    """
    spread, plain = sd_per_hand(rate), sd_per_hand(raw)
    if not (math.isfinite(spread) and math.isfinite(plain)) or spread == 0:
        return None
    return (plain / spread) ** 2


def _estimate(
    values: HandValues,
    raw: HandValues,
    big_blind: int,
    bounds: tuple[float, float] | None,
) -> Estimate:
    bounded = values.name in _BOUNDED_ESTIMATORS
    rate = rate_of(values, big_blind, bounds if bounded else None)
    unit = HAND_UNIT if values.units is None else values.units.name
    if values is raw:
        return Estimate(values.name, unit, rate, hands_saved(rate, rate))
    same = replace(raw, chips=np.where(values.used_hands(), raw.chips, np.nan))
    return Estimate(values.name, unit, rate, hands_saved(rate, rate_of(same, big_blind)))
