"""From how often a player folds, calls and raises to the strengths at which it does so.

Hands are sorted by strength; a player who folds f, calls c and raises r of the time is taken to
fold the weakest f, call with the middle c and raise with the best r.  For 2:5:3 the calling band
is that from the 20th to the 70th percentile: mean 0.45, bounds 0.2 and 0.7.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_WEIGHT_FACTOR: Final = 0.01
LEAST_THRESHOLD_ERROR: Final = 0.05
RAISE_ERROR: Final = 0.5
FOLD_ERROR: Final = 0.35
CALL_ERROR: Final = 1.0
"""Half widths of ramps in shares of the own range, for players who do not always go by strength.
Tried on the first 1500 hands of the DeepStack log: the sharp ramps of the patent, put on
percentiles, gave shown hands less probability than a uniform range.
"""


class Ramp(NamedTuple):
    """How likely an action becomes with strength: from nothing to certain, linearly."""

    mean: float
    """Strength at which it is one half."""
    error: float
    """Half of the strengths between nothing and certain; above 0."""

    def rising(self, strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (N,) the factors, 0.01 to 1, that the action gives hands of some strengths."""
        return np.clip(
            (strengths - self.mean + self.error) / (2 * self.error), LEAST_WEIGHT_FACTOR, 1.0
        )

    def falling(self, strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (N,) the factors of an action that becomes less likely with strength."""
        return np.clip(
            (self.mean + self.error - strengths) / (2 * self.error), LEAST_WEIGHT_FACTOR, 1.0
        )


class Band(NamedTuple):
    """Strengths with which a player calls."""

    low: float
    """Below it the player folds."""
    high: float
    """Above it the player raises."""

    @property
    def error(self) -> float:
        """Half the width."""
        return (self.high - self.low) / 2


class Ramps(NamedTuple):
    """What each action of a player says about its hand."""

    raising: Ramp
    """How likely a raise becomes with strength."""
    staying: Ramp
    """How likely a call becomes with strength, beside folding."""
    not_raising: Ramp
    """Mirrored: how likely a call becomes with weakness, beside raising."""


def sharp_ramps(band: Band) -> Ramps:
    """Return ramps by which an action is certain in its own band, and fades over the next ones.

    For 2:5:3 a raise is certain from 0.7 on and excluded below 0.2, as in the patent. A call is
    certain from 0.2 to 0.7, as the patent's decisions have it, and fades to 0 and to 1.
    """
    folds, calls, raises = (
        max(width / 2, LEAST_THRESHOLD_ERROR) for width in (band.low, 2 * band.error, 1 - band.high)
    )
    return Ramps(
        raising=Ramp(band.high - calls, calls),
        staying=Ramp(band.low - folds, folds),
        not_raising=Ramp(band.high + raises, raises),
    )


def blurred_ramps(band: Band, blur: float = 1.0) -> Ramps:
    """Return ramps on the scale of the own range whose mean over all hands is the counted
    frequency.

    Their widths are given and their means follow. So the raise of a player who always raises says
    nothing, nor does the call of one who always calls.

    Args:
        band: with what the player calls.
        blur: factor on the given widths; near 0 for players who go by nothing but strength.
    """
    raise_error, fold_error, call_error = (
        max(error * blur, LEAST_THRESHOLD_ERROR / 2)
        for error in (RAISE_ERROR, FOLD_ERROR, CALL_ERROR)
    )
    folds, raises = band.low, 1 - band.high
    begin = min(_beginning(raises, 2 * raise_error), 1 - 2 * LEAST_THRESHOLD_ERROR)
    end = min(1.0, begin + 2 * raise_error)
    up_to = 1 - _beginning(folds, 2 * fold_error)
    after = _beginning(raises, 2 * call_error)
    return Ramps(
        raising=Ramp((begin + end) / 2, (end - begin) / 2),  # likeliest is 1: only ratios matter
        staying=Ramp(up_to - fold_error, fold_error),
        not_raising=Ramp(after + call_error, call_error),
    )


def _beginning(share: float, width: float) -> float:
    """Return where a ramp to 1 of some width begins whose mean over 0..1 is `share`; maybe below 0.

    Where only one end of the ramp lies within 0..1, a triangle has the area `share` or 1 - share.
    """
    triangle = min(width, 1 / width) / 2
    if share <= triangle:
        return 1 - math.sqrt(2 * width * share)
    if 1 - share <= triangle:
        return math.sqrt(2 * width * (1 - share)) - width
    return 1 - share - width / 2 if width <= 1 else (1 - 2 * width * share) / 2


def band_of(fold: float, call: float, raise_: float) -> Band:
    """Return the calling band, in percentiles, of a player with these frequencies, in any one unit.

    Raises:
        ValueError: one is negative or all are 0.
    """
    total = fold + call + raise_
    if min(fold, call, raise_) < 0 or not total > 0:
        raise ValueError(f"frequencies {fold}, {call}, {raise_}: want none negative, one above 0")
    return Band(fold / total, (fold + call) / total)
