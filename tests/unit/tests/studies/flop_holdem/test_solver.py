"""Flop hold'em as a whole: against the range solver on a flop, and where the answer is known."""

from itertools import combinations

import numpy as np
import pytest

from engine.betting.bet_menu import BetMenu, menu_of, street_menu
from engine.betting.betting_tree import build_betting_tree
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import InvalidGame
from engine.hands.cards import COMBO_CARDS, COMBOS, parse_combo
from engine.hands.ranges import compatible_reach, without_blocked
from engine.hands.starting_hands import COMBO_STARTING_HAND
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.rules.state import HandState
from engine.showdown.board_ranks import board_ranks
from protocol.actions import CALL
from protocol.gamedefs import load_builtin
from tests.helpers.subgames import short_holdem
from tests.studies.flop_holdem.game import FLOPS, FlopGame, flop_tables, turn_tables
from tests.studies.flop_holdem.kernels import BEST, EXPECT
from tests.studies.flop_holdem.solver import (
    FlopBucketSolver,
    flop_sums,
    preflop_reach,
    shares_of_sums,
    values_before_flop,
    walk_flop,
)

NO_BETS = menu_of(())
SMALL = BetMenu((street_menu((1.0,), max_raises=1), street_menu((1.0,), max_raises=1)))


FEW = 40


def game_of(menu, flops=FLOPS):
    """Flop hold'em with 200 big blinds."""
    return FlopGame(build_betting_tree(HandState.start(short_holdem(2)), menu), flop_tables(flops))


