"""Iterations that visit a part of the next cards."""

import numpy as np
import pytest

from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.range_solver.checkpoint import load_solve, save_solve
from engine.range_solver.portions import Portions, less_often
from tests.helpers.subgames import scattered_ranges, solver_of

RIVER = "KsJs7d2s3h"
TURN = "KsJs7d2h"
AVERAGE = StrategyKind.AVERAGE
LCFR = VARIANTS["lcfr"]


def iterated(solver, count, variant=LCFR):
    """The solver after some more iterations."""
    for _ in range(count):
        solver.iterate(variant.step(solver.iterations + 1, solver.spread))
    return solver


def tables_of(solver):
    """All regrets and sums."""
    sides = [side for level in solver.learnt.tables for side in level]
    return [array for side in sides for array in (side.regret, side.strategy_sum)]


@pytest.mark.parametrize("isomorphism", [True, False])
@pytest.mark.parametrize("portions", [2, 3, 5, 60])
def test_every_board_is_visited_once_a_round(portions, isomorphism):
    """Whatever their number; rounds differ in which go together."""
    game = solver_of(TURN, isomorphism=isomorphism).game
    boards, ways = len(game.boards[1].boards), len(game.boards[0].deals.card)
    cut = Portions(game, portions)
    rounds = []
    for turn in (0, 1):
        count = min(portions, boards)
        parts = [cut.part(turn * count + n) for n in range(count)]
        assert all(len(part.boards) and (np.diff(part.boards) > 0).all() for part in parts)
        assert sorted(np.concatenate([part.boards for part in parts])) == list(range(boards))
        assert sorted(np.concatenate([part.ways for part in parts])) == list(range(ways))
        assert all(len(part.boards) * part.stands_for == pytest.approx(boards) for part in parts)
        for part in parts:
            standing = game.boards[0].deals.board[part.ways]
            np.testing.assert_array_equal(part.boards[part.standing], standing)
        rounds.append([part.boards.tolist() for part in parts])
    assert rounds[0] != rounds[1]


def test_one_portion_and_a_river_are_visited_whole():
    """There is nothing to cut."""
    assert Portions(solver_of(TURN).game, 1).part(0) is None
    assert Portions(solver_of(RIVER).game, 3).part(0) is None
    one, three = iterated(solver_of(RIVER), 3), iterated(solver_of(RIVER, portions=3), 3)
    for ours, theirs in zip(tables_of(one), tables_of(three), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_only_boards_of_the_portion_learn():
    """In the first iteration, every other one is as it was."""
    solver = iterated(solver_of(TURN, portions=3, isomorphism=False), 1, VARIANTS["cfr"])
    part = Portions(solver.game, 3).part(0).boards
    for side in solver.learnt.tables[1]:
        learnt = np.flatnonzero(side.regret.any(axis=(1, 2)))
        assert set(learnt.tolist()) <= set(part.tolist())
        assert len(learnt) > 0.8 * len(part)


def test_what_is_not_visited_is_taken_to_win_the_same_on_average():
    """The regrets of the first street, over a round, are those of a pass over all boards."""
    ranges = scattered_ranges(5)
    whole = solver_of(TURN, ranges, alternating=False, isomorphism=False)
    whole.iterate(VARIANTS["cfr"].step(1))
    parts = []
    for number in range(4):
        solver = solver_of(TURN, ranges, alternating=False, isomorphism=False, portions=4)
        solver._iterations = number
        solver.iterate(VARIANTS["cfr"].step(1))
        parts.append([side.regret for side in solver.learnt.tables[0]])
    for player, side in enumerate(whole.learnt.tables[0]):
        mean = np.mean([part[player] for part in parts], axis=0)
        scale = np.abs(side.regret).max()
        np.testing.assert_allclose(mean, side.regret, atol=1e-5 * scale)


def test_a_board_discounts_for_the_iterations_that_it_did_not_see():
    """By the power of their number; the rest of the step stays."""
    step = LCFR.step(7)
    rarer = less_often(step, 3.0)
    assert rarer.positive == pytest.approx(step.positive**3)
    assert rarer.negative == pytest.approx(step.negative**3)
    assert rarer.keep == pytest.approx(step.keep**3)
    assert rarer.weight == step.weight


def test_the_same_is_found():
    """As near to an equilibrium as all boards at once, after as much work."""
    ranges = scattered_ranges(5)
    whole = iterated(solver_of(TURN, ranges), 80)
    cut = iterated(solver_of(TURN, ranges, portions=3), 240)
    assert cut.exploitability_of_pot(AVERAGE) < 0.01
    assert cut.game_value(AVERAGE) == pytest.approx(whole.game_value(AVERAGE), abs=2)


def test_a_resumed_solve_takes_the_portions_that_were_due(tmp_path):
    """To the last bit; a solver with other portions is refused."""
    path = tmp_path / "kept.npz"
    save_solve(iterated(solver_of(TURN, portions=3), 4), path)
    resumed = solver_of(TURN, portions=3)
    load_solve(resumed, path)
    straight = iterated(solver_of(TURN, portions=3), 7)
    for ours, theirs in zip(tables_of(iterated(resumed, 3)), tables_of(straight), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    with pytest.raises(Exception, match="other settings"):
        load_solve(solver_of(TURN, portions=2), path)


@pytest.mark.parametrize("name", ["pcfr+", "pdcfr+"])
def test_steps_that_predict_need_all_boards(name):
    """The last regrets of a board are not those of the iteration before."""
    with pytest.raises(ValueError, match="all boards"):
        iterated(solver_of(TURN, portions=2), 1, VARIANTS[name])


def test_a_start_at_random_is_for_all_boards():
    """Only those of the first portion would begin so."""
    with pytest.raises(ValueError, match="portions"):
        solver_of(TURN, portions=2).start_at_random(np.random.default_rng(1))


def test_no_portions_are_refused():
    """There is at least one."""
    with pytest.raises(ValueError, match="0 portions"):
        solver_of(TURN, portions=0)
