"""What comes to the root is up to a gadget: nothing changes, or nothing is lost."""

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import ArtifactMismatch
from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.hands.ranges import compatible_reach
from engine.range_solver.checkpoint import load_solve, save_solve
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.range_solver.tables import INT16
from engine.search.gadgets import MarginGadget, ResolveGadget, normal_alternatives
from engine.small_games.tabular import TabularSolver
from protocol.cards import parse_cards
from tests.helpers.root_gadgets import Entered
from tests.helpers.subgames import ranges_of, scattered_ranges, tree_of, written_out
from tests.oracles.gadgets import distributional, max_margin, resolve
from tests.oracles.subgame import best_values, subgame_at

RIVER, TURN = "KsJs7d2s3h", "Kd7d5d2d"
MENU = menu_of((0.7, ALL_IN), (ALL_IN,))
FEW = ranges_of(
    "AsQd:0.9,KhQh:0.37,7h7c:0.61,9s8s:0.13", "KdTd:0.83,As9c:0.29,JhJc:0.47,6s5s"
).astype(float)


def solver_at(board, ranges, root=None, **settings):
    """A small subgame with a gadget."""
    tree = tree_of(board, MENU)
    return RangeSolver(tree, parse_cards(board), ranges, RangeSettings(**settings), root=root)


def assert_tables_equal(one, other):
    """To the last bit."""
    for ours, theirs in zip(one.learnt.tables, other.learnt.tables, strict=True):
        for mine, yours in zip(ours, theirs, strict=True):
            for name in mine._fields:
                np.testing.assert_array_equal(getattr(mine, name), getattr(yours, name))


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("board", [RIVER, TURN])
def test_a_gadget_that_lets_all_in_changes_nothing(board, alternating):
    """Tables and values, bit for bit."""
    ranges = scattered_ranges(4)
    plain = solver_at(board, ranges, alternating=alternating)
    gadget = Entered()
    fixed = solver_at(board, ranges, gadget, alternating=alternating)
    for solver in (plain, fixed):
        solve(solver, VARIANTS["dcfr"], 3)
    assert_tables_equal(plain, fixed)
    for which in StrategyKind:
        np.testing.assert_array_equal(plain.values(which), fixed.values(which))
        exploitability = plain.exploitability(which)
        assert fixed.exploitability(which) == pytest.approx(exploitability, rel=1e-12)
        assert plain.game_value(which) == fixed.game_value(which)


@pytest.mark.parametrize("settings", [{}, {"threads": 2, "storage": INT16}])
def test_factors_stand_for_other_ranges(settings):
    """Half the reach of a hand is half its weight, though suits are alike in the ranges alone."""
    ranges = scattered_ranges(4)
    factors = np.random.default_rng(1).uniform(0.1, 1, (2, 169)).astype(np.float32)
    factors = factors[:, np.arange(COMBOS) % 169]
    gadget = Entered()
    gadget.factors = factors
    assert len(solver_at(TURN, ranges).game.swaps) > 1
    entered = solver_at(TURN, ranges, gadget, **settings)
    weighed = solver_at(TURN, ranges * factors, **settings, isomorphism=False)
    for solver in (entered, weighed):
        solve(solver, VARIANTS["cfr"], 2)
    rel = 1e-2 if settings else 1e-4
    weights = entered.game.beliefs * factors
    share = weights[0] @ compatible_reach(weights[1]) / entered.game.joint
    for which in StrategyKind:
        if not settings:
            np.testing.assert_allclose(
                entered.values(which), weighed.values(which), rtol=1e-4, atol=1e-2
            )
        assert entered.game_value(which) == pytest.approx(weighed.game_value(which), rel=rel)
        assert entered.exploitability(which) == pytest.approx(
            weighed.exploitability(which) * share, rel=rel
        )


