"""An adaptive choice as a record, saved and resumed."""

import json

import pytest

from engine.cfr.adaptive import FAST_POOL, Bonus, UcbRule, Update
from engine.cfr.adaptive_choice import AdaptiveChoice, AdaptiveSolve
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.small_games.kuhn import kuhn
from engine.small_games.tabular import TabularSolver

CHOICE = AdaptiveChoice(
    FAST_POOL, UcbRule(Update.SUM, Bonus.INVERSE, 0.25), StrategyKind.AVERAGE, every=3
)


def run(solve, iterations):
    """Go on."""
    for _ in range(iterations):
        solve.iterate()


@pytest.mark.parametrize("before", [0, 4, 6])
def test_a_choice_goes_on_as_if_it_had_not_been_left(before):
    """Before the first round, within one, and between two; through JSON."""
    tree = kuhn()
    whole = AdaptiveSolve(TabularSolver(tree), CHOICE, 1.0)
    run(whole, 20)
    left = AdaptiveSolve(TabularSolver(tree), CHOICE, 1.0)
    run(left, before)
    solver = TabularSolver(tree)
    solver.restore(before, left.solver.tables._asdict())
    resumed = AdaptiveSolve(solver, CHOICE, 1.0)
    resumed.restore(json.loads(json.dumps(left.state())))
    run(resumed, 20 - before)
    assert resumed.state() == whole.state()
    assert (solver.average() == whole.solver.average()).all()


def test_choices_differ_by_their_text():
    """Every setting is in it."""
    assert CHOICE.text() == (
        "adaptive of cfr+,dcfr,pcfr+,sapcfr+,pdcfr+; update sum, bonus 1/n, exploration 0.25, "
        "alpha 0.1, reward average, every 3"
    )
    assert AdaptiveChoice((VARIANTS["cfr"],), UcbRule()).facts()["pool"] == ["cfr"]


@pytest.mark.parametrize(
    "damage",
    [
        {"uses": [1, 2]}, {"uses": [-1, 0, 0, 0, 0]}, {"member": 5}, {"left": -1},
        {"left": 2, "before": None}, {"before": float("inf")}, {"counts": [0, 1, 1, 1, 1]},
    ],
)  # fmt: skip
def test_a_state_that_no_solve_has_is_refused(damage):
    """And nothing is taken from it."""
    solve = AdaptiveSolve(TabularSolver(kuhn()), CHOICE, 1.0)
    run(solve, 2)
    state = solve.state()
    with pytest.raises(ValueError):
        solve.restore(state | damage)
    assert solve.state() == state
