"""Policies and their random numbers are checked and repeat."""

import numpy as np
import pytest

from engine.play.compiled_policy import CompiledPolicy, Family
from engine.play.draws import decision_draws, seating_seed
from tests.helpers.bulk_policies import PLAIN


def test_a_policy_keeps_its_own_copy_of_its_numbers():
    """What becomes of the row that was given does not matter."""
    row = np.array([0.1, 0.2, 0.3])
    policy = CompiledPolicy(PLAIN, row)
    row[:] = 9
    assert policy.params.tolist() == [0.1, 0.2, 0.3]


@pytest.mark.parametrize(
    ("row", "seed", "message"),
    [
        ([1.0], 0, r"want \(3,\) params, got \(1,\)"),
        ([[1.0] * 3], 0, "params"),
        ([1.0, 2.0, np.nan], 0, "finite"),
        ([1.0, 2.0, 3.0], -1, "seed -1"),
        ([1.0, 2.0, 3.0], 2**64, "seed"),
    ],
)
def test_bad_policies_are_refused(row, seed, message):
    """Rows of another length, with nan, and seeds out of range."""
    with pytest.raises(ValueError, match=message):
        CompiledPolicy(PLAIN, row, seed)


def test_bad_families_are_refused():
    """Sizes are not negative."""
    with pytest.raises(ValueError, match="-1 params"):
        Family("bad", PLAIN.decide, PLAIN.observe, PLAIN.finish, -1, 0)


def test_draws_are_pinned():
    """The numbers of a seed never change: behind them are the published outputs of SplitMix64."""
    published = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC)
    seed = 2**64 - 0x9E3779B97F4A7C15  # its first output is 0, and those are the outputs for 0
    assert decision_draws(seed, 0, 0).tolist() == [(one >> 11) / 2**53 for one in published]
    assert decision_draws(seed, 1, 2).tolist() == decision_draws(seed, 1, 2).tolist()


def test_draws_look_uniform_and_unrelated():
    """Neighbouring decisions, hands and seeds have nothing in common."""
    draws = np.array(
        [decision_draws(s, h, d) for s in range(20) for h in range(20) for d in range(10)]
    )
    assert 0 <= draws.min() < 0.001
    assert 0.999 < draws.max() < 1
    assert np.allclose(np.histogram(draws, 10, (0, 1))[0] / draws.size, 0.1, atol=0.01)
    assert len(np.unique(draws)) == draws.size
    assert abs(np.corrcoef(draws.T) - np.eye(4)).max() < 0.05


def test_seatings_have_their_own_numbers():
    """The first seating has the player's seed itself, the second another."""
    assert seating_seed(5, 0) == 5
    assert 0 <= seating_seed(5, 1) < 2**64
    assert seating_seed(5, 1) != 5


@pytest.mark.parametrize(("seed", "hand", "decision"), [(-1, 0, 0), (0, -1, 0), (0, 0, 1024)])
def test_draws_of_nothing_are_refused(seed, hand, decision):
    """Seeds, hands and decisions out of range."""
    with pytest.raises(ValueError, match=r"seed|decision"):
        decision_draws(seed, hand, decision)
