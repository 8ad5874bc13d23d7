"""The vector solver on small subgames: against an obvious one, and where the answer is known."""

from dataclasses import replace

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, BetMenu, StreetMenu, menu_of
from engine.betting.betting_tree import build_betting_tree, subgame_root
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS, beta_rm
from engine.equity.equity import exact_range_equity
from engine.errors import InvalidGame, OutOfMemory
from engine.hands.cards import COMBOS, parse_combo
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.range_solver.tables import FLOAT32, INT16, with_matched
from engine.range_solver.walk import Walk
from protocol.cards import parse_card, parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.subgames import ranges_of, scattered_ranges, short_holdem, solver_of, tree_of
from tests.oracles.range_cfr import RangeOracle, assert_played_alike, assert_valued_alike

RIVER = "KsJs7d2s3h"
TURN = "KsJs7d2h"
FLOP = "Ks9d4h"
NO_BETS = BetMenu((StreetMenu(((),)),))


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("name", [*VARIANTS, "beta-rm(3)"])
def test_river_iterations_are_those_of_the_obvious_solver(name, alternating):
    """Every algorithm, in both orders of updates."""
    variant = VARIANTS.get(name) or beta_rm(3.0)
    solver = solver_of(RIVER, alternating=alternating)
    oracle = RangeOracle(solver.game.tree, solver.game.board, ranges_of(), alternating=alternating)
    for t in range(1, 5):
        step = variant.step(t, solver.spread)
        solver.iterate(step)
        oracle.iterate(step)
    assert_played_alike(solver, oracle, atol=2e-4)
    assert_valued_alike(solver, oracle, rel=1e-4)
    assert solver.iterations == 4


@pytest.mark.parametrize(
    ("name", "alternating"), [("dcfr", False), ("pcfr+", False), ("hedge", True)]
)
def test_turn_iterations_are_those_of_the_obvious_solver(name, alternating):
    """River cards, all-ins on the turn among them; suits that look alike are solved once.

    Regrets are only compared where every hand has met somebody: matching knows no scale, so what is
    played against nobody at all depends on rounding errors.
    """
    menu = menu_of((0.7, ALL_IN), (ALL_IN,))
    board = "Kd7d5d2d"  # the other three suits are alike
    ranges = scattered_ranges(1, classes=3)
    settings = {"stacks": (500, 400), "alternating": alternating}
    solver = solver_of(board, ranges, menu, **settings)
    whole = solver_of(board, ranges, menu, **settings, isomorphism=False)
    oracle = RangeOracle(solver.game.tree, solver.game.board, ranges, alternating=alternating)
    for t in (1, 2):
        step = VARIANTS[name].step(t, solver.spread)
        for each in (solver, whole, oracle):
            each.iterate(step)
    assert len(solver.game.boards[1].boards) < len(whole.game.boards[1].boards) == 48
    for each in (solver, whole):
        assert_valued_alike(each, oracle, rel=1e-4)
        for cards in ("", "3s", "3c", "Ah"):
            assert_played_alike(each, oracle, atol=5e-4, dealt=parse_cards(cards))


@pytest.mark.parametrize(("streets", "root"), [(2, FLOP), (3, FLOP), (3, TURN)])
def test_hands_may_end_before_the_river(streets, root):
    """Flop hold'em is shown down with five cards, turn hold'em with six."""
    menu = menu_of((0.7, ALL_IN), (ALL_IN,))
    ranges, board = scattered_ranges(2, classes=2), parse_cards(root)
    start = subgame_root(short_holdem(streets), len(board) - 2, 200, (500, 400))
    solver = RangeSolver(build_betting_tree(start, menu), board, ranges)
    oracle = RangeOracle(solver.game.tree, board, ranges)
    for t in (1, 2):
        step = VARIANTS["lcfr"].step(t, solver.spread)
        for each in (solver, oracle):
            each.iterate(step)
    assert solver.game.levels == streets + 2 - len(board)
    assert_valued_alike(solver, oracle, rel=1e-4)
    assert_played_alike(solver, oracle, atol=5e-4)


@pytest.mark.slow
def test_flop_iterations_are_those_of_the_obvious_solver():
    """Two more cards, all-ins on the flop run out."""
    menu = BetMenu((StreetMenu(((),)), StreetMenu(((ALL_IN,), ())), StreetMenu(((1.0,), ()))))
    ranges = scattered_ranges(2, classes=2)
    solver = solver_of(FLOP, ranges, menu, stacks=(300, 300), alternating=False)
    oracle = RangeOracle(solver.game.tree, solver.game.board, ranges, alternating=False)
    for t in (1, 2):
        step = VARIANTS["hedge"].step(t, solver.spread)
        solver.iterate(step)
        oracle.iterate(step)
    assert_valued_alike(solver, oracle, rel=1e-4)
    for cards in ("", "8s", "7cTd"):
        assert_played_alike(solver, oracle, atol=1e-3, dealt=parse_cards(cards))


