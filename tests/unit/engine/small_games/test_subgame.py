"""Which nodes make a subgame, and what the opponent could have had there."""

import numpy as np
import pytest

from engine.cfr.solver import solve
from engine.cfr.variants import VARIANTS
from engine.errors import InvalidGame
from engine.small_games.best_response import best_response
from engine.small_games.coin_toss import HEADS, PLAY, TAILS, coin_toss
from engine.small_games.kuhn import kuhn
from engine.small_games.leduc import leduc
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tabular import TabularSolver
from engine.small_games.tree_values import node_values, reaches
from tests.oracles.subgame import best_values, blueprint_values, gifts, raised, subgame_at


@pytest.fixture(scope="module")
def coin():
    tree = coin_toss()
    return tree, tuple(np.flatnonzero(tree.player == 1))


@pytest.fixture(scope="module")
def second_round():
    """Leduc after check, check and one board card, with a blueprint of a few iterations."""
    tree = leduc(isomorphic=True)
    solver = TabularSolver(tree)
    solve(solver, VARIANTS["cfr"], 20)
    roots = [n for n, h in enumerate(tree.histories) if h[2:] == ("c", "c", 1)]
    return tree, solver.average(), roots


def test_the_opponent_knows_its_latest_action_or_its_information_set(coin, second_round):
    """At a root where it acts that is its information set, elsewhere what it did before."""
    tree, roots = coin
    assert subgame_at(tree, 1, roots).knowledge == (("after", HEADS, PLAY), ("after", TAILS, PLAY))
    tree, _, roots = second_round
    found = set(subgame_at(tree, 1, roots).knowledge)
    assert found == {("at", (card, 1, "cc/")) for card in range(3)}


def test_what_the_opponent_saw_before_it_acts_must_be_told():
    """Its card is not in the tree; a single root, or one where it acts, needs no telling."""
    tree = kuhn()
    dealt = [node for node, history in enumerate(tree.histories) if len(history) == 2]
    with pytest.raises(InvalidGame, match=r"player 1 has not acted .* `knows`"):
        subgame_at(tree, 0, dealt)
    told = subgame_at(tree, 0, dealt, lambda history: history[1])
    assert set(told.knowledge) == {0, 1, 2}
    assert len(set(subgame_at(tree, 1, dealt).knowledge)) == 3
    assert len(subgame_at(tree, 0, [0]).knowledge) == 1


def test_what_the_opponent_knows_can_be_told(coin):
    """A caller's own rule replaces the usual one."""
    tree, roots = coin
    assert subgame_at(tree, 1, roots, lambda history: history[0]).knowledge == (HEADS, TAILS)


def test_blueprint_values_average_to_the_value_of_the_subgame(second_round):
    """Weighted by how they are reached, they give what the opponent wins there."""
    tree, blueprint, roots = second_round
    for solver in (0, 1):
        subgame = subgame_at(tree, solver, roots)
        values = blueprint_values(subgame, blueprint)
        reached = reaches(tree, blueprint)
        others = reached[solver] * reached[2]
        total = sum(
            others[root] * values[knows]
            for root, knows in zip(subgame.roots, subgame.knowledge, strict=True)
        )
        expected = subgame.sign * (others * node_values(tree, blueprint))[roots].sum()
        assert total == pytest.approx(expected)


def test_the_best_value_is_at_least_what_the_blueprint_gets(second_round):
    """A best response does at least as well at every information set."""
    tree, blueprint, roots = second_round
    subgame = subgame_at(tree, 0, roots)
    played = blueprint_values(subgame, blueprint)
    best = best_values(subgame, blueprint)
    assert best.keys() == played.keys()
    assert all(best[knows] >= played[knows] - 1e-12 for knows in best)
    assert any(best[knows] > played[knows] + 0.01 for knows in best)


def test_gifts_are_never_negative_and_vanish_for_a_best_response(second_round):
    """Who plays its best has given nothing away that it knows of."""
    tree, blueprint, roots = second_round
    subgame = subgame_at(tree, 1, roots)
    assert min(gifts(subgame, blueprint).values()) >= 0
    best = best_response(sequence_form(tree), blueprint, 0).profile
    reached = reaches(tree, best)[0]
    for root, knows in zip(subgame.roots, subgame.knowledge, strict=True):
        if reached[root] > 0:
            assert gifts(subgame, blueprint)[knows] == pytest.approx(0, abs=1e-12)


def test_only_what_ends_the_game_at_once_was_a_gift(second_round):
    """A raise that would have been better than the check may have led to subgames as well."""
    tree, blueprint, checked = second_round
    best = best_response(sequence_form(tree), blueprint, 0).profile
    raises = [best[tree.actions_of(tree.info_set_of((card, -1, "")))][1] for card in range(3)]
    assert max(raises) == 1
    assert set(gifts(subgame_at(tree, 1, checked), blueprint).values()) == {0.0}


def test_raised_adds_a_multiple_of_the_gifts():
    """The scale serves gifts that are divided, or granted more than once."""
    assert raised({"a": 1.0, "b": 2.0}, {"a": 0.5, "b": 0.0}, 3.0) == {"a": 2.5, "b": 2.0}


@pytest.mark.parametrize(
    ("pick", "reason"),
    [
        (lambda tree: [], "starts at"),
        (lambda tree: [10**6], "starts at"),
        (lambda tree: list(np.flatnonzero(tree.player == 1))[:1], "partly outside"),
        (lambda tree: [0, 1], "below another"),
        (lambda tree: [0, 0], "twice"),
        (lambda tree: list(np.flatnonzero(tree.player == -2))[:1], "over"),
    ],
)
def test_nodes_that_are_no_subgame_are_refused(coin, pick, reason):
    """None at all, outside the tree, half an information set, nested, twice, or after the end."""
    tree, _ = coin
    with pytest.raises(InvalidGame, match=reason):
        subgame_at(tree, 1, pick(tree))


def test_there_are_two_players(coin):
    """Nobody else can solve."""
    tree, roots = coin
    with pytest.raises(ValueError, match="solver 2"):
        subgame_at(tree, 2, roots)
