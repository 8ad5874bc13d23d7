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


def results(folder, commands):
    """Exit code, stdout and stderr of several commands at once."""
    processes = [start(folder, *words) for words in commands]
    told = []
    for process in processes:
        with process:
            out, err = process.communicate(timeout=SECONDS)
            told.append((process.returncode, out, err))
    return told


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
def test_wrong_input_is_one_line(folder, words, monkeypatch, capsys):
    """Exit code 2 for arguments, 1 for files."""
    monkeypatch.chdir(folder)
    try:
        code = main(words)
    except SystemExit as stop:
        code = stop.code
    want, why = WRONG[words]
    shown = capsys.readouterr()
    assert (code, shown.out) == (want, "")
    assert shown.err.startswith(f"arena lbr: {why}")
    assert shown.err.count("\n") == 1


def test_a_measurement_is_a_table_and_a_file(folder):
    """The same for the same seed, whatever the number of processes."""
    words = ("blueprint", "--set", "model=hunl.blueprint", "--settings", "FC,FC,FC,FC")
    words = (*words, "--pairs", "6", "--seed", "3")
    told = results(
        folder,
        [
            (*words, "--workers", "1", "--json", "one.json"),
            (*words, "--workers", "2", "--json", "two.json"),
            (*words, "--workers", "1", "--json", "/dev/full"),
            ("blueprint", "--set", "model=none"),
            (*words, "--json", "no/such"),
        ],
    )
    assert [code for code, _, _ in told] == [0, 0, 1, 1, 2]
    assert told[0][:2] == told[1][:2]
    assert told[2][1] == told[0][1]
    assert told[2][2].endswith("arena lbr: /dev/full: No space left on device\n")
    assert told[4][1] == ""
    assert told[4][2].startswith("arena lbr: argument --json: no/such: there is no folder no")
    assert told[3][2].startswith("arena lbr: none: No such file or directory; ")
    assert told[0][1].startswith("local best response against blueprint, mbb/h (95 %)\n")
    assert "6 pairs, luck taken out" in told[0][1]
    one, two = (json.loads((folder / name).read_text()) for name in ("one.json", "two.json"))
    assert one == two
    (only,) = one
    assert only["rate"]["samples"] == 6