def test_a_flop_that_is_checked_down_has_the_value_of_its_equity():
    """All turns and rivers, with and without suits that look alike."""
    ranges = ranges_of("AA,AKs", "JJ,T9s")
    for isomorphism in (True, False):
        solver = solver_of(FLOP, ranges, NO_BETS, isomorphism=isomorphism)
        equity, _ = exact_range_equity(*ranges, parse_cards(FLOP))
        expected = 200 * (equity.equity - 0.5)
        assert solver.game_value(StrategyKind.CURRENT) == pytest.approx(expected, rel=1e-5)


def test_a_flop_all_in_has_the_value_of_its_equity():
    """Everybody tosses coins: half of all bets are called, and turn and river come unseen."""
    menu = BetMenu((StreetMenu(((),)), StreetMenu(((ALL_IN,), ())), StreetMenu(((),))))
    ranges = ranges_of("AhAs", "KhQh")
    solver = solver_of(FLOP, ranges, menu, stacks=(300, 300))
    equity, _ = exact_range_equity(*ranges, parse_cards(FLOP))
    checked, called = 200 * equity.equity - 100, 800 * equity.equity - 400
    bet, faced = (100 + called) / 2, (-100 + called) / 2
    assert solver.game_value(StrategyKind.CURRENT) == pytest.approx(
        (bet + (checked + faced) / 2) / 2, rel=1e-5
    )


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [("AsQs", "6c5c,4h4c", 100), ("6c5c,4h4c", "AsQs", -100), ("AhQh", "AcQc", 0)],
)
def test_ranges_that_always_win_lose_or_tie(first, second, value):
    """Nobody pays the nuts off, so the pot is all there is to win."""
    solver = solver_of(RIVER, ranges_of(first, second))
    solve(solver, VARIANTS["cfr+"], 300)
    assert solver.game_value(StrategyKind.AVERAGE) == pytest.approx(value, abs=0.5)
    assert solver.exploitability(StrategyKind.AVERAGE) < 0.5


