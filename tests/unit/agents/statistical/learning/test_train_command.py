"""`arena train statistical` in one process: folders, tables, errors."""

import json

import numpy as np
import pytest

from agents.statistical.learning import train_command
from agents.statistical.learning.train_command import main
from agents.statistical.predicting.model_files import MODEL_CLASS_OF_KIND, file_name
from protocol.gamedefs import load_builtin
from tests.helpers.random_logs import random_log

HANDS = 60
COMMON = ("--logs", "some.log", "--game", "hunl", "--seed", "3", "--held-out", "0.3")
QUICK = {
    "ann": ("--hidden", "4", "--epochs", "3"),
    "tree": ("--leaf", "20", "--gain", "0.05"),
    "types": ("--window", "2"),
    "curves": (),
    "sequences": (),
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
    elif kind in ("curves", "sequences"):
        assert told["evaluation"]["hands"] == {"learned": 42, "held_out": 18}
        assert told["evaluation"]["showdowns"] >= 2
        assert "ramps" in told["evaluation"]["nats_above_uniform"]
        assert "18 hands held out" in shown.out
    else:
        assert "18 hands held out" in shown.out
        assert ("strength of the hand" in shown.out) == (kind == "tree")
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
        (("types", "--logs", "some.log", "none.log"), "none.log: No such file"),
        (("types", "--logs", "empty"), "empty: no log in"),
        (("types", *COMMON, "--window", "500"), "0 times 500 hands of a player in the 42"),
        (("types", *COMMON[:-1], "0.97", "--window", "2"), "a smaller --held-out or --window"),
        (("types", *COMMON, "--logs", "one.log", "--window", "1"), "ways to play: too few"),
        (("types", *COMMON, "--held-out", "0.001"), "60 hands are too few to hold out a share of"),
        (("curves", *COMMON, "--held-out", "0.001"), "too few to hold out a share of 0.001"),
        (("types", *COMMON, "--held-out", "0.9999"), "to hold out 0.9999 and learn from some"),
        (("curves", *COMMON, "--held-out", "0.95"), "are too few for curves: want 100"),
        (("types", *COMMON, "--others", "none.log"), "none.log: No such file"),
        (("types", *COMMON, "--game", "hulhe"), "some.log:2: r"),
        (("curves", "--logs", "none.log"), "none.log: No such file"),
        (("types", *COMMON, "--out", "taken"), "taken: "),
        (("types", *COMMON, "--out", "taken/below"), "taken/below: "),
        (("types", *COMMON, "--out", "full"), "full/types.model: "),
    ],
)
def test_logs_and_settings_that_do_not_do_are_told(words, complaint, folder, monkeypatch, capsys):
    """In one line, with exit code 2; a run folder is made once the logs are found."""
    monkeypatch.chdir(folder)
    (folder / "taken").write_text("")
    for name in ("empty", "full/types.model"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    before = set(folder.iterdir())
    assert main((words[0], "--out", "run", *words[1:])) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("arena train statistical: ")
    assert complaint in last
    assert "No such file" not in complaint or set(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("kind", "stopped", "kept"),
    [
        ("types", "train_predictor", ["decisions.data"]),
        ("types", "cached_decisions", []),
        ("curves", "one_game", []),
    ],
)
def test_ctrl_c_keeps_the_decisions(kind, stopped, kept, folder, monkeypatch, capsys):
    """Once there are some, and says so; exit code 130, and no model."""
    monkeypatch.chdir(folder)

    def stop(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(train_command, stopped, stop)
    out = f"stopped-{stopped}"
    assert main((kind, *COMMON, "--out", out)) == 130
    last = capsys.readouterr().err.splitlines()[-1]
    assert (f"{out}/decisions.data" if kept else "begins anew") in last
    assert [path.name for path in (folder / out).glob("[!.]*")] == kept


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
