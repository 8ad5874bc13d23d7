"""The 36 counters of a player."""

import pytest

from agents.statistical.counting.habits import (
    CALL,
    CELLS,
    FOLD,
    MOST_COUNTED,
    RAISE,
    Habits,
    cell_of,
    counted,
)


def test_cells_are_streets_by_raises():
    """Twelve cells; more than one raise is one cell."""
    assert [cell_of(street, raises) for street in range(4) for raises in range(3)] == [
        *range(CELLS)
    ]
    assert cell_of(2, 7) == cell_of(2, 2) == 8


@pytest.mark.parametrize(("street", "raises"), [(4, 0), (-1, 0), (0, -1)])
def test_cells_outside_hold_em_are_refused(street, raises):
    """There are four streets, and no negative numbers of raises."""
    with pytest.raises(ValueError, match="street"):
        cell_of(street, raises)


def test_nobody_is_known_at_first():
    """The shares of a stranger are the prior's."""
    shares = Habits().shares(0)
    assert shares == pytest.approx((0.2, 0.5, 0.3, 0.0, 0.2, 0.3))


def test_shares_are_drawn_to_those_of_all_cells():
    """Worked by hand: 4 raises in cell 0, then 2 folds and a call in cell 1."""
    habits = Habits()
    for _ in range(4):
        habits.add(0, RAISE)
    for action in (FOLD, FOLD, CALL):
        habits.add(1, action)
    overall = [(2 + 1.2) / 13, (1 + 3.0) / 13, (4 + 1.8) / 13]
    here = [(2 + 6 * overall[0]) / 9, (1 + 6 * overall[1]) / 9, 6 * overall[2] / 9]
    assert habits.shares(1) == pytest.approx((*here, 3 / 9, overall[0], overall[2]))
    assert sum(here) == pytest.approx(1)
    assert habits.counts()[:3] == ((0, 0, 4), (2, 1, 0), (0, 0, 0))


def test_many_actions_are_counted_at_once():
    """As if they had been counted one by one, and in no time."""
    habits, one_by_one = Habits(), Habits()
    habits.add(3, CALL, 5)
    for _ in range(5):
        one_by_one.add(3, CALL)
    assert habits.counts() == one_by_one.counts()
    assert habits.shares(3) == one_by_one.shares(3)
    habits.add(3, CALL, MOST_COUNTED)
    assert habits.counts()[3] == (0, MOST_COUNTED + 5, 0)


@pytest.mark.parametrize(
    "values",
    [
        [1, 2],
        [1, 2, 3.0],
        [1, 2, -1],
        [1, 2, MOST_COUNTED + 1],
        [1, 2, 2**63 - 1],
        [1, 2, 2**80],
        [True, False, True],
        [1, [2], 3],
        "123",
        None,
    ],
    ids=repr,
)
def test_other_counters_are_refused(values):
    """Of another shape, not whole, below the least or above the most."""
    assert counted([1, 0, MOST_COUNTED], (3,)).tolist() == [1, 0, MOST_COUNTED]
    assert counted([-2, 0, 1], (3,), least=-2).tolist() == [-2, 0, 1]
    with pytest.raises(ValueError):
        counted(values, (3,))
