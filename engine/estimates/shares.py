"""Shares of things that were counted, with their 95 % intervals.

Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22,
1927.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.estimates.winrate import Z95


@dataclass(frozen=True, slots=True)
class ShareEstimate:
    """How many of how many; nan of nothing."""

    value: float
    low: float
    """Lower end of the 95 % interval."""
    high: float

    @classmethod
    def of(cls, count: int, total: int) -> ShareEstimate:
        """Return the share of `count` things in `total`.

        Raises:
            ValueError: `count` is negative or above `total`.
        """
        if not 0 <= count <= total:
            raise ValueError(f"{count} of {total} are no share")
        if not total:
            return cls(math.nan, math.nan, math.nan)
        value, square = count / total, Z95 * Z95
        middle = (count + square / 2) / (total + square)
        half = Z95 * math.sqrt(total * value * (1 - value) + square / 4) / (total + square)
        return cls(value, max(0.0, middle - half), min(1.0, middle + half))
