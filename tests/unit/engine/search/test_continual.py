"""Continual re-solving in Leduc, where its whole strategy can be judged, and in hold'em."""

from functools import partial

import numpy as np
import pytest

from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import InvalidGame
from engine.hands.cards import parse_combo
from engine.hands.private_hands import private_hands
from engine.hands.ranges import compatible_reach
from engine.range_solver.solver import RangeSolver
from engine.rules.state import HandState
from engine.search.continual import ANY_HAND_SHARE, ContinualResolving
from engine.search.menus import SPARSE_MENUS
from engine.search.network_leaves import StreetEnds
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
from tests.helpers.leduc_values import (
    Arrivals,
    NetworkRounds,
    distinct,
    drawn,
    encoded,
    labelled,
    learnt,
)
from tests.oracles.leduc_round import order_on, round_of, solve_rounds

DCFR = VARIANTS["dcfr"]
START = HandState.start(GAME)
HOLDEM = load_builtin("hunl")
HANDS_OF_HOLDEM = private_hands(HOLDEM)


def test_the_whole_strategy_loses_little():
    """60 iterations a decision, each to the hand's end; 400 would lose 0.2 chips."""
    assert exploitability(resolving(DCFR, 60)) < 5


def test_a_small_network_is_worth_something():
    """It has learnt from few situations for a second or two; the study has larger ones."""
    network = _trained((32, 32), 20, drawn(1000, np.random.default_rng(1)), iterations=50)
    assert exploitability(resolving(DCFR, 30, partial(NetworkRounds, network=network))) < 25


def _trained(hidden, epochs, states, iterations):
    from agents.deepstack.net import TrainingPlan

    plan = TrainingPlan(hidden, epochs, batch=512 if len(states.bets) > 5000 else 64, rate=2e-3)
    return learnt(states, labelled(states, iterations), plan)


@pytest.mark.parametrize("card", GAME.deck[:3])
def test_solved_leaves_are_worth_what_the_range_solver_says(card):
    """The plain solver hand against hand, and the vector solver, agree on a second round."""
    tree = whole_tree()
    states = states_of(tree)
    node = next(n for n in range(tree.nodes) if states[n].street == 1 and tree.kind[n] < 2)
    ranges = np.random.default_rng(1).uniform(0.2, 1, (2, HANDS.count))
    solver = RangeSolver(tree.below(node), (card,), ranges)
    solve(solver, DCFR, 400)
    beliefs, won = solver.game.beliefs, np.zeros_like(ranges)
    round_ = round_of(GAME, MENU, int(tree.spent[node, 0]))
    order = [HANDS.deck.index(hand) for hand in order_on(card, GAME.deck)]
    won[:, order] = solve_rounds(round_, beliefs[None, :, order], 800)[0]
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


def test_every_board_is_the_same_game_in_its_order():
    """A network's numbers for three ranks, hands of both suits alike, and what they win unbet."""
    states = drawn(50, np.random.default_rng(3))
    seen = encoded(states)
    assert seen.features.dtype == np.float32
    np.testing.assert_allclose((seen.base * seen.weights).sum(axis=(1, 2)), 0, atol=1e-6)
    np.testing.assert_allclose(seen.weights.sum(axis=2), 1, atol=1e-6)
    assert (np.abs(seen.base) <= 0.5 + 1e-6).all()
    values = labelled(states, 400)
    np.testing.assert_allclose((values * seen.weights).sum(axis=(1, 2)), 0, atol=1e-5)


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


@pytest.mark.slow
def test_networks_lose_less_than_the_reference_does():
    """A network of drawn states, and one that learns from what searches of the first ask about.

    DeepStack-Leduc's loses 1.37 chips; the study's lose 1.04, 1.24 and 0.95, by seed.
    """
    rng = np.random.default_rng(1)
    states, recorded = drawn(30_000, rng), []
    network = _trained((128, 128, 128), 20, states, iterations=200)
    exploitability(resolving(DCFR, 100, partial(NetworkRounds, network=network, recorded=recorded)))
    more = Arrivals(*map(np.concatenate, zip(states, distinct(recorded, 30_000, rng), strict=True)))
    network = _trained((128, 128, 128), 20, more, iterations=200)
    assert exploitability(resolving(DCFR, 400, partial(NetworkRounds, network=network))) < 1.37


