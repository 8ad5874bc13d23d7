"""Cells of the tables of regret minimisers."""

import pytest

from tests.documents.minimisers import figure


@pytest.mark.parametrize(
    ("mean", "ci95", "cell"),
    [
        (0.42493, 0.44718, "425 ± 447"),
        (0.21848, 0.01615, "218 ± 16"),
        (0.00954, 0.00028, "9.54 ± 0.28"),
        (0.0671, 0.00578, "67.1 ± 5.8"),
        (0.21848, 0.00002, "218 ± 0.02"),
        (0.0075, None, "7.50"),
    ],
)
def test_an_interval_has_the_decimals_of_its_mean(mean, ci95, cell):
    """A wide one is not cut to its first digit: 447 is no 400; a narrow one is not cut to 0."""
    assert figure({"mean": mean, "ci95": ci95}) == cell
