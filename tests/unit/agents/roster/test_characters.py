"""The table of the pool: one row per bot, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from agents.opponents.laws import (
    BAND,
    CALLER,
    CANDID,
    LIMPER,
    MANIAC,
    MOST,
    PARAMS,
    SEED,
    WANDERER,
)
from agents.roster.characters import (
    LAWS,
    POOL,
    ScriptedProfile,
    find_character,
    parameters,
    plane_character,
)
from agents.roster.plane import AGGRESSIVE_ABOVE, LOOSE_ABOVE
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
HULHE = load_builtin("hulhe")


def test_a_bot_under_another_name_has_the_same_numbers():
    """Only name and pointer differ; unknown names are refused with those there are."""
    for one in POOL:
        if one.same_as:
            assert replace(one, name=one.same_as, same_as=None) == find_character(one.same_as)
    with pytest.raises(ValueError, match=r"'O9'.*: O1, O2"):
        find_character("O9")


def test_names_of_laws_are_in_the_order_of_their_numbers():
    """The row's first column is looked up by the kernels."""
    numbers = {"band": BAND, "wanderer": WANDERER, "limper": LIMPER, "caller": CALLER}
    numbers |= {"maniac": MANIAC, "candid": CANDID}
    assert [numbers[name] for name in LAWS] == list(range(len(LAWS)))


def test_rows_fit_the_laws():
    """As many numbers as the kernels read, all finite; all-in bots raise what there is."""
    for one in POOL:
        row = parameters(one, HUNL, seed=2**64 - 1)
        assert row.shape == (PARAMS,)
        assert np.isfinite(row).all()
        assert row[SEED] == int(row[SEED]) < 2**32
    assert parameters(find_character("O4"), HUNL)[MOST] == 20_000
    assert parameters(find_character("O4"), HULHE)[MOST] == 240


def test_numbers_that_make_no_character_are_refused():
    """Shares and chances, sizes, laws."""
    for wrong in (
        {"played": 1.1},
        {"raised": -0.1},
        {"slow": 1.5},
        {"bluff": float("nan")},
        {"small": 0.0},
        {"small": 0.6, "large": 0.5},
        {"large": float("inf")},
        {"law": "shy"},
        {"pressure": -0.1},
        {"pressure": float("inf")},
        {"power": 0.0},
    ):
        with pytest.raises(ValueError):
            ScriptedProfile("x", "", "", **wrong)


def test_points_are_named_by_the_bounds_that_are_drawn():
    """40 % is tight and weak."""
    assert (round(100 * LOOSE_ABOVE), round(100 * AGGRESSIVE_ABOVE)) == (40, 40)


PLANE = {
    "plane-30-70": {"played": 0.3, "raised": 0.7, "bluff": 0.0, "slow": 0.0, "small": 0.5},
    "plane-80-20-90-5": {"bluff": 0.9, "slow": 0.05, "quadrant": "loose-weak", "large": 1.0},
    "plane-80-20-0-0-60": {"pressure": 0.6},
    "plane-42-100-0-0-50-9999": {"pressure": 0.5, "small": 49.995, "large": 99.99},
    "plane-60-60-0-0-0-10": {"large": 0.1},
    "plane-45-70": {"quadrant": "loose-aggressive"},
    "plane-40-40": {"quadrant": "tight-weak"},
    "plane-41-40": {"quadrant": "loose-weak"},
    "plane-40-41": {"quadrant": "tight-aggressive"},
}
NO_POINTS = """plane-101-0 plane-1 plane-1-2-3-4-5-0 plane-1-2-3-4-5-10000 plane-1-2-3-4-101-50
plane-1-2-3-4-5-6-7 plane-1-x plane--1-2"""


@pytest.mark.parametrize("name", PLANE)
def test_points_of_the_plane_have_names(name):
    """Shares in percent, those left out are 0; more than 40 is loose, or aggressive."""
    found = find_character(name)
    assert {key: getattr(found, key) for key in PLANE[name]} == PLANE[name]


@pytest.mark.parametrize("name", NO_POINTS.split())
def test_other_numbers_name_nothing(name):
    """Above 100, too few or too many."""
    assert plane_character(name) is None
    with pytest.raises(ValueError, match="no bot of the pool"):
        find_character(name)
