"""Rankings by total bankroll and run-off."""

import numpy as np
import pytest

from engine.estimates.rankings import bankroll_ranks, run_off_ranks, total_bankroll, won_matrix

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


def test_who_forfeited_more_legs_is_behind():
    """However much it won, in both rankings."""
    won = won_matrix(3, PAIRS, np.array([-10.0, -900.0, -900.0]))
    for ranks in (bankroll_ranks, run_off_ranks):
        assert list(ranks(won)) == [2, 1, 0]
        assert list(ranks(won, np.array([0, 1, 4]))) == [0, 1, 2]
        assert list(ranks(won, np.array([4, 1, 1]))) == [2, 1, 0]


def test_who_met_nobody_is_last_in_both_rankings():
    """Even behind who forfeited; of several the one who forfeited least is before the others."""
    won = won_matrix(4, np.array([(1, 3)]), np.array([-500.0]))
    for ranks in (bankroll_ranks, run_off_ranks):
        assert list(ranks(won)) == [2, 1, 3, 0]
        assert list(ranks(won, np.array([1, 0, 0, 9]))) == [3, 0, 2, 1]


def test_who_met_none_of_those_left_counts_with_what_it_won_before():
    """A gauntlet in which the challenger is out first."""
    won = won_matrix(4, np.array([(0, 1), (0, 2), (0, 3)]), np.array([-10.0, -30.0, -20.0]))
    assert list(run_off_ranks(won)) == [3, 2, 0, 1]
