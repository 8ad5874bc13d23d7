"""Continual re-solving in Leduc, where its whole strategy can be judged."""

from functools import partial

import numpy as np
import pytest

from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import InvalidGame
from engine.hands.ranges import compatible_reach
from engine.range_solver.solver import RangeSolver
from engine.rules.state import HandState
from engine.search.continual import ContinualResolving
from engine.search.subgame_search import Budget, NotSearched, SearchSettings
from protocol.actions import CALL, raise_to
from protocol.gamedefs import load_builtin
from tests.helpers.leduc import (
    GAME,
    HANDS,
    MENU,
    MIRRORED,
    SolvedRounds,
    exploitability,
    resolving,
    states_of,
    whole_tree,
)
from tests.helpers.leduc_values import NetworkRounds, solved_situations, suits_exchanged
from tests.helpers.torch_threads import one_torch_thread
from tests.oracles.leduc_round import round_of, solve_round

DCFR = VARIANTS["dcfr"]
START = HandState.start(GAME)


def test_the_whole_strategy_loses_little():
    """60 iterations a decision, each to the hand's end; 400 would lose 0.2 chips."""
    assert exploitability(resolving(DCFR, 60)) < 5


def test_a_small_network_is_worth_something():
    """It has learnt from few situations for a second or two; the study has larger ones."""
    from agents.deepstack.net import Situations, TrainingPlan, train

    features, weights, values = solved_situations(1000, 50)
    learnt = Situations(features, weights, values, np.ones_like(values))
    with one_torch_thread():
        network = train(learnt, TrainingPlan((32, 32), 20, rate=3e-3), augmented=suits_exchanged)
    assert exploitability(resolving(DCFR, 30, partial(NetworkRounds, network=network))) < 40


def test_solved_leaves_are_worth_what_the_range_solver_says():
    """The plain solver hand against hand, and the vector solver, agree on a second round."""
    tree, card = whole_tree(), GAME.deck[0]
    states = states_of(tree)
    node = next(n for n in range(tree.nodes) if states[n].street == 1 and tree.kind[n] < 2)
    ranges = np.random.default_rng(1).uniform(0.2, 1, (2, HANDS.count))
    solver = RangeSolver(tree.below(node), (card,), ranges)
    solve(solver, DCFR, 400)
    won = np.zeros_like(ranges)
    beliefs = solver.game.beliefs
    solve_round(round_of(GAME, MENU, int(tree.spent[node, 0]), card), beliefs, 800, won)
    met = [compatible_reach(side, HANDS) for side in beliefs[::-1]]
    value = float((won * beliefs * met)[0].sum() / solver.game.joint)
    assert value == pytest.approx(solver.game_value(StrategyKind.AVERAGE), abs=1)
    assert np.nanmax(np.abs(solver.values(StrategyKind.AVERAGE) - won)) < 6


def test_leaves_hand_on_what_they_granted():
    """The second round begins with the averages there as alternatives, and with the own range."""
    policy = resolving(DCFR, 5, partial(SolvedRounds, iterations=10))
    first = policy.solution(START, (), 0)
    later = START.apply(CALL).apply(CALL)
    board = GAME.deck[:1]
    solution = policy.solution(later, board, 0)
    assert first.solver.limit is not None
    assert solution.solver.limit is None
    leaf = first.solver.game.leaves.index((int(first._node(later)), board))
    averages = first.solver.leaf_averages()[leaf]
    np.testing.assert_array_equal(solution.origin.alternatives, averages[1])
    checked = first.strategy(START, ()).probabilities[:, 0]
    np.testing.assert_allclose(solution.origin.ranges[0], checked)
    assert (solution.origin.ranges[1] == 1).all()


def test_suits_are_played_alike():
    """Boards of both suits, each by itself."""
    policy = resolving(DCFR, 20)
    state = START.apply(CALL).apply(CALL)
    boards = [(card,) for card in sorted(GAME.deck)[:2]]
    first, second = (policy.strategy(state, board).probabilities for board in boards)
    np.testing.assert_allclose(first, second[MIRRORED], atol=1e-3)


@pytest.mark.parametrize("total", [257, 1199])
def test_odd_bets_are_answered_exactly(total):
    """Of the opponent, and own ones that the menu lacks."""
    policy = resolving(DCFR, 5)
    facing = START.apply(raise_to(total))
    answer = policy.strategy(facing, ())
    assert CALL in answer.actions
    assert answer.probabilities.shape == (HANDS.count, len(answer.actions))
    np.testing.assert_allclose(answer.probabilities.sum(axis=1), 1, rtol=1e-5)
    called = facing.apply(CALL)
    own = policy.strategy(called, GAME.deck[:1])
    np.testing.assert_allclose(own.probabilities.sum(axis=1), 1, rtol=1e-5)


def test_no_time_is_said():
    """Before the first iteration there is no strategy."""
    policy = ContinualResolving(GAME, SearchSettings(DCFR), Budget(iterations=0))
    with pytest.raises(NotSearched, match="budget"):
        policy.strategy(START, ())


def test_games_without_known_hands_are_refused():
    """Positions of this one have lists of cards."""
    with pytest.raises(InvalidGame, match="single cards"):
        ContinualResolving(load_builtin("fixed-queen"), SearchSettings(DCFR), Budget(1))


@pytest.mark.slow
def test_exploitability_falls_with_iterations_as_the_bound_says():
    """By a half or more for four times as many, with leaves that are solved four times better."""
    chips = [
        exploitability(resolving(DCFR, count, partial(SolvedRounds, iterations=4 * count)))
        for count in (10, 40)
    ]
    assert chips[1] < chips[0] / 2
