"""The search on made-up objectives, where the best point is known."""

from itertools import pairwise

import pytest

from engine.betting.bet_menu import ALL_IN, parse_menu
from engine.flop_holdem.size_search import (
    LEVELS,
    curve,
    follow,
    menu_text,
    names_of_sizes,
    nearest_level,
    percent_of_pot,
    start_at,
)

BEST = (3, -2, 0, 5)


def hill(point):
    """The less, the farther from the best point."""
    return -sum((one - other) ** 2 for one, other in zip(point, BEST, strict=True))


@pytest.mark.parametrize("share", [0.1, 0.5, 1.5, 10.0])
def test_the_top_of_a_hill_is_found_from_anywhere(share):
    """Also from the corners of the grid; each point of the path is better than the one before."""
    found = follow(start_at(share, 1), hill, 0.5)
    assert found.wanted is None
    assert found.path[-1] == BEST
    values = [hill(point) for point in found.path]
    assert all(later - before > 0.5 for before, later in pairwise(values))


def test_steps_that_gain_too_little_are_not_taken():
    """What chance may make of two equal points."""
    assert follow(BEST, lambda point: 0.1 * sum(point), 0.5).path == [BEST]
    assert follow(BEST, lambda point: 1.0 * sum(point), 0.5).path[-1] == (LEVELS[-1],) * 4


def test_it_ends_where_no_single_step_gains():
    """A local optimum: on a ridge across both sizes, moving one of them always loses."""

    def ridge(point):
        return sum(point) - 10 * abs(point[0] - point[1])

    assert follow((0, 0), ridge, 0.5).path == [(0, 0)]


def test_it_asks_for_one_value_after_the_other():
    """And comes to the same end as where all are known; no point is asked for twice."""
    known = {}
    start = start_at(0.5, 1)
    while (wanted := follow(start, known.get, 0.5).wanted) is not None:
        assert wanted not in known
        assert set(wanted) <= set(LEVELS)
        known[wanted] = hill(wanted)
    assert follow(start, known.get, 0.5) == follow(start, hill, 0.5)
    assert len(known) < 60


def test_a_size_is_moved_within_the_grid():
    """The others stay."""
    points = curve(BEST, 1)
    assert [point[1] for point in points] == [-6, -4, -3, -2, -1, 0, 2]
    assert all(point[:1] + point[2:] == BEST[:1] + BEST[2:] for point in points)
    assert min(point[0] for point in curve((0,) * 4, 0)) == -2
    assert max(point[0] for point in curve((LEVELS[-1],) * 4, 0)) == LEVELS[-1]


def test_points_are_menus():
    """Equal sizes once; all-in against bets; no raise after the last."""
    assert start_at(0.5, 2) == (-3, -1, -3, -5, -1, -3)
    assert menu_text((-5, -5, -3, 1, -1, 0)) == "32;50,a;a;/79,126;100,a;"
    menu = parse_menu(menu_text((0, -3, -1, 2)))
    before, flop = menu.streets
    assert before.sizes == ((1.0,), (0.5, ALL_IN), (ALL_IN,), ())
    assert flop.sizes == ((0.79,), (1.58, ALL_IN), ())
    assert len(names_of_sizes(3)) == len(start_at(1.0, 3)) == 8


def test_levels_are_shares_of_the_pot():
    """Ten to a factor of ten."""
    assert [percent_of_pot(level) for level in (-10, -3, 0, 1, 10)] == [10, 50, 100, 126, 1000]
    assert [nearest_level(share) for share in (0.01, 0.5, 1.0, 1.3, 99)] == [-10, -3, 0, 1, 10]
