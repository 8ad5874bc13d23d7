"""How all commands write numbers with an uncertainty, and shares."""

from __future__ import annotations

import math
from typing import Final

UNKNOWN: Final = "-"


def interval(mean: float, half_width: float, digits: int = 1) -> str:
    """Return a mean with half its 95 % interval as "+1,234.5 ± 67.8".

    Args:
        mean: written with its sign; never "-0.0".
        half_width: not finite where too few samples tell nothing of it, which is "± ?".
        digits: behind the point.
    """
    value = round(mean, digits) + 0.0
    spread = f"{half_width:,.{digits}f}" if math.isfinite(half_width) else "?"
    return f"{value:+,.{digits}f} ± {spread}"


def rough_count(count: int) -> str:
    """Return a count that is wanted with two digits, rounded up: 87, 4,800, 880,000, 8.8 million.

    No estimate of a spread is better.
    """
    step = 10 ** max(len(str(count)) - 2, 0)
    rounded = -(-count // step) * step
    for size, unit in ((10**9, "billion"), (10**6, "million")):
        if rounded >= size:
            return f"{rounded / size:,g} {unit}"
    return f"{rounded:,}"


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share of one as "12.3 %", None as "-"."""
    return UNKNOWN if share is None else f"{100 * share:.{digits}f} %"


def duration(seconds: float | None) -> str:
    """Return a time as "1:02:03" or "2:03", None as "-:--"."""
    if seconds is None:
        return "-:--"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
