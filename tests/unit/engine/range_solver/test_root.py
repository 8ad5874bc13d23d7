"""What comes to the root is up to a gadget: nothing changes, or nothing is lost."""

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.cfr.solver import Which, solve
from engine.cfr.variants import VARIANTS
from engine.errors import ArtifactMismatch
from engine.hands.cards import COMBOS
from engine.range_solver.checkpoint import load_solve, save_solve
from engine.range_solver.solver import RangeSettings, RangeSolver
from engine.small_games.gadgets import ENTER, resolve
from engine.small_games.subgame import best_worth, subgame_at
from engine.small_games.tabular import TabularSolver
from protocol.cards import parse_cards
from tests.helpers.root_gadgets import Entered, Resolve
from tests.helpers.subgames import ranges_of, scattered_ranges, tree_of, written_out

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
    for which in Which:
        np.testing.assert_array_equal(plain.values(which), fixed.values(which))
        assert plain.exploitability(which) == fixed.exploitability(which)
        assert plain.game_value(which) == fixed.game_value(which)


def test_factors_stand_for_other_ranges():
    """Half the reach of a hand is half its weight, on turn and river."""
    ranges = scattered_ranges(4)
    factors = np.random.default_rng(1).uniform(0.1, 1, (2, 169)).astype(np.float32)
    factors = factors[:, np.arange(COMBOS) % 169]
    gadget = Entered()
    gadget.factors = factors
    entered = solver_at(TURN, ranges, gadget, isomorphism=False)
    weighed = solver_at(TURN, ranges * factors, isomorphism=False)
    for solver in (entered, weighed):
        solve(solver, VARIANTS["cfr"], 2)
    for which in Which:
        np.testing.assert_allclose(
            entered.values(which), weighed.values(which), rtol=1e-4, atol=1e-2
        )
        assert entered.exploitability(which) == pytest.approx(
            weighed.exploitability(which), rel=1e-4
        )


def test_values_are_told_as_if_the_other_range_came_in_whole():
    """After each pass those of its player, per unit of all that the other one may hold."""
    gadget = Entered()
    gadget.factors[1] = 0.25
    solver = solver_at(RIVER, ranges_of(), gadget, alternating=False)
    values = solver.values(Which.CURRENT)
    solver.iterate(VARIANTS["cfr"].step(1))
    for player, share in ((0, 0.25), (1, 1.0)):
        known = ~np.isnan(values[player])
        np.testing.assert_allclose(
            gadget.won[player][known], share * values[player][known], rtol=1e-5, atol=1e-4
        )
        assert not gadget.won[player][~known].any()


@pytest.mark.parametrize("opponent", [0, 1])
@pytest.mark.parametrize("name", ["cfr", "dcfr", "lcfr"])
def test_re_solving_is_that_of_the_small_games(name, opponent):
    """The gadget's game written out as a tree: entering, and what is played after it."""
    board = parse_cards(RIVER)
    betting = tree_of(RIVER)
    tree = written_out(betting, board, FEW)
    hands = {history: history[0][opponent] for history in tree.histories if len(history) == 1}
    tops = [node for node, history in enumerate(tree.histories) if history in hands]
    subgame = subgame_at(tree, 1 - opponent, tops, hands.__getitem__)
    offers = best_worth(subgame, tree.uniform())
    alternatives = np.zeros(COMBOS)
    alternatives[list(offers)] = list(offers.values())
    gadget = Resolve(opponent, alternatives)
    vector = RangeSolver(betting, board, FEW, root=gadget)
    tabular = TabularSolver(resolve(subgame, tree.uniform(), offers))
    for t in range(1, 5):
        step = VARIANTS[name].step(t)
        vector.iterate(step)
        tabular.iterate(step)
    written = tabular.form.tree
    for which, profile in (
        (Which.CURRENT, tabular.current()),
        (Which.AVERAGE, tabular.average()),
    ):
        for info_set, (where, combo) in enumerate(written.info_set_names):
            theirs = profile[written.actions_of(info_set)]
            if where == ENTER:
                entered = gadget.reach(which)[opponent, combo]
                assert entered == pytest.approx(theirs[0], abs=5e-4)
            else:
                ours = vector.strategy(which, where)[combo]
                np.testing.assert_allclose(ours, theirs, atol=5e-4)


@pytest.mark.parametrize("solver_player", [0, 1])
def test_re_solving_against_equilibrium_values_loses_nothing(solver_player):
    """No hand of the opponent does better than before, though its range is not known."""
    opponent = 1 - solver_player
    ranges = scattered_ranges(7)
    blueprint = solver_at(RIVER, ranges)
    solve(blueprint, VARIANTS["dcfr"], 400)
    alternatives = blueprint.best_response_values(Which.AVERAGE)[opponent]
    unknown = ranges.copy()
    unknown[opponent] = ranges[opponent] > 0
    gains = {}
    for name, gadget in (
        ("resolve", Resolve(opponent, np.nan_to_num(alternatives))),
        ("unsafe", None),
    ):
        solver = solver_at(RIVER, unknown, gadget)
        solve(solver, VARIANTS["dcfr"], 400)
        gained = solver.best_response_values(Which.AVERAGE)[opponent] - alternatives
        gains[name] = np.nanmax(gained) / solver.game.pot
    assert gains["resolve"] < 0.01
    assert gains["unsafe"] > 0.03


def test_a_gadget_is_part_of_a_checkpoint(tmp_path):
    """Three iterations, a file and three more are six; another gadget is refused."""
    alternatives = np.linspace(-50, 50, COMBOS)
    whole, first, second = (
        solver_at(RIVER, ranges_of(), Resolve(0, alternatives)) for _ in range(3)
    )
    solve(whole, VARIANTS["pcfr+"], 6)
    solve(first, VARIANTS["pcfr+"], 3)
    save_solve(first, tmp_path / "solve")
    load_solve(second, tmp_path / "solve")
    solve(second, VARIANTS["pcfr+"], 3)
    assert_tables_equal(second, whole)
    for which in Which:
        assert second.exploitability(which) == whole.exploitability(which)
    without = solver_at(RIVER, ranges_of())
    with pytest.raises(ArtifactMismatch, match="gadget"):
        load_solve(without, tmp_path / "solve")
    save_solve(without, tmp_path / "plain")
    with pytest.raises(ArtifactMismatch, match="damaged"):
        load_solve(first, tmp_path / "plain")


def test_a_range_that_stays_out_wins_nothing():
    """Nobody meets anybody: no value, and nothing to exploit."""
    gadget = Entered()
    gadget.factors[0] = 0
    solver = solver_at(RIVER, ranges_of(), gadget)
    solve(solver, VARIANTS["cfr"], 2)
    assert solver.exploitability(Which.AVERAGE) == 0
    assert np.isnan(solver.values(Which.AVERAGE)[1]).all()


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
        solver.values(Which.CURRENT)
