"""How sure rankings are: intervals of total bankrolls, and shares of resamples."""

import numpy as np
import pytest

from engine.estimates.ranking_certainty import BlockResults, bankroll_ci95, bootstrap
from engine.estimates.winrate import win_rate

PAIRS = np.array([(0, 1), (0, 2), (1, 2)])


def results(sums, counts=None, pairs=PAIRS, forfeits=None):
    """Return those of three bots, with one sample a block unless told."""
    sums = np.array(sums, float)
    counts = np.ones(sums.shape, np.int64) if counts is None else np.array(counts)
    return BlockResults(3, pairs, sums, counts, forfeits)


def test_with_one_opponent_the_interval_is_that_of_the_win_rate():
    """Student's quantile and all, for few blocks."""
    sums = np.random.default_rng(4).normal(900, 1700, (1, 10))
    found = bankroll_ci95(results(sums, pairs=PAIRS[:1]))
    assert found[:2] == pytest.approx(win_rate(sums[0], 1000).ci95)
    assert np.isinf(found[2])


def test_intervals_are_those_of_means_over_opponents():
    """Of normal blocks of 50 samples, and of blocks in which luck is shared."""
    rng = np.random.default_rng(2)
    sums = 50 * rng.normal(0.0, 140.0, (3, 200))
    error = 140 / np.sqrt(200)  # of each pair; a bankroll is the mean of two
    found = bankroll_ci95(results(sums, np.full((3, 200), 50)))
    assert found == pytest.approx(np.full(3, 1.972 * error / np.sqrt(2)), rel=0.15)
    luck = rng.normal(0, 140, 200)
    shared = bankroll_ci95(results([luck, luck, 0 * luck]))
    assert shared[0] == pytest.approx(2 * shared[1])


def test_one_block_of_a_pair_leaves_its_bots_without_an_interval():
    """And without shares of ranks by chips; forfeits put a bot behind all the same."""
    sums = [[5.0, 5.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    counts = [[1, 1, 1], [1, 0, 0], [1, 1, 0]]
    played = results(sums, counts)
    assert list(np.isinf(bankroll_ci95(played))) == [True, False, True]
    assert np.isnan(bootstrap(played).above[0, 1])
    assert np.isnan(bootstrap(played).bankroll_ranks).all()
    found = bootstrap(results(sums, counts, forfeits=np.array([0, 0, 2])))
    assert list(found.bankroll_ranks[2]) == list(found.run_off_ranks[2]) == [0, 0, 1]
    assert found.above[1, 2] == 1.0
    assert np.isnan(found.above[0, 1])


def test_shares_are_as_sure_as_the_samples():
    """Shares of ranks sum to one."""
    rng = np.random.default_rng(2)
    sums = 50 * rng.normal([[100.0], [100.0], [0.0]], 140.0, (3, 200))
    found = bootstrap(results(sums, np.full((3, 200), 50)), resamples=4000)
    assert found.bankroll_ranks.sum(axis=0) == pytest.approx(np.ones(3))
    assert found.run_off_ranks.sum(axis=1) == pytest.approx(np.ones(3))
    assert found.bankroll_ranks[0, 0] == 1.0
    assert found.above[0, 1] == found.above[0, 2] == 1.0
    assert found.above[1, 2] + found.above[2, 1] == pytest.approx(1.0)
    assert 0.02 < found.above[1, 2] < 0.98


def test_equals_share_what_they_are_equal_for():
    """Two, and three."""
    two = bootstrap(results([[0.0, 0.0], [5.0, 5.0], [5.0, 5.0]]))
    assert two.bankroll_ranks == pytest.approx(np.array([[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]]))
    assert two.run_off_ranks == pytest.approx(two.bankroll_ranks)
    assert (two.above[0, 1], two.above[1, 0], two.above[0, 2]) == (0.5, 0.5, 1.0)
    three = bootstrap(results(np.zeros((3, 4))))
    assert three.bankroll_ranks == pytest.approx(1 / 3)
    assert three.run_off_ranks == pytest.approx(1 / 3, abs=0.03)


def test_blocks_that_one_pair_did_not_play_are_left_out_of_it():
    """Its mean is over what it played."""
    sums = [[5.0, 5.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    found = bootstrap(results(sums, [[1, 1, 0], [1, 1, 1], [1, 1, 1]]))
    assert found.above[0, 1] == 1.0


def test_one_block_says_nothing():
    """Nor none."""
    assert bootstrap(results(np.ones((3, 1)))) is None
    nothing = results(np.zeros((0, 0)), pairs=PAIRS[:0])
    assert bootstrap(nothing) is None
    assert np.isinf(bankroll_ci95(nothing)).all()
