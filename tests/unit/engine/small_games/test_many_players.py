"""Small games for any number of players."""

from itertools import product

import numpy as np
import pytest

from engine.cfr.adaptive import PATENT_POOL, PoolSolve, Reward, UcbChooser, UcbRule
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import InvalidGame
from engine.small_games.game_tree import Chance, Decision, Settled, Terminal, build_tree
from engine.small_games.kuhn import kuhn
from engine.small_games.many_player_form import many_player_form
from engine.small_games.many_player_solver import ManyPlayerSolver
from engine.small_games.many_player_values import (
    best_response_of,
    expected_values,
    gains,
    mean_gain,
)
from engine.small_games.table_solver import random_profile
from engine.small_games.tabular import TabularSolver, solver_for
from engine.small_games.tree_values import reaches
from tests.helpers.random_games import random_game


@pytest.fixture(scope="module", params=[1, 2, 3])
def three(request):
    """A small random game for three: two cards, three moves, any payoffs."""
    return build_tree(three_players(request.param), 3)


def three_players(seed):
    """Each player but the last sees a card of two; all then move once, each seeing the first move.

    Player 0 moves again at the end if it moved 0, so that one information set follows another.
    """
    rng = np.random.default_rng(seed)
    payoffs = rng.normal(size=(2, 2, 2, 2, 2, 2, 3)).tolist()
    deals = list(product((0, 1), repeat=2))
    shares = rng.dirichlet(np.ones(4)).tolist()

    def describe(history):
        if not history:
            return Chance(deals, shares)
        deal, moves = history[0], history[1:]
        if len(moves) < 3:
            player = len(moves)
            card = deal[player] if player < 2 else None
            return Decision(player, (player, card, moves[:1]), (0, 1))
        if len(moves) == 3 and moves[0] == 0:
            return Decision(0, (0, deal[0], moves[0], moves[2]), (0, 1))
        found = payoffs
        for step in (*deal, *moves, 0)[:6]:
            found = found[step]
        return Settled(found)

    return describe


def value_by_recursion(tree, profile, player, node=0):
    """What a player wins from a node on."""
    if not tree.child_count[node]:
        return tree.payoffs[node, player]
    first = int(tree.first_child[node])
    below = range(first, first + int(tree.child_count[node]))
    shares = (
        profile[tree.actions_of(tree.info_set[node])]
        if tree.player[node] >= 0
        else tree.chance[list(below)]
    )
    return sum(
        share * value_by_recursion(tree, profile, player, child)
        for share, child in zip(shares, below, strict=True)
    )


def best_pure_strategy(tree, profile, player):
    """The most that any of a player's pure strategies wins: all of them are tried."""
    own = [number for number in range(tree.info_sets) if tree.owner[number] == player]
    best = -np.inf
    for choices in product(*(range(tree.action_count[number]) for number in own)):
        played = profile.copy()
        for number, choice in zip(own, choices, strict=True):
            played[tree.actions_of(number)] = 0
            played[tree.first_action[number] + choice] = 1
        best = max(best, value_by_recursion(tree, played, player))
    return best


def test_values_are_those_of_a_walk_through_the_tree(three):
    """For each player, under a random profile."""
    profile = random_profile(three, np.random.default_rng(1))
    found = expected_values(many_player_form(three), profile)
    for player in range(3):
        assert found[player] == pytest.approx(value_by_recursion(three, profile, player))


def test_best_responses_win_as_much_as_the_best_pure_strategy(three):
    """And the profile that comes back is one."""
    form = many_player_form(three)
    profile = random_profile(three, np.random.default_rng(2))
    for player in range(3):
        found = best_response_of(form, profile, player)
        assert found.value == pytest.approx(best_pure_strategy(three, profile, player))
        assert value_by_recursion(three, found.profile, player) == pytest.approx(found.value)


