"""Networks: the compiled pass against PyTorch, and where the numbers of a genome lie."""

import numpy as np
import pytest

from agents.recurrent.forward_kernels import run_net
from agents.recurrent.shape import NetShape, Stack, random_genome, spread_of
from engine.networks.dense import MOST_HIDDEN
from tests.helpers.torch_threads import one_torch_thread

SHAPES = [
    NetShape(Stack(1, 1, 10), Stack(1, 10, 5), (300, 300), 4, 6, 9),
    NetShape(Stack(2, 2, 7), Stack(3, 1, 20), (50,), 4, 6, 9),
    NetShape(Stack(1, 1, 1), Stack(1, 1, 1), (3, 2, 5, 4), 1, 1, 1),
    NetShape(Stack(1, 1, 10), Stack(1, 10, 5), (30,), 8, 8, 1, "tanh"),
    NetShape(Stack(2, 1, 3), Stack(1, 2, 2), (9, 2, 5, 4), 4, 6, 9, "tanh"),
]


@pytest.fixture
def torch():
    """PyTorch, if there is one."""
    with one_torch_thread() as found:
        yield found


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_both_forms_agree(shape, torch):
    """To 1e-5 after fifty steps, scores and states; PyTorch in double precision, many at once."""
    from tests.oracles.recurrent_net import TorchNet

    rng = np.random.default_rng(3)
    genome = 2 * random_genome(shape, rng)
    net, hands = TorchNet(shape, genome, torch.float64), 5
    states = np.zeros((hands, shape.state), np.float32)
    kept = torch.zeros(hands, shape.state, dtype=torch.float64)
    work, scores = np.zeros(shape.work, np.float32), np.zeros((hands, shape.outputs), np.float32)
    for _ in range(50):
        opponent = rng.random((hands, shape.opponent_inputs), np.float32)
        game = rng.random((hands, shape.game_inputs), np.float32)
        for hand in range(hands):
            run_net(
                shape.sizes, genome, opponent[hand], game[hand], states[hand], work, scores[hand]
            )
        told, kept = net.forward(torch.tensor(opponent), torch.tensor(game), kept)
        largest = float(told.abs().max())
        np.testing.assert_allclose(scores, told.numpy(), rtol=0, atol=1e-5 * max(largest, 1.0))
        largest = float(kept.abs().max())
        np.testing.assert_allclose(states, kept.numpy(), rtol=0, atol=1e-5 * max(largest, 1.0))
    assert np.ptp(scores) > 0 or shape.outputs == 1


def test_a_block_by_hand():
    """One input, one cell: the formulas of the module, number by number."""
    shape = NetShape(Stack(1, 1, 1), Stack(1, 1, 1), (1,), 1, 1, 1)
    rng = np.random.default_rng(5)
    genome = rng.standard_normal(shape.genome).astype(np.float32)
    x, weights = 0.7, genome.astype(float)
    from_x, from_h, biases, peepholes = weights[:4], weights[4:8], weights[8:12], weights[12:15]

    def sigma(value):
        return 1 / (1 + np.exp(-value))

    h = c = 0.0
    state, work, scores = (np.zeros(n, np.float32) for n in (shape.state, shape.work, 1))
    for _ in range(3):
        i, f, o, g = from_x * x + from_h * h + biases
        before = c
        c = sigma(f + peepholes[1] * before) * before + sigma(i + peepholes[0] * before) * np.tanh(
            g
        )
        h = sigma(o + peepholes[2] * c) * np.tanh(c)
        inputs = np.array([x], np.float32)
        run_net(shape.sizes, genome, inputs, inputs, state, work, scores)
        assert state[:2].tolist() == pytest.approx([h, c], abs=1e-6)


def test_segments_are_rows():
    """Of weights all that goes out from a number; biases and peepholes have their own.

    They begin with a gain by the root of how many numbers are added up.
    """
    shape = SHAPES[2]
    block = [4, 4, 4, 3]  # input, last output, biases, peepholes
    head = [3, 3, 3, 2, 2, 2, 2, 5, 5, 5, 4, 4, 4, 4, 4, 4, 1, 1, 1, 1, 1]
    assert np.diff(shape.segments).tolist() == [*block, *block, *head]
    assert shape.genome == sum(block) * 2 + sum(head)
    assert len(spread_of(shape)) == len(shape.segments) - 1
    genome = random_genome(SHAPES[0], np.random.default_rng(1))
    second = len(genome) - 9 - 300 * 9 - 300 - 300 * 300
    assert genome[second : second + 90_000].std() == pytest.approx(2 * 300**-0.5, rel=0.02)
    assert genome[-9:].std() < 0.3


def test_what_is_no_shape_is_refused():
    """Layers without units, none at all, more than there is room for, another activation."""
    NetShape(Stack(), Stack(), (1,) * MOST_HIDDEN, 4, 6, 9)
    for head, why in (
        ((), "head"),
        ((5, 0), "head"),
        ((1,) * (MOST_HIDDEN + 1), rf"^{MOST_HIDDEN + 1} .*\b{MOST_HIDDEN}\b"),
    ):
        with pytest.raises(ValueError, match=why):
            NetShape(Stack(), Stack(), head, 4, 6, 9)
    with pytest.raises(ValueError, match=r"'sigma'.*rectified.*tanh"):
        NetShape(Stack(), Stack(), (5,), 4, 6, 9, "sigma")
    with pytest.raises(ValueError, match="1 or more"):
        Stack(0, 1, 1)


def test_hidden_layers_are_rectified_or_tanh():
    """The same weights give other scores; a head of one unit, by hand."""
    scores = {}
    for activation in ("rectified", "tanh"):
        shape = NetShape(Stack(1, 1, 1), Stack(1, 1, 1), (1,), 1, 1, 1, activation)
        genome = np.zeros(shape.genome, np.float32)
        genome[-4:] = 0.0, -2.0, 3.0, 0.5  # weight of an output, bias; weight and bias of the score
        state, work, scored = (np.zeros(n, np.float32) for n in (shape.state, shape.work, 1))
        run_net(shape.sizes, genome, np.ones(1, "f4"), np.ones(1, "f4"), state, work, scored)
        scores[activation] = float(scored[0])
    assert scores == pytest.approx({"rectified": 0.5, "tanh": 3 * np.tanh(-2.0) + 0.5})