def ends_of_streets(iterations=6):
    """Re-solving of hold'em, behind whose streets nobody bets."""
    settings = SearchSettings(VARIANTS["lcfr"], most_nodes=20, menus=SPARSE_MENUS)
    endings = [StreetEnds(None, street, exact=False) for street in range(3)]
    return ContinualResolving(HOLDEM, settings, Budget(iterations), endings)


def test_a_street_begins_with_the_ranges_of_both():
    """Its first decision is solved from there, the opponent's bet in it; later ones are safe."""
    policy, board = ends_of_streets(), (0, 13, 30)
    flop = HandState.start(HOLDEM).apply(raise_to(300)).apply(CALL)
    bet = flop.apply(raise_to(431))
    solution = policy.solution(bet, board, 1)
    assert solution.origin.state.betting == flop.betting
    assert solution.origin.alternatives is None
    theirs = solution.origin.ranges[0]
    live = HANDS_OF_HOLDEM.live(board)
    assert theirs[live].min() >= 0.99 * ANY_HAND_SHARE / live.sum()
    assert theirs[live].max() > 2 * theirs[live].min()
    own = next(one for one in policy.strategy(flop, board).actions if one.kind == "r")
    raised = flop.apply(own).apply(raise_to(2777))
    later = policy.solution(raised, board, 0)
    assert later.origin.state.betting == raised.betting
    assert later.origin.alternatives is not None
    assert (later.origin.ranges[1] == 1).all()


def test_a_later_decision_hands_on_what_the_opponent_may_hold():
    """The next street begins with the own range as it was played, and the other's as searched."""
    policy = ends_of_streets()
    start = HandState.start(HOLDEM)
    own = next(one for one in policy.strategy(start, ()).actions if one.kind == "r")
    again = start.apply(own).apply(raise_to(1111))
    assert policy.solution(again, (), 1).origin.alternatives is not None
    flop, board = again.apply(CALL), (0, 13, 30)
    origin = policy.solution(flop.apply(CALL), board, 1).origin
    assert origin.state.betting == flop.betting
    played = policy.solution(again, (), 1).ranges(flop, board)[1]
    np.testing.assert_allclose(origin.ranges[1], played)
    strong, weak = (origin.ranges[0][parse_combo(hand)] for hand in ("AsAh", "7s2h"))
    assert strong > 2 * weak > 0


def test_hands_begin_alike_for_both():
    """One solution serves them; the memory of a hand has no other when it is over."""
    policy = ends_of_streets()
    start = HandState.start(HOLDEM)
    first = policy.solution(start, (), 1)
    raised = start.apply(raise_to(317))
    solution = policy.solution(raised, (), 0)
    assert (solution.origin.state.betting, solution.origin.alternatives) == ("", None)
    assert policy.solution(start, (), 0).solver is first.solver
    policy.forget()
    assert policy.solution(start, (), 1) is first
    assert policy.solution(raised, (), 0) is not solution
    policy.forget(beginning=True)
    assert policy.solution(start, (), 1) is not first


def test_what_is_known_outlives_a_street_without_time():
    """The turn begins with the ranges with which the flop did; no flop was searched in time."""
    policy, board = ends_of_streets(), (0, 13, 30, 45)
    flop = HandState.start(HOLDEM).apply(raise_to(300)).apply(CALL)
    begun = policy._beginning(flop, board[:3], 1, Budget(6)).ranges
    search_for = policy._solved

    def without_flops(state, *others):
        if state.street == 1:
            raise NotSearched("no time")
        return search_for(state, *others)

    policy._solved = without_flops
    turn = flop.apply(CALL).apply(CALL).apply(CALL)
    ranges = policy._origin(turn, board, 1, Budget(6)).ranges
    np.testing.assert_array_equal(ranges, begun)
    assert ranges[0].max() > 2 * ranges[0][HANDS_OF_HOLDEM.live(board)].min()


def test_own_bets_that_the_menus_lack_are_searched_again():
    """With the way there in the tree."""
    policy = ends_of_streets()
    state = HandState.start(HOLDEM).apply(raise_to(333)).apply(raise_to(999))
    strategy = policy.strategy(state, ())
    np.testing.assert_allclose(strategy.probabilities.sum(axis=1), 1, rtol=1e-5)
