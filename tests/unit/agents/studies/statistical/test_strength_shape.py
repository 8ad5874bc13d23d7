"""Humps of histograms."""

import pytest

from agents.studies.statistical.strength_shape import histogram_shape


def test_one_hump():
    """Noise of a few counts makes no valley."""
    shape = histogram_shape([10, 400, 900, 880, 905, 500, 20])
    assert shape.tops == (4,)
    assert shape.valleys == shape.depths == ()
    assert str(shape) == "unimodal"


def test_two_humps():
    """The valley's depth is measured from the lower top."""
    shape = histogram_shape([900, 1000, 500, 300, 600, 800, 100])
    assert shape.tops == (1, 5)
    assert shape.valleys == (3,)
    assert shape.depths == pytest.approx((1 - 300 / 800,))
    assert str(shape) == "bimodal, valley 62 %"


def test_tops_at_both_ends():
    """Few medium values: the ends are tops too."""
    assert histogram_shape([1000, 500, 100, 500, 1000]).tops == (0, 4)


def test_a_fall_that_may_be_chance_is_none():
    """The same shares, a hundred times fewer counts."""
    assert str(histogram_shape([9, 10, 5, 3, 6, 8, 1])) == "unimodal"


def test_three_humps_are_told():
    """In words there are only one and two."""
    assert str(histogram_shape([1000, 100, 1000, 100, 1000])) == "3 humps, valley 90 % and 90 %"


def test_nothing_counted():
    """No counts, no hump."""
    assert str(histogram_shape([0, 0, 0])) == str(histogram_shape([])) == "empty"
