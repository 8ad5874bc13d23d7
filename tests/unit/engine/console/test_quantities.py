"""Numbers with an uncertainty, and shares, as all commands write them."""

import math

import pytest

from engine.console.quantities import interval, percent


@pytest.mark.parametrize(
    ("mean", "half_width", "digits", "text"),
    [
        (1234.56, 7.89, 1, "+1,234.6 ± 7.9"),
        (-0.04, 0.0, 1, "+0.0 ± 0.0"),
        (-12.5, 1000, 0, "-12 ± 1,000"),
        (3, math.inf, 1, "+3.0 ± ?"),
        (3, math.nan, 0, "+3 ± ?"),
        (0.12345, 0.01, 4, "+0.1235 ± 0.0100"),
    ],
)
def test_intervals_have_one_form(mean, half_width, digits, text):
    """With a sign, commas in thousands, and a question mark for what is not known."""
    assert interval(mean, half_width, digits) == text


def test_shares_have_one_form():
    """A blank before the sign; nothing for no share."""
    assert (percent(0.1234), percent(1, 0), percent(None)) == ("12.3 %", "100 %", "-")
