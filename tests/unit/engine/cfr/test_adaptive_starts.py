"""Comparisons from several starts, put together."""

import math

import pytest

from engine.cfr.adaptive_report import Comparison, Trace
from engine.cfr.adaptive_starts import mean_of_starts, summary_of


def trace(name, *exploitability, seconds=(1.0, 2.0), uses=(2,)):
    """Measurements after 1 and 2 iterations."""
    return Trace(name, (1, 2), seconds, exploitability, uses)


def comparison(a, b, chosen, randoms=(0.5,)):
    """Two members whose ends are a and b, and one form whose end is `chosen`."""
    return Comparison(
        ("a", "b"),
        (trace("a", 0.9, a), trace("b", 0.8, b, seconds=(2.0, 4.0))),
        trace("in turn", 0.9, 0.6, uses=(1, 1)),
        tuple(trace("random, seed", 0.9, end, uses=(0, 2)) for end in randoms),
        (trace("adaptive x", 0.7, chosen, seconds=(4.0, 8.0), uses=(2, 0)),),
    )


def test_means_have_students_intervals():
    """Of two: 12.7 standard errors; of one: none."""
    found = mean_of_starts([1.0, 3.0])
    assert found.mean == 2.0
    assert found.ci95 == pytest.approx(12.7062, rel=1e-4)
    assert mean_of_starts([4.0]).ci95 is None


def test_entrants_are_compared_with_the_best_member_from_the_same_start():
    """b ends lowest on the average; ratios are taken start by start."""
    found = summary_of([comparison(0.5, 0.1, 0.2), comparison(0.2, 0.2, 0.2)])
    assert (found.starts, found.best_member, found.adaptive) == (2, "b", 1)
    assert [entrant.name for entrant in found.entrants] == [
        "a",
        "b",
        "in turn",
        "random",
        "adaptive x",
    ]
    chosen = found.entrants[-1]
    assert chosen.per_iteration.mean == pytest.approx((2.0 + 1.0) / 2)
    assert chosen.same_time.mean == pytest.approx((7.0 + 3.5) / 2)  # its first look, after 4 s
    assert chosen.exploitability[-1].mean == pytest.approx(0.2)
    assert chosen.uses == (1.0, 0.0)
    assert found.entrants[1].per_iteration.mean == 1.0


def test_random_members_are_one_entrant():
    """The mean of their seeds from each start."""
    found = summary_of([comparison(0.5, 0.1, 0.2, (0.2, 0.4)), comparison(0.5, 0.1, 0.2, (0.1,))])
    assert found.entrants[3].exploitability[-1].mean == pytest.approx(0.2)


def test_no_ratio_to_nothing():
    """Where the best member ends at 0, or nobody had measured by its time."""
    found = summary_of([comparison(0.5, 0.0, 0.2)])
    assert found.entrants[-1].per_iteration is None
    late = comparison(0.1, 0.5, 0.2)
    assert summary_of([late]).entrants[-1].same_time is None
    assert math.isfinite(summary_of([late]).entrants[-1].per_iteration.mean)


def test_no_comparison_has_no_summary():
    """At least one start."""
    with pytest.raises(ValueError, match="no start"):
        summary_of([])
