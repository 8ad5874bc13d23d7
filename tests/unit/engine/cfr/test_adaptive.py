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
from engine.small_games.game_tree import Chance, Decision, Terminal, build_tree
from engine.small_games.kuhn import kuhn
from engine.small_games.tabular import TabularSolver
from engine.small_games.tree_values import reaches

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


def test_member_earns_what_its_iteration_took_off():
    """In big blinds, between current strategies; each exploitability is computed once."""
    solver, chooser = Scripted([10, 7, 8, 2]), Listening()
    run = PoolSolve(solver, TWO, chooser, Reward(big_blind=2))
    for _ in range(3):
        run.iterate()
    assert chooser.learnt == [(1, 1.5), (1, -0.5), (1, 3)]
    assert solver.asked == [(t, StrategyKind.CURRENT) for t in range(4)]
    assert run.uses == [0, 3]


def test_steps_are_those_of_the_member_at_the_solvers_iteration():
    """With the solver's spread."""
    solver = Scripted([0] * 4)
    run = PoolSolve(solver, POOL, RoundRobin(5))
    for _ in range(3):
        run.iterate()
    assert solver.steps == [POOL[t].step(t + 1, 2.0) for t in range(3)]


def test_rewards_may_come_from_the_average_strategy():
    """The other reading."""
    solver, chooser = Scripted([], [10, 7]), Listening()
    PoolSolve(solver, TWO, chooser, Reward(StrategyKind.AVERAGE)).iterate()
    assert chooser.learnt == [(1, 3)]


def test_rounds_of_several_iterations_are_judged_once():
    """The member stays, and answers for all of them."""
    solver, chooser = Scripted([10, 7, 8, 2, 1]), Listening()
    run = PoolSolve(solver, TWO, chooser, Reward(every=2))
    for _ in range(4):
        run.iterate()
    assert chooser.learnt == [(1, 2), (1, 7)]
    assert [at for at, _ in solver.asked] == [0, 2, 4]


def test_without_reward_nothing_is_judged():
    """Best responses cost time."""
    solver, chooser = Scripted([]), Listening()
    PoolSolve(solver, TWO, chooser).iterate()
    assert solver.asked == chooser.learnt == []


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


def test_choice_settles_on_what_earns():
    """Member 2 gains most; it gets almost all rounds."""
    chooser = UcbChooser(3, UcbRule(bonus=Bonus.INVERSE))
    for _ in range(200):
        member = chooser.choose()
        chooser.learn(member, (0.1, 0.0, 0.5)[member])
    assert chooser.counts[2] > 180


def test_members_in_turn():
    """Over and over."""
    chooser = RoundRobin(3)
    assert [chooser.choose() for _ in range(7)] == [0, 1, 2, 0, 1, 2, 0]


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


def test_discount_schedules_can_be_members_too():
    """Their regrets and averages are discounted as each iteration says."""
    pool = [VARIANTS[name] for name in ("lcfr", "dcfr", "cfr+", "dcfr+")]
    solver = TabularSolver(kuhn())
    run = PoolSolve(solver, pool, UcbChooser(4, UcbRule()), Reward(StrategyKind.AVERAGE))
    for _ in range(500):
        run.iterate()
    assert solver.exploitability(StrategyKind.AVERAGE) < 0.002


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


def test_path_probability_of_the_patents_fragment():
    """Jack or king with equal chance, a pass at 0.3, a bet at 0.2: 0.03.

    The patent (see `engine.cfr.adaptive`) draws Kuhn poker against a known queen, with a
    pot of 1 and these strategies.
    """
    tree = build_tree(fragment)
    profile = np.concatenate([STRATEGIES[name] for name in tree.info_set_names])
    node = tree.histories.index(("jack", "pass", "bet"))
    assert reaches(tree, profile)[:, node].prod() == pytest.approx(0.5 * 0.3 * 0.2)


STRATEGIES = {
    ("queen", ()): (0.3, 0.7),
    ("jack", ("pass",)): (0.8, 0.2),
    ("jack", ("bet",)): (0.3, 0.7),
    ("king", ("pass",)): (0.6, 0.4),
    ("king", ("bet",)): (0.5, 0.5),
    ("queen", ("pass", "bet")): (0.9, 0.1),
}


def fragment(history):
    """Player 0 holds the queen and acts first; half of the pot came from each player."""
    if not history:
        return Chance(("jack", "king"), (0.5, 0.5))
    card, *moves = history
    wins = 1 if card == "jack" else -1
    if moves == ["pass", "pass"]:
        return Terminal(0.5 * wins)
    if moves[-2:] == ["bet", "bet"]:
        return Terminal(1.5 * wins)
    if moves[-2:] == ["bet", "pass"]:
        return Terminal(0.5 if len(moves) == 2 else -0.5)
    player = len(moves) % 2
    return Decision(player, ("queen" if player == 0 else card, tuple(moves)), ("pass", "bet"))