def test_a_gadget_of_alike_suits_has_as_few_boards_as_none():
    """Its alternatives may be values of another solve; the result is that of all boards."""
    ranges = scattered_ranges(4)
    plain = solver_at(TURN, ranges)
    solve(plain, VARIANTS["dcfr"], 5)
    offers = plain.best_response_values(StrategyKind.AVERAGE)[1]
    few, all_boards = (
        solver_at(TURN, ranges, ResolveGadget(1, np.nan_to_num(offers)), isomorphism=isomorphism)
        for isomorphism in (True, False)
    )
    assert few.game.swaps == plain.game.swaps
    assert len(few.game.boards[1].boards) < len(all_boards.game.boards[1].boards)
    for solver in (few, all_boards):
        solve(solver, VARIANTS["cfr+"], 30)
    np.testing.assert_allclose(
        few.root.reach(StrategyKind.AVERAGE), all_boards.root.reach(StrategyKind.AVERAGE), atol=1e-3
    )
    for measure in ("game_value", "exploitability"):
        ours, theirs = (getattr(s, measure)(StrategyKind.AVERAGE) for s in (few, all_boards))
        assert ours == pytest.approx(theirs, abs=1e-3 * plain.game.pot)


def test_offers_that_tell_suits_apart_are_solved_on_all_boards():
    """One hand is offered much, its like in another suit little."""
    ranges = scattered_ranges(4)
    offers = np.random.default_rng(2).uniform(-100, 100, COMBOS)
    solvers = [
        solver_at(TURN, ranges, ResolveGadget(1, offers), isomorphism=isomorphism)
        for isomorphism in (True, False)
    ]
    for solver in solvers:
        solve(solver, VARIANTS["cfr+"], 10)
    assert_tables_equal(*solvers)


def test_a_gadget_whose_suits_are_less_alike_than_it_said_is_refused():
    """Boards are shared already: nothing right can come of it."""
    gadget = Entered()
    solver = solver_at(TURN, scattered_ranges(4), gadget)
    gadget.factors = np.random.default_rng(1).uniform(0.1, 1, (2, COMBOS)).astype(np.float32)
    with pytest.raises(ValueError, match="tells suits apart"):
        solver.iterate(VARIANTS["cfr"].step(1))


@pytest.mark.parametrize("board", [RIVER, TURN])
@pytest.mark.parametrize("opponent", [0, 1])
def test_exploitability_goes_to_nothing_as_the_gadget_is_solved(opponent, board):
    """A tenth of a percent of the pot; without the gadget's offers it would stay far away."""
    ranges = scattered_ranges(7)
    blueprint = solver_at(board, ranges)
    solve(blueprint, VARIANTS["dcfr"], 20)
    offers = np.nan_to_num(blueprint.best_response_values(StrategyKind.AVERAGE)[opponent])
    solver = solver_at(board, ranges, ResolveGadget(opponent, offers))
    seen = []
    for iterations in (20, 60, 320):
        solve(solver, VARIANTS["cfr+"], iterations - solver.iterations)
        seen.append(solver.exploitability_of_pot(StrategyKind.AVERAGE))
    assert seen[0] > seen[1] > seen[2] > 0
    assert seen[2] < 0.001


@pytest.mark.parametrize("opponent", [0, 1])
@pytest.mark.parametrize("name", ["cfr", "dcfr", "lcfr"])
@pytest.mark.parametrize("kind", ["resolve", "margin", "distributional"])
def test_gadgets_are_those_of_the_small_games(name, opponent, kind):
    """The gadget's game written out as a tree: its choice, and what is played after it."""
    board = parse_cards(RIVER)
    betting = tree_of(RIVER)
    tree = written_out(betting, board, FEW)
    hands = {history: history[0][opponent] for history in tree.histories if len(history) == 1}
    roots = [node for node, history in enumerate(tree.histories) if history in hands]
    subgame = subgame_at(tree, 1 - opponent, roots, hands.__getitem__)
    offers = best_values(subgame, tree.uniform())
    combos = list(offers)
    alternatives = np.zeros(COMBOS)
    alternatives[combos] = list(offers.values())
    if kind == "resolve":
        gadget = ResolveGadget(opponent, alternatives)
        written = resolve(subgame, tree.uniform(), offers)
    elif kind == "margin":
        game = RangeSolver(betting, board, FEW).game
        weights = (game.beliefs * game.rivals / game.joint)[opponent]
        gadget = MarginGadget(opponent, alternatives, weights)
        written = max_margin(subgame, tree.uniform(), offers)
    else:
        spreads = {combo: 10.0 + combo % 7 for combo in combos}
        spread = np.zeros(COMBOS)
        spread[combos] = list(spreads.values())
        gadget = ResolveGadget(opponent, normal_alternatives(alternatives, spread, 3))
        written = distributional(subgame, tree.uniform(), offers, spreads, 3)
    vector, tabular = RangeSolver(betting, board, FEW, root=gadget), TabularSolver(written)
    solver_sets = [number for number, owner in enumerate(written.owner) if owner != opponent]
    for t in range(1, 7):
        step = VARIANTS[name].step(t)
        vector.iterate(step)
        tabular.iterate(step)
        for which, profile in (
            (StrategyKind.CURRENT, tabular.current()),
            (StrategyKind.AVERAGE, tabular.average()),
        ):
            theirs = tabular.exploitability(which)
            assert vector.exploitability(which) == pytest.approx(theirs, rel=1e-4, abs=1e-4)
            for number in solver_sets:
                where, combo = written.info_set_names[number]
                np.testing.assert_allclose(
                    vector.strategy(which, where)[combo],
                    profile[written.actions_of(number)],
                    atol=5e-4,
                )