def by_strength(buckets):
    """As many hands in each bucket of a flop, the strongest in the last one."""
    place = flop_tables(FEW).group_end.astype(np.int64) - 1
    return (place * buckets // 1176).astype(np.uint16)


@pytest.fixture(scope="module")
def solver():
    """Few iterations of a small tree."""
    found = FlopBucketSolver(game_of(SMALL, FEW), by_strength(20), threads=1)
    solve(found, VARIANTS["lcfr"], 4)
    return found


def even(game):
    """Shares of players who do anything with equal chances."""
    found = np.empty((game.row_count, 1176), np.float32)
    for _, first, end in game.flop_groups():
        found[first:end] = 1 / (end - first)
    return lambda flop: found


def test_a_flop_is_worth_what_the_range_solver_says():
    """Of players who act at random, and of a best response to one."""
    game = game_of(BetMenu((street_menu((1.0,), max_raises=1), street_menu((0.5, 1.0)))))
    flop, tables = 1000, flop_tables()
    node = int(game.kept[game.roots[0]])
    board = tables.boards[flop].tolist()
    other = RangeSolver(game.tree.below(node), board, np.ones((2, COMBOS)))
    assert len(tables.ways) == FLOPS
    reach = np.ones((game.tree.nodes, 2, COMBOS))
    met = compatible_reach(without_blocked(np.ones(COMBOS), board))
    for how, asked in (
        (EXPECT, other.values(StrategyKind.CURRENT)),
        (BEST, other.best_response_values(StrategyKind.CURRENT)),
    ):
        worth = np.zeros((len(game.nodes.kind), 2, 1176))
        walk_flop(
            game,
            flop,
            even(game)(flop),
            reach[list(game.ways)],
            (how, how),
            np.empty_like(worth),
            worth,
        )
        combo = tables.combo[flop]
        ours = worth[game.roots[0]] / met[combo]
        np.testing.assert_allclose(ours, asked[:, combo], rtol=1e-4, atol=0.02)


def test_the_turn_game_is_solved_as_the_range_solver_does():
    """From one flop on, where each hand of each turn is a bucket of its own."""
    tree = build_betting_tree(
        HandState.start(short_holdem(3)).apply(CALL).apply(CALL), menu_of((1.0,), max_raises=1)
    )
    flop = (0, 21, 42)
    game = FlopGame(tree, turn_tables(flop))
    buckets = np.arange(49 * 1128, dtype=np.uint16).reshape(49, 1128)
    solver = FlopBucketSolver(game, buckets, threads=1)
    other = RangeSolver(
        tree, flop, np.ones((2, COMBOS)), RangeSettings(threads=1, alternating=False)
    )
    for iterations in (0, 3):
        if iterations:
            solve(solver, VARIANTS["lcfr"], iterations)
            solve(other, VARIANTS["lcfr"], iterations)
        for which in StrategyKind:
            assert solver.exploitability(which) == pytest.approx(other.exploitability(which), 1e-6)


def test_checked_down_hands_win_what_they_win_over_all_flops():
    """Aces against kings, every flop dealt."""
    game = game_of(NO_BETS)
    aces, kings = parse_combo("AsAh"), parse_combo("KsKd")
    reach = preflop_reach(game, np.ones((169, game.preflop_row_count), np.float32))
    same = COMBO_STARTING_HAND[kings]
    reach[:, 1] *= same == COMBO_STARTING_HAND
    sums = flop_sums(game, even(game), reach, (EXPECT, EXPECT), 1)
    left = [card for card in range(52) if card not in COMBO_CARDS[aces]]
    total = 0.0
    for other in np.flatnonzero(same == COMBO_STARTING_HAND)[:1].tolist():
        deck = [card for card in left if card not in COMBO_CARDS[other]]
        flops = list(combinations(deck, 3))
        for board in flops[::7]:
            ranks = board_ranks(board)
            total += np.sign(int(ranks[aces]) - int(ranks[other])) / len(flops[::7])
    stake = float(game.tree.spent[game.ways[0]].min())
    found = sums[0, 0, COMBO_STARTING_HAND[aces]] / 6 / stake
    assert found == pytest.approx(total, abs=0.03)


def test_what_one_wins_the_other_loses(solver):
    """Also before the flop, in whatever profile."""
    profile = solver.profile(StrategyKind.AVERAGE)
    reach = preflop_reach(solver.game, profile.preflop)
    sums = flop_sums(solver.game, profile.shares, reach, (EXPECT, EXPECT), 1)
    values = values_before_flop(solver.game, profile.preflop, reach, sums, (EXPECT, EXPECT))
    first, second = values[0].sum(axis=1)
    assert first == pytest.approx(-second, rel=1e-6)
    assert abs(first) > 1


def test_iterations_leave_less(solver):
    """Of what a best response wins."""
    before = solver.exploitability(StrategyKind.AVERAGE)
    uniform = FlopBucketSolver(solver.game, solver.buckets, threads=1)
    assert before < uniform.exploitability(StrategyKind.AVERAGE) * 0.75


def test_threads_change_nothing(solver):
    """Sums are added in the same order."""
    other = FlopBucketSolver(solver.game, solver.buckets, threads=2)
    solve(other, VARIANTS["lcfr"], 4)
    assert np.array_equal(other.strategy_sum, solver.strategy_sum)
    assert np.array_equal(other.preflop_regret, solver.preflop_regret)


def test_other_games_and_buckets_are_refused():
    """In a clear line."""
    with pytest.raises(InvalidGame, match="last two streets"):
        FlopGame(build_betting_tree(HandState.start(load_builtin("hunl")), NO_BETS))
    with pytest.raises(ValueError, match="buckets"):
        FlopBucketSolver(game_of(NO_BETS, FEW), np.zeros((2, 2), np.uint16))
    solver = FlopBucketSolver(game_of(NO_BETS, FEW), by_strength(1))
    with pytest.raises(ValueError, match="plain regret matching"):
        solver.iterate(VARIANTS["pcfr+"].step(1, 1.0))


def test_regrets_are_matched_decision_by_decision():
    """Even shares where nothing is positive; and where there is no decision nothing is asked."""
    numbers = np.array([[3.0, 1.0, -2.0, -1.0, 0.0], [-1.0, -5.0, 0.5, 0.0, 1.5]])
    found = shares_of_sums(numbers, [(0, 0, 2), (1, 2, 5)])
    expected = [[0.75, 0.25, 1 / 3, 1 / 3, 1 / 3], [0.5, 0.5, 0.25, 0.0, 0.75]]
    np.testing.assert_array_equal(found, np.array(expected, np.float32))
    assert shares_of_sums(np.zeros((3, 0)), []).shape == (3, 0)
