"""What learning costs, as far as it is measured."""

from types import SimpleNamespace

import pytest

from agents.improvement.branch_costs import settled_speed


class Warming:
    """A solver that is tried again and again, at given speeds."""

    def __init__(self, speeds):
        self.left = list(speeds)

    def run(self, iterations, *, stop):
        """Take no time."""
        return SimpleNamespace(iterations_per_s=self.left.pop(0))


@pytest.mark.parametrize(
    ("speeds", "settled", "left"),
    [
        ([10, 50, 100, 105, 1], 105, 1),
        ([10, 8, 100], 10, 1),
        ([2**n for n in range(12)], 2**9, 2),
    ],
)
def test_speed_is_that_of_a_warm_solver(speeds, settled, left):
    """Tried until it hardly rises, but not for ever."""
    solver = Warming(speeds)
    assert settled_speed(solver) == settled
    assert len(solver.left) == left