def test_a_gadget_is_part_of_a_checkpoint(tmp_path):
    """Three iterations, a file and three more are six; another gadget is refused."""
    alternatives = np.linspace(-50, 50, COMBOS)
    whole, first, second = (
        solver_at(RIVER, ranges_of(), ResolveGadget(0, alternatives)) for _ in range(3)
    )
    solve(whole, VARIANTS["pcfr+"], 6)
    solve(first, VARIANTS["pcfr+"], 3)
    save_solve(first, tmp_path / "solve")
    load_solve(second, tmp_path / "solve")
    solve(second, VARIANTS["pcfr+"], 3)
    assert_tables_equal(second, whole)
    for which in StrategyKind:
        assert second.exploitability(which) == whole.exploitability(which)
    without = solver_at(RIVER, ranges_of())
    others = [ResolveGadget(0, alternatives + 1), ResolveGadget(1, alternatives), Entered()]
    for other in (without, *(solver_at(RIVER, ranges_of(), gadget) for gadget in others)):
        with pytest.raises(ArtifactMismatch, match=r"another gadget.*delete it"):
            load_solve(other, tmp_path / "solve")
        assert other.iterations == 0
    save_solve(without, tmp_path / "plain")
    with pytest.raises(ArtifactMismatch, match="gadget"):
        load_solve(first, tmp_path / "plain")


def test_who_meets_nobody_wins_no_number():
    """Only hands with one certain card come in: who has it, too, has nobody to win from."""
    board, king = parse_cards(RIVER), parse_cards("Kd")
    gadget = Entered()
    gadget.factors[0] = np.random.default_rng(3).uniform(0.1, 1, COMBOS)
    gadget.factors[0, ~np.isin(COMBO_CARDS, king).any(axis=1)] = 0
    values = solver_at(RIVER, np.ones((2, COMBOS)), gadget).values(StrategyKind.AVERAGE)[1]
    nobody = np.isin(COMBO_CARDS, (*king, *board)).any(axis=1)
    np.testing.assert_array_equal(np.isnan(values), nobody)


def test_a_range_that_stays_out_wins_nothing():
    """Nobody meets anybody: no value, and nothing to exploit."""
    gadget = Entered()
    gadget.factors[0] = 0
    solver = solver_at(RIVER, ranges_of(), gadget)
    solve(solver, VARIANTS["cfr"], 2)
    assert solver.exploitability(StrategyKind.AVERAGE) == 0
    assert np.isnan(solver.values(StrategyKind.AVERAGE)[1]).all()


@pytest.mark.parametrize(
    ("factors", "message"),
    [
        (np.ones((1, COMBOS)), "want"),
        (-np.ones((2, COMBOS)), "negative"),
        (np.full((2, COMBOS), np.nan), "not finite"),
    ],
)
def test_factors_that_are_none_are_refused(factors, message):
    """Another shape, or numbers that are no reach."""
    gadget = Entered()
    gadget.factors = factors
    solver = solver_at(RIVER, ranges_of(), gadget)
    with pytest.raises(ValueError, match=f"root reach.*{message}"):
        solver.values(StrategyKind.CURRENT)
