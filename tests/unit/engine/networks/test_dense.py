"""Dense networks: both forward passes against the slow one, and what is refused."""

from itertools import pairwise

import numpy as np
import pytest

from engine.networks.dense import MOST_HIDDEN, DenseNetwork, dense_sizes, legal_probabilities
from engine.networks.dense_kernels import run_dense
from tests.oracles.dense import dense_scores


def network_of(*widths, activation="rectified", seed=1):
    """Return a network of random weights, F first and A last."""
    rng = np.random.default_rng(seed)
    weights = [rng.standard_normal(shape, np.float32) for shape in pairwise(widths)]
    biases = [rng.standard_normal(width, np.float32) for width in widths[1:]]
    return DenseNetwork(tuple(weights), tuple(biases), activation)


@pytest.mark.parametrize("activation", ["rectified", "tanh"])
@pytest.mark.parametrize("widths", [(7, 3), (1, 1, 1), (20, 30, 4), (5, *range(2, 10), 3)])
def test_both_passes_are_those_of_the_slow_one(widths, activation):
    """Many inputs at once by numpy, one by one in a kernel; some inputs are 0."""
    network = network_of(*widths, activation=activation)
    rng = np.random.default_rng(2)
    x = rng.standard_normal((6, widths[0]), np.float32) * rng.integers(0, 2, (6, widths[0])).astype(
        np.float32
    )
    wanted = np.array([dense_scores(network, row) for row in x])
    largest = max(float(np.abs(wanted).max()), 1.0)
    np.testing.assert_allclose(network.scores(x), wanted, rtol=0, atol=2e-5 * largest)
    np.testing.assert_allclose(network.scores(x[0]), wanted[0], rtol=0, atol=2e-5 * largest)
    work = np.full(network.work, np.nan, np.float32)
    packed = np.concatenate((np.ones(2, np.float32), network.packed()))
    for row, scores in zip(x, wanted, strict=True):
        compiled = np.zeros(widths[-1], np.float32)
        run_dense(network.sizes(), packed, 2, row, work, compiled)
        np.testing.assert_allclose(compiled, scores, rtol=0, atol=2e-5 * largest)


@pytest.mark.parametrize(
    ("weights", "biases", "why"),
    [
        ([], [], "0 weights"),
        ([(2, 3)], [(3,), (3,)], "2 biases"),
        ([(2, 3), (4, 1)], [(3,), (1,)], "layer 1"),
        ([(2, 3)], [(2,)], "layer 0"),
        ([(2,)], [()], "layer 0"),
        ([(2, 3)], [(1, 3)], "layer 0"),
        ([(2, 0), (0, 1)], [(0,), (1,)], "none empty"),
        ([(1, 1)] * (MOST_HIDDEN + 2), [(1,)] * (MOST_HIDDEN + 2), "hidden layers"),
    ],
)
def test_layers_that_do_not_fit_are_refused(weights, biases, why):
    """Whatever their shapes are."""
    arrays = [tuple(np.zeros(shape, np.float32) for shape in part) for part in (weights, biases)]
    with pytest.raises(ValueError, match=why):
        DenseNetwork(*arrays, "tanh")


def test_other_numbers_and_activations_are_refused():
    """Doubles, inputs of another width, an activation that nobody knows."""
    network = network_of(3, 2)
    with pytest.raises(ValueError, match="float64"):
        DenseNetwork((np.zeros((3, 2)),), network.biases, "tanh")
    for x in (np.zeros(3), np.zeros((1, 4), np.float32), np.float32(0)):
        with pytest.raises(ValueError, match="want float32"):
            network.scores(x)
    with pytest.raises(ValueError, match=r"'sigma'.*rectified.*tanh"):
        dense_sizes((5,), 1, "sigma")


def test_probabilities_are_of_legal_actions():
    """A softmax in double precision, however large the scores; row by row."""
    scores = np.array([[0, 1, 2], [1e30, 0, 0], [-1e30, 5, 5]], np.float32)
    legal = np.array([[1, 0, 1], [1, 1, 1], [0, 1, 1]])
    chances = legal_probabilities(scores, legal)
    assert chances.dtype == np.float64
    odds = np.exp(-2.0)
    wanted = [[odds / (1 + odds), 0, 1 / (1 + odds)], [1, 0, 0], [0, 0.5, 0.5]]
    np.testing.assert_allclose(chances, wanted, rtol=1e-12)
    np.testing.assert_array_equal(legal_probabilities(scores[0], legal[0]), chances[0])
