"""Solving the Coin Toss subgame again gives the strategies that were published.

Source: Brown, Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017.
"""

import numpy as np
import pytest

from engine.cfr.solver import solve
from engine.cfr.variants import VARIANTS
from engine.small_games.best_response import best_response
from engine.small_games.coin_toss import GUESS, HEADS, LEFT, PLAY, RIGHT, TAILS, coin_toss
from engine.small_games.game_tree import GameTree
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tabular import TabularSolver
from tests.oracles.gadgets import max_margin, merged, resolve, unsafe
from tests.oracles.subgame import best_values, gifts, raised, subgame_at

GUESSES = (0.5, 0.25, 0.25)
"""What the blueprint's player 1 guesses: heads, tails, forfeit."""
KNOWS_HEADS = ("after", HEADS, PLAY)
KNOWS_TAILS = ("after", TAILS, PLAY)


def blueprint_of(tree: GameTree) -> np.ndarray:
    """Player 0 comes to the guess with heads more often than with tails."""
    profile = tree.uniform()
    profile[tree.actions_of(tree.info_set_of(HEADS))] = (0.25, 0.75)
    profile[tree.actions_of(tree.info_set_of(TAILS))] = (0.5, 0.5)
    for name in tree.info_set_names:
        if name in (GUESS, LEFT, RIGHT):
            profile[tree.actions_of(tree.info_set_of(name))] = GUESSES
    return profile


def guesses(tree, name=GUESS):
    """The nodes where player 1 guesses, both coins."""
    return [node for node in range(tree.nodes) if tree.info_set[node] == tree.info_set_of(name)]


def solved(gadget: GameTree) -> np.ndarray:
    """The equilibrium of a small game."""
    solver = TabularSolver(gadget)
    solve(solver, VARIANTS["cfr+"], 4000)
    return solver.average()


@pytest.fixture(scope="module")
def game():
    tree = coin_toss()
    return tree, blueprint_of(tree), subgame_at(tree, 1, guesses(tree))


def heads_share(tree, profile, name=GUESS) -> float:
    """How often player 1 guesses heads."""
    return float(profile[tree.actions_of(tree.info_set_of(name))][0])


def gain(tree, profile) -> float:
    """What player 0 wins at best."""
    return best_response(sequence_form(tree), profile, 0).value


def test_the_blueprint_leaves_nothing_to_heads_and_half_a_chip_to_tails(game):
    """CBV is 0 with heads and 1/2 with tails; what heads gave away by playing is 1/2."""
    tree, blueprint, subgame = game
    assert best_values(subgame, blueprint) == {KNOWS_HEADS: 0.0, KNOWS_TAILS: 0.5}
    assert gifts(subgame, blueprint) == {KNOWS_HEADS: 0.5, KNOWS_TAILS: 0.0}
    assert gain(tree, blueprint) == 0.5


def test_unsafe_solving_always_guesses_heads(game):
    """It trusts the blueprint's player 0, who then wins 3/4 by playing only with tails."""
    tree, blueprint, subgame = game
    profile = merged(subgame, blueprint, *_solution(unsafe(subgame, blueprint)))
    assert heads_share(tree, profile) == pytest.approx(1, abs=1e-3)
    assert gain(tree, profile) == pytest.approx(0.75, abs=1e-3)


def test_resolving_is_never_worse_than_the_blueprint(game):
    """No alternative is exceeded, so player 0 wins at most what it won before."""
    tree, blueprint, subgame = game
    gadget = resolve(subgame, blueprint, best_values(subgame, blueprint))
    profile = merged(subgame, blueprint, *_solution(gadget))
    assert gain(tree, profile) <= 0.5 + 1e-3
    assert best_values(subgame, profile)[KNOWS_HEADS] <= 1e-3


def test_max_margin_guesses_heads_five_times_in_eight(game):
    """Both margins are 1/4 and player 0 wins 3/8."""
    tree, blueprint, subgame = game
    gadget = max_margin(subgame, blueprint, best_values(subgame, blueprint))
    profile = merged(subgame, blueprint, *_solution(gadget))
    assert heads_share(tree, profile) == pytest.approx(5 / 8, abs=2e-3)
    assert gain(tree, profile) == pytest.approx(3 / 8, abs=2e-3)
    assert best_response(sequence_form(gadget), solved(gadget), 0).value == pytest.approx(
        -1 / 4, abs=2e-3
    )


def test_reach_max_margin_guesses_heads_every_other_time(game):
    """The gift of 1/2 lets heads win more; player 0 wins 1/4."""
    tree, blueprint, subgame = game
    alternatives = raised(best_values(subgame, blueprint), gifts(subgame, blueprint))
    profile = merged(subgame, blueprint, *_solution(max_margin(subgame, blueprint, alternatives)))
    assert heads_share(tree, profile) == pytest.approx(1 / 2, abs=2e-3)
    assert gain(tree, profile) == pytest.approx(1 / 4, abs=2e-3)


def test_a_gift_may_be_granted_to_both_copies_of_the_guess():
    """Solved one by one, each with the whole gift, the copies are as good as the single game."""
    tree = coin_toss(two_copies=True)
    blueprint = blueprint_of(tree)
    profile = blueprint
    for name in (LEFT, RIGHT):
        subgame = subgame_at(tree, 1, guesses(tree, name))
        alternatives = raised(best_values(subgame, blueprint), gifts(subgame, blueprint))
        assert alternatives == {KNOWS_HEADS: 0.5, KNOWS_TAILS: 0.5}
        gadget = max_margin(subgame, blueprint, alternatives)
        profile = merged(subgame, profile, *_solution(gadget))
    assert heads_share(tree, profile, LEFT) == pytest.approx(1 / 2, abs=2e-3)
    assert heads_share(tree, profile, RIGHT) == pytest.approx(1 / 2, abs=2e-3)
    assert gain(tree, profile) == pytest.approx(1 / 4, abs=2e-3)


def _solution(gadget):
    return gadget, solved(gadget)
