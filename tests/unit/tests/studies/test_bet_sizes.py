"""Bet sizes by search: values against an obvious best response, searches on made-up objectives."""

from itertools import pairwise

import pytest

from engine.betting.bet_menu import ALL_IN, parse_menu
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.errors import ArtifactMismatch
from tests.oracles.flop_holdem import best_response
from tests.studies.bet_sizes import (
    LEVELS,
    VARIANT,
    Case,
    Values,
    climb,
    menu_text,
    moved,
    percent_of_pot,
    searched,
    start_at,
)

CASE = Case(10, 3, 0.5, (100,), "100;/50;", flops=1, opponent="50,100;a;/75;")
BEST = (3, -2, 0, 5)


@pytest.fixture
def values(tmp_path):
    """Nothing valued yet."""
    return Values(tmp_path, CASE, 1)


@pytest.mark.slow  # the obvious best response writes out every flop in all suits
def test_a_menu_is_sure_of_what_an_obvious_best_response_leaves(values):
    """And its own best response wins the upper bound, mbb per hand."""
    low, high = values.bounds(CASE.beside)
    position = 1
    solver = values.solver(CASE.beside, position)
    solve(solver, VARIANTS[VARIANT], CASE.iterations)
    profile = solver.profile(StrategyKind.AVERAGE)
    own, other = (best_response(solver.game, *profile, p) for p in (position, 1 - position))
    assert low[position] == pytest.approx(-other * 10, rel=1e-4)
    assert high[position] == pytest.approx(own * 10, rel=1e-4)
    assert low[position] < high[position]


def test_only_the_searcher_has_its_menu(values):
    """The other position has the opponent's."""
    for position in (0, 1):
        tree = values.solver("400;/", position).game.tree
        first = [int(tree.raise_to[node]) for node in tree.children(0)]
        assert first == ([0, 0, 900] if position == 1 else [0, 0, 200, 300])


def test_the_opponents_own_menu_is_worth_nothing(values, tmp_path):
    """Both have the same then, and each wins what the other loses; it is kept, for one case."""
    won = values.won(CASE.opponent)
    assert won["mbb_per_hand"] == pytest.approx(0, abs=1e-9)
    assert Values(tmp_path, CASE).won(CASE.opponent) == won
    with pytest.raises(ArtifactMismatch, match="other settings"):
        Values(tmp_path, Case(10, 4, 0.5, (100,), "100;/50;"))


def test_a_case_says_what_moving_a_size_loses(values, monkeypatch):
    """Made-up values: the highest at the best point, which every start finds."""
    monkeypatch.setattr(values, "middle", hill)
    monkeypatch.setattr(values, "won", lambda menu: {"menu": menu})
    result = searched(values)
    assert result["best"] == {"menu": menu_text(BEST)}
    assert result["searches"][100]["path"][-1] == result["best"]
    assert result["losses"]["raise again"] == {
        "best": 63,
        "moved": [[25, 16], [40, 4], [50, 1], [63, 0], [79, 1], [100, 4], [158, 16]],
    }


def hill(point):
    """The less, the farther from the best point."""
    return -sum((one - other) ** 2 for one, other in zip(point, BEST, strict=True))


@pytest.mark.parametrize("share", [0.1, 0.5, 1.5, 10.0])
def test_the_top_of_a_hill_is_found_from_anywhere(share):
    """Also from the corners of the grid; each point of the path is better than the one before.

    Steps that gain too little are not taken, nor is a ridge across both sizes crossed.
    """
    path = climb(start_at(share), hill, 0.5)
    assert path[-1] == BEST
    assert all(hill(after) - hill(before) > 0.5 for before, after in pairwise(path))
    assert climb(BEST, lambda point: 0.1 * sum(point), 0.5) == [BEST]
    assert climb(BEST, lambda point: 1.0 * sum(point), 0.5)[-1] == (LEVELS[-1],) * 4
    assert climb((0, 0), lambda point: sum(point) - 10 * abs(point[0] - point[1]), 0.5) == [(0, 0)]


def test_a_size_is_moved_within_the_grid():
    """The others stay."""
    points = moved(BEST, 1, (-4, -1, 0, 2))
    assert [point[1] for point in points] == [-6, -3, -2, 0]
    assert all(point[:1] + point[2:] == BEST[:1] + BEST[2:] for point in points)
    assert moved((-3, 0, 0, 0), 0, (-1, 1)) == [(-2, 0, 0, 0)]
    assert moved((LEVELS[-1],) * 4, 2, (1,)) == []


def test_points_are_menus():
    """All-in against bets; no raise after the last; ten levels to a factor of ten."""
    assert start_at(0.01) == (-3, -10, -10, -10)
    assert start_at(99) == (10, 10, 10, 10)
    before, flop = parse_menu(menu_text((0, -3, -1, 2))).streets
    assert before.sizes == ((1.0,), (0.5, ALL_IN), (ALL_IN,), ())
    assert flop.sizes == ((0.79,), (1.58, ALL_IN), ())
    assert [percent_of_pot(level) for level in (-10, -3, 0, 1, 10)] == [10, 50, 100, 126, 1000]
