"""The comparison of minimisers."""

import itertools

import pytest

from engine.cfr.adaptive import Bonus, UcbRule, Update
from engine.cfr.adaptive_report import AdaptiveForm, Contest, Trace, checkpoints, compare_minimisers
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.small_games.kuhn import kuhn
from engine.small_games.tabular import TabularSolver

POOL = (VARIANTS["cfr"], VARIANTS["beta-rm(2)"])
READINGS = (
    AdaptiveForm(UcbRule()),
    AdaptiveForm(UcbRule(Update.SUM, Bonus.INVERSE), StrategyKind.AVERAGE, 4),
)


class Ticking:
    """A clock that ticks once for each reading and for each call of a solver."""

    def __init__(self):
        self.time = 0

    def __call__(self):
        self.time += 1
        return float(self.time)


class Costly(TabularSolver):
    """A solver whose iterations take 10 ticks and whose best responses take 100."""

    def __init__(self, tree, clock):
        super().__init__(tree)
        self._clock = clock

    def iterate(self, step):
        super().iterate(step)
        self._clock.time += 10

    def exploitability(self, which):
        self._clock.time += 100
        return super().exploitability(which)


@pytest.fixture(scope="module")
def comparison():
    """Kuhn poker, 40 iterations, with a clock of whole ticks."""
    tree, clock = kuhn(), Ticking()
    contest = Contest(
        lambda: Costly(tree, clock), POOL, READINGS, 40, seeds=(1, 2), big_blind=2.0, repeats=2
    )
    return compare_minimisers(contest, clock)


def test_every_entrant_is_there(comparison):
    """Members alone, in turn, at random under each seed, and each reading."""
    assert comparison.pool == ("cfr", "beta-rm(2)")
    assert [trace.name for trace in comparison.members] == ["cfr", "beta-rm(2)"]
    assert [trace.name for trace in comparison.random] == ["random, seed 1", "random, seed 2"]
    assert [trace.name for trace in comparison.adaptive] == [
        "adaptive mean, 1/sqrt(n), c 1, current",
        "adaptive sum, 1/n, c 1, average, every 4",
    ]
    assert comparison.round_robin.uses == (20, 20)
    for trace in (*comparison.random, *comparison.adaptive):
        assert sum(trace.uses) == 40


def test_measures_are_those_of_the_variant_alone(comparison):
    """In big blinds, at each checkpoint."""
    solver = TabularSolver(kuhn())
    for at, stop in enumerate(comparison.members[0].iterations):
        solve(solver, VARIANTS["cfr"], stop - solver.iterations)
        expected = solver.exploitability(StrategyKind.AVERAGE) / 2.0
        assert comparison.members[0].exploitability[at] == expected


def test_time_counts_iterations_and_rewards_but_no_measuring(comparison):
    """Ten ticks an iteration, a hundred a best response of a reward, one per look at the clock."""
    looks = len(checkpoints(40)) + 1
    assert comparison.members[0].seconds[-1] == 40 * 10 + looks
    assert comparison.round_robin.seconds[-1] == 40 * 10 + looks
    every, fourth = comparison.adaptive
    assert every.seconds[-1] == 40 * 10 + 41 * 100 + looks
    assert fourth.seconds[-1] == 40 * 10 + 11 * 100 + looks


def test_of_several_runs_the_quickest_counts():
    """A run that something else slowed down leaves no trace."""
    tree, clock = kuhn(), Ticking()
    delays = iter((0, 0, 7, 10**6))  # for compiling, then three runs of the only member

    def make():
        delay = next(delays, 10**6)

        class Slowed(Costly):
            def iterate(self, step):
                super().iterate(step)
                clock.time += delay

        return Slowed(tree, clock)

    contest = Contest(make, POOL[:1], (), 8, seeds=(), repeats=3)
    member = compare_minimisers(contest, clock).members[0]
    assert member.seconds[-1] == 8 * 10 + len(checkpoints(8)) + 1


def test_best_member_is_the_one_that_ends_lowest(comparison):
    """Known in hindsight."""
    ends = {trace.name: trace.exploitability[-1] for trace in comparison.members}
    assert comparison.best_member.name == min(ends, key=ends.get)


def test_random_members_differ_by_seed_only(comparison):
    """Two seeds, two runs."""
    first, second = comparison.random
    assert first.iterations == second.iterations
    assert first.exploitability != second.exploitability


def test_value_at_a_time_is_the_last_one_measured():
    """And infinite before the first."""
    trace = Trace("x", (1, 2, 4), (1.0, 2.0, 4.0), (0.5, 0.3, 0.1), (4,))
    assert [trace.at_time(t) for t in (0.5, 1.0, 3.9, 9.0)] == [float("inf"), 0.5, 0.3, 0.1]


def test_checkpoints_are_even_in_the_logarithm():
    """Powers of two among them, the end always."""
    found = checkpoints(100)
    assert found[0] == 1
    assert found[-1] == 100
    assert {2, 4, 8, 16, 32, 64} <= set(found)
    assert all(first < second for first, second in itertools.pairwise(found))
    assert checkpoints(1) == [1]


def test_entrants_are_announced():
    """For those who wait."""
    names = []
    contest = Contest(lambda: TabularSolver(kuhn()), POOL[:1], (), 1, seeds=(), repeats=1)
    compare_minimisers(contest, on_entrant=names.append)
    assert names == ["cfr", "in turn"]


@pytest.mark.parametrize(
    "changes", [{"pool": ()}, {"iterations": 0}, {"repeats": 0}, {"iterations": -3}]
)
def test_empty_contests_are_refused(changes):
    """Nobody, or nothing to run."""
    settings = {"pool": POOL, "iterations": 4, "repeats": 1} | changes
    with pytest.raises(ValueError):
        compare_minimisers(Contest(lambda: TabularSolver(kuhn()), forms=(), **settings))
