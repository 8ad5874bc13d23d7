"""From a match log to a trained bot at the table, as a stranger goes: three commands."""

import json
import re
import signal
import time

import numpy as np
import pytest

pytest.importorskip("torch")

from agents.poker_cnn.model import CnnModel
from agents.poker_cnn.train.cnn_run import NETWORK, NOTE
from agents.training.run_folder import CHECKPOINT
from engine.parallel.own_programs import environment
from protocol.gamedefs import load_builtin
from tests.helpers.arena import arena_here, start_arena
from tests.helpers.cnn_records import log_of
from tests.helpers.torch_threads import one_torch_thread

SECONDS = 200
HEADER = "holdem.nolimit.2p.reverse_blinds.game"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a log and records of it; PyTorch has one thread as long as it is used."""
    path = tmp_path_factory.mktemp("path")
    log = log_of(path, load_builtin("hunl"), 60, game_name=HEADER)
    with log.open("a", encoding="utf-8") as file:
        file.write("STATE:60:cr300:8s9s|2c2d:-100|100:Ann|Bob\n")
    with one_torch_thread():
        code, out, err = arena_here(
            path, "data", "cnn", "one.log", "--expert", "Ann", "--out", "a.records"
        )
        assert code == 0, err
        assert re.search(r"left out +1\b", out)
        assert "one.log:63: " in err
        yield path


def test_a_log_becomes_a_bot_that_plays(folder):
    """Records, a network, and a match whose log proves itself."""
    told = json.loads((folder / "a.records.json").read_text(encoding="utf-8"))
    assert told["left_out"] == len(told["lines_left_out"]) == 1
    words = ("a.records", "--out", "run", "--epochs", "1", "--folds", "2")
    code, out, err = arena_here(folder, "train", "cnn", *words)
    assert code == 0, err
    assert [line.split()[0] for line in out.splitlines()[1:]] == [
        "fold", "fold", "network", "majority",
    ]  # fmt: skip
    note = json.loads((folder / "run" / NOTE).read_text(encoding="utf-8"))
    assert note["plan"]["epochs"] == 1
    assert note["records"]["expert"] == "Ann"
    bot = f"cnn --model {folder}/run/{NETWORK}"
    words = (bot, "always-call", "--hands", "5", "--seed", "3", "--no-duplicate", "--quiet")
    code, out, err = arena_here(folder, "match", *words, "--out", "match")
    assert code == 0, err
    (log,) = (folder / "match").glob("*.log")
    code, out, err = arena_here(folder, "replay", "--verify", str(log))
    assert code == 0, out + err


@pytest.mark.slow
def test_a_training_that_was_stopped_ends_with_the_same_bits(folder, tmp_path):
    """Ctrl-C after an epoch; --resume; and the folder is not begun in again."""
    words = ("train", "cnn", str(folder / "a.records"), "--epochs", "4", "--patience", "9")
    code, _, err = arena_here(tmp_path, *words, "--out", "whole")
    assert code == 0, err
    one_thread = {**environment(), "OMP_NUM_THREADS": "1"}
    with start_arena(tmp_path, *words, "--out", "parts", env=one_thread) as process:
        deadline = time.monotonic() + SECONDS
        probe = tmp_path / "parts" / "probe.checkpoint"
        while not probe.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=SECONDS)
    if process.returncode:  # it may have been over already
        assert process.returncode == 130
        assert "--resume" in err
        code, _, err = arena_here(tmp_path, *words, "--out", "parts", "--resume")
        assert code == 0, err
    whole, parts = (CnnModel.load(tmp_path / name / NETWORK) for name in ("whole", "parts"))
    assert np.array_equal(whole.weights, parts.weights)
    code, _, err = arena_here(tmp_path, *words, "--out", "whole")
    assert code == 2
    assert "--resume" in err.splitlines()[-1]
    code, _, err = arena_here(tmp_path, *words, "--seed", "5", "--out", "whole", "--resume")
    assert code == 2
    assert "whole" in err.splitlines()[-1]


@pytest.mark.slow
def test_rounds_keep_what_is_better_and_reject_what_is_not(folder, tmp_path):
    """The player learns from its own logs; every round says what came of it."""
    arena_here(
        folder, "train", "cnn", "a.records", "--out", "first", "--epochs", "1", "--held-out", "0"
    )
    words = (
        "train", "cnn", "--rounds", "2", "--begin", str(folder / "first" / NETWORK), "--against",
        "O3", "O6", "--deals", "200", "--epochs", "2", "--weighting", "chips", "--out", "rounds",
    )  # fmt: skip
    code, _, err = arena_here(tmp_path, *words)
    assert code == 0, err
    rounds = tmp_path / "rounds"
    best = CnnModel.load(folder / "first" / NETWORK).weights
    for number in (1, 2):
        told = json.loads((rounds / f"round-{number}.json").read_text(encoding="utf-8"))
        assert told["better"] == (told["gain_mbb_per_hand"] > told["ci95"])
        assert set(told["by_opponent"]) == {"O3", "O6", "itself"}
        new = CnnModel.load(rounds / f"round-{number}" / "run" / NETWORK).weights
        assert not np.array_equal(new, best)
        best = new if told["better"] else best
        logs = [str(path) for path in (rounds / f"round-{number}" / "logs").glob("*.log")]
        code, out, err = arena_here(tmp_path, "replay", "--verify", *logs)
        assert code == 0, out + err
    assert np.array_equal(CnnModel.load(rounds / NETWORK).weights, best)
    assert (rounds / CHECKPOINT).exists()


WRONG = {
    "no records": (("train", "cnn"), "--rounds"),
    "records and rounds": (("train", "cnn", "x", "--rounds", "1"), "--rounds"),
    "no file": (("train", "cnn", "none.records"), "arena data cnn"),
    "a plan that is none": (("train", "cnn", "x", "--gamma", "2"), "gamma"),
    "nobody to meet": (("train", "cnn", "--rounds", "1", "--against", "nobody"), "nobody"),
    "no log": (("data", "cnn", "none.log", "--out", "x"), "none.log"),
    "no kind": (("data", "gnn"), "gnn; did you mean cnn?"),
    "no folder": (("data", "cnn", "none.log", "--out", "no/x"), "no/x"),
}


@pytest.mark.parametrize(("words", "why"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_one_line_and_exit_2(words, why, tmp_path):
    """Nothing is begun."""
    code, _, err = arena_here(tmp_path, *words)
    assert code == 2
    assert why in err
    assert len(err.splitlines()) == 1
    assert not list(tmp_path.iterdir())
