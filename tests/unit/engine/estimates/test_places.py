"""Places as ranges: they hold the true place as often as told, also of near equals."""

import numpy as np
import pytest

from engine.estimates.places import cycles, draws_above, place_ranges, surest_cycles
from engine.estimates.ranking_certainty import BlockResults, bankroll_places, bootstrap

PAIRS = np.array([(one, other) for one in range(6) for other in range(one + 1, 6)])


def tournament(rng, strengths, blocks=20):
    """Return what six bots win of each other by their strengths, in blocks of 10 samples."""
    gap = strengths[PAIRS[:, 0]] - strengths[PAIRS[:, 1]]
    means = gap[:, None] + rng.normal(0, 100, (len(PAIRS), blocks))
    return BlockResults(6, PAIRS, means * 10, np.full(means.shape, 10))


def test_ranges_hold_the_true_place_of_near_equals():
    """Of no bot is it missed more often than 1 in 20, as quantiles of places would."""
    rng = np.random.default_rng(1)
    strengths = -0.5 * np.arange(6.0)
    missed = np.zeros(6)
    for _ in range(60):
        places = bootstrap(tournament(rng, strengths), resamples=400).places
        true = np.arange(1, 7)
        missed += (true < places.best) | (true > places.worst)
    assert missed.max() <= 60 / 20


def test_far_apart_places_are_single_and_equals_share_all():
    """One number where the noise leaves one."""
    rng = np.random.default_rng(2)
    sure = bootstrap(tournament(rng, -500 * np.arange(6.0))).places
    assert sure.best.tolist() == sure.worst.tolist() == [1, 2, 3, 4, 5, 6]
    assert [sure.text(0), sure.text(5)] == ["1", "6"]
    equal = bootstrap(tournament(rng, np.zeros(6))).places
    assert equal.text(0) == "1-6"


def test_bots_that_are_equal_in_all_draws_share_the_best_place():
    """As those of the Nash mixture do; who is below both is third."""
    above = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    assert place_ranges(above) == (pytest.approx([1, 1, 3]), pytest.approx([1, 1, 3]))
    unknown = np.full((3, 3), np.nan)
    assert place_ranges(unknown) == (pytest.approx([1, 1, 1]), pytest.approx([3, 3, 3]))


def test_shares_count_differences_that_matter():
    """A difference at the limit is none."""
    scores = np.array([[0.0, 0.5, 3.0]] * 301)
    found = draws_above(scores, 1.0)
    assert found.tolist() == [[0, 0, 0], [0, 0, 0], [1, 1, 0]]


def test_cycles_are_the_shortest_and_each_comes_once():
    """A cycle of four without one of three is there too."""
    assert cycles([(0, 1), (1, 2), (2, 0), (0, 3)]) == [(0, 1, 2)]
    assert cycles([(0, 1), (1, 2), (2, 3), (3, 0)]) == [(0, 1, 2, 3)]
    assert cycles([(0, 1), (1, 2), (0, 2)]) == []


def test_places_of_independent_pairs_are_by_the_mean_over_opponents():
    """A pair without an interval leaves its players anywhere."""
    pairs = np.array([(0, 1), (0, 2), (1, 2)])
    rates, ci95 = np.array([900.0, 900.0, 900.0]), np.full(3, 200.0)
    assert bankroll_places(3, pairs, rates, ci95).best.tolist() == [1, 2, 3]
    close = bankroll_places(3, pairs, np.array([10.0, 900.0, 900.0]), ci95)
    assert [close.text(player) for player in range(3)] == ["1-2", "1-2", "3"]
    ci95[0] = np.inf
    unknown = bankroll_places(3, pairs, rates, ci95)
    assert [unknown.text(player) for player in range(3)] == ["1-3", "1-3", "1-3"]


def test_short_cycles_come_first_then_sure_ones():
    """The least win of a cycle is how sure it is."""
    wins = {(0, 1): 5.0, (1, 2): 9.0, (2, 0): 9.0}
    wins |= {(3, 4): 6.0, (4, 5): 7.0, (5, 3): 8.0}
    wins |= {(6, 7): 99.0, (7, 8): 99.0, (8, 9): 99.0, (9, 6): 99.0, (0, 9): 1.0}
    assert surest_cycles(wins) == [(3, 4, 5), (0, 1, 2), (6, 7, 8, 9)]
