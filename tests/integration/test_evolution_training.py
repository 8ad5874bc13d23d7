"""`arena train astar` in real processes: signals at any moment, torchrun, two hosts; the same bits.

All runs are of one small config; what comes of it without a break is what must come of it in parts.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from pathlib import Path

import psutil
import pytest

from agents.astar.family import ASTAR
from agents.evolution.evolution_run import METRICS, PICTURE
from agents.evolution.network import EvolvedNetwork
from agents.training.kinds import train as main
from agents.training.run_folder import CHECKPOINT
from tests.helpers.two_hosts import two_hosts

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 200
TRAIN = ("-m", "agents.training", "astar", "--threads", "1")
TORCHRUN = ("-m", "torch.distributed.run")
GENERATIONS = 12
CONFIG = """
population = 8
founders = 12
deals = 200

[[stages]]
generations = 6
opponents = ["O2"]

[[stages]]
generations = 6
opponents = ["plane-60-50", "O2"]
deals = 100

[network]
opponent = [1, 1, 2]
game = [1, 1, 2]
head = [3]
"""
SHORT = CONFIG.replace("generations = 6", "generations = 1")
LONG_FINAL = CONFIG.partition("[[stages]]")[0].replace("200", "20000") + """
[[stages]]
generations = 1
deals = 50
opponents = ["O2"]
""" + CONFIG[CONFIG.index("[network]") :]  # fmt: skip
FILES = {CHECKPOINT, METRICS, PICTURE, "tiny.network"}


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    """The file of the config."""
    path = tmp_path_factory.mktemp("config") / "tiny.toml"
    path.write_text(CONFIG)
    return path


@pytest.fixture
def short(tmp_path):
    """The file of a config of two generations."""
    path = tmp_path / "tiny.toml"
    path.write_text(SHORT)
    return path


@contextmanager
def started(*words, before=()):
    """A process in a group of its own, which ends with the test."""
    process = subprocess.Popen(
        [*before, sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def ended(*words):
    """Exit code of a command and all that it said."""
    with started(*words) as process:
        said = process.communicate(timeout=SECONDS)[0]
    return process.returncode, said


def wait_for_generations(process, folder, count):
    """Wait until so many generations are saved."""
    path, begun = folder / METRICS, time.monotonic()
    while not path.exists() or path.read_text().count("\n") < count:
        assert process.poll() is None, process.communicate()[0]
        if time.monotonic() > begun + SECONDS:
            pytest.fail("no generation was saved")
        time.sleep(0.01)


def outcome(folder):
    """Return all that must be the same, however often a run was left."""
    assert {path.name for path in folder.iterdir()} == FILES
    found = EvolvedNetwork.load(folder / "tiny.network", ASTAR)
    told = [found.facts[name] for name in ("plan", "deals", "final")]
    history = (folder / METRICS).read_text()
    return found.shape, found.resets, found.genome.tobytes(), told, history


@pytest.fixture(scope="module")
def whole(config, tmp_path_factory):
    """What this process comes to without a break, on two threads."""
    folder, said = tmp_path_factory.mktemp("whole") / "run", StringIO()
    with redirect_stderr(said):
        assert main(["astar", "--threads", "2", "--config", str(config), "--out", str(folder)]) == 0
    first, second, third, last = said.getvalue().splitlines()
    assert first.endswith(f" {folder}")
    assert second.startswith("8 individuals ")
    assert third.startswith(f"{GENERATIONS} generations ")
    assert last.startswith(f"{folder / 'tiny.network'}: mbb/h plane-60-50 ")
    found = outcome(folder)
    assert found[-1].count("\n") == GENERATIONS
    return found


def test_a_run_says_how_it_was_made(short, tmp_path):
    """The file has its commands, without the folder; the seed of the command line is the run's."""
    out = tmp_path / "run"
    words = ["astar", "--config", str(short), "--out", str(out), "--seed", "7"]
    assert main(words) == 0
    facts = EvolvedNetwork.load(out / "tiny.network", ASTAR).facts
    assert facts["commands"] == [f"arena train astar --config {short} --seed 7"]
    assert (facts["processes"], facts["plan"]["seed"]) == (1, 7)


@pytest.mark.parametrize(
    ("number", "stops"),
    [
        (signal.SIGINT, (3,)),
        pytest.param(signal.SIGINT, (1, 5), marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, (1, 5), marks=pytest.mark.slow),
    ],
)
def test_a_run_that_was_stopped_ends_with_the_same_bits(number, stops, config, whole, tmp_path):
    """Ctrl-C or a polite kill: exit code 130 and one line; resumed, and once more."""
    words = ("--config", str(config), "--out", str(tmp_path))
    for count in stops:
        more = ("--resume",) if (tmp_path / CHECKPOINT).exists() else ()
        with started(*TRAIN, *words, *more) as process:
            wait_for_generations(process, tmp_path, count)
            process.send_signal(number)
            said = process.communicate(timeout=SECONDS)[0]
        assert process.returncode == 130, said
        saved = (tmp_path / METRICS).read_text().count("\n")
        assert count <= saved < GENERATIONS
        (last,) = said.splitlines()[2:]
        assert f" {saved} of {GENERATIONS} " in last
        assert last.endswith(" --resume")
        assert whole[-1].startswith((tmp_path / METRICS).read_text())
    assert main(["astar", *words, "--resume"]) == 0
    assert outcome(tmp_path) == whole


