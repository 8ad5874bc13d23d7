"""Every learner's step of descent against a plain twin of its loss."""

from functools import partial

import numpy as np
import pytest

from tests.oracles import learners as oracle

torch = pytest.importorskip("torch")

from agents.learners.memories import advantage_row  # noqa: E402
from agents.learners.train import nfsp, sampled_cfr  # noqa: E402
from agents.learners.train.player_nets import PlayerNets, descend  # noqa: E402
from agents.training.actor_critic import (  # noqa: E402
    ActorCritic,
    DescentBatch,
    PpoSettings,
    log_probabilities,
    ppo_loss,
)
from agents.training.actor_critic import descend as descend_by_ppo  # noqa: E402

PLAYERS, ROWS, WIDTH, ACTIONS = 2, 7, 5, 3
NUDGE = 1e-5
LEGAL = np.array([[0, 1, 1], [1, 1, 1], [1, 1, 0]], bool)


def nets(seed):
    """Networks of two players with a hidden layer."""
    return PlayerNets.drawn(PLAYERS, (WIDTH, 6, ACTIONS), np.random.default_rng(seed))


def layers_of(numbers, player):
    """Copies of a player's layers in double precision, as lists of arrays that can be changed."""
    mine = [tensor.detach().numpy()[player].astype(np.float64) for tensor in numbers.parameters]
    return [(w, b[0]) for w, b in zip(mine[::2], mine[1::2], strict=True)]


def slopes(loss, arrays):
    """The gradient of a function of no arguments by each number of arrays, by differences."""
    found = []
    for array in arrays:
        slope = np.zeros(array.shape)
        for at in np.ndindex(array.shape):
            number = array[at]
            array[at] = number + NUDGE
            above = loss()
            array[at] = number - NUDGE
            slope[at] = (above - loss()) / (2 * NUDGE)
            array[at] = number
        found.append(slope)
    return found


def batch(seed):
    """Rows of both players: what is seen, what is legal, and a legal action."""
    rng = np.random.default_rng(seed)
    x = rng.random((PLAYERS, ROWS, WIDTH)).astype(np.float32)
    legal = LEGAL[rng.integers(3, size=(PLAYERS, ROWS))]
    action = np.array([[rng.choice(np.flatnonzero(row)) for row in rows] for rows in legal])
    return rng, x, legal, action


def check_step(numbers, losses, plain):
    """A step of descent at rate 1 takes the plain twin's slope away from each number."""
    twins = [layers_of(numbers, player) for player in range(PLAYERS)]
    expected = []
    for player, layers in enumerate(twins):
        arrays = [array for layer in layers for array in layer]
        assert float(losses[player].detach()) == pytest.approx(plain(player, layers), rel=1e-5)
        expected.append(slopes(partial(plain, player, layers), arrays))
    before = [tensor.detach().numpy().copy() for tensor in numbers.parameters]
    descend(losses.sum(), numbers.parameters, 1.0)
    for at, tensor in enumerate(numbers.parameters):
        step = before[at] - tensor.detach().numpy()
        for player in range(PLAYERS):
            shown = step[player] if at % 2 == 0 else step[player][0]
            np.testing.assert_allclose(shown, expected[player][at], atol=2e-6)


def test_values_of_nfsp():
    """Q-learning from an older copy; the last decision of a hand has only its result."""
    rng, x, _, action = batch(1)
    numbers, older = nets(2), nets(3)
    won = rng.normal(size=(PLAYERS, ROWS)).astype(np.float32)
    following = rng.random((PLAYERS, ROWS, WIDTH)).astype(np.float32)
    legal = LEGAL[rng.integers(3, size=(PLAYERS, ROWS))]
    goes_on = rng.random((PLAYERS, ROWS)) < 0.5
    behind = tuple(map(torch.from_numpy, (following, legal, goes_on)))
    losses = nfsp.value_loss(numbers, older, *map(torch.from_numpy, (x, action, won)), behind)

    def plain(player, layers):
        seen = [
            row if more else None
            for row, more in zip(following[player], goes_on[player], strict=True)
        ]
        rows = zip(x[player], action[player], won[player], seen, legal[player], strict=True)
        return oracle.value_loss(layers, layers_of(older, player), rows)

    check_step(numbers, losses, plain)


def test_the_average_of_nfsp():
    """The likelihood of what the best response did, illegal actions left out."""
    _, x, legal, action = batch(4)
    numbers = nets(5)
    losses = nfsp.average_loss(numbers, *map(torch.from_numpy, (x, legal, action)))
    check_step(
        numbers,
        losses,
        lambda player, layers: oracle.average_loss(
            layers, list(zip(x[player], legal[player], action[player], strict=True))
        ),
    )


