"""The comparison of minimisers."""

import itertools
import math

import pytest

from agents.blueprint_model import grouped_holdem
from engine.cfr.adaptive import RoundRobin
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.small_games.kuhn import kuhn
from engine.small_games.tabular import TabularSolver
from tests.helpers.blueprints import flat_turn
from tests.studies import minimisers
from tests.studies.minimisers import (
    RANDOM,
    Case,
    Entrant,
    MeasuredGame,
    Trace,
    checkpoints,
    compared,
    game_of,
    mean_of_ratios,
    mean_of_starts,
    summary,
    traced,
)

POOL = (VARIANTS["cfr"], VARIANTS["beta-rm(2)"])
CASE = Case(("kuhn",), POOL, 2, 40, seeds=2)


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
    """Kuhn poker, 40 iterations, with a clock of whole ticks; every start is the uniform one."""
    tree, clock = kuhn(), Ticking()
    game = MeasuredGame("three cards", 2.0, lambda seed: Costly(tree, clock))
    return compared(game, CASE, clock)


def entrant(comparison, name):
    """Return one of them."""
    return next(one for one in comparison["entrants"] if one["name"] == name)


def test_every_entrant_is_there(comparison):
    """Members alone, in turn, at random under both seeds, and each form."""
    assert comparison["pool"] == ["cfr", "beta-rm(2)"]
    assert [one["name"] for one in comparison["entrants"]] == [
        *("cfr", "beta-rm(2)", "in turn", RANDOM),
        "adaptive sum, 1/sqrt(n), c 0.1, current",
        "adaptive sum, 1/sqrt(n), c 0.1, average",
    ]
    assert comparison["adaptive"] == 2
    assert entrant(comparison, "in turn")["uses"] == [0.5, 0.5]
    assert sum(entrant(comparison, RANDOM)["uses"]) == pytest.approx(1)


def test_measures_are_those_of_the_variant_alone(comparison):
    """In big blinds, at each power of two and the end; equal starts have no interval."""
    solver, member = TabularSolver(kuhn()), entrant(comparison, "cfr")
    assert member["iterations"] == [1, 2, 4, 8, 16, 32, 40]
    for stop, found in zip(member["iterations"], member["exploitability"], strict=True):
        solve(solver, VARIANTS["cfr"], stop - solver.iterations)
        expected = solver.exploitability(StrategyKind.AVERAGE) / 2.0
        assert found == {"mean": pytest.approx(expected), "ci95": pytest.approx(0)}


def test_time_counts_iterations_and_rewards_but_no_measuring(comparison):
    """Ten ticks an iteration, a hundred a best response of a reward, one per look at the clock."""
    looks = len(checkpoints(40)) + 1
    for name in ("cfr", "in turn", RANDOM):
        assert entrant(comparison, name)["seconds"]["mean"] == 40 * 10 + looks
    form = entrant(comparison, "adaptive sum, 1/sqrt(n), c 0.1, average")
    assert form["seconds"]["mean"] == 40 * 10 + 41 * 100 + looks


def test_ratios_are_to_the_member_that_ends_lowest(comparison):
    """Its own are 1; a form that takes ten times as long is far behind in its time."""
    ends = {name: entrant(comparison, name)["exploitability"][-1]["mean"] for name in ("cfr",)}
    ends["beta-rm(2)"] = entrant(comparison, "beta-rm(2)")["exploitability"][-1]["mean"]
    best = comparison["best_member"]
    assert best == min(ends, key=ends.get)
    for how in ("per_iteration", "same_time"):
        assert entrant(comparison, best)[how]["mean"] == 1
    form = entrant(comparison, "adaptive sum, 1/sqrt(n), c 0.1, current")
    assert form["same_time"]["mean"] > form["per_iteration"]["mean"]


def test_means_are_over_starts_and_ratios_pair_by_pair():
    """Random seeds are averaged first; a time before the first measure has no ratio."""
    runs = [
        [Trace([1.0], [0.4], [1, 0]), Trace([1.0], [0.2], [0, 1])],
        [Trace([1.0], [0.1], [1, 0]), Trace([1.0], [0.3], [1, 0])],
    ]
    rivals = [Trace([2.0], [0.1], [1]), Trace([2.0], [0.4], [1])]
    found = summary(RANDOM, runs, rivals, 1)
    assert found["exploitability"][0]["mean"] == pytest.approx((0.3 + 0.2) / 2)
    assert found["per_iteration"]["mean"] == pytest.approx((3 + 0.5) / 2)
    assert found["uses"] == [0.75, 0.25]
    early = [rival._replace(seconds=[0.5]) for rival in rivals]
    assert summary(RANDOM, runs, early, 1)["same_time"] is None
    assert mean_of_ratios([(1.0, 0.0)]) is None


def test_the_interval_is_students():
    """Two starts, one degree of freedom; a single one has none.  Values are the last measured."""
    assert mean_of_starts([1.0, 2.0]) == {"mean": 1.5, "ci95": pytest.approx(12.706 / 2, rel=1e-3)}
    assert mean_of_starts([3.0]) == {"mean": 3.0, "ci95": None}
    trace = Trace([1.0, 2.0, 4.0], [0.5, 0.3, 0.1], [4])
    assert [trace.at_time(t) for t in (0.5, 1.0, 3.9, 9.0)] == [math.inf, 0.5, 0.3, 0.1]


def test_checkpoints_are_even_in_the_logarithm():
    """Powers of two among them, the end always."""
    found = checkpoints(100)
    assert found[0] == 1
    assert found[-1] == 100
    assert {2, 4, 8, 16, 32, 64} <= set(found)
    assert all(first < second for first, second in itertools.pairwise(found))
    assert (checkpoints(1), checkpoints(2)) == ([1], [1, 2])


@pytest.mark.parametrize("name", ["leduc", "river-shallow"])
def test_starts_are_random_and_the_same_for_a_seed(name):
    """Of small games and of spots over ranges; published ones are files in a folder to be named."""
    game = game_of(name, None, alternating=True)
    member = Entrant("cfr", POOL[:1], lambda: RoundRobin(1))
    ends = [
        traced(game.solver(seed), member, 1, game.big_blind).exploitability[-1]
        for seed in (1, 1, 2)
    ]
    assert ends[0] == ends[1] != ends[2]
    with pytest.raises(ValueError, match=r"subgame1\.txt"):
        game_of("subgame1", None, alternating=True)


def test_holdem_in_groups_is_a_game_like_others(monkeypatch):
    """Named by the game and its groups; each start is another."""
    monkeypatch.setattr(grouped_holdem, "looked_up", flat_turn)
    monkeypatch.setattr(minimisers, "GROUPED_DEALS", 1000)
    game = game_of("hulhe-2.1.1.2", None, alternating=True)
    assert (game.summary, game.big_blind) == ("hulhe with 4 hands on the river", 10)
    first, second = (game.solver(seed).current() for seed in (1, 2))
    assert first.shape == second.shape
    assert (first != second).any()
