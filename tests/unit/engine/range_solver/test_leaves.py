"""A solve that stops at leaves is the whole solve, if the leaves are told what happens behind."""

from functools import cache

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, BetMenu, StreetMenu, menu_of
from engine.betting.betting_tree import DEAL, FOLDED, SHOWDOWN
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.equity.allin_matrix import allin_matrix
from engine.errors import ArtifactMismatch
from engine.hands.cards import COMBOS
from engine.range_solver.checkpoint import load_solve, save_solve
from engine.range_solver.leaves import DepthLimit, street_ends
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.range_solver.strategy import RangeStrategy
from engine.range_solver.tables import INT16
from protocol.cards import parse_cards
from tests.helpers.leaf_values import PlayedOn, SolvedOn, odd_play
from tests.helpers.subgames import ranges_of, scattered_ranges, solver_of, tree_of
from tests.oracles.range_cfr import RangeOracle, assert_played_alike, assert_valued_alike

NO_BETS, ONE_BET, ALL_INS = StreetMenu(((),)), StreetMenu(((1.0,), ())), StreetMenu(((ALL_IN,), ()))
RIVER_MENU = menu_of((0.7, ALL_IN), (ALL_IN,))
TURN_MENU = BetMenu((NO_BETS, NO_BETS, StreetMenu(((0.7, ALL_IN), (ALL_IN,), ())), ONE_BET))
ALL_INS_ONCE = menu_of((0.7,), (ALL_IN,), max_raises=2)
FLOP_MENU = BetMenu((NO_BETS, NO_BETS, ALL_INS, NO_BETS))
STACKS = {"pot": 200, "stacks": (500, 400)}


def hands_of(ranges, board):
    """The combos of both players that the board leaves."""
    return RangeOracle(tree_of("KsJs7d2s3h"), board, ranges).hands


def both(board, menu, leaf_nodes, ranges, *, alternating=True, **settings):
    """A solver that stops at leaves, and the obvious one that plays on in the same odd way."""
    tree = tree_of(board, menu, **STACKS)
    cards = parse_cards(board)
    nodes = leaf_nodes(tree)
    fixed = odd_play(tree, nodes, hands_of(ranges, cards))
    source = PlayedOn(tree, cards, ranges, fixed)
    settings = RangeSettings(alternating=alternating, **settings)
    solver = RangeSolver(
        tree, cards, ranges, settings, limit=DepthLimit(nodes, source, symmetric=True)
    )
    return solver, RangeOracle(tree, cards, ranges, alternating=alternating, fixed=fixed), source


def turn_ends(tree):
    """Leaves at the end of the turn."""
    return street_ends(tree, 2)


def dealt_turns(tree):
    """The same without all-ins, which are dealt to the end."""
    return [node for node in turn_ends(tree) if tree.kind[node] == DEAL]


def first_bets(tree):
    """Leaves where the first bet of a street is to be answered."""
    return [
        node
        for node in range(1, tree.nodes)
        if tree.kind[node] < DEAL and tree.raise_to[node] and not tree.raise_to[tree.parent[node]]
    ]


@pytest.mark.parametrize(
    ("leaf_nodes", "name", "alternating", "settings"),
    [
        (turn_ends, "pcfr+", True, {}),
        (turn_ends, "hedge", False, {"isomorphism": False}),
        (dealt_turns, "hedge", True, {"threads": 2}),
        (first_bets, "dcfr", False, {"storage": INT16}),
    ],
)
def test_a_turn_that_stops_is_the_turn_that_is_played_on(leaf_nodes, name, alternating, settings):
    """Whatever the updates, the storage and the boards: strategies, values, exploitability."""
    ranges = scattered_ranges(1, classes=2)
    solver, oracle, _ = both(
        "Kd7d5d2d", TURN_MENU, leaf_nodes, ranges, alternating=alternating, **settings
    )
    for t in (1, 2):
        step = VARIANTS[name].step(t, solver.spread)
        solver.iterate(step)
        oracle.iterate(step)
    exact = "storage" not in settings
    assert_played_alike(solver, oracle, atol=5e-4 if exact else 2e-2)
    assert_valued_alike(solver, oracle, rel=1e-4 if exact else 1e-2)


def test_a_river_stops_where_it_is_told():
    """At decisions within a street."""
    ranges = ranges_of()
    solver, oracle, source = both("KsJs7d2s3h", RIVER_MENU, first_bets, ranges)
    for t in range(1, 6):
        step = VARIANTS["cfr+"].step(t)
        solver.iterate(step)
        oracle.iterate(step)
    assert set(solver.game.leaf_nodes) == {leaf.node for leaf in solver.game.leaves}
    assert source.requests == 5 * [((0,), False), ((1,), False)]
    assert_played_alike(solver, oracle, atol=5e-4)
    assert_valued_alike(solver, oracle, rel=1e-4)
    assert source.requests[10:] == 2 * [((0, 1), True), ((0, 1), False)]


