"""`arena improve` as its users meet it: a plan, a run, Ctrl-C, the same command again."""

import json
import signal
import sys
from pathlib import Path

import pytest

import agents
from agents.blueprint_model.model import load_model
from agents.improvement.improvement_run import CARDS, KIND, MODEL
from agents.training.run_folder import CHECKPOINT, RunFolder
from dealer.arena import main as arena
from engine.storage.artifacts import load_artifact
from tests.helpers.arena import arena_here, start_arena
from tests.helpers.improving import write_cards, write_log, write_model

ROOT = Path(agents.__file__).parent.parent
LOG = (("r250f", 9), ("r300r1000f", 3), ("r300f", 20))
COMMAND = ("improve", "tiny.blueprint", "a.log", "--game", "hunl", "--workers", "1")
SECONDS = 120


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model, a log and a run folder that has the cards already."""
    found = tmp_path_factory.mktemp("improve")
    write_model(found / "tiny.blueprint")
    write_log(found / "a.log", *LOG)
    for name in ("run", "cut", "alone"):
        (found / name).mkdir()
        write_cards(found / name / CARDS)
    return found


def test_a_plan_says_what_it_would_cost_and_writes_nothing(folder):
    """The raises with how often, how far, how large and how long; the most lacking first."""
    before = sorted(folder.rglob("*"))
    code, out, err = arena_here(folder, *COMMAND, "--plan", "--out", "run")
    assert code == 0
    head, first, second, last = out.splitlines()
    assert head.split()[:3] == ["raise", "pots", "times"]
    assert first.split()[:4] == ["r250", "0.75", "9", "28.1"]
    assert second.split()[0] == "r300r1000"
    assert "iterations of each" in last
    assert "35 hands" not in err
    assert "32 hands, 35 raises before the flop, 12 by sizes that tiny.blueprint lacks" in err
    assert sorted(folder.rglob("*")) == before


def test_a_plan_makes_no_table(folder):
    """Which takes most of a minute; the speed is that of learning all the same."""
    code, out, err = arena_here(folder, *COMMAND, "--plan", "--out", "new")
    assert (code, "cards of the turn" in err) == (0, False)
    assert "iterations of each" in out
    assert not (folder / "new").exists()


@pytest.fixture(scope="module")
def improved(folder):
    """What was said when a model was improved without a break."""
    return arena_here(folder, *COMMAND, "--iterations", "20000", "--raises", "2", "--out", "run")


def test_a_run_writes_a_model_that_holds_the_branches(folder, improved):
    """It says what that cost, and how it came about stands beside it."""
    code, out, err = improved
    assert code == 0
    assert out.startswith(f"run/{MODEL}: ")
    assert "MB more for" in out
    assert "to play it: arena agent blueprint HOST PORT --game hunl --model run/" in err
    model = load_model(folder / "run" / MODEL)
    assert model.config.extras == ("r250", "r300r1000")
    told = json.loads((folder / "run" / "model.json").read_text())
    assert told == model.provenance
    assert [one["iterations"] for one in told["improved"]] == [20000, 20000]
    assert all(one["with_siblings"] for one in told["improved"])
    again = arena_here(folder, *COMMAND, "--iterations", "20000", "--raises", "2", "--out", "run")
    assert again[0] == 0
    assert (load_model(folder / "run" / MODEL).packed.streams == model.packed.streams).all()


@pytest.mark.slow
def test_ctrl_c_and_the_same_command_come_to_the_same(folder, improved):
    """To the last bit; a kill by SIGINT ends with 130 and keeps what was learned."""
    words = (*COMMAND, "--iterations", "20000", "--raises", "2", "--out", "cut")
    process = start_arena(folder, *words)
    for line in process.stderr:
        if "1 of 2, r250" in line:
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, err
    assert "the same command goes on" in err
    assert not (folder / "cut" / MODEL).exists()
    code, _, err = arena_here(folder, *words)
    assert code == 0
    assert "resuming cut" in err
    one, other = (load_model(folder / name / MODEL) for name in ("run", "cut"))
    assert (one.packed.streams == other.packed.streams).all()


@pytest.mark.slow
def test_hours_end_a_run(folder):
    """Each raise has its share; alone there is nothing to be valued before."""
    words = (*COMMAND, "--hours", "0.0002", "--raises", "2", "--alone", "--out", "alone")
    assert arena_here(folder, *words)[0] == 0
    told = load_artifact(folder / "alone" / CHECKPOINT, KIND).facts
    assert [task["worth"] for task in told["tasks"]] == [None, None]
    assert all(task["seconds"] > 0 for task in told["tasks"])
    assert all(task["iterations"] > 0 for task in told["tasks"])


@pytest.mark.slow
def test_a_full_stdout_is_told(folder, monkeypatch, capsys):
    """In the words of all commands, and without a file's name."""
    monkeypatch.chdir(folder)
    with open("/dev/full", "w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert arena([*COMMAND, "--plan", "--out", "run"]) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith("arena improve: cannot write to stdout")


WRONG = {
    ("improve", "tiny.blueprint"): "LOG",
    ("improve", "tiny.blueprint", "a.log"): "--hours H, or --iterations N",
    ("improve", "no.blueprint", "a.log", "--plan"): "there is no such file; shipped ones are hunl",
    ("improve", "a.log", "a.log", "--plan"): "a.log",
    ("improve", "hulhe.blueprint", "a.log", "--plan"): "only models of no-limit hold'em",
    ("improve", "tiny.blueprint", "b.log", "--plan"): "b.log",
    ("improve", "tiny.blueprint", "bad.log", "--plan", "--game", "hunl"): "bad.log:1",
    ("improve", "tiny.blueprint", "plain.log", "--plan", "--game", "hunl"): "nothing to learn",
    ("improve", "tiny.blueprint", "a.log", "--plan"): "pass --game FILE",
    (*COMMAND, "--plan", "--opponent", "me"): "nobody is called me",
    (*COMMAND, "--hours", "0"): "--hours",
    (*COMMAND, "--iterations", "9", "--raises", "0"): "--raises",
    (*COMMAND, "--iterations", "9", "--out", "damaged"): "not an artifact file",
    (*COMMAND, "--iterations", "9", "--out", "others"): "another model",
}


@pytest.mark.parametrize(("words", "said"), WRONG.items())
def test_what_is_wrong_is_one_clear_line(folder, words, said):
    """And exit code 2."""
    write_log(folder / "plain.log", ("r300f", 2))
    (folder / "bad.log").write_text("STATE:0:r100f\n")
    models = ROOT / "agents" / "blueprint_model" / "models"
    (folder / "hulhe.blueprint").write_bytes((models / "hulhe.blueprint").read_bytes())
    for name in ("damaged", "others"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "damaged" / CHECKPOINT).write_text("{}")
    config = {"model": "", "--alone": False, "--seed": 1, "--workers": 1, "--watch": False}
    RunFolder(folder / "others", KIND).save(config, {"commands": [], "tasks": []}, {})
    code, out, err = arena_here(folder, *words)
    assert (code, out) == (2, "")
    assert said in err.splitlines()[-1]
    assert "Traceback" not in err
