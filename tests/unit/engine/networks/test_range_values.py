"""What both players win adds up to 0, whatever a dense network says."""

import numpy as np
import pytest

from engine.networks.dense import DenseNetwork
from engine.networks.range_values import RangeValueNetwork, zero_sum


def drawn(states=5, hands=4):
    """Values and weights of some states."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(states, 2, hands)).astype(np.float32)
    weights = rng.uniform(size=(states, 2, hands)).astype(np.float32)
    return values, weights / weights.sum(axis=2, keepdims=True)


def test_weighted_values_add_up_to_nothing():
    """All hands of a state are moved by the same."""
    values, weights = drawn()
    moved = zero_sum(values, weights)
    np.testing.assert_allclose((moved * weights).sum(axis=(1, 2)), 0, atol=1e-6)
    by = values - moved
    np.testing.assert_allclose(by, by[:, :1, :1].repeat(2, 1).repeat(4, 2), atol=1e-6)


def test_states_that_nobody_reaches_stay_finite():
    """Weights of 0 move nothing."""
    values, weights = drawn()
    np.testing.assert_array_equal(zero_sum(values, 0 * weights), values)


def test_other_shapes_are_refused():
    """An odd number of outputs, or weights of another number of hands."""
    rng = np.random.default_rng(1)

    def network(outputs):
        weights = rng.normal(size=(3, outputs)).astype(np.float32)
        return DenseNetwork((weights,), (np.zeros(outputs, np.float32),), "rectified")

    with pytest.raises(ValueError, match="7 outputs"):
        RangeValueNetwork(network(7))
    _, weights = drawn()
    with pytest.raises(ValueError, match="weights"):
        RangeValueNetwork(network(6)).values(np.zeros((5, 3), np.float32), weights)