def test_advantages_joined_at_information_sets():
    """Rows joined to their mean give the gradient of all rows, weights and all."""
    rng = np.random.default_rng(6)
    sets = 4
    seen = rng.random((PLAYERS, sets, WIDTH)).astype(np.float32)
    legal = LEGAL[rng.integers(3, size=(PLAYERS, sets))]
    memories, joined = [], []
    for player in range(PLAYERS):
        rows = np.zeros(20, advantage_row(3))
        rows["info_set"] = rng.integers(sets - 1, size=20)  # the last one was never met
        rows["weight"] = rng.integers(1, 9, size=20)
        rows["advantages"] = rng.normal(size=(20, ACTIONS)) * legal[player][rows["info_set"]]
        memories.append(rows)
        joined.append(sampled_cfr.joined_rows(rows, np.arange(sets), sets))
    wanted, weights = (torch.from_numpy(np.stack(parts)) for parts in zip(*joined, strict=True))
    numbers = nets(7)
    losses = sampled_cfr.advantage_loss(
        numbers, *map(torch.from_numpy, (seen, legal)), wanted, weights
    )
    twins = [layers_of(numbers, player) for player in range(PLAYERS)]

    def plain(player, layers):
        rows = [
            (seen[player][at], legal[player][at], wanted, weight)
            for at, weight, wanted in memories[player].tolist()
        ]
        return oracle.advantage_loss(layers, rows)

    # the mean's own scatter is in the loss of all rows, and in no gradient
    scatter = [
        plain(player, twins[player]) - float(losses[player].detach()) for player in range(PLAYERS)
    ]
    assert min(scatter) > 0
    check_step(numbers, losses, lambda player, layers: plain(player, layers) - scatter[player])


@pytest.mark.parametrize("kl", [0.0, 0.7])
def test_proximal_policy_optimization_and_magnetic_mirror_descent(kl):
    """Clipped ratios, entropy, divergence from the policy before, and the critic's error."""
    rng, x, legal, action = (part[0] if at else part for at, part in enumerate(batch(8)))
    torch.manual_seed(1)
    net, older = ActorCritic(WIDTH, ACTIONS, 4), ActorCritic(WIDTH, ACTIONS, 4)
    settings = PpoSettings(1, 1, clip=0.02, entropy=0.3, kl=kl)
    gain, target = rng.normal(size=(2, ROWS)).astype(np.float32)
    seen, may, taken = map(torch.from_numpy, (x, legal, action))
    with torch.no_grad():
        logs = log_probabilities(older(seen)[0], may)
    rows = DescentBatch(seen, may, taken, logs, torch.from_numpy(gain), torch.from_numpy(target))
    loss = ppo_loss(net, rows, settings)
    loss.backward()
    layers = [net.first, net.second, net.actions, net.value]
    arrays = [
        np.array(part.detach().numpy(), np.float64)
        for layer in layers
        for part in (layer.weight, layer.bias)
    ]

    def plain():
        first, second, actions, value = (
            (arrays[at].T, arrays[at + 1]) for at in range(0, len(arrays), 2)
        )
        before = np.exp(logs.numpy().astype(np.float64))
        told = list(zip(x, legal, action, before, gain, target, strict=True))
        return oracle.ppo_loss([first, second, actions], [first, second, value], told, settings)

    assert float(loss.detach()) == pytest.approx(plain(), rel=1e-5)
    parts = [part for layer in layers for part in (layer.weight, layer.bias)]
    for part, slope in zip(parts, slopes(plain, arrays), strict=True):
        np.testing.assert_allclose(part.grad.numpy(), slope, atol=3e-6)


def test_a_batch_of_one_decision_leaves_numbers():
    """Its gain has no deviation, which is not nan: that would spoil all weights for ever."""
    net = ActorCritic(WIDTH, ACTIONS, 4)
    optimizer = torch.optim.Adam(net.parameters(), 0.01)
    legal, seen = torch.ones(1, ACTIONS, dtype=torch.bool), torch.ones(1, WIDTH)
    with torch.no_grad():
        logs = log_probabilities(net(seen)[0], legal)
    one = DescentBatch(seen, legal, torch.tensor([1]), logs, torch.tensor([2.0]), torch.ones(1))
    descend_by_ppo(net, optimizer, one, PpoSettings(steps=0, seed=0), np.random.default_rng(1))
    assert all(torch.isfinite(tensor).all() for tensor in net.parameters())


def test_rows_joined_in_parts_are_those_joined_at_once(monkeypatch):
    """To rounding."""
    rng = np.random.default_rng(3)
    rows = np.zeros(50, advantage_row(3))
    rows["info_set"], rows["weight"] = rng.integers(6, size=50), rng.random(50)
    rows["advantages"] = rng.normal(size=(50, ACTIONS))
    whole = sampled_cfr.joined_rows(rows, np.arange(6), 6)
    monkeypatch.setattr(sampled_cfr, "_JOINED_AT_ONCE", 7)
    for one, other in zip(whole, sampled_cfr.joined_rows(rows, np.arange(6), 6), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)