def test_gains_are_what_best_responses_add_to_the_values(three):
    """Their mean is the exploitability."""
    form = many_player_form(three)
    profile = random_profile(three, np.random.default_rng(3))
    expected = [
        best_pure_strategy(three, profile, player) - value_by_recursion(three, profile, player)
        for player in range(3)
    ]
    np.testing.assert_allclose(gains(form, profile), expected, atol=1e-12)
    assert mean_gain(form, profile) == pytest.approx(np.mean(expected))


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("name", VARIANTS)
def test_two_players_are_solved_as_by_the_sequence_form(name, alternating):
    """Every variant, thirty iterations from a random start."""
    tree = build_tree(random_game(7))
    start = random_profile(tree, np.random.default_rng(5))
    solvers = [
        kind(tree, alternating=alternating, start=start)
        for kind in (TabularSolver, ManyPlayerSolver)
    ]
    for solver in solvers:
        solve(solver, VARIANTS[name], 30)
    fast, slow = solvers
    np.testing.assert_allclose(slow.tables.regret, fast.tables.regret, atol=1e-9)
    np.testing.assert_allclose(slow.average(), fast.average(), atol=1e-9)
    np.testing.assert_allclose(slow.current(), fast.current(), atol=1e-9)


def test_a_pool_of_minimisers_solves_a_game_for_three(three):
    """The adaptive choice asks no more of this solver than of the other."""
    solver = ManyPlayerSolver(three)
    begun = solver.exploitability(StrategyKind.AVERAGE)
    pool = PoolSolve(solver, PATENT_POOL, UcbChooser(len(PATENT_POOL), UcbRule()), Reward())
    for _ in range(200):
        pool.iterate()
    assert sum(pool.uses) == solver.iterations == 200
    assert solver.exploitability(StrategyKind.AVERAGE) < begun / 5


def test_the_fastest_solver_that_fits_is_chosen(three):
    """The sequence form for two players and one pot, else the other."""
    assert isinstance(solver_for(kuhn()), TabularSolver)
    assert isinstance(solver_for(three), ManyPlayerSolver)
    both_win = build_tree(lambda h: Settled((1, 1)) if h else Decision(0, "a", "xy"))
    assert isinstance(solver_for(both_win), ManyPlayerSolver)


def test_code_for_two_refuses_other_games(three):
    """With a message that says what it wants."""
    both_win = build_tree(lambda h: Settled((1, 1)) if h else Decision(0, "a", "xy"))
    for tree in (three, both_win):
        with pytest.raises(InvalidGame, match="two players and zero"):
            TabularSolver(tree)


def test_payoffs_are_one_for_each_player():
    """A plain terminal is for two."""
    with pytest.raises(InvalidGame, match=r"\b2\b.*\b3\b"):
        build_tree(lambda _: Terminal(1), 3)
    with pytest.raises(InvalidGame, match=r"\b1\b.*\b3\b"):
        build_tree(lambda _: Settled((1,)), 3)


def test_reaches_of_three_players_multiply(three):
    """One row for each, chance last; over the ends they sum to one."""
    found = reaches(three, three.uniform())
    assert found.shape == (4, three.nodes)
    assert found.prod(axis=0)[three.child_count == 0].sum() == pytest.approx(1)


def test_no_fourth_player_responds(three):
    """The players are 0 to 2."""
    with pytest.raises(ValueError, match=r"player 3\b.*\b0 to 2"):
        best_response_of(many_player_form(three), three.uniform(), 3)


def test_a_solver_goes_on_where_another_one_stood(three):
    """As if nothing had happened; tables of another game are refused."""
    whole, half, rest = (ManyPlayerSolver(three) for _ in range(3))
    solve(whole, VARIANTS["hedge-var"], 20)
    solve(half, VARIANTS["hedge-var"], 10)
    rest.restore(half.iterations, half.tables._asdict())
    solve(rest, VARIANTS["hedge-var"], 10)
    np.testing.assert_array_equal(rest.average(), whole.average())
    with pytest.raises(ValueError, match="plan is"):
        TabularSolver(kuhn()).restore(1, half.tables._asdict())
