"""Shares with Wilson's interval."""

import math

import pytest

from engine.estimates.shares import ShareEstimate


def test_wilsons_interval():
    """50 of 100: 0.4038 to 0.5962; none of 10: up to 0.2775."""
    half = ShareEstimate.of(50, 100)
    assert (half.value, half.low, half.high) == pytest.approx((0.5, 0.4038, 0.5962), abs=1e-4)
    none = ShareEstimate.of(0, 10)
    assert (none.value, none.low, none.high) == pytest.approx((0, 0, 0.2775), abs=1e-4)
    assert ShareEstimate.of(10, 10).high == 1
    assert math.isnan(ShareEstimate.of(0, 0).value)


@pytest.mark.parametrize("counts", [(-1, 3), (4, 3)])
def test_what_is_no_share_is_refused(counts):
    """With both numbers."""
    with pytest.raises(ValueError, match="are no share"):
        ShareEstimate.of(*counts)
