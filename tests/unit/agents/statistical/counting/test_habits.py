"""The 36 counters of a player."""

import numpy as np
import pytest

from agents.statistical.counting.habits import MOST_COUNTED, counted, habits_of_cell
from agents.statistical.counting.situations import ACTIONS, CELLS


def test_nobody_is_known_at_first():
    """The shares of a stranger are the generic ones."""
    habits = habits_of_cell(np.zeros((CELLS, ACTIONS), np.int64), 0)
    assert habits == pytest.approx((0.2, 0.5, 0.3, 0.0, 0.2, 0.3))


def test_habits_are_drawn_to_those_of_all_cells():
    """Worked by hand: 4 raises in cell 0, then 2 folds and a call in cell 1."""
    counts = np.zeros((CELLS, ACTIONS), np.int64)
    counts[0] = 0, 0, 4
    counts[1] = 2, 1, 0
    overall = [(2 + 1.2) / 13, (1 + 3.0) / 13, (4 + 1.8) / 13]
    here = [(2 + 6 * overall[0]) / 9, (1 + 6 * overall[1]) / 9, 6 * overall[2] / 9]
    assert habits_of_cell(counts, 1) == pytest.approx((*here, 3 / 9, overall[0], overall[2]))
    assert sum(here) == pytest.approx(1)


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
