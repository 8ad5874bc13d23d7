"""Our small games, best responses and solvers against those of open_spiel.

Trajectories of CFR are chaotic where strategies nearly tie: in Leduc a rounding error grows from
1e-16 to 1e-3 within 200 iterations of CFR+, and open_spiel itself parts from itself when it is told
the same game without suits.  Long runs are therefore compared step by step: after every iteration
our regrets must equal open_spiel's, then the rounding differences are wiped out.  The average
strategy is our own throughout.
"""

import numpy as np
import pytest

from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.small_games.best_response import exploitability, nash_conv, realization_plan
from engine.small_games.goofspiel import goofspiel
from engine.small_games.kuhn import kuhn
from engine.small_games.leduc import leduc
from engine.small_games.liars_dice import liars_dice
from engine.small_games.tabular import TabularSolver
from tests.oracles import open_spiel
from tests.oracles.open_spiel import cfr, discounted_cfr, pyspiel

GOOFSPIEL = "goofspiel(num_cards=4,imp_info=True,points_order=descending)"
GAMES = {
    "kuhn_poker": kuhn,
    "leduc_poker": leduc,
    "leduc_poker(suit_isomorphism=True)": lambda: leduc(isomorphic=True),
    "liars_dice(numdice=1,dice_sides=4)": liars_dice,
    f"turn_based_simultaneous_game(game={GOOFSPIEL})": goofspiel,
}
KUHN, LEDUC, LEDUC_RANKS, DICE, _ = GAMES

SOLVERS = {
    "cfr": (cfr.CFRSolver, VARIANTS["cfr"], True),
    "cfr+": (cfr.CFRPlusSolver, VARIANTS["cfr+"].averaging(1), True),
    "lcfr": (discounted_cfr.LCFRSolver, VARIANTS["lcfr"], True),
    "dcfr": (discounted_cfr.DCFRSolver, VARIANTS["dcfr"], True),
    "simultaneous cfr": (
        lambda game: cfr._CFRSolver(
            game, alternating_updates=False, linear_averaging=False, regret_matching_plus=False
        ),
        VARIANTS["cfr"],
        False,
    ),
}
"""open_spiel's solver in Python, our variant, whether updates alternate."""


@pytest.fixture(scope="module")
def pairs():
    """Of each game asked for: our tree, open_spiel's game, and how their sets correspond."""
    known = {}

    def pair(name):
        if name not in known:
            tree, game = GAMES[name](), open_spiel.load(name)
            known[name] = tree, game, open_spiel.matched_info_states(tree, game)
        return known[name]

    return pair


@pytest.mark.parametrize("name", GAMES)
def test_games_and_nash_conv_are_those_of_open_spiel(pairs, name):
    """Node by node; and the uniform policy can be exploited by as much."""
    tree, game, _ = pairs(name)
    form = TabularSolver(tree).form
    expected = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))
    assert nash_conv(form, tree.uniform()) == pytest.approx(expected, abs=1e-12)


def assert_equal_results(pair, theirs, ours):
    """Whole average policies, and their exploitability as open_spiel computes it."""
    _, game, matched = pair
    policy = theirs.average_policy()
    profile = open_spiel.profile_of(policy, matched)
    np.testing.assert_allclose(ours.average(), profile, rtol=0, atol=1e-9)
    found = exploitability(ours.form, profile)
    if isinstance(policy, pyspiel.Policy):
        assert found == pytest.approx(pyspiel.exploitability(game, policy), abs=1e-12)
    assert ours.exploitability(StrategyKind.AVERAGE) == pytest.approx(found, rel=0, abs=1e-9)


@pytest.mark.parametrize("iterations", [150, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SOLVERS)
def test_iterations_of_kuhn_equal_open_spiel(pairs, name, iterations):
    """No help is needed in so small a game."""
    pair = pairs(KUHN)
    make, variant, alternating = SOLVERS[name]
    theirs, ours = make(pair[1]), TabularSolver(pair[0], alternating=alternating)
    for _ in range(iterations):
        theirs.evaluate_and_update_policy()
    solve(ours, variant, iterations)
    if name == "lcfr":  # the one that has lost five digits after a thousand
        assert ours.exploitability(StrategyKind.AVERAGE) == pytest.approx(
            exploitability(ours.form, open_spiel.profile_of(theirs.average_policy(), pair[2])),
            rel=0,
            abs=1e-9,
        )
    else:
        assert_equal_results(pair, theirs, ours)


@pytest.mark.parametrize(
    ("game", "make", "variant", "iterations"),
    [
        (LEDUC, pyspiel.CFRSolver, VARIANTS["cfr"], 30),
        (LEDUC, pyspiel.CFRPlusSolver, VARIANTS["cfr+"].averaging(1), 30),
        (DICE, pyspiel.CFRSolver, VARIANTS["cfr"], 40),
        (DICE, pyspiel.CFRPlusSolver, VARIANTS["cfr+"].averaging(1), 40),
    ],
)
def test_iterations_equal_the_compiled_solvers(pairs, game, make, variant, iterations):
    """As far as rounding lets two programs go together."""
    pair = pairs(game)
    theirs, ours = make(pair[1]), TabularSolver(pair[0])
    for _ in range(iterations):
        theirs.evaluate_and_update_policy()
    solve(ours, variant, iterations)
    assert_equal_results(pair, theirs, ours)


def follow(pair, name, iterations):
    """Run both solvers side by side and compare after every iteration; return them."""
    make, variant, alternating = SOLVERS[name]
    tree, game, matched = pair
    theirs, ours = make(game), TabularSolver(tree, alternating=alternating)
    for t in range(1, iterations + 1):
        theirs.evaluate_and_update_policy()
        ours.iterate(variant.step(t))
        nodes = theirs._info_state_nodes
        regret = np.array(
            [nodes[state].cumulative_regret[way] for state, ways in matched for way in ways]
        )
        # They discount after an iteration what we discount before the next one.
        next_step = variant.step(t + 1)
        regret /= np.where(regret > 0, next_step.positive, next_step.negative)
        scale = np.abs(regret).max()
        np.testing.assert_allclose(ours.tables.regret, regret, rtol=0, atol=1e-12 * scale)
        ours.tables.regret[:] = regret
        ours.tables.strategy[:] = open_spiel.profile_of(theirs.current_policy(), matched)
        ours.tables.plan[:] = realization_plan(ours.form, ours.current())
    return theirs, ours


@pytest.mark.parametrize("name", SOLVERS)
def test_each_iteration_of_leduc_equals_open_spiel(pairs, name):
    """Without suits, where their Python is not so slow."""
    pair = pairs(LEDUC_RANKS)
    assert_equal_results(pair, *follow(pair, name, 8))


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLVERS)
def test_a_thousand_iterations_of_leduc_equal_open_spiel(pairs, name):
    """Exploitability and whole average policies, half a minute each."""
    pair = pairs(LEDUC_RANKS)
    assert_equal_results(pair, *follow(pair, name, 1000))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cfr", "cfr+", "dcfr"])
def test_a_hundred_iterations_with_suits_equal_open_spiel(pairs, name):
    """The game of 936 information sets."""
    pair = pairs(LEDUC)
    assert_equal_results(pair, *follow(pair, name, 100))
