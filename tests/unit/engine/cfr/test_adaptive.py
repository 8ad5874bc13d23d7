"""Choosing a minimiser in each iteration."""

import math

import numpy as np
import pytest

from engine.cfr.adaptive import (
    PATENT_POOL,
    Bonus,
    PoolSolve,
    Reward,
    RoundRobin,
    UcbChooser,
    UcbRule,
    Update,
)
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.small_games.kuhn import kuhn
from engine.small_games.tabular import TabularSolver

TWO = (VARIANTS["cfr"], VARIANTS["beta-rm(2)"])
POOL = (PATENT_POOL[0], VARIANTS["hedge-var"], *PATENT_POOL[2:])


class Scripted:
    """A solver whose exploitability is told in advance; it notes its steps."""

    spread = 2.0

    def __init__(self, current, average=()):
        self.steps = []
        self.asked = []
        self._told = {StrategyKind.CURRENT: list(current), StrategyKind.AVERAGE: list(average)}

    @property
    def iterations(self):
        return len(self.steps)

    def iterate(self, step):
        self.steps.append(step)

    def exploitability(self, which):
        self.asked.append((self.iterations, which))
        return self._told[which][self.iterations]


class Listening:
    """Chooses member 1 of two always and notes what it learns."""

    members = 2

    def __init__(self):
        self.learnt = []

    def choose(self):
        return 1

    def learn(self, member, gain):
        self.learnt.append((member, gain))


@pytest.mark.parametrize(
    ("told", "reward", "gains", "asked"),
    [
        ({"current": [10, 7, 8, 2]}, Reward(big_blind=2), [1.5, -0.5, 3], [0, 1, 2, 3]),
        ({"current": [], "average": [10, 7]}, Reward(StrategyKind.AVERAGE), [3], [0, 1]),
        ({"current": [10, 7, 8, 2, 1]}, Reward(every=2), [2, 7], [0, 2, 4]),
        ({"current": [0, 0]}, None, [], []),
    ],
)
def test_members_earn_what_their_iterations_took_off(told, reward, gains, asked):
    """In big blinds, of current or average strategies, once a round; each is computed once."""
    solver, chooser = Scripted(**told), Listening()
    run = PoolSolve(solver, TWO, chooser, reward)
    iterations = max(map(len, told.values())) - 1
    for _ in range(iterations):
        run.iterate()
    assert chooser.learnt == [(1, gain) for gain in gains]
    kind = StrategyKind.AVERAGE if "average" in told else StrategyKind.CURRENT
    assert solver.asked == [(at, kind) for at in asked]
    assert run.uses == [0, iterations]


def test_steps_are_those_of_the_member_at_the_solvers_iteration():
    """With the solver's spread."""
    solver = Scripted([0] * 4)
    run = PoolSolve(solver, POOL, RoundRobin(5))
    for _ in range(3):
        run.iterate()
    assert solver.steps == [POOL[t].step(t + 1, 2.0) for t in range(3)]


@pytest.mark.parametrize(
    ("bonus", "expected"),
    [
        (Bonus.INVERSE, 3 / 4),
        (Bonus.ROOT, 3 / 2),
        (Bonus.LOGARITHM, 3 * math.sqrt(math.log(9) / 4)),
    ],
)
def test_bonus_forms(bonus, expected):
    """For a member counted four times, in round nine."""
    assert UcbRule(bonus=bonus, exploration=3).bonus_of(4, 9) == pytest.approx(expected)


@pytest.mark.parametrize(("update", "expected"), [(Update.SUM, 7.5), (Update.MEAN, 3.0)])
def test_update_forms(update, expected):
    """Three quarters of 2, and all or a quarter of 6."""
    chooser = UcbChooser(2, UcbRule(update=update, alpha=0.25))
    chooser.quality[1] = 2.0
    chooser.learn(1, 6.0)
    assert chooser.quality == [0.0, expected]
    assert chooser.counts == [1, 2]


