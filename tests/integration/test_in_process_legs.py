"""Legs without a dealer: the logs of compiled bots are the dealer's, to the byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.compiled.leg_player import main as leg_player
from dealer.matches.command import main as match
from dealer.tournaments.command import main as tournament


def logs_of(folder: Path) -> dict[str, bytes]:
    return {log.name: log.read_bytes() for log in sorted(folder.rglob("*.log"))}


def test_a_match_has_the_same_logs_and_result(tmp_path):
    """Played over TCP, in one process, and resumed in one process after a dealer's half."""
    words = ["O5", "x=cnn-rounds", "--seed", "7", "--quiet", "--t_hand", "-1"]
    at_dealer, alone = tmp_path / "dealer", tmp_path / "alone"
    assert match([*words, "--hands", "20", "--out", str(at_dealer)]) == 0
    assert match([*words, "--hands", "20", "--out", str(alone), "--in-process"]) == 0
    assert logs_of(at_dealer) == logs_of(alone)
    rates = [
        json.loads((folder / "result.json").read_text(encoding="utf-8"))["bots"]
        for folder in (at_dealer, alone)
    ]
    assert rates[0] == rates[1]
    longer = ["--hands", "35", "--quiet", "--in-process"]
    assert match(["--resume", str(at_dealer), *longer]) == 0
    assert match(["--resume", str(alone), *longer]) == 0
    assert logs_of(at_dealer) == logs_of(alone)
    assert all(log.count(b"STATE:") == 35 for log in logs_of(alone).values())
    assert not list(alone.glob("*.part"))


def test_in_a_tournament_pairings_with_other_bots_have_dealers(tmp_path):
    """Only those leave transaction files."""
    folder = tmp_path / "t"
    words = ["O1", "O5", "rule", "--hands", "10", "--seed", "3", "--quiet", "--in-process"]
    assert tournament([*words, "--out", str(folder)]) == 0
    acted = {log.parent.name for log in folder.rglob("*.tlog")}
    assert acted == {"O1.rule", "O5.rule"}
    assert len(logs_of(folder)) == 6


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("O1", "rule"), "rule is rule"),
        (("O1", "x=cnn --sharpness 2"), "x is cnn --sharpness 2"),
        (("O1", "listen"), "guest is somebody else"),
    ],
)
def test_who_needs_a_dealer_is_told(tmp_path, capsys, words, told):
    """Before anything is played."""
    assert match([*words, "--in-process", "--out", str(tmp_path / "m")]) == 2
    assert f"compiled bots without options, and {told}" in capsys.readouterr().err
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("game", "bot", "told"),
    [
        ("hunl", "rule", "rule is not compiled"),
        ("hunl", "nobody", "nobody"),
        ("hunl", "cnn --sharpness 2", "with options it plays at a dealer only"),
        ("kuhn", "O1", "O2 plays"),
    ],
)
def test_the_process_says_whom_it_cannot_play(capsys, game, bot, told):
    """In one line, with exit code 2 and no hand."""
    assert leg_player([game, "5", "1", "a", "1", "O2", "b", "2", bot]) == 2
    out, err = capsys.readouterr()
    assert told in err
    assert not out
