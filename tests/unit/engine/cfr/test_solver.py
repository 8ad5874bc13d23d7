"""The loop that drives solvers."""

import pytest

from engine.cfr.solver import solve
from engine.cfr.variants import VARIANTS


class Recorder:
    """A solver that notes its steps."""

    spread = 5.0

    def __init__(self):
        self.steps = []

    @property
    def iterations(self):
        return len(self.steps)

    def iterate(self, step):
        self.steps.append(step)

    def exploitability(self, which):
        return 0.0


def test_steps_go_on_where_the_solver_stands():
    """Two calls are one long run, with the solver's own spread for the rate of Hedge."""
    solver = Recorder()
    variant = VARIANTS["hedge"]
    solve(solver, variant, 2)
    solve(solver, variant, 3)
    assert solver.steps == [variant.step(t, 5.0) for t in range(1, 6)]


def test_progress_is_told_after_each_iteration():
    """By the number of iterations run."""
    told = []
    solve(Recorder(), VARIANTS["cfr"], 3, told.append)
    assert told == [1, 2, 3]


def test_nothing_to_do_is_fine_and_less_is_not():
    """Zero iterations, and minus one."""
    solver = Recorder()
    solve(solver, VARIANTS["cfr"], 0)
    assert solver.iterations == 0
    with pytest.raises(ValueError, match="-1 iterations"):
        solve(solver, VARIANTS["cfr"], -1)
