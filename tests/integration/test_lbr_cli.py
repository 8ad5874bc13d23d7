"""`arena lbr` as its users meet it."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import agents
from agents.measuring import lbr
from agents.measuring.lbr import main
from tests.helpers.blueprints import random_model, tiny_config

ROOT = Path(agents.__file__).parent.parent
SECONDS = 120


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with models."""
    folder = tmp_path_factory.mktemp("lbr")
    for name in ("hunl", "hulhe", "leduc"):
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
    ("slumbot",): (2, "'slumbot' tells no strategy; there is always-call, always-fold, blueprint"),
    ("rule",): (2, "'rule' tells no strategy (arena match plays it); there is always-call, "),
    ("blueprint", "--set", "speed=3"): (2, "blueprint has no option 'speed'; there is model"),
    ("blueprint", "--set", "model"): (2, "--set model: want NAME=VALUE"),
    ("blueprint", "--set", "threshold=low"): (2, "blueprint: threshold: 'low' is no number"),
    (*MINE, "--set", "threshold=2"): (2, "blueprint: threshold 2.0: want a probability"),
    (*MINE, "--set", "purify=0.5"): (2, "blueprint: purify 0.5: want 0 or 1"),
    ("blueprint", "--set", "model=none"): (2, "blueprint: model none: there is no such file"),
    (*MINE, "--pairs", "0"): (2, "argument --pairs: 0: want a whole number from 1 to"),
    (*MINE, "--seed", "-1"): (2, "argument --seed: "),
    (*MINE, "--seed", str(2**32)): (2, "argument --seed: "),
    (*MINE, "--settings", "XYZ"): (2, "argument --settings: "),
    (*MINE, "--script", "C,30O"): (2, "argument --script: a script on a street '30O': want C, F"),
    (*MINE, "--worst", "--boards", "0"): (2, "argument --boards: 0: want a whole number"),
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
    title = "local best response against blueprint in no-limit with 200 big blinds"
    assert out.startswith(f"{title}, mbb/h (95 %)\n")
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


def test_the_worst_of_many_is_measured_again(folder, run):
    """The same whatever the number of processes; the settings and scripts that are named."""
    words = ("blueprint --model hunl.blueprint", "--worst", "--pairs", "5", "--boards", "2")
    words = (*words, "--settings", "FC")
    for text in ("a", "300f", "C,C,C,a", "F"):
        words = (*words, "--script", text)
    with start(folder, *words, "--jobs", "2") as process:
        code, out, _ = run(*words, "--jobs", "1", "--json", "worst.json")
        told, _ = process.communicate(timeout=SECONDS)
    assert (code, process.returncode, told) == (0, 0, out)
    title = "worst cases of blueprint --model hunl.blueprint in no-limit with 200 big blinds"
    assert out.startswith(f"{title}, mbb/h (95 %)\n")
    assert "Tried before: 4 scripts with 1 board each.\n" in out
    facts = json.loads((folder / "worst.json").read_text())
    assert facts["agent"] == "blueprint --model hunl.blueprint"
    assert facts["game"].endswith("stacks 20000")
    assert [len(facts[name]) for name in ("measured_again", "tried")] == [4, 4]
    won = [one["mbb_per_hand"] for one in facts["measured_again"]]
    assert won == sorted(won, reverse=True)
    assert [one["pairs"] for one in facts["measured_again"] if "settings" in one] == [5]


def test_limit_games_have_worst_cases_of_their_own(run):
    """No setting or script of the list has a size."""
    words = ("blueprint --model hulhe.blueprint", "--game", "hulhe", "--worst", "--pairs", "1")
    code, out, _ = run(*words, "--boards", "1", "--jobs", "1", "--json")
    assert code == 0
    tried = json.loads(out)["tried"]
    assert {one["script"] for one in tried if "script" in one} >= {"C", "F", "m", "C,C,mw"}
    assert {one["river"] for one in tried if "river" in one} >= {"C", "m"}
    names = [one.get("settings") or one.get("script") or one["river"] for one in tried]
    assert not any(set(name) & set("0123456789a") for name in names)


def test_a_model_is_measured_at_the_game_it_was_trained_for(folder, run):
    """Unless another one is named."""
    shallow = replace(tiny_config(), stack=50)
    random_model(shallow, seed=5).save(folder / "fifty.blueprint")
    words = ("blueprint --model fifty.blueprint", "--script", "F", "--boards", "1", "--jobs", "1")
    titles = [run(*words, *game)[1].splitlines()[0] for game in ((), ("--game", "hunl"))]
    assert [title.split(" in ")[1].split(",")[0] for title in titles] == [
        "no-limit with 50 big blinds",
        "no-limit with 200 big blinds",
    ]


def test_a_river_alone(run):
    """The best response there after a script; no less than the script itself wins."""
    words = ("blueprint --model hunl.blueprint", "--boards", "2", "--jobs", "1", "--json")
    code, out, _ = run(*words, "--river", "C", "--script", "C")
    assert code == 0
    script, river = json.loads(out)
    assert (script["script"], river["river"]) == ("C", "C")
    assert river["rate"]["mbb_per_hand"] >= script["rate"]["mbb_per_hand"]


def test_a_script_alone(run):
    """Without local best response, where only scripts are named; a row for each."""
    words = (
        "blueprint --model hunl.blueprint",
        "--script",
        "a",
        "--script",
        "script:F",
        "--boards",
        "2",
    )
    code, out, err = run(*words, "--jobs", "1", "--json", "two.json")
    assert (code, err) == (0, "")
    title, first, second, bound = out.splitlines()
    assert title.startswith("won from blueprint --model hunl.blueprint in no-limit with 200 big")
    assert first.split()[0] == "script:a"
    assert second.split()[0] == "script:F"
    assert first.endswith("2 boards, all hands and actions")
    assert bound.startswith("A lower bound")


@pytest.mark.parametrize(("said", "title"), [(1, "tried against "), (6, "worst cases of ")])
def test_ctrl_c_shows_what_there_is(run, monkeypatch, said, title):
    """Exit code 130; of the first pass, or of the second."""

    class Stopping:
        """Says nothing, and then is Ctrl-C."""

        left = said

        def __call__(self, text):
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt

    monkeypatch.setattr(lbr, "NowAndThen", Stopping)
    words = ("--worst", "--boards", "50", "--jobs", "1", *("--script", "F") * 4)
    code, out, err = run("blueprint --model hunl.blueprint", *words)
    assert (code, err) == (130, "")
    assert out.startswith(title)
    assert "  script:F " in out
