"""`arena train` as its users meet it: a folder, Ctrl-C, and a match with the result."""

import json
import signal
import sys

import pytest

from agents.blueprint import train_work
from agents.blueprint.measure import Exploitability
from agents.blueprint_model.config import config_names
from agents.blueprint_model.model import load_model
from agents.training.kinds import train as main
from tests.helpers.arena import arena_here, start_arena

SECONDS = 120
RUN = ("--config", "leduc", "--workers", "1", "--out", "run")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder in which Leduc hold'em was learned a little, left and resumed."""
    folder = tmp_path_factory.mktemp("train")
    first = arena_here(folder, "train", "blueprint", *RUN, "--iterations", "500")
    second = arena_here(folder, "train", "blueprint", *RUN, "--iterations", "900", "--resume")
    return folder, first, second


def test_help_and_lists(tmp_path):
    """What is trained, how, and which configs there are."""
    shown = [
        arena_here(tmp_path, "train", *words)
        for words in (("--help",), ("blueprint", "--help"), ("blueprint", "--list"))
    ]
    assert [(code, err) for code, _, err in shown] == [(0, "")] * 3
    kinds, options, configs = (out for _, out, _ in shown)
    assert "usage: arena train KIND" in kinds
    assert "blueprint" in kinds
    assert "usage: arena train blueprint" in options
    assert all(f"--{name}" in options for name in ("config", "minutes", "resume", "lbr-pairs"))
    assert [line.split()[0] for line in configs.splitlines()] == list(config_names())
    assert not list(tmp_path.iterdir())


def test_a_run_is_begun_and_resumed(trained):
    """Everything is in the folder; the second part adds to the first."""
    folder, (code, out, err), (code_of_second, _, err_of_second) = trained
    assert (code, code_of_second, out) == (0, 0, "")
    run = folder / "run"
    names = {"checkpoint", "run.json", "metrics.jsonl", "model.blueprint", "model.json"}
    assert {path.name for path in run.iterdir()} == names
    assert ["street", "decisions", "buckets", "rows", "MiB"] in map(str.split, err.splitlines())
    assert "exploitability" in err.splitlines()[-2]
    assert "arena agent blueprint HOST PORT --game " in err.splitlines()[-1]
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert len(lines) == 2
    assert [line["iterations"] for line in lines] == [500, 900]
    assert " 500 iterations" in err_of_second
    told = json.loads((run / "run.json").read_text())
    assert told["spent"]["iterations"] == 900
    first, second = told["spent"]["commands"]
    assert first == "arena train blueprint --config leduc --workers 1 --out run --iterations 500"
    assert second.endswith("--iterations 900 --resume")


def test_patience_ends_a_run_and_keeps_the_best(tmp_path, monkeypatch, capsys):
    """Once a number of checkpoints in a row were no better; a resumed run remembers."""
    worst = iter([5.0, 3.0, 4.0, 9.0, 8.0])

    def estimate(model, measures):
        return Exploitability("told", {"exploitability": next(worst)})

    monkeypatch.setattr(train_work, "estimate", estimate)
    monkeypatch.chdir(tmp_path)
    words = ("blueprint", *RUN, "--checkpoint-minutes", "0.002", "--patience", "2")
    assert main([*words, "--minutes", "0.005"]) == 0
    lines = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
    assert len(lines) < 4
    assert main([*words, "--minutes", "5", "--resume"]) == 0
    lines = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
    lines = [json.loads(line) for line in lines]
    assert [line["exploitability"] for line in lines] == [5.0, 3.0, 4.0, 9.0]
    told = json.loads((tmp_path / "run" / "best.json").read_text())
    assert (told["exploitability"], told["iterations"]) == (3.0, lines[1]["iterations"])
    assert (
        load_model(tmp_path / "run" / "best.blueprint").provenance["iterations"]
        == (lines[1]["iterations"])
    )
    told = capsys.readouterr().err
    assert "run/best.blueprint, 2 checkpoints ago" in told
    assert "no better for 2 checkpoints" in told