def check_stopped_in_the_final(process, said, folder):
    """Exit code, last line and files of a run of one generation whose final was stopped."""
    assert process.returncode == 130, said
    assert " 1 of 1 " in said.splitlines()[-1]
    assert said.splitlines()[-1].endswith(" --resume")
    assert {one.name for one in folder.iterdir()} == {CHECKPOINT, METRICS, PICTURE}


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_the_final_can_be_stopped_too(number, tmp_path):
    """All generations are saved by then; the same line, and the final is played anew."""
    path, out = tmp_path / "tiny.toml", tmp_path / "run"
    path.write_text(LONG_FINAL)
    with started(*TRAIN, "--config", str(path), "--out", str(out)) as process:
        wait_for_generations(process, out, 1)
        process.send_signal(number)
        said = process.communicate(timeout=SECONDS)[0]
    check_stopped_in_the_final(process, said, out)


def test_a_run_that_is_deaf_to_ctrl_c_ends_politely_and_has_its_folder_alone(tmp_path, capsys):
    """As in the background of a script: SIGINT does nothing there, SIGTERM ends it, in the final.

    Meanwhile another run is refused in a line, whether it begins or resumes.
    """
    path, out = tmp_path / "tiny.toml", tmp_path / "run"
    path.write_text(LONG_FINAL)
    words = ("--config", str(path), "--out", str(out))
    deaf = ("sh", "-c", "trap '' INT; exec \"$@\"", "sh")
    with started(*TRAIN, *words, before=deaf) as process:
        wait_for_generations(process, out, 1)
        process.send_signal(signal.SIGINT)
        for more in (("--resume",), ()):
            assert main(["astar", *words, *more]) == 2
            last = capsys.readouterr().err.splitlines()[-1]
            assert last.startswith("arena train astar: ")
            assert str(out) in last
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=SECONDS)[0]
    check_stopped_in_the_final(process, said, out)


@pytest.mark.slow
def test_a_run_that_was_killed_ends_with_the_same_bits(config, whole, tmp_path):
    """At some moments, while it is saved among them; what was not saved is played again."""
    words = (*TRAIN, "--config", str(config), "--out", str(tmp_path))
    for count, pause in ((1, 0.0), (3, 0.004), (5, 0.02), (7, 0.1)):
        more = ("--resume",) if (tmp_path / CHECKPOINT).exists() else ()
        with started(*words, *more) as process:
            wait_for_generations(process, tmp_path, count)
            time.sleep(pause)
            process.kill()
        assert process.returncode == -signal.SIGKILL
    code, said = ended(*words, "--resume")
    assert code == 0, said
    assert outcome(tmp_path) == whole


@pytest.mark.slow
def test_two_processes_end_with_the_bits_of_one(config, whole, tmp_path):
    """Only the first one speaks and writes; torchrun itself is for the slow tests."""
    words = ("--threads", "1", "--config", str(config), "--out", str(tmp_path))
    code, said = ended(
        "-m", "tests.helpers.ranks", "2", "agents.evolution.train_command:astar", *words
    )
    assert code == 0, said
    assert said.count("run folder") == 1
    assert outcome(tmp_path) == whole
    facts = EvolvedNetwork.load(tmp_path / "tiny.network", ASTAR).facts
    assert facts["processes"] == 2
    assert facts["commands"][0].startswith("torchrun, 2 processes: arena train astar ")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=lambda number: number.name)
def test_two_processes_are_stopped_and_one_goes_on(number, config, whole, tmp_path):
    """All stop after the same generation, or die at any moment; the bits are the same."""
    words = (*TRAIN, "--config", str(config), "--out", str(tmp_path))
    with started(*TORCHRUN, "--standalone", "--nproc-per-node", "2", *words) as process:
        wait_for_generations(process, tmp_path, 2)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            psutil.Process(process.pid).children()[0].kill()
        said = process.communicate(timeout=SECONDS)[0]
    assert process.returncode != 0
    saved = (tmp_path / METRICS).read_text().count("\n")
    assert 2 <= saved < GENERATIONS
    if number == signal.SIGINT:
        assert said.count(f" {saved} of {GENERATIONS} ") == said.count("--resume") == 1
    code, said = ended(*words, "--resume")
    assert code == 0, said
    assert outcome(tmp_path) == whole


@pytest.mark.slow
def test_two_hosts_without_common_files_end_with_the_same_bits(config, whole, tmp_path):
    """As one process; only the first host has files."""
    folders = [tmp_path / name for name in "ab"]

    def words(rank):
        return (
            *TORCHRUN, "--nnodes", "2", "--nproc-per-node", "1", "--node-rank", str(rank),
            "--master-addr", address, "--master-port", "29512",
            *TRAIN, "--config", str(config), "--out", str(folders[rank]),
        )  # fmt: skip

    with (
        two_hosts("evolve", "10.213.78") as (address, befores),
        started(*words(0), before=befores[0]) as first,
        started(*words(1), before=befores[1]) as second,
    ):
        said = [host.communicate(timeout=SECONDS)[0] for host in (first, second)]
    assert [first.returncode, second.returncode] == [0, 0], said
    assert not folders[1].exists()
    assert outcome(folders[0]) == whole