@pytest.mark.parametrize("threads", [1, 2])
def test_an_iteration_that_is_cut_short_is_told(threads, monkeypatch):
    """Nobody goes on from half an iteration, and no thread works on it any more."""
    solver = solver_of(TURN, threads=threads)
    solve(solver, VARIANTS["dcfr"], 2)
    visits = []

    def interrupted(self, worker, *args):
        visits.append(worker)
        if worker == 0:
            raise KeyboardInterrupt
        return whole(self, worker, *args)

    whole = Walk._visit
    monkeypatch.setattr(Walk, "_visit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        solver.iterate(VARIANTS["dcfr"].step(3))
    monkeypatch.undo()
    done = len(visits)
    assert solver.iterations == 2
    for attempt in (
        lambda: solver.iterate(VARIANTS["dcfr"].step(3)),
        lambda: solver.exploitability(StrategyKind.AVERAGE),
        lambda: solver.strategy(StrategyKind.AVERAGE, 0),
        lambda: solver.learnt,
    ):
        with pytest.raises(RuntimeError, match="cut short"):
            attempt()
    assert len(visits) == done
    other = solver_of(TURN, threads=threads)
    solve(other, VARIANTS["dcfr"], 2)
    solver.resume(other.learnt)
    assert solver.exploitability(StrategyKind.AVERAGE) == other.exploitability(StrategyKind.AVERAGE)


def test_threads_change_nothing():
    """Bit for bit, whoever does which board."""
    one, two = (solver_of(TURN, threads=threads) for threads in (1, 3))
    for solver in (one, two):
        solve(solver, VARIANTS["pcfr+"], 5)
    for node, place in one.game.places.items():
        dealt = parse_cards("9c")[: place.level]
        np.testing.assert_array_equal(
            one.strategy(StrategyKind.AVERAGE, node, dealt),
            two.strategy(StrategyKind.AVERAGE, node, dealt),
        )
    assert one.exploitability(StrategyKind.AVERAGE) == two.exploitability(StrategyKind.AVERAGE)


@pytest.mark.parametrize("name", ["dcfr", "pcfr+"])
def test_sixteen_bits_suffice_for_a_thousandth_of_the_pot(name):
    """Half the memory, and still close to equilibrium."""
    exact, coarse = solver_of(RIVER), solver_of(RIVER, storage=INT16)
    for solver in (exact, coarse):
        solve(solver, VARIANTS[name], 400)
        assert solver.exploitability_of_pot(StrategyKind.AVERAGE) < 1e-3
    assert coarse.memory.tables < 0.6 * exact.memory.tables


def test_suits_that_look_alike_are_played_alike():
    """What spades do on a spade, clubs do on a club; ranges that differ by suit are kept apart."""
    ranges = ranges_of("QQ+,AK,T9:0.5", "JJ,AQ,98")
    solver = solver_of("KdJh7d2h", ranges)
    solve(solver, VARIANTS["dcfr"], 8)
    assert len(solver.game.boards[1].boards) == 26 - 4 + 13
    node = next(n for n, place in solver.game.places.items() if place.level == 1)
    spade, club = (
        solver.strategy(StrategyKind.AVERAGE, node, parse_cards(card)) for card in ("5s", "5c")
    )
    for one, other in (("AsKs", "AcKc"), ("AsKh", "AcKh"), ("QsQc", "QsQc")):
        np.testing.assert_array_equal(spade[parse_combo(one)], club[parse_combo(other)])
    marked = ranges.copy()
    marked[0, parse_combo("AsKs")] *= 0.5
    assert len(solver_of("KdJh7d2h", marked).game.boards[1].boards) == 48


def test_hands_that_cannot_be_held_play_evenly_and_have_no_value():
    """Blocked combos and those outside the range."""
    solver = solver_of(RIVER)
    solve(solver, VARIANTS["cfr"], 3)
    strategy = solver.strategy(StrategyKind.AVERAGE, 0)
    assert strategy.dtype == np.float32
    np.testing.assert_allclose(strategy.sum(axis=1), 1, rtol=1e-6)
    for text in ("KsQd", "3c2c"):
        assert (strategy[parse_combo(text)] == 1 / strategy.shape[1]).all()
        assert np.isnan(solver.values(StrategyKind.CURRENT)[:, parse_combo(text)]).all()


def test_a_combo_that_meets_nobody_has_no_value():
    """Its owner holds both cards of all that the other player may have."""
    solver = solver_of(RIVER, ranges_of("AhAd,QQ", "Ad9c,AhTc"))
    assert np.isnan(solver.values(StrategyKind.CURRENT)[0, parse_combo("AhAd")])
    solve(solver, VARIANTS["cfr"], 2)
    assert np.isfinite(solver.exploitability(StrategyKind.AVERAGE))


def test_memory_is_told_before_it_is_taken():
    """The message says how much; a table that comes later counts as well."""
    needed = solver_of(TURN).memory
    assert needed.total == needed.tables + needed.boards + needed.work
    with pytest.raises(OutOfMemory, match=r"\d+ MiB .*\d+ MiB"):
        solver_of(TURN, memory_limit=needed.total - 1)
    tight = solver_of(TURN, memory_limit=needed.total)
    tight.iterate(VARIANTS["cfr"].step(1))
    with pytest.raises(OutOfMemory):
        tight.iterate(VARIANTS["pcfr+"].step(2))
    assert tight.iterations == 1


def test_memory_is_what_is_told():
    """Tables and boards to the byte."""
    solver = solver_of(TURN)
    tables = sum(array.nbytes for level in solver.learnt.tables for s in level for array in s)
    assert solver.memory.tables == tables
    assert solver.memory.boards == sum(boards.nbytes for boards in solver.game.boards)


@pytest.mark.parametrize("storage", [FLOAT32, INT16])
def test_room_that_cannot_be_made_leaves_a_solver_as_it_was(storage, monkeypatch):
    """It goes on without predictions, and with them once there is room."""
    solver, other = (solver_of(TURN, storage=storage) for _ in range(2))
    calls = iter(range(9))

    def fails_late(level):
        if next(calls) == 2:
            raise MemoryError
        return with_matched(level)

    monkeypatch.setattr("engine.range_solver.solver.with_matched", fails_late)
    solve(solver, VARIANTS["dcfr"], 2)
    with pytest.raises(MemoryError):
        solver.iterate(VARIANTS["pcfr+"].step(3))
    monkeypatch.undo()
    solve(other, VARIANTS["dcfr"], 2)
    for name in ("dcfr", "pcfr+"):
        for one in (solver, other):
            solve(one, VARIANTS[name], 2)
        for which in StrategyKind:
            np.testing.assert_array_equal(solver.strategy(which, 0), other.strategy(which, 0))
            assert solver.exploitability(which) == other.exploitability(which)


@pytest.mark.parametrize(
    ("board", "ranges", "message"),
    [
        ("KsJs7d2h", np.ones((2, COMBOS)), "board has 4 cards, not 5"),
        ("KsJs7d2hKs", np.ones((2, COMBOS)), "twice"),
        (RIVER, np.ones((3, COMBOS)), "2, 1326"),
        (RIVER, np.ones((2, 1325)), "2, 1326"),
        (RIVER, np.stack([np.ones(COMBOS), np.zeros(COMBOS)]), "empty range"),
        (RIVER, ranges_of("AhAd", "AhKd"), "can be dealt together"),
    ],
)
def test_bad_arguments_are_refused(board, ranges, message):
    """One clear line each."""
    cards = tuple(map(parse_card, (board[i : i + 2] for i in range(0, len(board), 2))))
    with pytest.raises(ValueError, match=message):
        RangeSolver(tree_of(RIVER), cards, ranges)


def test_games_that_are_not_holdem_from_the_flop_on_are_refused():
    """Before the flop, and a game of single cards from 52."""
    game = load_builtin("hunl")
    from engine.rules.state import HandState

    tree = build_betting_tree(HandState.start(game), menu_of((1.0,), max_raises=1))
    with pytest.raises(InvalidGame, match="begins on the flop"):
        RangeSolver(tree, (), np.ones((2, COMBOS)))
    single = replace(game, hole_cards=1)
    tree = build_betting_tree(subgame_root(single, 3, 4, (10, 10)), menu_of((1.0,)))
    with pytest.raises(InvalidGame, match="hold'em"):
        RangeSolver(tree, (0, 1, 2, 3, 4), np.ones((2, COMBOS)))


@pytest.mark.parametrize("wrong", [{"threads": 0}, {"storage": "float16"}])
def test_settings_that_mean_nothing_are_refused(wrong):
    """No threads, or a storage nobody knows."""
    with pytest.raises(ValueError, match=r"threads|storage"):
        RangeSettings(**wrong)


def test_strategies_are_asked_for_at_decisions():
    """Another node, or too few cards, is refused."""
    solver = solver_of(TURN)
    deal = next(n for n in range(solver.game.tree.nodes) if n not in solver.game.places)
    with pytest.raises(ValueError, match="no decision"):
        solver.strategy(StrategyKind.AVERAGE, deal)
    with pytest.raises(ValueError, match="cards dealt"):
        solver.strategy(StrategyKind.AVERAGE, 0, parse_cards("9c"))
    river = next(n for n, place in solver.game.places.items() if place.level == 1)
    with pytest.raises(ValueError, match="twice"):
        solver.strategy(StrategyKind.AVERAGE, river, parse_cards("Ks"))


def test_a_random_start_is_played_once():
    """The first iteration plays what was drawn, by seed; then regrets count as ever."""
    one, same, other = (solver_of(RIVER) for _ in range(3))
    for solver, seed in ((one, 1), (same, 1), (other, 2)):
        solver.start_at_random(np.random.default_rng(seed))
    drawn = one.strategy(StrategyKind.CURRENT, 0)
    np.testing.assert_array_equal(drawn, same.strategy(StrategyKind.CURRENT, 0))
    assert (drawn != other.strategy(StrategyKind.CURRENT, 0)).any()
    np.testing.assert_allclose(drawn.sum(axis=1), 1, rtol=1e-5)
    solve(one, VARIANTS["cfr"], 1)
    np.testing.assert_allclose(one.strategy(StrategyKind.AVERAGE, 0), drawn, atol=1e-6)


def test_a_random_start_keeps_to_the_suits_that_are_alike():
    """Where boards are shared, combos that an exchange of suits maps to each other play alike."""
    solver = solver_of("Kd7d5d2d", scattered_ranges(1), menu_of((1.0,), max_raises=1))
    solver.start_at_random(np.random.default_rng(3))
    drawn = solver.strategy(StrategyKind.CURRENT, 0)
    held = np.flatnonzero(solver.game.beliefs[0] > 0)
    np.testing.assert_array_equal(drawn[held], drawn[solver.game.alike[held]])


def test_no_random_start_where_there_is_none():
    """After an iteration, with tables of 16 bits, on a flop whose boards are shared."""
    rng = np.random.default_rng(1)
    begun = solver_of(RIVER)
    solve(begun, VARIANTS["cfr"], 1)
    with pytest.raises(ValueError, match="after 1 iterations"):
        begun.start_at_random(rng)
    with pytest.raises(ValueError, match="32 bits"):
        solver_of(RIVER, storage=INT16).start_at_random(rng)
    with pytest.raises(ValueError, match="isomorphism"):
        solver_of("Ks9s4s", ranges_of("AA", "KK"), NO_BETS).start_at_random(rng)
