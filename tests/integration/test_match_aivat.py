"""`arena match --aivat`: real dealers and bots, with the program that estimates beside them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from agents.aivat.aivat_command import main as aivat
from dealer.commands.match import main as play
from dealer.errors import MatchError
from tests.helpers.said import says_in_a_line

SCRIPTED = Path(__file__).parents[1] / "helpers" / "scripted_bot.py"
CALLER = f"{sys.executable} -S -E {SCRIPTED}"
BOTS = (f"a={CALLER}", f"b={CALLER}")


@pytest.fixture
def in_this_process(monkeypatch, capsys):
    """Estimates are made as the program makes them, in this process, once the match is over."""

    def estimate_beside(places, game, words, jobs, *, shown):
        words = [*map(str, places), "--game", str(game), *words, "--jobs", "1"]
        if aivat(["beside", *words]):
            raise MatchError(f"no AIVAT: {capsys.readouterr().err.splitlines()[-1]}")

    monkeypatch.setattr("dealer.results.aivat.estimate_beside", estimate_beside)
    monkeypatch.setattr("dealer.results.aivat.AivatFollower", lambda *_: Mock())


def result_of(folder):
    return json.loads((folder / "result.json").read_text(encoding="utf-8"))


def test_the_result_has_aivat_beside_the_other_estimators(tmp_path, capsys):
    """By hand and in sets, with what it depends on."""
    folder = tmp_path / "m"
    words = ["--seed", "5", "--out", str(folder), "--quiet"]
    assert play([*BOTS, "--hands", "2", *words, "--aivat"]) == 0
    assert "AIVAT in sets" in capsys.readouterr().out
    result = result_of(folder)
    assert result["aivat"]["known"] == {}
    assert len(result["aivat"]["values"]) == 64
    assert result["bots"][0]["win_rates"]["aivat"]["samples"] == 4


@pytest.mark.slow
def test_a_longer_match_estimates_what_is_new(tmp_path, capsys):
    """With a file damaged, too; it comes to what all hands estimated at once come to."""
    folder = tmp_path / "m"
    words = ["--seed", "5", "--out", str(folder), "--quiet"]
    assert play([*BOTS, "--hands", "3", *words, "--aivat"]) == 0
    beside = folder / "a.b.0.1.aivat"
    beside.write_text(beside.read_text()[:-10])
    assert play(["--resume", str(folder), "--hands", "5", "--quiet", "--aivat"]) == 0
    capsys.readouterr()
    rates = result_of(folder)["bots"][0]["win_rates"]
    assert rates["aivat"]["samples"] == 10
    assert rates["aivat_sets"]["samples"] == 5
    out = tmp_path / "h.csv"
    chips = []
    for log in sorted(folder.glob("*.log")):
        assert aivat(["hands", str(log), "--out", str(out), "--jobs", "1"]) == 0
        rows = [line.split(",") for line in out.read_text().splitlines()[2:]]
        chips += [float(row[7]) * (1 if row[2] == "a" else -1) for row in rows]
    assert rates["aivat"]["mbb_per_hand"] == pytest.approx(10 * sum(chips) / 10, abs=1e-3)
    others = ["--resume", str(folder), "--quiet", "--aivat", "--values", "checked-down"]
    assert play(others) == 0
    assert result_of(folder)["aivat"]["values"] == "checked-down"
    assert result_of(folder)["bots"][0]["win_rates"]["aivat"] != rates["aivat"]


@pytest.mark.usefixtures("in_this_process")
def test_without_estimates_the_match_has_its_result(tmp_path, capsys):
    """A bot that is not what it is said to be: a line says it, and the exit code is the match's."""
    folder = tmp_path / "m"
    words = ["--hands", "2", "--seed", "5", "--out", str(folder), "--quiet"]
    assert play([*BOTS, *words, "--aivat", "--known", "a=always-fold"]) == 0
    said = capsys.readouterr()
    says_in_a_line(said.err, "arena match:", "AIVAT", "a", "always-fold")
    assert "AIVAT" not in said.out
    assert "aivat" not in result_of(folder)["bots"][0]["win_rates"]


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("hidden", [False, True])
def test_who_sits_in_is_compared_by_aivat_where_the_log_shows_all_cards(tmp_path, capsys, hidden):
    """Else a line says why not, and the difference is what it was."""
    theirs = "" if hidden else "AcKc"
    log, folder = tmp_path / "log", tmp_path / "m"
    log.write_text(
        f"STATE:0:r300f:3d2d|{theirs}:-100|100:Ann|Bob\n"
        f"STATE:1:r300f:{theirs}|3d2d:-100|100:Bob|Ann\n"
    )
    words = ["--sit-in", str(log), "Ann", "--game", "hunl", "--in-process", "--aivat"]
    assert play(["always-call", "always-fold", *words, "--quiet", "--out", str(folder)]) == 0
    said = capsys.readouterr()
    result = result_of(folder)
    assert ("aivat" in result["sit_in"]["paired_differences"]) is not hidden
    assert "raw" in result["sit_in"]["paired_differences"]
    assert result["bots"][0]["win_rates"]["aivat"]["samples"] == 2
    assert ("sit-in.log:1: " in said.err) is hidden
    assert ("AIVAT, hand by hand" in said.out) is not hidden
