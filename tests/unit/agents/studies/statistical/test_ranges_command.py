"""`arena statistical ranges` at the shell."""

import json
import re

import pytest

from agents.statistical.learning import range_quality
from agents.studies.pool import contestants
from agents.studies.statistical.command import main

SHOWN = "STATE:{}:r300c/cr600c/cc/cr1800c:AdQc|KhKd/3h4cJh/Ks/9c:-2100|2100:one|two\n"
FOLDED = "STATE:{}:r300f:7c2d|AhAd:-100|100:two|one\n"


@pytest.fixture
def log(tmp_path):
    """A log of seven hands without a header, four of them shown."""
    path = tmp_path / "match.log"
    lines = [(SHOWN, FOLDED)[number % 2].format(number) for number in range(7)]
    path.write_text("".join(lines))
    return path


def test_the_last_showdowns_are_scored(log, tmp_path, capsys):
    """The hands before them are learnt from; text and JSON tell the same."""
    file = tmp_path / "ranges.json"
    argv = ["ranges", str(log), "--game", "hunl", "--showdowns", "3", "--json", str(file)]
    assert main(argv) == 0
    out = capsys.readouterr().out
    data = json.loads(file.read_text())
    assert (data["hands"], data["learnt_from"], data["showdowns"]) == (7, 2, 3)
    assert re.search(r"\b3 showdowns\b.*\b2 hands\b", out)
    value, half_width = data["models"]["own counters"]["above_uniform"]
    assert f"{value:+.4f} ± {half_width:.4f}" in out


def test_all_are_scored_where_there_are_no_more(log, capsys):
    """And it is said."""
    assert main(["ranges", str(log), "--game", "hunl"]) == 0
    assert "both hands of 4 showdowns, all there are" in capsys.readouterr().out


def test_the_pool_is_played(monkeypatch, capsys):
    """Every pair of it."""
    bots = contestants.find_contestants(["O2", "O5", "O8"])
    monkeypatch.setattr(contestants, "all_contestants", lambda: bots)
    assert main(["ranges", "--pool", "--hands", "6", "--showdowns", "4"]) == 0
    out = capsys.readouterr().out
    assert "18 hands, 3 players" in out
    assert "own counters" in out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "name logs or --pool ("),
        (["LOG", "--pool"], "name logs or --pool, not both"),
        (["LOG"], "no header names the game"),
        (["LOG", "--game", "hunl", "--showdowns", "0"], "--showdowns: 0: want"),
        (["none.log"], "No such file"),
        (["--pool", "--game", "kuhn"], ""),
    ],
)
def test_bad_arguments(argv, message, log, capsys):
    """One line, exit code 2."""
    try:
        code = main(["ranges", *(str(log) if word == "LOG" else word for word in argv)])
    except SystemExit as left:
        code = left.code
    err = capsys.readouterr().err
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SHOWN.format(8).replace("cr1800c:", "cr1800:"), "the hand is not over"),
        (SHOWN.format(8).replace("KhKd", ""), "a showdown hides a hand"),
        (SHOWN.format(8).replace("KhKd", "KhKs"), "a card is dealt twice"),
        ("# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 1 1\n", "the header names"),
    ],
)
def test_bad_hands_are_told_with_file_and_line(text, message, log, capsys):
    """One line, exit code 2."""
    log.write_text(log.read_text() + text)
    assert main(["ranges", str(log), "--game", "hunl"]) == 2
    err = capsys.readouterr().err
    assert f"{log}:8: {message}" in err
    assert err.count("\n") == 1


def test_folders_are_taken(log, capsys):
    """As `arena train statistical` takes them."""
    assert main(["ranges", str(log.parent), "--game", "hunl"]) == 0
    assert "both hands of 4 showdowns" in capsys.readouterr().out


def test_ctrl_c_is_told(log, monkeypatch, capsys):
    """In a line, exit code 130."""

    def stop(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(range_quality, "score_ranges", stop)
    assert main(["ranges", str(log), "--game", "hunl"]) == 130
    assert capsys.readouterr().err.startswith("arena statistical: stopped")


def test_a_log_without_showdowns(tmp_path, capsys):
    """There is nothing to score."""
    path = tmp_path / "match.log"
    path.write_text(FOLDED.format(0))
    assert main(["ranges", str(path), "--game", "hunl"]) == 2
    assert "0 showdowns: want 2 or more" in capsys.readouterr().err
