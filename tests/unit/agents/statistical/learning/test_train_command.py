"""`arena train statistical` in one process: folders, tables, errors."""

import json
import re

import numpy as np
import pytest

from agents.statistical.learning import train_command
from agents.statistical.learning.train_command import main
from agents.statistical.predicting.model_files import MODEL_CLASS_OF_KIND, file_name, load_shipped
from protocol.gamedefs import load_builtin
from tests.helpers.random_logs import random_log
from tests.helpers.said import says_in_a_line

HANDS = 60
COMMON = ("--logs", "some.log", "--game", "hunl", "--seed", "3", "--held-out", "0.3")
QUICK = {
    "ann": ("--hidden", "4", "--epochs", "3"),
    "types": ("--window", "2"),
    "curves": (),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a log, and with its decisions once one test has made them."""
    folder = tmp_path_factory.mktemp("statistical")
    lines = random_log(load_builtin("hunl"), 5, HANDS, np.random.default_rng(5))
    (folder / "some.log").write_text("\n".join(lines) + "\n")
    folded = [f"STATE:{number}:f:2c7d|AsAh:-50|50:Bob|Ann" for number in range(HANDS)]
    (folder / "one.log").write_text("\n".join(folded) + "\n")
    return folder


@pytest.mark.parametrize("kind", MODEL_CLASS_OF_KIND)
def test_every_kind_is_trained_saved_and_measured(kind, folder, monkeypatch, capsys):
    """Model, provenance and table; a second run gives the same bytes."""
    if kind == "ann":
        pytest.importorskip("torch")
    monkeypatch.chdir(folder)
    argv = [kind, *COMMON, *QUICK[kind], "--out", "run"]
    assert main(argv) == 0
    shown = capsys.readouterr()
    assert f"{HANDS} hands" in shown.err
    path = folder / "run" / file_name(kind)
    model = MODEL_CLASS_OF_KIND[kind].load(path)
    assert model.provenance["seed"] == 3
    ((name, digest),) = model.provenance["logs"]
    assert (name, len(digest)) == ("some.log", 64)
    told = json.loads(path.with_suffix(".json").read_text())
    assert told["command"] == f"arena train statistical {' '.join(argv)}"
    if kind == "types":
        assert "trapper" in shown.out
        assert sum(told["evaluation"]["shares"].values()) == pytest.approx(1)
    elif kind == "curves":
        assert told["evaluation"]["hands"] == {"learned": 42, "held_out": 18}
        assert told["evaluation"]["showdowns"] >= 2
        assert "ramps" in told["evaluation"]["nats_above_uniform"]
        assert "18 hands held out" in shown.out
    else:
        assert "18 hands held out" in shown.out
        low, high = told["evaluation"]["frequencies"]["log_loss"][1:]
        assert 0 < low < high
    first = path.read_bytes()
    assert main(argv) == 0
    again = capsys.readouterr()
    assert path.read_bytes() == first
    assert again.out == shown.out
    assert "hand strengths" not in again.err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("types", "--logs", "none.log"), "none.log: No such file"),
        (("types", *COMMON, "--window", "500"), "0 times 500 hands of a player in the 42"),
        (("types", *COMMON[:-1], "0.97", "--window", "2"), "a smaller --held-out or --window"),
        (
            ("types", "--logs", "one.log", "--game", "hunl", "--window", "1"),
            "ways to play: too few",
        ),
        (
            ("types", *COMMON, "--held-out", "0.001"),
            "60 hands are too few to hold out a share of 0.001",
        ),
        (("curves", *COMMON, "--held-out", "0.001"), "too few to hold out a share of 0.001"),
        (("types", *COMMON, "--held-out", "0.9999"), "to hold out 0.9999 and learn from some"),
        (("curves", *COMMON, "--held-out", "0.95"), "are too few for curves: want 100"),
        (("types", *COMMON, "--others", "none.log"), "none.log: No such file"),
        (("types", *COMMON, "--game", "hulhe"), "some.log:2: r"),
        (("curves", "--logs", "none.log"), "none.log: No such file"),
    ],
)
def test_logs_and_settings_that_do_not_do_are_told(words, complaint, folder, monkeypatch, capsys):
    """In one line, with exit code 2."""
    monkeypatch.chdir(folder)
    assert main((*words, "--out", "run")) == 2
    assert complaint in capsys.readouterr().err.splitlines()[-1]


def test_ctrl_c_keeps_the_decisions(folder, monkeypatch, capsys):
    """Exit code 130, no model; and it is said that they are there."""
    monkeypatch.chdir(folder)

    def stop(kind, work):
        raise KeyboardInterrupt

    monkeypatch.setattr(train_command, "train_predictor", stop)
    assert main(("types", *COMMON, "--out", "stopped")) == 130
    assert "stopped/decisions.data" in capsys.readouterr().err
    assert [path.name for path in (folder / "stopped").iterdir()] == ["decisions.data"]


@pytest.mark.parametrize("kind", ["types", "curves"])
def test_ctrl_c_while_logs_are_read_keeps_nothing(kind, folder, monkeypatch, capsys):
    """And nothing else is said, whatever an earlier run has left."""
    monkeypatch.chdir(folder)

    def stop(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(train_command, "cached_decisions", stop)
    monkeypatch.setattr(train_command, "one_game", stop)
    assert main((kind, *COMMON, "--out", "stopped")) == 130
    assert "stopped" in capsys.readouterr().err.splitlines()[-1]


def test_a_place_for_the_model_is_sure_before_the_work(folder, monkeypatch, capsys):
    """No file where the folder goes, no folder where a file goes; nothing is read."""
    monkeypatch.chdir(folder)
    (folder / "taken").write_text("")
    (folder / "full" / "types.model").mkdir(parents=True)
    refused = {
        "taken": r"taken: .* folder",
        "taken/below": "taken/below: .*",
        "full": r"full/types\.model: .* file",
    }
    for out, complaint in refused.items():
        assert main(("types", *COMMON, "--out", out)) == 2
        says = capsys.readouterr().err
        assert re.fullmatch(f"arena train statistical: {complaint}\n", says)


def test_the_run_folder_is_told_once_the_logs_are_found(folder, monkeypatch, capsys):
    """Before that it is not even made."""
    monkeypatch.chdir(folder)
    assert main(("types", "--logs", "some.log", "none.log", "--out", "new")) == 2
    says_in_a_line(capsys.readouterr().err, "arena train statistical: none.log")
    assert not (folder / "new").exists()


def test_there_are_only_these_kinds():
    """Asking for another one is an error."""
    with pytest.raises(ValueError, match="'songs'"):
        load_shipped("songs")


def test_types_of_strangers_are_told(folder, monkeypatch, capsys):
    """Players of --others who are not learned from; logs may be folders."""
    monkeypatch.chdir(folder)
    (folder / "logs").mkdir()
    (folder / "logs" / "one.log").write_text((folder / "some.log").read_text())
    random, game = np.random.default_rng(6), load_builtin("hunl")
    lines = random_log(game, 6, HANDS, random, names=("Xaver", "Yvonne"))
    (folder / "strangers.log").write_text("\n".join(lines) + "\n")
    words = ["types", "--logs", "logs", *COMMON[2:], "--window", "2", "--out", "strangers"]
    assert main([*words, "--others", "strangers.log"]) == 0
    shown = capsys.readouterr().out
    told = json.loads((folder / "strangers" / "types.json").read_text())["evaluation"]
    assert set(told["strangers"]) == {"Xaver", "Yvonne"}
    assert HANDS // 3 < sum(told["strangers"]["Xaver"]) <= HANDS // 2
    assert "Xaver" in shown.partition("not learned from")[2]
    assert " -0.00" not in shown
    assert main([*words, "--others", "some.log"]) == 0
    shown = capsys.readouterr().out
    assert "none" in (last := shown.splitlines()[-1])
    assert "--others" in last
    (folder / "strangers.log").write_text("\n".join(lines[:2]) + "\n")
    assert main([*words, "--others", "strangers.log"]) == 0
    assert "none of 2 played 2 hands" in capsys.readouterr().out.splitlines()[-1]


def test_a_folder_without_logs_is_refused(tmp_path, capsys):
    """With its name."""
    assert main(["types", "--logs", str(tmp_path), "--out", str(tmp_path / "run")]) == 2
    says_in_a_line(capsys.readouterr().err, f"arena train statistical: {tmp_path}: no log in")
