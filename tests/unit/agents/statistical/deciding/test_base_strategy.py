"""Phase 1: three tables in turn."""

from collections import Counter

import numpy as np
import pytest

from agents.statistical.counting.counters import STRENGTH_BINS, bin_of
from agents.statistical.counting.situations import CALL, FOLD, RAISE
from agents.statistical.deciding.base_strategy import (
    BETS,
    HANDS_PER_TABLE,
    OPENING,
    OVER_A_BET,
    RE_RAISE,
    TABLES,
    Rotation,
    base_fraction,
    chips_of_kind,
    draw_kind,
)
from protocol.gamedefs import load_builtin
from tests.helpers.views import view_of

HUNL = load_builtin("hunl")
LIMIT = load_builtin("hulhe")


def spot(betting, board="", game=HUNL):
    """The view of whoever acts after `betting`, with aces."""
    return view_of(betting, "AsAh", board, game)


@pytest.mark.parametrize("name", ["regular", "aggressive", "conservative"])
def test_tables_hold_chances(name):
    """Twenty rows that sum to 1, nobody's to change; stronger hands fold less and raise more."""
    table = TABLES[name]
    assert table.shape == (STRENGTH_BINS, 3)
    np.testing.assert_allclose(table.sum(axis=1), 1)
    assert (table >= 0).all()
    assert (np.diff(table[:, FOLD]) <= 0).all()
    assert table[-1, RAISE] > table[0, RAISE]
    assert not table.flags.writeable


def test_tables_are_very_different():
    """In how often they raise and fold over all bins."""
    raises = {name: table[:, RAISE].mean() for name, table in TABLES.items()}
    folds = {name: table[:, FOLD].mean() for name, table in TABLES.items()}
    assert raises["aggressive"] > 1.4 * raises["regular"] > 1.9 * raises["conservative"]
    assert folds["aggressive"] < 0.7 * folds["regular"] < 0.5 * folds["conservative"]


@pytest.mark.parametrize(
    ("strength", "bin_"), [(0, 0), (0.05, 1), (0.6499, 12), (0.99, 19), (1, 19)]
)
def test_bins(strength, bin_):
    """Equal ones; 1 is in the last.  From .65 on the regular table calls 70 of 100."""
    assert bin_of(strength) == bin_
    assert TABLES["regular"][bin_of(0.66)].tolist() == [0, 0.7, 0.3]


def test_draws_have_the_chances_of_the_table():
    """Ten thousand of them, within four standard deviations."""
    rng = np.random.default_rng(1)
    drawn = Counter(draw_kind(TABLES["regular"], 0.42, rng) for _ in range(10_000))
    for kind, chance in enumerate(TABLES["regular"][bin_of(0.42)]):
        assert drawn[kind] / 10_000 == pytest.approx(chance, abs=0.02)


def test_tables_take_turns():
    """Another one after so many hands, never the same twice, all in the end; the seed decides."""
    orders = []
    for seed in (1, 1, 2):
        rotation, rng = Rotation(), np.random.default_rng(seed)
        names = []
        for hand in range(40 * HANDS_PER_TABLE):
            rotation.table(hand, rng)
            names.append(rotation.name)
        orders.append(names[::HANDS_PER_TABLE])
        assert all(
            len(set(names[start : start + HANDS_PER_TABLE])) == 1
            for start in range(0, 40 * HANDS_PER_TABLE, HANDS_PER_TABLE)
        )
    assert orders[0] == orders[1] != orders[2]
    assert set(orders[0]) == set(TABLES)
    assert all(first != second for first, second in zip(orders[0], orders[0][1:], strict=False))


def test_sizes_of_raises():
    """As documented; before the flop from the small blind to two and a half big blinds."""
    rng = np.random.default_rng(1)
    assert base_fraction(spot(""), rng) == OPENING
    assert base_fraction(spot("r250"), rng) == RE_RAISE
    on_flop = {base_fraction(spot("cc/", "2c7d9h"), rng) for _ in range(60)}
    assert on_flop == set(BETS)
    assert base_fraction(spot("cc/r200", "2c7d9h"), rng) == OVER_A_BET


@pytest.mark.parametrize(
    ("view", "kind", "fraction", "text"),
    [
        (spot(""), RAISE, OPENING, "r250"),
        (spot("r250"), RAISE, RE_RAISE, "r750"),
        (spot("r2000c/r9000", "2c7d9h"), RAISE, 0.5, "r20000"),
        (spot("r2000c/", "2c7d9h"), RAISE, 0.5, "r4000"),
        (spot("", game=LIMIT), RAISE, 5.0, "r"),
        (spot("cc/", "2c7d9h"), FOLD, 0, "c"),
        (spot("cc/", "2c7d9h"), CALL, 0, "c"),
        (spot("r250"), FOLD, 0, "f"),
    ],
)
def test_fractions_become_actions(view, kind, fraction, text):
    """All-in where less than a third of the pot would be left; a free fold is a check."""
    assert chips_of_kind(view, kind, fraction).text == text
