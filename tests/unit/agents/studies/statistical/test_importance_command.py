"""`arena statistical importance` at the shell."""

import json

import pytest

from agents.statistical.predicting.model_files import load_shipped
from agents.studies.statistical import input_importance
from agents.studies.statistical.command import main
from agents.training.logs import source_of

SHOWN = "STATE:{}:r300c/cr600c/cc/cr1800c:AdQc|KhKd/3h4cJh/Ks/9c:-1800|1800:one|two\n"
FOLDED = "STATE:{}:r300f:7c2d|AhAd:-100|100:two|one\n"


@pytest.fixture
def log(tmp_path):
    """A log of twenty hands without a header."""
    path = tmp_path / "match.log"
    path.write_text("".join((SHOWN, FOLDED)[number % 2].format(number) for number in range(20)))
    return path


def test_text_and_numbers(log, tmp_path, capsys):
    """Of a quarter of the hands, the same for the same seed."""
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file in files:
        argv = ["importance", str(log), "--game", "hunl", "--held-out", ".25", "--repeats", "3"]
        assert main([*argv, "--seed", "4", "--json", str(file)]) == 0
    out, err = capsys.readouterr()
    assert "decisions in 5 hands held out" in out
    assert "flop, turn, river" in out
    assert "was trained with other logs than these" in err
    assert err.count("\n") == 2
    data = json.loads(files[0].read_text())
    assert data == json.loads(files[1].read_text())
    assert (data["hands"], data["repeats"], data["seed"]) == (5, 3, 4)
    increases = [one["increase"] for one in data["features"]]
    assert increases == sorted(increases, reverse=True)


def test_hands_that_were_learned_from_are_told(log, tmp_path, capsys):
    """Where the network's logs are these, but not the hands that it held out."""
    network = load_shipped("ann")
    network.provenance.update(source_of([log], None), held_out=0.5, seed=3)
    path = tmp_path / "ann.model"
    network.save(path)
    argv = ["importance", str(log), "--game", "hunl", "--predictor", str(path), "--repeats", "1"]
    assert main(argv) == 0
    assert "--held-out 0.5 --seed 3" in capsys.readouterr().err
    assert main([*argv, "--held-out", ".5", "--seed", "3"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "name logs or --pool ("),
        (["LOG", "--held-out", "1"], "--held-out: 1: want a number between 0 and 1"),
        (["LOG", "--repeats", "0"], "--repeats"),
        (["LOG", "--predictor", "none"], "predictor 'none': want counters, ann"),
        (["LOG", "--held-out", ".01"], "20 hands are too few to hold out a share of 0.01"),
        (["none.log"], "No such file"),
    ],
)
def test_bad_arguments(argv, message, log, capsys):
    """One line, exit code 2."""
    words = [str(log) if word == "LOG" else word for word in argv]
    try:
        code = main(["importance", *words, "--game", "hunl"])
    except SystemExit as left:
        code = left.code
    err = capsys.readouterr().err
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_ctrl_c_is_told(log, monkeypatch, capsys):
    """In a line, exit code 130."""

    def stop(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(input_importance, "importances", stop)
    assert main(["importance", str(log), "--game", "hunl"]) == 130
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("arena statistical: stopped")
