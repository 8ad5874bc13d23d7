"""Networks learn, and play without torch what they learnt with it."""

import numpy as np
import pytest

from tests.helpers.torch_threads import one_torch_thread


@pytest.fixture
def torch():
    with one_torch_thread() as torch:
        yield torch


def situations(count=64, hands=3):
    """Values that follow from the features by a simple rule, and add up to 0."""
    from agents.deepstack.net import Situations

    rng = np.random.default_rng(1)
    features = rng.uniform(-1, 1, (count, 2 * hands)).astype(np.float32)
    weights = np.full((count, 2, hands), 1 / hands, np.float32)
    values = features.reshape(count, 2, hands)
    values = values - values.mean(axis=(1, 2), keepdims=True)
    return Situations(features, weights, values, np.ones_like(values))


def test_both_passes_say_the_same(torch):
    """To 1e-5, zero sums included."""
    from agents.deepstack.net import RangeNet

    torch.manual_seed(1)
    learnt = situations()
    net = RangeNet(6, (16, 16), 6)
    with torch.no_grad():
        wanted = net(torch.from_numpy(learnt.features), torch.from_numpy(learnt.weights)).numpy()
    said = net.network().values(learnt.features, learnt.weights)
    np.testing.assert_allclose(said, wanted, rtol=0, atol=1e-5)


def test_training_takes_error_off_and_repeats_itself(torch):
    """Equal seeds make equal networks."""
    from agents.deepstack.net import TrainingPlan, train

    learnt, losses = situations(), []
    plan = TrainingPlan((32,), epochs=40, batch=16, rate=1e-2)
    network = train(learnt, plan, on_epoch=lambda _, loss: losses.append(loss))
    assert losses[-1] < losses[0] / 10
    again = train(learnt, plan)
    for first, second in zip(network.dense.weights, again.dense.weights, strict=True):
        np.testing.assert_array_equal(first, second)


def test_hands_that_nobody_can_hold_are_not_learnt(torch):
    """Their values may be anything."""
    from agents.deepstack.net import TrainingPlan, train

    learnt = situations()
    learnt.counts[:, :, 2] = 0
    odd = learnt._replace(values=learnt.values.copy())
    odd.values[:, :, 2] = 1e6
    plan = TrainingPlan((8,), epochs=2)
    first, second = (train(part, plan).dense.weights[0] for part in (learnt, odd))
    np.testing.assert_array_equal(first, second)
