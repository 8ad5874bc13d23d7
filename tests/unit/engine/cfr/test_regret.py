"""Scalar arithmetic of regrets, called from Python."""

import pytest

from engine.cfr.regret import accumulated, predicted


@pytest.mark.parametrize(
    ("regret", "instant", "floor", "expected"),
    [
        (4.0, 1.0, False, 3.0),
        (-4.0, 1.0, False, 0.0),
        (-4.0, -1.0, False, -2.0),
        (0.0, 2.0, True, 2.0),
        (4.0, -3.0, True, 0.0),
    ],
)
def test_accumulated(regret, instant, floor, expected):
    """Positive regrets are halved here, negative ones quartered, then the new one is added."""
    assert accumulated(regret, instant, 0.5, 0.25, floor) == expected


@pytest.mark.parametrize(
    ("regret", "instant", "expected"), [(4.0, 2.0, 3.0), (4.0, -4.0, 0.0), (1.0, -4.0, 0.0)]
)
def test_predicted(regret, instant, expected):
    """Half the regret and half the latest one, never below zero."""
    assert predicted(regret, instant, 0.5, 0.5) == expected