def test_a_flop_stops_on_all_turns_at_once():
    """One call for the leaves on all boards, those that look alike only once."""
    ranges = scattered_ranges(2, classes=1)
    solver, oracle, source = both(
        "Kd9d4d", FLOP_MENU, turn_ends, ranges, alternating=False, threads=2
    )
    step = VARIANTS["hedge"].step(1, solver.spread)
    solver.iterate(step)
    oracle.iterate(step)
    assert len(source.requests) == 1
    assert len(solver.game.boards) == 2
    assert len(solver.game.boards[1].boards) < 49
    for cards in ("", "8s", "8c"):
        assert_played_alike(solver, oracle, atol=1e-3, dealt=parse_cards(cards))
    assert_valued_alike(solver, oracle, rel=1e-4, kinds=[StrategyKind.AVERAGE])


class CheckedDown:
    """Nobody bets after the turn."""

    def __init__(self, tree):
        """Take the stakes of a tree."""
        self.tree, self.asked, self.matrix = tree, [], cache(allin_matrix)

    def values(self, request):
        """Return what hands win on average over the rivers."""
        self.asked.append({leaf.board[-1] for leaf in request.leaves})
        found = np.zeros(request.reach.shape, np.float32)
        for answer, leaf, reach in zip(found, request.leaves, request.reach, strict=True):
            won = self.matrix(leaf.board) * self.tree.spent[leaf.node].min()
            answer[:] = won @ reach[1], -(reach[0] @ won)
        return found


def test_a_portion_asks_for_its_own_boards():
    """And learns from them what the whole solve does, which goes on to the river."""
    tree = tree_of("Kd9d4d", BetMenu((NO_BETS, ALL_INS, ALL_INS, NO_BETS)), **STACKS)
    ranges, board = scattered_ranges(2, classes=2), parse_cards("Kd9d4d")
    source = CheckedDown(tree)
    limit = DepthLimit(turn_ends(tree), source, averaged=True)
    settings = RangeSettings(portions=5, isomorphism=False)
    whole, cut = (RangeSolver(tree, board, ranges, settings, limit=end) for end in (None, limit))
    for solver in (whole, cut):
        solve(solver, VARIANTS["lcfr"], 6)
    assert [len(cards) for cards in source.asked[:8]] == 8 * [10]
    assert len(set.union(*source.asked[:10])) == 49
    for level in (0, 1):
        for ours, theirs in zip(cut.learnt.tables[level], whole.learnt.tables[level], strict=True):
            assert theirs.regret.any()
            np.testing.assert_allclose(ours.regret, theirs.regret, atol=0.05)
            np.testing.assert_allclose(ours.strategy_sum, theirs.strategy_sum, atol=1e-4)
    assert np.isfinite(cut.leaf_averages()).all()


class SuitsApart:
    """Leaves are worth other numbers to each combo, on every board."""

    def values(self, request):
        """Return them, times what the other player brings."""
        worth = np.random.default_rng(1).uniform(-200, 200, COMBOS)
        return request.reach[:, ::-1].sum(axis=2)[..., None] * worth


@pytest.mark.parametrize("board", ["Kd9d4d", "Kd7d5d2d"])
def test_a_source_that_tells_suits_apart_is_asked_for_all_boards(board):
    """Unless it promises otherwise: the result is that without isomorphism."""
    menu = FLOP_MENU if len(board) == 6 else TURN_MENU
    nodes = turn_ends if len(board) == 6 else dealt_turns
    tree, cards, ranges = tree_of(board, menu, **STACKS), parse_cards(board), scattered_ranges(2, 2)
    limit = DepthLimit(nodes(tree), SuitsApart())
    solvers = [
        RangeSolver(tree, cards, ranges, RangeSettings(isomorphism=isomorphism), limit=limit)
        for isomorphism in (True, False)
    ]
    for solver in solvers:
        solve(solver, VARIANTS["dcfr"], 3)
    for which in StrategyKind:
        np.testing.assert_array_equal(*(solver.values(which) for solver in solvers))


def test_leaves_solved_anew_for_their_ranges_give_the_value_of_the_game():
    """As a perfect value network does: nothing is known of them but the ranges that arrive.

    Only the value is that of the whole solve: strategies behind leaves that answer ranges alone,
    without a gadget, are not safe.
    """
    variant = VARIANTS["cfr+"]
    tree, ranges = tree_of("KsJs7d2s3h", ALL_INS_ONCE, **STACKS), scattered_ranges(5, 3)
    board = parse_cards("KsJs7d2s3h")
    limit = DepthLimit(first_bets(tree), SolvedOn(tree, ranges, variant, 40))
    whole, cut = (RangeSolver(tree, board, ranges, limit=end) for end in (None, limit))
    solve(whole, variant, 200)
    solve(cut, variant, 25)
    assert whole.exploitability_of_pot(StrategyKind.AVERAGE) < 0.002
    value = whole.game_value(StrategyKind.AVERAGE)
    assert cut.game_value(StrategyKind.AVERAGE) == pytest.approx(value, abs=0.01 * whole.game.pot)


