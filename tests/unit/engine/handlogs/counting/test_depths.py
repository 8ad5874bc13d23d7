"""Classes of stack depth."""

from dataclasses import replace

import pytest

from engine.handlogs.counting.tally import DEPTH_NAMES, depths_of
from protocol.gamedefs import load_builtin

THREE = load_builtin("nolimit3")


@pytest.mark.parametrize(
    ("stacks", "names"),
    [
        ((1499, 20_000, 20_000), ["<15", "200+", "200+"]),
        ((1500, 2499, 2500), ["15-25", "15-25", "15-25"]),
        ((20_000, 5000, 9999), ["50-100", "50-100", "50-100"]),
        ((10_000, 19_999, 40_000), ["100-200", "100-200", "100-200"]),
    ],
)
def test_the_smaller_of_own_and_largest_other(stacks, names):
    """A class begins at its edge; nobody is deeper than the largest stack against him."""
    found = depths_of(replace(THREE, stacks=stacks))
    assert [DEPTH_NAMES[depth] for depth in found] == names
