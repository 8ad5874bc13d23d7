"""Runs of learners: resumed to the bit, and they learn."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from agents.errors import TrainingError
from agents.learners.configuration import (
    PPO,
    LearnerConfig,
    NfspSettings,
    PolicyGradientSettings,
    SampledCfrSettings,
    memory_bytes,
)
from agents.learners.model import load_learned
from agents.training.run_folder import CHECKPOINT
from engine.storage.artifacts import load_artifact
from protocol.gamedefs import load_builtin
from tests.helpers.said import refused
from tests.helpers.torch_threads import one_torch_thread

SMALL = {
    "nfsp": NfspSettings(hands=50, hidden=(8,), batch=16, ring=300, reservoir=400),
    "alternating": NfspSettings(
        hands=50, hidden=(8,), batch=16, ring=300, reservoir=400, alternating=500
    ),
    "ppo": PolicyGradientSettings(hands=50, hidden=8, part=64),
    "mmd": PolicyGradientSettings(hands=50, hidden=8, part=64, kl=0.5),
    "sdcfr": SampledCfrSettings(traversals=9, hidden=(8,), steps=5, reservoir=200),
    "tabular": SampledCfrSettings(traversals=9, hidden=(8,), reservoir=1, tabular=True),
}


@pytest.fixture(autouse=True)
def torch():
    """One thread."""
    with one_torch_thread() as module:
        yield module


def config(algorithm, game="kuhn", steps=2000, settings=None, seed=1):
    """A short run."""
    return LearnerConfig(
        algorithm, game, load_builtin(game), seed, steps, settings or SMALL[algorithm]
    )


def run_of(folder, wanted, **options):
    """A run."""
    from agents.learners.train.learner_run import LearnerRun

    return LearnerRun(folder, wanted, **options)


@pytest.mark.parametrize("algorithm", SMALL)
def test_a_resumed_run_ends_with_the_same_bits(algorithm, tmp_path):
    """Stopped after a few rounds, saved, read again."""
    wanted = config(algorithm)
    whole = run_of(tmp_path / "whole", wanted)
    whole.learn(1e9, lambda: None, lambda: False)
    begun = run_of(tmp_path / "parts", wanted)
    stops = iter([False, False, True])
    begun.learn(1e9, lambda: None, lambda: next(stops))
    assert not begun.over
    begun.save()
    resumed = run_of(tmp_path / "parts", wanted, resume=True)
    assert resumed.decisions == begun.decisions > 0
    resumed.learn(1e9, lambda: None, lambda: False)
    assert resumed.curve == whole.curve
    mine, theirs = (run._learner.arrays() for run in (resumed, whole))
    assert mine.keys() == theirs.keys()
    assert all(np.array_equal(mine[name], theirs[name]) for name in mine)


@pytest.mark.parametrize("algorithm", ["nfsp", "alternating", "ppo"])
def test_the_last_batch_is_cut(algorithm, tmp_path):
    """No hand begins once all decisions are made, however large a batch may be."""
    settings = replace(SMALL[algorithm], hands=1500)
    run = run_of(tmp_path, config(algorithm, steps=4001, settings=settings))
    decisions = []
    run.learn(1e9, lambda: decisions.append(run.decisions), lambda: False)
    assert 1 < len(decisions) <= 4
    assert 4001 <= run.decisions < 4001 + 3
    assert np.isfinite(run.curve[-1][1])


@pytest.mark.parametrize("algorithm", ["nfsp", "mmd", "sdcfr"])
def test_a_model_plays_what_the_curve_ends_with(algorithm, tmp_path):
    """The networks in the file are as exploitable as was told; a note says how they were made."""
    run = run_of(tmp_path, config(algorithm))
    run.learn(1e9, lambda: None, lambda: False)
    run.commands.append("this test")
    model = run.save()
    loaded = load_learned(tmp_path / "model.learned")
    exploitability = run.game.exploitability(run.game.average(loaded.networks))
    assert exploitability == pytest.approx(run.curve[-1][1], abs=1e-6)
    assert model.provenance["exploitability"] == exploitability
    note = json.loads((tmp_path / "model.json").read_text())
    assert (note["algorithm"], note["commands"], note["seed"]) == (algorithm, ["this test"], 1)
    curve = json.loads((tmp_path / "curve.json").read_text())
    assert [tuple(point) for point in curve["points"]] == run.curve
    assert "<svg" in (tmp_path / "curve.svg").read_text()


def test_another_run_and_a_damaged_one_are_not_resumed(tmp_path):
    """Another seed, another setting, a cut file, an array that is missing."""
    wanted = config("nfsp")
    run_of(tmp_path, wanted).save()
    with refused(TrainingError, "another seed"):
        run_of(tmp_path, config("nfsp", seed=2), resume=True)
    with refused(TrainingError, "alternating"):
        run_of(tmp_path, config("nfsp", settings=SMALL["alternating"]), resume=True)
    with refused(TrainingError, "holds a run"):
        run_of(tmp_path, wanted)
    path = tmp_path / CHECKPOINT
    path.write_bytes(path.read_bytes()[:-5])
    with refused(TrainingError, CHECKPOINT, "damaged"):
        run_of(tmp_path, wanted, resume=True)


def test_a_checkpoint_without_an_array_is_damaged(tmp_path):
    """Its checksums are right, and something is missing."""
    from agents.learners.train.learner_run import KIND
    from agents.training.run_folder import RunFolder

    wanted = config("sdcfr")
    run_of(tmp_path, wanted).save()
    facts, arrays = load_artifact(tmp_path / CHECKPOINT, KIND)
    arrays = {name: np.array(array) for name, array in arrays.items() if name != "sums"}
    begun = facts.pop("config")
    RunFolder(tmp_path, KIND).save(begun, facts, arrays)
    with refused(TrainingError, CHECKPOINT, "damaged", "sums"):
        run_of(tmp_path, wanted, resume=True)


def test_memories_are_counted_in_bytes():
    """Rows of a transition take 13 bytes, those of an action 5, those of advantages 20."""
    assert memory_bytes(config("nfsp", settings=NfspSettings())) == 2 * (
        200_000 * 13 + 2_000_000 * 5
    )
    tabular = SampledCfrSettings(traversals=1, reservoir=1000, tabular=True)
    size = memory_bytes(config("sdcfr", "kuhn3", settings=tabular))
    assert 3 * 1000 * 20 < size < 3 * 1000 * 20 + 1000


def test_what_a_round_meets_counts_as_memory():
    """All decisions of its hands at most, with what is seen; all that its traversals measure."""
    few, many = (
        memory_bytes(config("ppo", "leduc", settings=replace(PPO, hands=hands)))
        for hands in (1, 10**6)
    )
    assert many == 10**6 * few
    assert few >= 8 * (4 * 32 + 90)
    seldom, often = (
        memory_bytes(config("sdcfr", "leduc3", settings=SampledCfrSettings(number, tabular=True)))
        for number in (1, 10**6)
    )
    assert often - seldom >= (10**6 - 1) * 16 * 28


def test_the_networks_of_all_iterations_count_as_memory(tmp_path):
    """A run never takes more than was reckoned before, nor a quarter of it."""
    wanted = config("sdcfr")
    run = run_of(tmp_path, wanted)
    run.learn(1e9, lambda: None, lambda: False)
    arrays = run._learner.arrays()
    size = sum(array.nbytes for name, array in arrays.items() if name.startswith("iterations"))
    tabular = config("sdcfr", settings=replace(wanted.settings, tabular=True))
    reckoned = memory_bytes(wanted) - memory_bytes(tabular)
    assert size <= reckoned <= 4 * size


def test_one_player_learns_while_the_other_stays(tmp_path):
    """Alternating: only the networks of whoever learns change, and only it remembers."""
    run = run_of(tmp_path, config("alternating", steps=10**6))
    parts = [run._learner.arrays()]
    for _ in range(7):
        run._learner.learn(0.0, 10**6)
        parts.append(run._learner.arrays())
    changed = [
        [
            any(
                not np.array_equal(before[name][player], after[name][player])
                for name in before
                if name.startswith("average")
            )
            for player in range(2)
        ]
        for before, after in pairwise(parts)
    ]
    assert [True, True] not in changed
    assert [True, False] in changed
    assert [False, True] in changed


LEARNED = {
    "sdcfr": (10_000, SampledCfrSettings(traversals=20, hidden=(32,), steps=25)),
    "mmd": (
        80_000,
        PolicyGradientSettings(hands=128, hidden=32, epochs=1, rate=3e-3, newest=0.02),
    ),
    "tabular": (20_000, SampledCfrSettings(traversals=5, tabular=True, reservoir=1)),
}


@pytest.mark.parametrize("algorithm", LEARNED)
def test_kuhn_poker_is_learned_in_a_second(algorithm, tmp_path):
    """Below a tenth of a chip; at first everybody loses more than four times that."""
    steps, settings = LEARNED[algorithm]
    run = run_of(tmp_path, config(algorithm, steps=steps, settings=settings))
    begun = run.exploitability()
    run.learn(1e9, lambda: None, lambda: False)
    assert begun > 0.4
    assert run.curve[-1][1] < 0.1
