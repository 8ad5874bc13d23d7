"""Rankings by total bankroll and run-off, and how sure they are."""

import numpy as np
import pytest

from engine.estimates.rankings import (
    bankroll_ranks,
    bootstrap,
    run_off_ranks,
    total_bankroll,
    won_matrix,
)

PAIRS = np.array([(0, 1), (0, 2), (1, 2)])


def test_total_bankroll_is_the_mean_over_those_met():
    """And nothing for who met nobody."""
    won = won_matrix(4, PAIRS[:2], np.array([10.0, -4.0]))
    assert total_bankroll(won)[:3] == pytest.approx([3, -10, 4])
    assert np.isnan(total_bankroll(won)[3])
    assert list(bankroll_ranks(won)) == [1, 2, 0, 3]


def test_a_run_off_takes_out_who_is_robbed_before_who_robs():
    """Bot 0 wins much from 3 and loses to the others: first by bankroll, not after 3 is out."""
    pairs = np.array([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
    won = won_matrix(4, pairs, np.array([-10.0, -10.0, 900.0, 5.0, 20.0, 20.0]))
    assert list(bankroll_ranks(won)) == [0, 1, 2, 3]
    assert list(run_off_ranks(won)) == [2, 0, 1, 3]


def test_equals_are_ranked_in_their_order():
    """All draw."""
    won = won_matrix(3, PAIRS, np.zeros(3))
    assert list(bankroll_ranks(won)) == list(run_off_ranks(won)) == [0, 1, 2]


def test_the_bootstrap_is_as_sure_as_the_samples():
    """Standard errors of means of normal blocks; shares of ranks sum to one."""
    rng = np.random.default_rng(2)
    counts = np.full((3, 200), 50)
    sums = 50 * rng.normal([[100.0], [100.0], [0.0]], 140.0, (3, 200))
    found = bootstrap(3, PAIRS, sums, counts, resamples=4000)
    error = 140 / np.sqrt(200)  # of each pair; a bankroll is the mean of two
    assert found.bankroll_sd == pytest.approx(np.full(3, error / np.sqrt(2)), rel=0.15)
    assert found.bankroll_ranks.sum(axis=0) == pytest.approx(np.ones(3))
    assert found.run_off_ranks.sum(axis=1) == pytest.approx(np.ones(3))
    assert found.bankroll_ranks[0, 0] == 1.0
    assert found.above[0, 1] == found.above[0, 2] == 1.0
    assert found.above[1, 2] + found.above[2, 1] == pytest.approx(1.0)
    assert 0.02 < found.above[1, 2] < 0.98


def test_luck_that_all_pairs_share_stays_shared():
    """Who wins the same in each block from everybody is surely above who wins less in each."""
    luck = np.random.default_rng(3).normal(0, 1000, 60)
    sums = np.array([0 * luck, luck + 1, luck])
    found = bootstrap(3, PAIRS, sums, np.ones((3, 60), np.int64))
    assert found.above[0, 1] == 1.0


def test_blocks_that_one_pair_did_not_play_are_left_out_of_it():
    """Its mean is over what it played."""
    sums = np.array([[5.0, 5.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    counts = np.array([[1, 1, 0], [1, 1, 1], [1, 1, 1]])
    found = bootstrap(3, PAIRS, sums, counts)
    assert found.above[0, 1] > 0.9


def test_one_block_says_nothing():
    """Nor none."""
    assert bootstrap(3, PAIRS, np.ones((3, 1)), np.ones((3, 1), np.int64)) is None
    assert bootstrap(3, PAIRS[:0], np.ones((0, 0)), np.ones((0, 0), np.int64)) is None
