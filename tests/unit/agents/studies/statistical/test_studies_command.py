"""`arena statistical categories`, `bets` and `sequences` at the shell."""

import json

import pytest

from agents.studies.pool import contestants
from agents.studies.statistical import hand_studies, studies_command
from agents.studies.statistical.category_study import CategoryStudy
from agents.studies.statistical.command import main

SHOWN = "STATE:{}:r300c/cr600c/cc/cr1800c:AdQc|KhKd/3h4cJh/Ks/9c:-1800|1800:one|two\n"
FOLDED = "STATE:{}:r300f:7c2d|AhAd:-100|100:two|one\n"
REPORTS = ("categories", "bets", "sequences")
EACH_REPORT = pytest.mark.parametrize("report", REPORTS)


@pytest.fixture
def log(tmp_path):
    """A log of seven hands without a header."""
    path = tmp_path / "match.log"
    path.write_text("".join((SHOWN, FOLDED)[number % 2].format(number) for number in range(7)))
    return path


@pytest.mark.parametrize(
    ("report", "told"),
    [
        ("categories", "high card"),
        ("bets", "raise, pots"),
        ("sequences", "bits about the strength"),
    ],
)
def test_text_and_numbers(report, told, log, tmp_path, capsys):
    """A table on stdout, the numbers in a file."""
    file = tmp_path / "found.json"
    argv = [report, str(log), "--game", "hunl", "--jobs", "1", "--json", str(file)]
    assert main(argv) == 0
    out = capsys.readouterr().out
    assert "; 7 hands, 2 players\n" in out
    assert told in out
    data = json.loads(file.read_text())
    assert (data["hands"], data["players"], data["complete"]) == (7, 2, True)


def test_numbers_of_a_log(log, capsys):
    """Queen high never wins against kings; four of the seven hands are shown."""
    assert main(["categories", str(log), "--game", "hunl", "--jobs", "1", "--json"]) == 0
    river = json.loads(capsys.readouterr().out)["streets"]["river"]
    assert [(one["category"], one["hands"], one["won"]) for one in river] == [
        ("high card", 4, 0.0),
        ("three of a kind", 4, 1.0),
    ]
    assert [one["mbb_per_hand"] for one in river] == [-18000, 18000]


def test_bins_of_sequences(log, capsys):
    """As many as asked for."""
    argv = ["sequences", str(log), "--game", "hunl", "--jobs", "1", "--json", "--bins", "20"]
    assert main(argv) == 0
    flop = json.loads(capsys.readouterr().out)["streets"]["flop"]
    assert flop["sequences"] == ["cc", "r", "others"] or flop["sequences"] == ["cc", "cr", "others"]
    assert len(flop["counts"]) == 20


def test_the_pool_is_played(monkeypatch, capsys):
    """Every pair of it."""
    bots = contestants.find_contestants(["O2", "O5", "O8"])
    monkeypatch.setattr(contestants, "all_contestants", lambda: bots)
    argv = ["categories", "--pool", "--hands", "6", "--game", "hulhe", "--jobs", "1"]
    assert main(argv) == 0
    assert "18 hands, 3 players" in capsys.readouterr().out


@EACH_REPORT
@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "name logs or --pool ("),
        (["LOG"], "no header names the game"),
        (["LOG", "--pool"], "name logs or --pool, not both"),
        (["none.log"], "No such file"),
        (["--pool", "--game", "kuhn"], ""),
        (["LOG", "--game", "hunl", "--jobs", "0"], "--jobs"),
    ],
)
def test_bad_arguments(report, argv, message, log, capsys):
    """One line, exit code 2."""
    try:
        code = main([report, *(str(log) if word == "LOG" else word for word in argv)])
    except SystemExit as left:
        code = left.code
    err = capsys.readouterr().err
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_a_hidden_hand_is_told(log, capsys):
    """With file and line, exit code 2."""
    log.write_text(log.read_text() + SHOWN.format(7).replace("KhKd", ""))
    assert main(["categories", str(log), "--game", "hunl", "--jobs", "1"]) == 2
    assert f"{log}:8: a showdown hides a hand" in capsys.readouterr().err


def test_ctrl_c_keeps_what_was_counted(log, monkeypatch, capsys):
    """It is shown, and told to be incomplete; exit code 130."""

    def interrupted(study, logged, jobs):
        yield CategoryStudy(3)
        raise KeyboardInterrupt

    monkeypatch.setattr(hand_studies, "study_hands", interrupted)
    assert main(["categories", str(log), "--game", "hunl", "--json"]) == 130
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert (data["hands"], data["complete"]) == (3, False)
    assert "stopped after 3 of 7 hands" in err


def test_ctrl_c_while_reading(log, monkeypatch, capsys):
    """There is nothing to show; exit code 130."""

    def stop(options):
        raise KeyboardInterrupt

    monkeypatch.setattr(studies_command, "source_hands", stop)
    assert main(["bets", str(log)]) == 130
    assert capsys.readouterr().err.startswith("arena statistical: stopped")
