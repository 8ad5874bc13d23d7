"""Networks of ranges on boards: what they learn from, and how; the command of it."""

import json
import signal

import numpy as np
import pytest

from agents.deepstack import train_command
from agents.deepstack.bucketed import bucketed_data
from agents.deepstack.configuration import TURN, Configuration
from agents.deepstack.data import save_block
from agents.deepstack.situations import PublicSituation, canonical
from agents.deepstack.solving import SolvedSituation
from agents.errors import TrainingError
from agents.training.kinds import train as main
from engine.abstraction.board_buckets import BoardBuckets
from engine.equity.allin_matrix import allin_matrix
from engine.hands.cards import COMBOS, card_bits, live_combos
from engine.networks.board_network import BoardValueNetwork
from tests.helpers.said import says, says_in_a_line
from tests.helpers.torch_threads import one_torch_thread

SITUATIONS = 12


@pytest.fixture
def torch():
    with one_torch_thread() as torch:
        yield torch


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Ends of turns on which strong hands win half as much again as their equity."""
    path = tmp_path_factory.mktemp("ends")
    configuration = Configuration.of(TURN, over=True, block=SITUATIONS)
    for block in range(4):
        rng = np.random.default_rng(block)
        solved = [situation(rng, number % 5) for number in range(SITUATIONS)]
        save_block(path, block, configuration, solved)
    return path


def situation(rng, source):
    """Values that follow from the equity."""
    board = canonical(rng.permutation(52)[:4].tolist())[0]
    live = live_combos(card_bits(board))
    ranges = (rng.uniform(0.1, 1, (2, COMBOS)) * live).astype(np.float16)
    ranges[:, np.flatnonzero(live)[0]] = 1
    won = allin_matrix(board)
    met = (won != 0).astype(np.float32)
    sides = ranges.astype(np.float64)
    first = (won @ sides[1]) / np.maximum(met @ sides[1], 1) / 2
    second = (won @ sides[0]) / np.maximum(met @ sides[0], 1) / 2
    values = 1.5 * np.stack((first, second)) * live
    pot, stack = 600, int(rng.integers(1000, 9000))
    return SolvedSituation(PublicSituation(source, board, pot, stack, ranges), values, 0.01, 50)


def read(folder, *more):
    """What is learnt from, tested on, and the digest."""
    return bucketed_data([folder, *more], 1, lambda done, files: None)


def test_situations_are_seen_by_bucket(folder):
    """Held-out boards are tested on and nothing is learnt from them; shares are whole ranges."""
    learnt, tested, digest = read(folder)
    assert len(learnt.stacks) + len(tested.bucket) == 4 * SITUATIONS
    assert len(tested.bucket) > 0
    for sides in (learnt.shares, learnt.mass):
        np.testing.assert_allclose(sides.sum(axis=2), 1, atol=1e-4)
    np.testing.assert_allclose(learnt.values, 1.5 * learnt.equity, atol=0.1)
    assert learnt.hands.sum(axis=1).tolist() == [1128] * len(learnt.stacks)
    exact = tested.errors(tested.bucketed.values)
    assert exact.shape == (len(tested.bucket), 2)
    zero = tested.errors(np.zeros_like(tested.bucketed.values))
    assert (exact < zero / 4).all()
    one = tested.by_hand(tested.bucketed.values)[0]
    assert not one[:, tested.bucket[0] < 0].any()
    assert digest == read(folder)[2]
    assert BoardBuckets.of((0, 1, 2, 3)).hands.shape == learnt.hands.shape[1:]


def trained(tmp_path, folder, epochs, *, resume=False, seed=1, begin=None, stop=lambda: False):
    """A run of some epochs."""
    from agents.deepstack.train.board_training import BoardPlan, BoardTraining, folder_of

    learnt, tested, digest = read(folder)
    plan = BoardPlan((24, 8), (8, 8), epochs=epochs, batch=8, rate=3e-3, seed=seed)
    run = BoardTraining(folder_of(tmp_path), learnt, plan, digest, begin=begin, resume=resume)
    while not run.over and run.learn(stop):
        pass
    return run, tested


def weights(run):
    """All weights."""
    network = run.network({"cards": 4})
    return np.concatenate([part.ravel() for layer in network.head for part in layer])


def test_training_takes_error_off_and_repeats_itself(tmp_path, folder, torch):
    """Better than equity on boards not seen; equal seeds make equal networks."""
    run, tested = trained(tmp_path / "one", folder, 30)
    assert run.epochs[-1].loss < run.epochs[0].loss / 4
    network = run.network({"cards": 4})
    found = train_command.errors_of(network, tested)["all"]
    assert found["network"][1] < found["equity"][1] < found["zero"][1]
    again, _ = trained(tmp_path / "two", folder, 30)
    np.testing.assert_array_equal(weights(run), weights(again))
    other, _ = trained(tmp_path / "three", folder, 30, seed=2)
    assert (weights(run) != weights(other)).any()


def test_what_torch_learnt_plays_without_it(tmp_path, folder, torch):
    """To 1e-5, in half precision."""
    from agents.deepstack.train.board_training import BoardNet, BoardPlan
    from engine.networks.board_network import bucket_inputs, open_share, summary_inputs

    learnt, _, _ = read(folder)
    torch.manual_seed(1)
    net = BoardNet(learnt.shares.shape[2], BoardPlan())
    network = net.network({"cards": 4})
    net.begin_with(network)
    summary = summary_inputs(learnt.shares, learnt.equity, learnt.stacks)
    inputs = bucket_inputs(learnt.shares, learnt.equity, learnt.hands, learnt.moments)
    with torch.no_grad():
        scores = net(torch.from_numpy(summary), torch.from_numpy(inputs)).numpy()
    wanted = scores * open_share(learnt.stacks)[:, None, None] + learnt.equity
    wanted -= (wanted * learnt.mass).sum(axis=(1, 2), keepdims=True) / 2
    known = learnt.shares, learnt.mass, learnt.equity, learnt.hands, learnt.moments, learnt.stacks
    np.testing.assert_allclose(network.values(*known), wanted, rtol=0, atol=1e-5)


def test_a_run_that_was_stopped_becomes_the_same(tmp_path, folder, torch):
    """In the middle of an epoch, of which nothing is kept."""
    whole, _ = trained(tmp_path / "whole", folder, 5)
    asked = iter([False] * 13)
    trained(tmp_path / "cut", folder, 5, stop=lambda: next(asked, True))
    resumed, _ = trained(tmp_path / "cut", folder, 5, resume=True)
    np.testing.assert_array_equal(weights(whole), weights(resumed))
    assert [epoch.number for epoch in resumed.epochs] == [1, 2, 3, 4, 5]
    with pytest.raises(TrainingError, match="another plan"):
        trained(tmp_path / "cut", folder, 6, resume=True)


def test_a_network_is_begun_with(tmp_path, folder, torch):
    """Its weights come first; other layers are refused."""
    run, _ = trained(tmp_path / "one", folder, 30)
    network = run.network({"cards": 4})
    more, _ = trained(tmp_path / "two", folder, 2, begin=network)
    fresh, _ = trained(tmp_path / "three", folder, 2)
    assert more.epochs[0].loss < fresh.epochs[0].loss / 2
    from agents.deepstack.train.board_training import BoardNet, BoardPlan

    with pytest.raises(ValueError, match="other layers"):
        BoardNet(256, BoardPlan((16, 8), (8, 8))).begin_with(network)


def test_the_command_trains_and_is_resumed(tmp_path, folder, monkeypatch, capsys, torch):
    """Ctrl-C at the first line of progress, --resume; the table beside what costs nothing."""
    monkeypatch.chdir(tmp_path)
    words = ["deepstack", str(folder), "--epochs", "2", "--jobs", "1", "--out", "run"]

    def interrupt(*_):
        signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(train_command, "_FEWEST", 2)
        patched.setattr(train_command, "RateLimiter", lambda *_, **__: interrupt)
        assert main(words) == 130
    says(capsys.readouterr().err.splitlines()[-1], "--resume")
    monkeypatch.setattr(train_command, "_FEWEST", 2)
    assert main([*words, "--resume"]) == 0
    out, _ = capsys.readouterr()
    says(out, "equity", "right by bucket", "all")
    network = BoardValueNetwork.load(tmp_path / "run" / "deepstack.network")
    assert network.facts["cards"] == 4
    note = json.loads((tmp_path / "run" / "deepstack.json").read_text())
    assert note["errors"]["all"].keys() == {"zero", "equity", "network", "right by bucket"}
    assert main([*words, "--out", "more", "--from", "run/deepstack.network"]) == 0


def test_situations_drawn_otherwise_are_learnt_from_together(tmp_path, folder, monkeypatch, torch):
    """Of another seed and in other shares; all of both are counted."""
    rng = np.random.default_rng(9)
    drawn = Configuration.of(TURN, over=True, block=SITUATIONS, seed=2, shares={"random": 1})
    save_block(tmp_path, 0, drawn, [situation(rng, 3) for _ in range(SITUATIONS)])
    run = tmp_path / "run"
    words = ["deepstack", str(folder), str(tmp_path), "--out", str(run), "--epochs", "1"]
    monkeypatch.setattr(train_command, "_FEWEST", 2)
    assert main([*words, "--jobs", "1"]) == 0
    note = json.loads((run / "deepstack.json").read_text())
    assert note["situations"] + note["tested"] == 5 * SITUATIONS


def test_what_cannot_be_learnt_from_is_refused(tmp_path, folder, capsys, torch):
    """In a line: no folder, too few situations, a damaged file, other situations, no network."""
    code = main(["deepstack", str(tmp_path / "none"), "--out", str(tmp_path / "run")])
    says_in_a_line(capsys.readouterr().err, "none")
    assert code != 0
    few = tmp_path / "few"
    few.mkdir()
    (few / "000000.situations").write_bytes((folder / "000000.situations").read_bytes())
    assert main(["deepstack", str(few), "--out", str(tmp_path / "run"), "--jobs", "1"]) == 2
    says(capsys.readouterr().err.splitlines()[-1], "to learn from", "arena data values")
    (few / "000000.situations").write_bytes(b"no")
    assert main(["deepstack", str(few), "--out", str(tmp_path / "run")]) != 0
    says_in_a_line(capsys.readouterr().err, "000000.situations")
    other = tmp_path / "other"
    other.mkdir()
    rng = np.random.default_rng(1)
    save_block(
        other, 0, Configuration.of(TURN, over=True, block=1, target=0.2), [situation(rng, 0)]
    )
    assert main(["deepstack", str(folder), str(other), "--out", str(tmp_path / "run")]) != 0
    says_in_a_line(capsys.readouterr().err, "another configuration")
    words = ["deepstack", str(folder), "--from", str(few / "000000.situations")]
    assert main([*words, "--out", str(tmp_path / "run")]) != 0
    says_in_a_line(capsys.readouterr().err, "000000.situations")
