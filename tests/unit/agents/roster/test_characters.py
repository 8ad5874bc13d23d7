"""The table of the pool: one row per bot, and what is refused."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from agents.errors import GameNotPlayed
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


def test_the_pool_has_all_its_bots():
    """Eight numbered ones, the wanderer, and the four under their own names."""
    assert [one.name for one in POOL] == [
        *(f"O{number}" for number in range(1, 9)),
        "O_random",
        "scared-limper",
        "calling-machine",
        "hothead-maniac",
        "candid-statistician",
    ]


@pytest.mark.parametrize("one", [one for one in POOL if one.same_as], ids=lambda one: one.name)
def test_a_bot_under_another_name_has_the_same_numbers(one):
    """Only name and pointer differ."""
    assert replace(one, name=one.same_as, same_as=None) == find_character(one.same_as)


def test_names_of_laws_are_in_the_order_of_their_numbers():
    """The row's first column is looked up by the kernels."""
    numbers = {"band": BAND, "wanderer": WANDERER, "limper": LIMPER, "caller": CALLER}
    numbers |= {"maniac": MANIAC, "candid": CANDID}
    assert [numbers[name] for name in LAWS] == list(range(len(LAWS)))


@pytest.mark.parametrize("one", POOL, ids=lambda one: one.name)
def test_rows_fit_the_laws(one):
    """As many numbers as the kernels read, all finite."""
    row = parameters(one, HUNL, seed=2**64 - 1)
    assert row.shape == (PARAMS,)
    assert np.isfinite(row).all()
    assert row[SEED] == int(row[SEED]) < 2**32


def test_rows_say_what_a_hand_can_cost():
    """All-in bots raise by no more."""
    assert parameters(find_character("O4"), HUNL)[MOST] == 20_000
    assert parameters(find_character("O4"), HULHE)[MOST] == 240


@pytest.mark.parametrize("name", ["nolimit3", "leduc", "kuhn"])
def test_other_games_are_refused(name):
    """More than two players, or other cards."""
    with pytest.raises(GameNotPlayed, match="hold'em for two"):
        parameters(POOL[0], load_builtin(name))


def test_unknown_names_are_refused():
    """With a list of those there are."""
    with pytest.raises(ValueError, match=r"'O9'.*: O1, O2"):
        find_character("O9")


@pytest.mark.parametrize(
    "wrong",
    [
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
    ],
    ids=str,
)
def test_numbers_that_make_no_character_are_refused(wrong):
    """Shares and chances, sizes, laws."""
    with pytest.raises(ValueError):
        ScriptedProfile("x", "", "", **wrong)


def test_reading_the_table_imports_nothing_heavy():
    """The roster, which imports neither numpy nor numba, may read it."""
    code = (
        "import sys, agents.roster.characters as found\n"
        "sys.exit(bool({'numpy', 'numba'} & set(sys.modules)) or not found.POOL)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_points_are_named_by_the_bounds_that_are_drawn():
    """More than 40 % is loose and aggressive, exactly 40 % tight and weak."""
    percent = round(100 * LOOSE_ABOVE), round(100 * AGGRESSIVE_ABOVE)
    assert percent == (40, 40)
    assert find_character("plane-40-40").quadrant == "tight-weak"
    assert find_character("plane-41-40").quadrant == "loose-weak"
    assert find_character("plane-40-41").quadrant == "tight-aggressive"


def test_points_of_the_plane_have_names():
    """Shares in percent, those left out are 0; numbers above 100 name nothing."""
    found = find_character("plane-30-70")
    assert (found.played, found.raised, found.bluff, found.slow) == (0.3, 0.7, 0.0, 0.0)
    assert found.quadrant == "tight-aggressive"
    found = find_character("plane-80-20-90-5")
    assert (found.bluff, found.slow, found.quadrant) == (0.9, 0.05, "loose-weak")
    assert find_character("plane-80-20-0-0-60").pressure == 0.6
    assert find_character("plane-45-70").quadrant == "loose-aggressive"
    assert (found.small, found.large) == (0.5, 1.0)
    found = find_character("plane-42-100-0-0-50-9999")
    assert (found.pressure, found.small, found.large) == (0.5, 49.995, 99.99)
    assert find_character("plane-60-60-0-0-0-10").large == 0.1
    for name in (
        "plane-101-0",
        "plane-1",
        "plane-1-2-3-4-5-0",
        "plane-1-2-3-4-5-10000",
        "plane-1-2-3-4-101-50",
        "plane-1-2-3-4-5-6-7",
        "plane-1-x",
        "plane--1-2",
    ):
        assert plane_character(name) is None
        with pytest.raises(ValueError, match="no bot of the pool"):
            find_character(name)
