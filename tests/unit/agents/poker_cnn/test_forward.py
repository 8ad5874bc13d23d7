"""The compiled forward pass, against PyTorch; the weights, counted; the file."""

import numpy as np
import pytest

from agents.poker_cnn.forward_kernels import run_cnn, worth_of
from agents.poker_cnn.model import CnnModel, CnnModelDamaged
from agents.poker_cnn.planes import PLANES, SIDE
from agents.poker_cnn.shape import (
    ACTION,
    ACTIONS,
    ARTICLE_WEIGHTS,
    LAYERS,
    SCRATCH_SIZE,
    SIZES,
    VALUELESS_WEIGHTS,
    WEIGHTS,
    initial_weights,
)
from protocol.gamedefs import load_builtin
from tests.helpers.cnn_records import records_of
from tests.helpers.torch_threads import one_torch_thread


@pytest.fixture
def net_of():
    """The network in PyTorch, from its weights."""
    with one_torch_thread():
        from agents.poker_cnn.net import CnnNet

        yield CnnNet


def compiled(row, planes):
    """Return the scores of actions and sizes for some planes, and what the hands are worth."""
    actions = np.zeros((len(planes), ACTIONS), np.float32)
    sizes = np.zeros((len(planes), SIZES), np.float32)
    work, worth = np.full(SCRATCH_SIZE, np.nan, np.float32), np.zeros((len(planes), 1))
    for at in range(len(planes)):
        run_cnn(row, planes[at].ravel(), work, actions[at], sizes[at])
        worth[at] = worth_of(row, work)
    return actions, sizes, worth


def with_biases(seed):
    """Return weights that are not 0, biases among them."""
    row = initial_weights(seed)
    rng = np.random.default_rng(seed)
    for layer in LAYERS:
        row[layer.biases : layer.end] = rng.normal(0, 0.3, layer.end - layer.biases)
    row[VALUELESS_WEIGHTS:] = rng.normal(0, 0.1, WEIGHTS - VALUELESS_WEIGHTS)
    return row


def test_the_weights_are_those_of_the_article():
    """And a few more for the sizes of raises, and for what hands are worth."""
    counts = [layer.end - layer.first for layer in LAYERS]
    assert counts == [12_832, 18_496, 16_448, 65_792, 771, 257 * SIZES, 257]
    assert ARTICLE_WEIGHTS == 114_339
    assert WEIGHTS == 114_339 + 257 * SIZES + 257


def test_first_weights_have_the_variance_of_he(net_of):
    """2 by the inputs, whatever the layer; and they repeat."""
    row = initial_weights(5)
    assert (row == initial_weights(5)).all()
    assert (row != initial_weights(6)).any()
    for layer in LAYERS[:4]:
        spread = row[layer.first : layer.biases].std()
        assert spread == pytest.approx((2 / np.prod(layer.shape[:-1])) ** 0.5, rel=0.03)
        assert not row[layer.biases : layer.end].any()


@pytest.mark.parametrize("seed", range(3))
def test_both_forward_passes_agree(seed, net_of, tmp_path):
    """To 1e-5, on planes of hands and on noise."""
    import torch

    from agents.poker_cnn.train.states import States

    states = States(records_of(tmp_path, load_builtin("hunl")))
    hands = states.planes(np.arange(len(states))).inputs.numpy()
    rng = np.random.default_rng(seed)
    noise = rng.normal(0, 1, (20, PLANES, SIDE, SIDE)).astype(np.float32)
    row = with_biases(seed)
    for planes in (hands, noise):
        with torch.no_grad():
            wanted = net_of(row)(torch.from_numpy(planes))
        for found, told in zip(compiled(row, planes), wanted, strict=True):
            np.testing.assert_allclose(found, told.numpy(), atol=1e-5, rtol=1e-5)


def test_weights_come_back(net_of):
    """From PyTorch's order of them."""
    row = with_biases(4)
    assert (net_of(row).row() == row).all()
    with pytest.raises(ValueError, match="weights"):
        net_of(row[:-1])


def test_a_network_comes_back_from_its_file(tmp_path):
    """To the bit."""
    path = tmp_path / "x.network"
    CnnModel(with_biases(1), ACTION, {"seed": 1}).save(path)
    found = CnnModel.load(path)
    assert (found.weights == with_biases(1)).all()
    assert (found.reading, found.made) == (ACTION, {"seed": 1})
    assert path.stat().st_size < 1 << 20


def test_a_network_that_knows_no_values_comes_back_as_such(tmp_path):
    """Its file is as long as it was before there were any."""
    path = tmp_path / "x.network"
    CnnModel(initial_weights(1), ACTION).save(path)
    found = CnnModel.load(path)
    assert (found.weights == initial_weights(1)).all()
    assert not found.valued
    assert CnnModel(with_biases(1), ACTION).valued


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (CnnModel(np.zeros(7, np.float32), ACTION), "number or kind"),
        (CnnModel(np.full(WEIGHTS, np.nan, np.float32), ACTION), "not finite"),
        (CnnModel(np.full(WEIGHTS, 3e38, np.float32), ACTION), "far too large"),
        (CnnModel(np.zeros(WEIGHTS, np.float32), "fortune"), "fortune"),
    ],
)
def test_files_that_are_no_network_are_refused(model, why, tmp_path):
    """In a line that says what to do."""
    path = tmp_path / "x.network"
    model.save(path)
    with pytest.raises(CnnModelDamaged, match=why):
        CnnModel.load(path)
    with pytest.raises(CnnModelDamaged, match="arena train cnn"):
        CnnModel.load(tmp_path / "none")