class Told:
    """Says the same number at every leaf."""

    def __init__(self, number, shape=(2, COMBOS)):
        """Say `number`."""
        self.number, self.shape = number, shape

    def values(self, request):
        """Return it."""
        return np.full((len(request.leaves), *self.shape), self.number, np.float32)


def told(number, *shape, name=None):
    """A river whose bets are leaves."""
    tree = tree_of("KsJs7d2s3h")
    limit = DepthLimit(first_bets(tree), Told(number, *shape), name=name)
    return RangeSolver(tree, parse_cards("KsJs7d2s3h"), ranges_of(), limit=limit)


@pytest.mark.parametrize(
    ("number", "shape", "message"), [(np.nan, (2, COMBOS), "not finite"), (0.0, (2, 5), "want")]
)
def test_answers_that_are_no_values_are_refused(number, shape, message):
    """Another shape, or no number."""
    solver = told(number, shape)
    with pytest.raises(ValueError, match=f"leaf values.*{message}"):
        solver.exploitability(StrategyKind.CURRENT)


class NeverReached:
    """Divides by the range it is given, as a careless network does."""

    def values(self, request):
        """Return nan where nobody comes."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return request.reach[:, ::-1] / request.reach[:, ::-1].sum(axis=2, keepdims=True)


def test_where_nobody_comes_nothing_is_won():
    """A range that is all 0 gives values of 0, whatever the answer says."""
    tree = tree_of("KsJs7d2s3h", RIVER_MENU)
    limit = DepthLimit(first_bets(tree), NeverReached())
    solver = RangeSolver(tree, parse_cards("KsJs7d2s3h"), ranges_of(), limit=limit)
    for level in solver.learnt.tables:
        level[0].regret[0, 0] = 1.0  # player 0 checks, always
    values = solver.values(StrategyKind.CURRENT)
    assert np.isfinite(values[solver.game.rivals * solver.game.beliefs > 0]).all()


def test_street_ends_are_where_the_hand_goes_on():
    """Deals and all-ins of that street; the last one ends the hand."""
    tree = tree_of("Kd9d4d", RIVER_MENU, **STACKS)
    for street in (1, 2):
        ends = street_ends(tree, street)
        assert {int(tree.kind[node]) for node in ends} == {DEAL, SHOWDOWN}
        assert {int(tree.street[node]) for node in ends} == {street}
    assert street_ends(tree, 3) == ()


def test_leaves_are_nodes_from_which_the_hand_goes_on():
    """Not the root, folds, showdowns on the river, or what is no node."""
    tree = tree_of("KsJs7d2s3h")
    ends = [int(np.flatnonzero(tree.kind == kind)[0]) for kind in (FOLDED, SHOWDOWN)]
    for node in (0, -1, tree.nodes, *ends):
        with pytest.raises(ValueError, match="leaf"):
            RangeSolver(
                tree, parse_cards("KsJs7d2s3h"), ranges_of(), limit=DepthLimit([node], Told(0.0))
            )


def test_what_lies_behind_leaves_counts_in_the_spread():
    """The most that can be won there is as much as if it were laid out."""
    whole = solver_of("Kd7d5d2d", scattered_ranges(1), TURN_MENU, **STACKS)
    cut, _, _ = both("Kd7d5d2d", TURN_MENU, turn_ends, scattered_ranges(1))
    assert cut.spread == whole.spread
    assert cut.memory.tables < whole.memory.tables / 10


def test_a_depth_limited_solve_can_be_kept(tmp_path):
    """Its strategy before the leaves in a file, its tables in another that fits no other limit."""
    solver = told(5.0, name="five")
    solve(solver, VARIANTS["cfr"], 5)
    strategy = RangeStrategy.of(solver)
    strategy.save(tmp_path / "strategy")
    kept = RangeStrategy.load(tmp_path / "strategy")
    np.testing.assert_array_equal(kept.at(0), strategy.at(0))
    save_solve(solver, tmp_path / "solve")
    again = told(5.0, name="five")
    load_solve(again, tmp_path / "solve")
    assert again.exploitability(StrategyKind.AVERAGE) == solver.exploitability(StrategyKind.AVERAGE)
    with pytest.raises(ArtifactMismatch, match="another subgame"):
        load_solve(solver_of("KsJs7d2s3h"), tmp_path / "solve")


def test_a_checkpoint_wants_the_same_leaf_values(tmp_path):
    """By their name: others are refused, and so are those that have none."""
    save_solve(told(5.0, name="five"), tmp_path / "solve")
    with pytest.raises(ArtifactMismatch, match=r"other leaf values.*delete it"):
        load_solve(told(6.0, name="six"), tmp_path / "solve")
    for act in (save_solve, load_solve):
        with pytest.raises(ValueError, match="without a name"):
            act(told(5.0), tmp_path / "solve")
