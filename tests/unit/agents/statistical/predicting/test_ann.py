"""The small network: numpy to play, torch to train."""

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("torch")

from agents.statistical.learning.ann_training import train_network
from agents.statistical.predicting.ann import Network, NetworkConfig
from agents.statistical.predicting.contexts import FEATURE_COUNT, MAY_FOLD, MAY_RAISE
from engine.errors import ArtifactMismatch
from tests.helpers.decisions import contexts_of, decisions_of, ruled_actions

CONFIG = NetworkConfig(hidden=8, epochs=12, batch=64, rate=0.02)


def parted(contexts, aside):
    """Decisions by the rule: those to learn from, and those set aside."""
    decisions = decisions_of(contexts, ruled_actions(contexts))
    return decisions.where(~aside), decisions.where(aside)


@pytest.fixture(scope="module")
def trained():
    """A network that learned a rule, and what it learned from."""
    contexts = contexts_of(np.random.default_rng(1), 3000)
    aside = np.arange(3000) % 10 == 0
    epochs = []
    network = train_network(*parted(contexts, aside), 5, CONFIG, epochs.append)
    return network, epochs, contexts, aside


def test_it_learns_a_rule(trained):
    """Raise for good pot odds, fold for bad ones, on contexts that it has not seen."""
    network = trained[0]
    fresh = contexts_of(np.random.default_rng(2), 1000)
    chances = network.probabilities(fresh)
    assert chances.sum(axis=1) == pytest.approx(np.ones(1000))
    assert (chances.argmax(axis=1) == ruled_actions(fresh)).mean() > 0.93


def test_training_tells_how_it_goes(trained):
    """One report an epoch; the loss falls; the epoch that did best on others is kept."""
    network, epochs, *_ = trained
    assert [epoch.number for epoch in epochs] == list(range(1, len(epochs) + 1))
    assert epochs[-1].loss < 0.5 * epochs[0].loss
    best = min(epochs, key=lambda epoch: epoch.aside)
    assert network.provenance["epoch"] == best.number
    assert network.provenance["config"]["hidden"] == 8


def test_training_repeats_to_the_bit(trained):
    """The same seed gives the same weights, another one others."""
    network, _, contexts, aside = trained
    again = train_network(*parted(contexts, aside), 5, CONFIG)
    assert (again.hidden == network.hidden).all()
    assert (again.output == network.output).all()
    other = train_network(*parted(contexts, aside), 6, NetworkConfig(hidden=8, epochs=1))
    assert (other.hidden != network.hidden).any()


def test_numpy_and_torch_agree(trained):
    """The exported weights give what the trained layers gave."""
    import torch

    network, _, contexts, _ = trained
    hidden, output = (torch.from_numpy(each) for each in (network.hidden, network.output))
    units = torch.tanh(torch.from_numpy(contexts) @ hidden[:-1] + hidden[-1])
    expected = torch.softmax(units @ output[:-1] + output[-1], dim=1).numpy()
    assert network.probabilities(contexts) == pytest.approx(expected, abs=1e-5)


def test_illegal_actions_have_no_probability(trained):
    """However much the network would like them."""
    contexts = contexts_of(np.random.default_rng(3), 50)
    contexts[:, MAY_FOLD] = 0
    contexts[25:, MAY_RAISE] = 0
    chances = trained[0].probabilities(contexts)
    assert (chances[:, 0] == 0).all()
    assert chances[25:] == pytest.approx(np.tile([0, 1, 0], (25, 1)))


def test_playing_needs_no_torch(trained, tmp_path):
    """Loading a network and asking it does not load torch or a compiler."""
    trained[0].save(tmp_path / "ann.model")
    script = (
        "import sys, pathlib, numpy as np\n"
        "from agents.statistical.predicting.model_files import MODEL_CLASS_OF_KIND\n"
        "network = MODEL_CLASS_OF_KIND['ann'].load(pathlib.Path(sys.argv[1]))\n"
        f"network.probabilities(np.zeros((1, {FEATURE_COUNT}), np.float32))\n"
        "sys.exit(', '.join({'torch', 'numba'} & set(sys.modules)) or 0)\n"
    )
    command = [sys.executable, "-c", script, tmp_path / "ann.model"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def test_files_are_checked(trained, tmp_path, monkeypatch):
    """What was saved comes back; damage is told, and so are features of an earlier program."""
    path = tmp_path / "ann.model"
    trained[0].save(path)
    found = Network.load(path)
    assert (found.hidden == trained[0].hidden).all()
    assert found.provenance == trained[0].provenance
    data = bytearray(path.read_bytes())
    data[-5] ^= 4
    path.write_bytes(data)
    with pytest.raises(ArtifactMismatch, match=r"checksum.*arena train statistical"):
        Network.load(path)
    with monkeypatch.context() as patch:
        patch.setattr(Network, "MADE_FOR", {"features": ["something"]})
        trained[0].save(path)
    with pytest.raises(ArtifactMismatch, match="other features"):
        Network.load(path)


def test_numbers_that_do_not_fit_are_refused():
    """Sizes that train nothing; weights of other shapes, and what is no number."""
    for hidden in (0, 5000):
        with pytest.raises(ValueError):
            NetworkConfig(hidden=hidden)
    weights = np.zeros((FEATURE_COUNT + 1, 4), np.float32)
    with pytest.raises(ValueError, match="want"):
        Network(weights, np.zeros((4, 3), np.float32))
    with pytest.raises(ValueError, match="finite"):
        Network(weights, np.full((5, 3), np.nan, np.float32))


def test_a_stop_ends_training():
    """What the report raises goes through, and torch has its threads back."""
    import torch

    contexts = contexts_of(np.random.default_rng(1), 100)
    threads = torch.get_num_threads()

    def stop(epoch):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_network(*parted(contexts, np.arange(100) < 10), 1, CONFIG, stop)
    assert torch.get_num_threads() == threads
