"""How fast searches are, as far as searches said."""

from types import SimpleNamespace

import pytest

from engine.search.session import Pace

PACE = Pace(0.5, 0.001)


def solution(iterations, nodes, seconds, set_up):
    """A solution of so many nodes."""
    tree = SimpleNamespace(nodes=nodes)
    solver = SimpleNamespace(game=SimpleNamespace(tree=tree))
    return SimpleNamespace(iterations=iterations, seconds=seconds, set_up=set_up, solver=solver)


def test_trees_fit_the_time_that_is_left():
    """After the overhead; none where there is no time."""
    assert PACE.most_nodes(2.5, 20) == pytest.approx(100)
    assert PACE.most_nodes(0.4, 20) < 0
    assert PACE.most_nodes(float("inf"), 20) == float("inf")


def test_the_slower_figure_counts():
    """Of what was and of what a search says."""
    slower = PACE.after(solution(10, 100, 2.5, 1.0), 2.2)
    assert slower == pytest.approx((0.7, 0.0015))
    assert PACE.after(solution(10, 100, 0.2, 0.1), 0.3) == PACE


def test_a_pause_of_the_machine_is_no_pace():
    """Twice as slow is the most that a search tells."""
    assert PACE.after(solution(10, 100, 60.0, 1.0), 90.0) == pytest.approx((1.0, 0.002))


def test_slowness_is_forgotten():
    """So that one hiccup does not end all searching."""
    pace = Pace(100.0, 10.0)
    for _ in range(60):
        pace = pace.eased()
    assert pace.most_nodes(2.0, 15) > 100
