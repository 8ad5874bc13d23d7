"""Student's distribution: how probable a mean this far from 0 is if the true one is 0."""

from __future__ import annotations

import math
from typing import Final

_TINY: Final = 1e-300
_CLOSE: Final = 1e-14
_MOST_STEPS: Final = 100_000
"""The fraction needs about the square root of its larger argument."""


def two_sided_p(t: float, freedom: int) -> float:
    """Return the probability that |T| is at least |t|, for T of Student's distribution.

    It is the regularised incomplete beta function I_x(freedom / 2, 1/2) at
    x = freedom / (freedom + t^2): Abramowitz, Stegun, "Handbook of mathematical functions", 1964,
    26.7.1 and 26.5.27.

    Args:
        t: a mean in units of its standard error; may be infinite.
        freedom: degrees of freedom, samples - 1.

    Raises:
        ValueError: `freedom` is below 1, or `t` is no number.
    """
    if freedom < 1 or math.isnan(t):
        raise ValueError(f"t = {t} with {freedom} degrees of freedom: want a number, and 1 or more")
    if t == 0:
        return 1.0
    if math.isinf(t * t):  # as good as infinite
        return 0.0
    a, b = freedom / 2, 0.5
    x = freedom / (freedom + t * t)
    rest = t * t / (freedom + t * t)  # 1 - x, without the loss of digits
    front = math.exp(
        math.lgamma(a + b)
        - math.lgamma(a)
        - math.lgamma(b)
        - a * math.log1p(t * t / freedom)
        + b * math.log(rest)
    )
    if x < (a + 1) / (a + b + 2):
        return min(1.0, front * _fraction(a, b, x) / a)
    return max(0.0, 1.0 - front * _fraction(b, a, rest) / b)


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's algorithm.

    DLMF 8.17.22; it converges fast for x below (a + 1) / (a + b + 2).
    """
    c, d = 1.0, 1.0 / _apart(1.0 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MOST_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for numerator in (even, odd):
            d = 1.0 / _apart(1.0 + numerator * d)
            c = _apart(1.0 + numerator / c)
            value *= c * d
        if abs(c * d - 1.0) < _CLOSE:
            break
    return value


def _apart(number: float) -> float:
    """Return a number far enough from 0 to divide by."""
    return number if abs(number) > _TINY else _TINY
