"""`arena train astar` in real processes: signals at any moment, torchrun, two hosts; the same bits.

All runs are of one small config; what comes of it without a break is what must come of it in parts.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from agents.astar.family import ASTAR
from agents.evolution.network import EvolvedNetwork
from agents.evolution.run import METRICS, PICTURE
from agents.training.command import main
from agents.training.folders import CHECKPOINT, alone_in
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
LONG_FINAL = CONFIG.partition("[[stages]]")[0].replace("200", "4000") + """
[[stages]]
generations = 1
opponents = ["O2"]
""" + CONFIG[CONFIG.index("[network]") :]  # fmt: skip
SIGINT = pytest.param(signal.SIGINT, marks=pytest.mark.slow)
SIGKILL = pytest.param(signal.SIGKILL, marks=pytest.mark.slow)
SIGTERM = pytest.param(signal.SIGTERM, marks=pytest.mark.slow)
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
    """What one process comes to without a break, on two threads."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    words = (*TRAIN[:3], "--threads", "2", "--config", str(config), "--out", str(folder))
    code, said = ended(*words)
    assert code == 0, said
    first, second, third, last = said.splitlines()
    assert first == f"run folder {folder}"
    assert second.startswith("8 individuals of ")
    assert third.startswith(f"{GENERATIONS} generations in ")
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


