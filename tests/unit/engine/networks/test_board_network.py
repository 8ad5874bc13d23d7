"""Networks of ranges on a board: what they are told, what they say, their files."""

from dataclasses import replace

import numpy as np
import pytest

from engine.errors import ArtifactMismatch
from engine.networks.board_network import (
    BUCKET_INPUTS,
    KIND,
    BoardValueNetwork,
    bucket_inputs,
    stack_inputs,
)
from engine.networks.dense import DenseNetwork
from engine.storage.artifacts import load_artifact, save_artifact

BUCKETS = 6


def network(seed=1, buckets=BUCKETS, **facts):
    """Random weights, as they are in a file."""
    rng = np.random.default_rng(seed)

    def layer(inputs, outputs):
        weights = rng.normal(0, inputs**-0.5, (inputs, outputs)).astype(np.float16)
        return weights.astype(np.float32), rng.normal(0, 0.1, outputs).astype(np.float16).astype(
            np.float32
        )

    summary = [layer(4 * buckets + 3, 8), layer(8, 5)]
    weights, biases = zip(*summary, strict=True)
    head = layer(BUCKET_INPUTS + 5, 7), layer(7, 7), layer(7, 2)
    return BoardValueNetwork(
        DenseNetwork(weights, biases, "rectified"), head, {"cards": 4, **facts}
    )


def asked(count=40, seed=2):
    """Shares, mass, equity, hands, moments and stacks of some situations."""
    rng = np.random.default_rng(seed)
    shares, mass = rng.dirichlet(np.ones(BUCKETS), (2, count, 2)).astype(np.float32)
    equity = rng.uniform(-0.5, 0.5, (count, 2, BUCKETS))
    equity -= (equity * mass).sum(axis=(1, 2), keepdims=True) / 2
    hands = rng.integers(0, 9, (count, BUCKETS))
    moments = rng.uniform(0, 1, (count, 2, BUCKETS))
    stacks = rng.uniform(0, 20, count)
    stacks[:5] = 0
    rest = [array.astype(np.float32) for array in (equity, hands, moments, stacks)]
    return shares, mass, *rest


def slow_values(net, shares, mass, equity, hands, moments, stacks):
    """Return (2, B) values of one situation, bucket by bucket in double precision."""
    flat = np.concatenate([shares.ravel() * BUCKETS, 2 * equity.ravel(), stack_inputs(stacks)[0]])
    x = flat.astype(float)
    for number, (weights, biases) in enumerate(
        zip(net.summary.weights, net.summary.biases, strict=True)
    ):
        x = x @ weights + biases
        if number < len(net.summary.weights) - 1:
            x = np.maximum(x, 0)
    scores = np.zeros((2, BUCKETS))
    for bucket in range(BUCKETS):
        density = shares[:, bucket].astype(float) * BUCKETS
        weaker = shares[:, :bucket].sum(axis=1) + shares[:, bucket] / 2
        known = [
            *np.minimum(density, 20), *np.log1p(density), *(2 * weaker - 1),
            *(2 * equity[:, bucket]), hands[bucket] * BUCKETS / 1128,
            2 * moments[0, bucket] - 1, 4 * moments[1, bucket] - 1,
        ]  # fmt: skip
        (weights, biases), *middle, (last, last_bias) = net.head
        state = np.maximum(np.concatenate([known, x]) @ weights + biases, 0)
        for inner, inner_bias in middle:
            state = state + np.maximum(state @ inner + inner_bias, 0)
        scores[:, bucket] = state @ last + last_bias
    values = equity + np.sqrt(min(float(stacks[0]), 1)) * scores
    return values - (values * mass).sum() / 2


def test_values_are_those_of_a_slow_walk_bucket_by_bucket():
    """In any number at once, whatever the boards."""
    net, arrays = network(), asked()
    values = net.values(*arrays)
    for number in (0, 7, 21, 39):
        row = [array[number] for array in arrays]
        np.testing.assert_allclose(
            values[number], slow_values(net, *row[:5], arrays[5][[number]]), atol=1e-5
        )
    one = net.values(*(array[3:4] for array in arrays))
    np.testing.assert_allclose(one[0], values[3], atol=1e-6)


def test_both_players_win_nothing_together_and_all_ins_their_equity():
    """By their mass; where nothing is left to bet there is nothing to guess."""
    arrays = asked()
    values = network().values(*arrays)
    np.testing.assert_allclose((values * arrays[1]).sum(axis=(1, 2)), 0, atol=1e-5)
    np.testing.assert_allclose(values[:5], arrays[2][:5], atol=1e-5)
    assert np.abs(values[5:] - arrays[2][5:]).max() > 0.1


def test_one_board_serves_all_rows():
    """Hands and moments without a first axis."""
    shares, mass, equity, hands, moments, stacks = asked()
    net = network()
    alone = net.values(shares, mass, equity, hands[0], moments[0], stacks)
    same = [np.repeat(array[:1], len(stacks), axis=0) for array in (hands, moments)]
    np.testing.assert_array_equal(alone, net.values(shares, mass, equity, *same, stacks))
    assert bucket_inputs(shares, equity, hands[0], moments[0]).shape == (40, BUCKETS, BUCKET_INPUTS)


def test_other_numbers_of_buckets_are_refused():
    """The message says how many it wants."""
    with pytest.raises(ValueError, match=r"want \(N, 2, 5\)"):
        network(buckets=5).values(*asked())


def test_a_file_is_the_network_in_half_precision(tmp_path):
    """And it keeps the facts."""
    net = network(situations=12)
    net.save(tmp_path / "x.network")
    again = BoardValueNetwork.load(tmp_path / "x.network")
    np.testing.assert_array_equal(net.values(*asked()), again.values(*asked()))
    assert again.facts["situations"] == 12
    assert again.buckets == BUCKETS


@pytest.mark.parametrize("damage", [b"", b"not a network", None])
def test_files_that_are_none_are_named(tmp_path, damage):
    """Empty, foreign or cut."""
    path = tmp_path / "bad.network"
    network().save(path)
    path.write_bytes(path.read_bytes()[:-100] if damage is None else damage)
    with pytest.raises(ArtifactMismatch, match=r"bad\.network.*arena train deepstack"):
        BoardValueNetwork.load(path)
    with pytest.raises(ArtifactMismatch, match="none"):
        BoardValueNetwork.load(tmp_path / "none")
    network().save(path)
    with pytest.raises(ArtifactMismatch, match="boards of 4 cards, not 3"):
        BoardValueNetwork.load(path, cards=3)


def test_layers_that_do_not_fit_are_refused(tmp_path):
    """Nor are weights that are no numbers, in a file either."""
    net = network()
    with pytest.raises(ValueError, match="layer 1 of the head"):
        replace(net, head=(net.head[0], (net.head[1][0][:3], net.head[1][1]), net.head[2]))
    bad = net.head[1][0].copy()
    bad[0, 0] = np.nan
    with pytest.raises(ValueError, match="finite"):
        replace(net, head=(net.head[0], (bad, net.head[1][1]), net.head[2]))
    huge = net.head[1][0].copy()
    huge[0, 0] = 3e38
    with pytest.raises(ValueError, match="far too large"):
        replace(net, head=(net.head[0], (huge, net.head[1][1]), net.head[2]))
    net.save(tmp_path / "x")
    facts, arrays = load_artifact(tmp_path / "x", KIND)
    save_artifact(tmp_path / "y", KIND, facts, {**arrays, "weights-3": np.inf * huge})
    with pytest.raises(ArtifactMismatch, match="finite"):
        BoardValueNetwork.load(tmp_path / "y")