def test_ctrl_c_before_anything_was_learned_is_told(tmp_path, monkeypatch, capsys):
    """Nothing is left that would have to be resumed."""

    def begin(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(train_work.TrainingRun, "begin", begin)
    words = ("blueprint", "--config", "smoke", "--minutes", "1", "--out", str(tmp_path / "run"))
    assert main([*words]) == 130
    assert "--resume" not in capsys.readouterr().err
    assert not list((tmp_path / "run").iterdir())


def test_patience_compares_with_a_model_that_was_kept(tmp_path, monkeypatch, capsys):
    """A run that began without it, or whose best one is gone, has none."""
    worst = iter([1.0, 2.0, 3.0, 4.0, 5.0])

    def estimate(model, measures):
        return Exploitability("told", {"exploitability": next(worst)})

    monkeypatch.setattr(train_work, "estimate", estimate)
    monkeypatch.chdir(tmp_path)
    words = ("blueprint", *RUN)
    assert main([*words, "--iterations", "100"]) == 0
    assert "--model run/model.blueprint\n" in capsys.readouterr().err
    resumed = (*words, "--resume", "--patience", "2")
    assert main([*resumed, "--iterations", "200"]) == 0
    told = capsys.readouterr().err
    assert "checkpoints ago" not in told
    assert "--model run/best.blueprint\n" in told
    assert main([*resumed, "--iterations", "300"]) == 0
    assert "run/best.blueprint, 1 checkpoint ago" in capsys.readouterr().err
    (tmp_path / "run" / "best.blueprint").unlink()
    assert main([*resumed, "--iterations", "400"]) == 0
    assert json.loads((tmp_path / "run" / "best.json").read_text())["exploitability"] == 4.0


def test_iterations_end_a_run_exactly(tmp_path):
    """In all, however it was cut; nothing is left to do when it is asked for once more."""
    asked = "train", "blueprint", *RUN, "--iterations"
    for words, done in ((("50",), 50), (("123", "--resume"), 123), (("9", "--resume"), 123)):
        code, _, err = arena_here(tmp_path, *asked, *words)
        assert code == 0, err
        told = json.loads((tmp_path / "run" / "run.json").read_text())
        assert told["spent"]["iterations"] == done


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_an_interrupt_saves_everything(number, tmp_path):
    """Ctrl-C or a polite kill: exit code 130, and the command that goes on."""
    with start_arena(tmp_path, "train", "blueprint", *RUN, "--minutes", "5") as process:
        assert process.stderr is not None
        for line in process.stderr:  # the first report of progress
            if "iterations, " in line:
                break
        process.send_signal(number)
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[0].startswith("stopped; ")
    assert "Traceback" not in err
    assert "--resume" in err.splitlines()[-1]
    learned = json.loads((tmp_path / "run" / "run.json").read_text())["spent"]["iterations"]
    assert learned > 0
    words = ("--minutes", "0.001", "--resume")
    code, _, err = arena_here(tmp_path, "train", "blueprint", *RUN, *words)
    assert code == 0
    assert f" {learned:,} iterations" in err


def test_the_model_plays_a_match(trained):
    """Over TCP, in duplicate; it wins of somebody who calls everything, or loses."""
    folder, _, _ = trained
    bot = f"mine={sys.executable} -m dealer.arena agent blueprint --game leduc"
    bot += f" --model {folder / 'run' / 'model.blueprint'}"
    words = ("match", bot, "always-call", "--game", "leduc", "--hands", "5", "--out", "played")
    code, out, err = arena_here(folder, *words)
    assert code == 0, err
    assert "mine" in out
    logs = sorted((folder / "played").glob("*.log"))
    assert logs
    for log in logs:
        assert log.read_text().count("STATE:") == 5
    code, _, err = arena_here(folder, "replay", "--verify", *map(str, logs))
    assert code == 0, err


def test_a_response_is_learned_from_logs(trained):
    """It wins from who is in them; a run of one goes on without being told whom it is to."""
    folder, _, _ = trained
    words = ("match", "uniform-random", "always-call", "--game", "leduc", "--hands", "200")
    assert arena_here(folder, *words, "--in-process", "--out", "seen")[0] == 0
    asked = ("train", "blueprint", "--config", "leduc", "--workers", "1", "--out", "response")
    response = ("--respond-to", "always-call", "--logs", "seen", "--trust", "1", "--doubt", "0")
    code, _, err = arena_here(folder, *asked, *response, "--iterations", "3000")
    assert code == 0, err
    assert "in 400 hands, of which 0 hide its cards" in err
    code, _, err = arena_here(folder, *asked, "--iterations", "4000", "--resume")
    assert code == 0, err
    note = json.loads((folder / "response" / "model.json").read_text())
    assert (note["response_to"]["name"], note["iterations"]) == ("always-call", 4000)
    bot = "restrained --model response/model.blueprint"
    words = ("match", bot, "always-call", "--game", "leduc", "--hands", "100", "--out", "tested")
    code, out, err = arena_here(folder, *words, "--seed", "1", "--quiet")
    assert code == 0, err
    assert "verdict: restrained is better than always-call" in out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--respond-to", "Ann"), "want both, or neither"),
        (("--logs", "x.log"), "want both, or neither"),
        (("--respond-to", "Ann", "--logs", "x.log", "--trust", "2"), "2: want a probability"),
        (("--respond-to", "Ann", "--logs", "x.log", "--doubt", "-1"), "-1: want 0 or more"),
        (("--respond-to", "Ann", "--logs", "x.log", "--resume"), "leave --respond-to out"),
        (("--respond-to", "Ann", "--logs", "x.log"), "x.log"),
        (("--respond-to", "Ann", "--logs", "other.log"), "the config plays"),
    ],
)
def test_responses_to_nobody_are_refused(tmp_path, words, why):
    """In a line, and nothing is begun."""
    (tmp_path / "other.log").write_text("STATE:0:r10f:As|Ks:1|-1:Ann|Bob\n")
    words = [*words, "--game", "kuhn"] if "other.log" in words else words
    asked = ("train", "blueprint", *RUN, "--iterations", "10", *words)
    code, out, err = arena_here(tmp_path, *asked)
    assert (code, out) == (2, "")
    assert why in err.splitlines()[-1]
    assert "Traceback" not in err
    assert not (tmp_path / "run" / "checkpoint").exists()