@pytest.mark.parametrize("number", [signal.SIGINT, SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_run_that_was_stopped_ends_with_the_same_bits(number, config, whole, tmp_path):
    """Ctrl-C or a polite kill: exit code 130 and one line; resumed, and once more."""
    words = (*TRAIN, "--config", str(config), "--out", str(tmp_path))
    for count, more in ((1, ()), (5, ("--resume",))):
        with started(*words, *more) as process:
            wait_for_generations(process, tmp_path, count)
            process.send_signal(number)
            said = process.communicate(timeout=SECONDS)[0]
        assert process.returncode == 130, said
        saved = (tmp_path / METRICS).read_text().count("\n")
        assert count <= saved < GENERATIONS
        assert said.splitlines()[2:] == [
            f"stopped after {saved} of {GENERATIONS} generations; resume with --resume"
        ]
        assert whole[-1].startswith((tmp_path / METRICS).read_text())
    code, said = ended(*words, "--resume")
    assert code == 0, said
    assert outcome(tmp_path) == whole


@pytest.mark.parametrize("number", [signal.SIGINT, SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_the_final_can_be_stopped_too(number, tmp_path):
    """All generations are saved by then; the same line, and the final is played anew."""
    path, out = tmp_path / "tiny.toml", tmp_path / "run"
    path.write_text(LONG_FINAL)
    with started(*TRAIN, "--config", str(path), "--out", str(out)) as process:
        wait_for_generations(process, out, 1)
        process.send_signal(number)
        said = process.communicate(timeout=SECONDS)[0]
    assert process.returncode == 130, said
    assert said.splitlines()[-1] == "stopped after 1 of 1 generations; resume with --resume"
    assert {one.name for one in out.iterdir()} == {CHECKPOINT, METRICS, PICTURE}


def test_a_run_that_is_deaf_to_ctrl_c_ends_politely(tmp_path):
    """As in the background of a script: SIGINT does nothing there, SIGTERM ends it."""
    path, out = tmp_path / "tiny.toml", tmp_path / "run"
    path.write_text(LONG_FINAL)
    deaf = ("sh", "-c", "trap '' INT; exec \"$@\"", "sh")
    with started(*TRAIN, "--config", str(path), "--out", str(out), before=deaf) as process:
        wait_for_generations(process, out, 1)
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=SECONDS)[0]
    assert process.returncode == 130, said


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


def test_half_a_file_that_was_left_is_deleted(short, tmp_path):
    """Of each that a run writes, by whoever comes next."""
    out = tmp_path / "run"
    out.mkdir()
    for name in FILES:
        (out / f".{name}.1.2.part").touch()
    assert main(["astar", "--config", str(short), "--out", str(out)]) == 0
    assert {path.name for path in out.iterdir()} == FILES


def test_two_runs_do_not_share_a_folder(config, tmp_path):
    """The second one ends in a line, whether it begins or resumes; the first goes on."""
    words = (*TRAIN, "--config", str(config), "--out", str(tmp_path))
    with started(*words) as process:
        wait_for_generations(process, tmp_path, 1)
        code, said = ended(*words, "--resume")
        refused = f"arena train astar: another process is working in {tmp_path}"
        assert (code, said.splitlines()[1:]) == (2, [refused])
        assert ended(*words)[0] == 2
        process.communicate(timeout=SECONDS)
    assert process.returncode == 0


SMOKE = ("--config", "smoke")
WRONG = {
    (): "the following arguments are required: --config",
    ("--config", "best"): "config 'best': want base, counter, smoke, or a TOML file",
    ("--config", "."): ".: [Errno 21] Is a directory",
    ("--config", "bad.toml"): "bad.toml: unknown in the file: speed",
    ("--config", "counter"): "whom is it to counter? --against BOT",
    ("--config", "counter", "--against", "nobody"): "no agent is called 'nobody'",
    ("--config", "counter", "--against", "rule"): "rule is not compiled",
    ("--config", "counter", "--against"): "argument --against: expected at least one argument",
    (*SMOKE, "--seed", "-1"): "argument --seed: '-1' is not a whole number",
    (*SMOKE, "--threads", "0"): "argument --threads/--workers: 0: want 1 to 1024",
    (*SMOKE, "--generations", "3"): "unrecognized arguments: --generations 3",
    (*SMOKE, "--resume"): "holds no run to resume",
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_wrong_options_are_one_line_and_exit_2(words, tmp_path, monkeypatch, capsys):
    """Nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text(f"speed = 3\n{CONFIG}")
    try:
        code = main(["astar", *words])
    except SystemExit as stop:
        code = stop.code
    shown = capsys.readouterr()
    *before, last = shown.err.splitlines()
    assert (code, shown.out) == (2, "")
    assert all(line.startswith("run folder ") or " individuals of " in line for line in before)
    assert last.startswith("arena train astar: ")
    assert WRONG[words] in last
    assert list(tmp_path.iterdir()) == [tmp_path / "bad.toml"]


def test_a_folder_that_holds_a_run_is_not_begun_in(config, tmp_path, capsys):
    """Nor one that another training holds, nor one that is a file."""
    words = ["astar", "--config", str(config), "--out"]
    (tmp_path / "file").touch()
    assert main([*words, str(tmp_path / "file")]) == 1
    (tmp_path / "run").mkdir()
    with alone_in(tmp_path / "run", ()):
        assert main([*words, str(tmp_path / "run")]) == 2
    (tmp_path / "run" / CHECKPOINT).write_text("nonsense")
    assert main([*words, str(tmp_path / "run")]) == 2
    assert main([*words, str(tmp_path / "run"), "--resume"]) == 2
    last = [line for line in capsys.readouterr().err.splitlines() if line.startswith("arena")]
    for line, told in zip(
        last,
        ("file", "another process is working", "holds a run; --resume", "not an artifact file"),
        strict=True,
    ):
        assert told in line


def test_two_processes_end_with_the_bits_of_one(config, whole, tmp_path):
    """torchrun; only the first one speaks and writes."""
    alone = ("--standalone", "--nproc-per-node", "2")
    code, said = ended(*TORCHRUN, *alone, *TRAIN, "--config", str(config), "--out", str(tmp_path))
    assert code == 0, said
    assert said.count("run folder") == 1
    assert outcome(tmp_path) == whole
    facts = EvolvedNetwork.load(tmp_path / "tiny.network", ASTAR).facts
    assert facts["processes"] == 2
    assert facts["commands"][0].startswith("torchrun, 2 processes: arena train astar ")


@pytest.mark.parametrize("number", [SIGINT, SIGKILL], ids=["SIGINT", "SIGKILL"])
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
        told = f"stopped after {saved} of {GENERATIONS} generations; resume with --resume"
        assert said.count("stopped after") == said.count(told) == 1
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
