"""`arena lbr` as its users meet it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import agents
from agents.measuring.lbr import main
from tests.helpers.blueprints import random_model, tiny_config

ROOT = Path(agents.__file__).parent.parent
SECONDS = 120


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with models."""
    folder = tmp_path_factory.mktemp("lbr")
    for name in ("hunl", "leduc"):
        random_model(tiny_config(name), seed=4).save(folder / f"{name}.blueprint")
    return folder


def start(folder, *words):
    """Start the command in a folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "dealer.arena", "lbr", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def run(folder, monkeypatch, capsys):
    """Run the command here in the folder: exit code, stdout and stderr."""
    monkeypatch.chdir(folder)

    def run(*words):
        try:
            code = main(words)
        except SystemExit as stop:
            code = stop.code
        return (code, *capsys.readouterr())

    return run


MINE = ("blueprint", "--set", "model=hunl.blueprint")
WRONG = {
    (): (2, "the following arguments are required: AGENT"),
    ("slumbot",): (2, "'slumbot' tells no strategy; there is blueprint"),
    ("rule",): (2, "'rule' tells no strategy; there is blueprint"),
    ("blueprint", "--set", "speed=3"): (2, "blueprint has no option 'speed'; there is model"),
    ("blueprint", "--set", "model"): (2, "--set model: want NAME=VALUE"),
    ("blueprint", "--set", "threshold=low"): (2, "blueprint: threshold: 'low' is no number"),
    (*MINE, "--set", "threshold=2"): (2, "blueprint: threshold 2.0: want a probability"),
    (*MINE, "--set", "purify=0.5"): (2, "blueprint: purify 0.5: want 0 or 1"),
    ("blueprint", "--set", "model=none"): (1, "none: No such file or directory; the shipped"),
    (*MINE, "--pairs", "0"): (2, "argument --pairs: 0: want a whole number from 1 to"),
    (*MINE, "--seed", "-1"): (2, "argument --seed: "),
    (*MINE, "--seed", str(2**32)): (2, "argument --seed: "),
    (*MINE, "--settings", "XYZ"): (2, "argument --settings: "),
    (*MINE, "--game", "hulhe"): (2, "hunl.blueprint plays no-limit"),
    ("blueprint", "--set", "model=leduc.blueprint", "--game", "leduc"): (
        2,
        "only blueprints of hold'em with two cards tell their strategy",
    ),
    ("blueprint", "--game", "kuhn"): (2, "no blueprint has been trained for limit for 2"),
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_wrong_input_is_one_line(run, words):
    """Exit code 2 for arguments, 1 for files."""
    want, why = WRONG[words]
    code, out, err = run(*words)
    assert (code, out) == (want, "")
    assert err.startswith(f"arena lbr: {why}")
    assert err.count("\n") == 1


def test_a_measurement_is_a_table_and_a_file(folder, run):
    """The same for the same seed, whatever the number of processes."""
    words = ("blueprint", "--set", "model=hunl.blueprint", "--settings", "FC,FC,FC,FC")
    words = (*words, "--pairs", "6", "--seed", "3")
    with start(folder, *words, "--workers", "2", "--json", "two.json") as process:
        code, out, _ = run(*words, "--workers", "1", "--json", "one.json")
        told, _ = process.communicate(timeout=SECONDS)
    assert (code, process.returncode) == (0, 0)
    assert told == out
    assert out.startswith("local best response against blueprint, mbb/h (95 %)\n")
    assert "6 pairs, luck taken out" in out
    one, two = (json.loads((folder / name).read_text()) for name in ("one.json", "two.json"))
    assert one == two
    (only,) = one
    assert only["rate"]["samples"] == 6
    full, shown, err = run(*words, "--workers", "1", "--json", "/dev/full")
    assert (full, shown) == (1, out)
    assert err.endswith("arena lbr: /dev/full: No space left on device\n")
    wrong, shown, err = run(*words, "--json", "no/such")
    assert (wrong, shown) == (2, "")
    assert err.startswith("arena lbr: argument --json: no/such: there is no folder no")
