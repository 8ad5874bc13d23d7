"""Student's distribution against printed tables and closed forms."""

import math

import pytest

from engine.estimates.student import two_sided_p
from engine.estimates.winrate import t95


@pytest.mark.parametrize("t", [1e-9, 0.01, 0.4, 1.0, 3.0, 50.0, 1e6])
def test_closed_forms(t):
    """With 1 and 2 degrees of freedom; with very many it is the normal distribution."""
    assert two_sided_p(t, 1) == pytest.approx(2 / math.pi * math.atan2(1, t), rel=1e-10)
    tail = 2 / (math.sqrt(2 + t * t) * (math.sqrt(2 + t * t) + t))  # 1 - t / sqrt(2 + t^2)
    assert two_sided_p(t, 2) == pytest.approx(tail, rel=1e-10)
    if t <= 3:
        assert two_sided_p(t, 10**8) == pytest.approx(math.erfc(t / math.sqrt(2)), rel=1e-5)


@pytest.mark.parametrize("freedom", [*range(1, 41), 100, 1000, 10**6, 10**8])
def test_it_agrees_with_the_quantiles_of_the_intervals(freedom):
    """A 95 % interval that just reaches 0 and p = 0.05 are the same thing."""
    assert two_sided_p(t95(freedom), freedom) == pytest.approx(0.05, abs=1e-7)


def test_ends_and_wrong_arguments():
    """No difference is no evidence, and one without any spread is all there can be."""
    assert two_sided_p(0.0, 5) == 1.0
    assert two_sided_p(math.inf, 5) == 0.0
    assert two_sided_p(-math.inf, 5) == 0.0
    assert two_sided_p(1e200, 5) == 0.0  # its square is beyond floats
    for t, freedom in ((1.0, 0), (math.nan, 5)):
        with pytest.raises(ValueError, match="degrees of freedom"):
            two_sided_p(t, freedom)
