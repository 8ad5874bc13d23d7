"""Training on several processes that really are some: torchrun, gloo, sockets, signals."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from agents.blueprint.measure import leduc_exploitability
from agents.blueprint.training import METRICS, MODEL, TrainingRun
from agents.blueprint_model.model import load_model
from agents.training.kinds import train as main
from agents.training.run_folder import CHECKPOINT
from tests.helpers.two_hosts import two_hosts

pytest.importorskip("torch")
ROOT = Path(__file__).resolve().parents[2]
BLUEPRINT = ("blueprint", "--config", "leduc", "--workers", "1")
TRAIN = ("agents.training", *BLUEPRINT)
LAUNCH = (sys.executable, "-m", "torch.distributed.run")
ALONE = ("--standalone", "--nproc-per-node", "2", "-m", *TRAIN)
RANKS = (sys.executable, "-m", "tests.helpers.ranks")
"""The same without torchrun, where that is not the subject: torch is imported once."""


def environment():
    """Return the environment of a process that finds the packages."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


def launch(*arguments, before=LAUNCH):
    """Start processes in a group of their own."""
    return subprocess.Popen(
        [*before, *arguments],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


@contextmanager
def training(folder, *words, before=LAUNCH):
    """Two processes that learn Leduc hold'em; yielded once they have saved a checkpoint."""
    saving = ("--minutes", "5", "--checkpoint-minutes", "0.01")
    process = launch(*words, "--out", str(folder), *saving, before=before)
    try:
        wait_until(lambda: (folder / METRICS).exists() or process.poll() is not None)
        assert process.poll() is None, process.communicate()[0]
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


def wait_until(happened, seconds=120):
    """Wait for something that must happen."""
    for _ in range(20 * seconds):
        if happened():
            return
        time.sleep(0.05)
    pytest.fail("it did not happen")


def lines_of(output):
    """Return what the command said, without torchrun's own words."""
    return [line for line in output.splitlines() if line.startswith(("arena train", "stopped"))]


def test_arrays_and_facts_reach_everybody():
    """Means, sums and what the first tells are the same on three processes, in many pieces."""
    process = launch("3", "tests.helpers.exchanges", before=RANKS)
    output = process.communicate(timeout=200)[0]
    assert process.returncode == 0, output
    found = [json.loads(text) for text in re.findall(r"FOUND (\[.*?\]\])", output)]
    assert len(found) == 3
    assert found[0] == found[1] == found[2]
    assert found[0][1:] == [True, True, {"for": ["all", 0]}, [3, 3]]


@pytest.mark.slow
def test_two_processes_train_and_one_goes_on(tmp_path):
    """torchrun's run plays, says how it was made, and is resumed without torchrun."""
    words = ("--merge-every", "10000", "--iterations", "30000")
    process = launch(*ALONE, "--out", str(tmp_path), *words)
    output = process.communicate(timeout=200)[0]
    assert process.returncode == 0, output
    assert output.count("run folder") == 1
    model = load_model(tmp_path / MODEL)
    assert model.provenance["processes"] == 2
    assert model.provenance["commands"][0].startswith("torchrun, 2 processes: arena train")
    assert leduc_exploitability(model) < 100
    done = TrainingRun.resume(tmp_path).solver.iterations
    words = ("--iterations", str(done + 10), "--resume")
    assert main([*BLUEPRINT, "--out", str(tmp_path), *words]) == 0
    assert TrainingRun.resume(tmp_path).solver.iterations == done + 10


@pytest.mark.slow
def test_ctrl_c_saves_and_says_so_once(tmp_path):
    """The terminal interrupts every process; all stop after the same round, the first saves."""
    with training(tmp_path, *ALONE) as process:
        os.killpg(process.pid, signal.SIGINT)
        output = process.communicate(timeout=100)[0]
    assert process.returncode != 0
    first, last = lines_of(output)
    assert first.startswith("stopped; ")
    assert last.endswith(" --resume")
    saved = [json.loads(line) for line in (tmp_path / METRICS).read_text().splitlines()]
    assert TrainingRun.resume(tmp_path).solver.iterations == saved[-1]["iterations"]


@pytest.mark.slow
def test_a_lost_process_is_one_line_and_leaves_a_good_checkpoint(tmp_path):
    """One process is killed: the other says so, and the last checkpoint is whole."""
    with training(
        tmp_path, "2", "agents.training.kinds:train", *BLUEPRINT, before=RANKS
    ) as process:
        _, second = sorted(one.pid for one in psutil.Process(process.pid).children())
        os.kill(second, signal.SIGKILL)
        output = process.communicate(timeout=100)[0]
    assert process.returncode == 128 + signal.SIGKILL
    saved = [json.loads(line) for line in (tmp_path / METRICS).read_text().splitlines()]
    assert TrainingRun.resume(tmp_path).solver.iterations == saved[-1]["iterations"]
    (line,) = lines_of(output)
    assert line.startswith("arena train blueprint: another process ")


@pytest.mark.slow
def test_torchrun_ends_a_run_that_has_lost_a_process(tmp_path):
    """As soon as it notices, now and then before the others can say anything."""
    with training(tmp_path, *ALONE) as process:
        workers = psutil.Process(process.pid).children()
        (second,) = [one for one in workers if one.environ().get("RANK") == "1"]
        second.kill()
        process.communicate(timeout=100)
    assert process.returncode == 1
    saved = [json.loads(line) for line in (tmp_path / METRICS).read_text().splitlines()]
    assert TrainingRun.resume(tmp_path).solver.iterations == saved[-1]["iterations"]


@pytest.mark.slow
def test_a_run_that_cannot_begin_says_why_once(tmp_path):
    """The first process knows; the others refer to it, unless they are ended before."""
    (tmp_path / CHECKPOINT).touch()
    process = launch(*ALONE, "--out", str(tmp_path), "--minutes", "1")
    output = process.communicate(timeout=100)[0]
    assert process.returncode == 1
    (why,) = (line for line in lines_of(output) if "the first process" not in line)
    assert "--resume" in why
    assert "Traceback" not in output.partition("torch/distributed/elastic")[0]


@pytest.mark.slow
def test_two_hosts_without_common_files_train_one_strategy(tmp_path):
    """As strong as one process after as many deals, within noise; only the first has files."""
    folders = [tmp_path / name for name in "ab"]
    with two_hosts("arena", "10.213.77") as (address, befores):
        hosts = [
            launch(
                "--nnodes", "2", "--nproc-per-node", "1", "--node-rank", str(rank),
                "--master-addr", address, "--master-port", "29511",
                "-m", *TRAIN, "--out", str(folder), "--minutes", "0.2",
                before=(*before, *LAUNCH),
            )
            for rank, (folder, before) in enumerate(zip(folders, befores, strict=True))
        ]  # fmt: skip
        outputs = [host.communicate(timeout=250)[0] for host in hosts]
    assert [host.returncode for host in hosts] == [0, 0], outputs
    assert not folders[1].exists()
    together = load_model(folders[0] / MODEL)
    assert together.provenance["processes"] == 2
    alone = TrainingRun.begin(tmp_path / "alone", together.config)
    alone.learn(1e9, most_iterations=2 * together.provenance["iterations"])
    print(leduc_exploitability(together), leduc_exploitability(alone.model()))
    assert leduc_exploitability(together) < 1.5 * leduc_exploitability(alone.model())
