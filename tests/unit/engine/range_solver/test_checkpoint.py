"""A solve that is interrupted goes on as if it had not been."""

from dataclasses import replace

import numpy as np
import pytest

from engine.betting.bet_menu import menu_of
from engine.betting.betting_tree import build_betting_tree, subgame_root
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import ArtifactMismatch
from engine.hands.range_text import parse_range
from engine.range_solver.checkpoint import KIND, load_solve, save_solve
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.range_solver.tables import INT16
from engine.rules.view import replay_betting
from engine.storage.artifacts import load_artifact, save_artifact
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

RANGES = np.stack([parse_range("QQ+,AKs,87s,33"), parse_range("TT+,AQs,65s,A2o:0.5")])


def solver_of(ranges=RANGES, board="KsJs7d2s", **settings):
    """A small turn."""
    board = parse_cards(board)
    root = subgame_root(load_builtin("hunl"), len(board) - 2, 500, (700, 700))
    tree = build_betting_tree(root, menu_of((1.0,), max_raises=2))
    return RangeSolver(tree, board, ranges, RangeSettings(**settings))


@pytest.mark.parametrize("storage", ["float32", INT16])
@pytest.mark.parametrize("name", ["dcfr", "pcfr+", "hedge", "beta-rm(2)"])
def test_going_on_is_bit_for_bit_the_same(name, storage, tmp_path):
    """Ten iterations, a file, and ten more equal twenty, whatever the algorithm keeps."""
    variant = VARIANTS[name]
    whole = solver_of(storage=storage)
    solve(whole, variant, 20)
    first = solver_of(storage=storage)
    solve(first, variant, 10)
    save_solve(first, tmp_path / "solve.bin")
    second = solver_of(storage=storage)
    load_solve(second, tmp_path / "solve.bin")
    assert second.iterations == 10
    solve(second, variant, 10)
    for which in StrategyKind:
        np.testing.assert_array_equal(second.values(which), whole.values(which))
        assert second.exploitability(which) == whole.exploitability(which)


def test_a_file_of_another_subgame_or_other_settings_is_refused(tmp_path):
    """Other ranges, another board, another storage or kind of update."""
    solver = solver_of()
    solve(solver, VARIANTS["cfr"], 1)
    save_solve(solver, tmp_path / "solve.bin")
    for other in (
        solver_of(RANGES[::-1]),
        solver_of(board="KsJs7d2c"),
        solver_of(storage=INT16),
        solver_of(alternating=False),
    ):
        with pytest.raises(ArtifactMismatch, match=r"another subgame.*delete it"):
            load_solve(other, tmp_path / "solve.bin")
        assert other.iterations == 0


def test_a_file_that_lacks_a_table_is_damaged(tmp_path):
    """The solver is left as it was."""
    solver, other = solver_of(), solver_of()
    save_solve(solver, tmp_path / "solve.bin")
    facts, arrays = load_artifact(tmp_path / "solve.bin", KIND)
    arrays["regret_0_0"] = arrays["regret_0_0"][:, 1:]
    save_artifact(tmp_path / "solve.bin", KIND, facts, arrays)
    with pytest.raises(ArtifactMismatch, match="damaged"):
        load_solve(solver, tmp_path / "solve.bin")
    for one in (solver, other):
        solve(one, VARIANTS["cfr"], 2)
    np.testing.assert_array_equal(
        solver.values(StrategyKind.AVERAGE), other.values(StrategyKind.AVERAGE)
    )


def test_a_subgame_that_begins_within_a_street_goes_on(tmp_path):
    """Player 1 answers an all-in: player 0 has no tables, so its are no sign of what was kept."""
    game = replace(load_builtin("hunl"), stacks=(950, 950))
    root = replay_betting(game, "r250c/cc/cc/r950")
    tree = build_betting_tree(root, menu_of((1.0,)))
    solvers = [RangeSolver(tree, parse_cards("KsJs7d2s9h"), RANGES) for _ in range(3)]
    solve(solvers[0], VARIANTS["hedge-var"], 6)
    solve(solvers[1], VARIANTS["hedge-var"], 3)
    save_solve(solvers[1], tmp_path / "solve.bin")
    load_solve(solvers[2], tmp_path / "solve.bin")
    solve(solvers[2], VARIANTS["hedge-var"], 3)
    np.testing.assert_array_equal(
        solvers[2].values(StrategyKind.AVERAGE), solvers[0].values(StrategyKind.AVERAGE)
    )