def test_choice_starts_with_the_first_and_tries_the_others():
    """All are equal at first; then the bonus of those not yet used is larger."""
    chooser = UcbChooser(3, UcbRule())
    chosen = []
    for _ in range(3):
        chosen.append(chooser.choose())
        chooser.learn(chosen[-1], 0.0)
    assert chosen == [0, 1, 2]


def test_a_pool_of_one_is_that_variant():
    """Choosing adds nothing to the iterations."""
    tree = kuhn()
    alone, pooled = TabularSolver(tree), TabularSolver(tree)
    solve(alone, VARIANTS["dcfr"], 30)
    run = PoolSolve(pooled, [VARIANTS["dcfr"]], UcbChooser(1, UcbRule()), Reward())
    for _ in range(30):
        run.iterate()
    np.testing.assert_array_equal(pooled.average(), alone.average())


@pytest.mark.parametrize("update", Update)
@pytest.mark.parametrize("bonus", Bonus)
@pytest.mark.parametrize("which", StrategyKind)
def test_every_reading_solves_kuhn_poker(update, bonus, which):
    """The average of whatever was chosen converges, updates being simultaneous."""
    solver = TabularSolver(kuhn(), alternating=False)
    chooser = UcbChooser(len(POOL), UcbRule(update, bonus))
    run = PoolSolve(solver, POOL, chooser, Reward(which))
    for _ in range(500):
        run.iterate()
    assert sum(run.uses) == 500
    assert chooser.counts == [1 + uses for uses in run.uses]
    assert solver.exploitability(StrategyKind.AVERAGE) < 0.02


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: UcbRule(exploration=-1), "exploration"),
        (lambda: UcbRule(alpha=0), "alpha"),
        (lambda: UcbRule(alpha=1.5), "alpha"),
        (lambda: Reward(every=0), "rounds of 0"),
        (lambda: Reward(big_blind=0), "big blind of 0"),
        (lambda: UcbRule(exploration=math.nan), "exploration"),
        (lambda: Reward(big_blind=math.nan), "big blind of nan"),
        (lambda: PoolSolve(Scripted([0]), [], RoundRobin(1)), "without minimisers"),
        (lambda: PoolSolve(Scripted([0]), TWO, RoundRobin(3)), "among 3 for a pool of 2"),
        (lambda: PoolSolve(Scripted([0]), TWO, UcbChooser(1, UcbRule())), "among 1"),
        (lambda: RoundRobin(0), "among 0"),
        (lambda: UcbChooser(0, UcbRule()), "among 0"),
    ],
)
def test_settings_outside_their_range_are_refused(make, message):
    """With what is wrong."""
    with pytest.raises(ValueError, match=message):
        make()


def test_a_choice_goes_on_where_another_one_stood():
    """Counts, qualities and the number of the round, which the bonus may depend on."""
    rule = UcbRule(bonus=Bonus.LOGARITHM, exploration=0.3)
    first = UcbChooser(3, rule)
    for gain in (0.5, -0.2, 0.1, 0.4, -0.3):
        first.learn(first.choose(), gain)
    second = UcbChooser(3, rule)
    second.restore(first.counts, first.quality)
    for gain in (0.2, -0.1, 0.3, 0.05):
        member = first.choose()
        assert second.choose() == member
        first.learn(member, gain)
        second.learn(member, gain)


@pytest.mark.parametrize(
    ("counts", "quality", "message"),
    [
        ([1, 1], [0.0, 0.0], "among 2, want 3"),
        ([1, 0, 1], [0.0] * 3, "counts"),
        ([1, 1, 1], [0.0, math.nan, 0.0], "counts"),
    ],
)
def test_choices_that_cannot_be_resumed_are_refused(counts, quality, message):
    """Another number of members, or numbers that no choice comes to."""
    with pytest.raises(ValueError, match=message):
        UcbChooser(3, UcbRule()).restore(counts, quality)
