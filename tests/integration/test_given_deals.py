"""Given deals as their users meet them: real dealers, real bots, interruptions, tournaments."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from dealer.commands.match import main as play
from dealer.commands.tournament import main as play_tournament
from dealer.deals.deals_command import main as write_deals
from dealer.logs.replay import main as verify
from tests.helpers.arena import start_arena
from tests.helpers.said import says, says_in_a_line

SCRIPTED = Path(__file__).parents[1] / "helpers" / "scripted_bot.py"
CALLER = f"{sys.executable} -S -E {SCRIPTED}"
BOTS = (f"a={CALLER}", f"b={CALLER}")
FEW = "AhKd|?\n?|?/2c3c4c\ncr300c/:AsKs|QsJs/Ts9s2d\n?|?/?/?/7h\n"
"""A hand, a flop, a spot and a river."""


def cards_in(log):
    """Return hole cards and board of each hand of a log."""
    return [line.split(":")[3] for line in log.read_text().splitlines() if line[:6] == "STATE:"]


def hands_in(folder):
    return sum(len(cards_in(log)) for log in folder.glob("*.log"))


def at_work(folder):
    """Processes that work in a folder, but this one: also those that are no child of another."""
    working = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.pid != os.getpid() and process.cwd() == str(folder):
                working.append(process)
    return working


@pytest.fixture
def few(tmp_path, monkeypatch):
    """A file of four deals in the folder that the test works in."""
    monkeypatch.chdir(tmp_path)
    Path("few.deals").write_text(FEW)
    return tmp_path


def test_both_seats_play_the_given_deals_and_the_logs_prove_it(few, capsys):
    """Every bot gets each hand's cards once; what is open is the same in both legs."""
    words = ["--deals", "few.deals", "--seed", "5", "--out", "m", "--quiet"]
    assert play([*BOTS, *words]) == 0
    one, other = (cards_in(Path(f"m/a.b.0.{seating}.log")) for seating in (0, 1))
    assert one == other
    patterns = ("AhKd|", r".*\|.*/2c3c4c", r"AsKs\|QsJs/Ts9s2d", ".*/7h$")
    assert all(re.match(*pair) for pair in zip(patterns, one, strict=True))
    assert "STATE:2:cr300c/cc/cc/cc:" in Path("m/a.b.0.0.log").read_text()
    assert "few.deals" in Path("m/manifest.json").read_text()
    Path("few.deals").unlink()
    capsys.readouterr()
    assert verify(["--verify", "m"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "match.deals" in line]
    assert len(told) == 2
    for line in told:
        says(line, 4, "deals checked")
    assert json.loads(Path("m/result.json").read_text())["deals"]["deals"] == 4


@pytest.mark.slow
def test_runs_go_on_through_the_file(few):
    """Four deals in two runs are each played once from either seat."""
    words = ["--deals", "few.deals", "--runs", "2", "--out", "m", "--quiet"]
    assert play([*BOTS, *words]) == 0
    assert [len(cards_in(Path(f"m/a.b.{run}.0.log"))) for run in (0, 1)] == [2, 2]
    assert cards_in(Path("m/a.b.1.1.log"))[0].startswith("AsKs|QsJs/Ts9s2d/")
    assert verify(["--verify", "m"]) == 0


@pytest.mark.slow
def test_the_deals_of_a_seed_play_the_match_of_that_seed(tmp_path, monkeypatch):
    """Cards and chips are the same with the file, whatever the seed then is."""
    monkeypatch.chdir(tmp_path)
    assert write_deals(["--seed", "7", "--hands", "20", "--out", "d"]) == 0
    assert play([*BOTS, "--hands", "20", "--seed", "7", "--out", "seed", "--quiet"]) == 0
    assert play([*BOTS, "--deals", "d", "--seed", "99", "--out", "file", "--quiet"]) == 0
    hands = [
        [line for line in Path(folder, "a.b.0.1.log").read_text().splitlines() if line[0] != "#"]
        for folder in ("seed", "file")
    ]
    assert hands[0] == hands[1]


def test_an_interrupted_match_is_resumed_with_its_copy(tmp_path, monkeypatch, capsys):
    """Without the user's file, and not with a changed copy; the log proves that all is there."""
    monkeypatch.chdir(tmp_path)
    spots = ["cr300c/:?|?", "?|?", "c:?|?/2c3c4c"] * 50
    Path("d").write_text("".join(f"{line}\n" for line in spots))
    words = [*BOTS, "--deals", "d", "--seed", "2"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = start_arena(tmp_path, "match", *words, "--out", "m", "--jobs", "2", **quiet)
    end = time.monotonic() + 60
    while hands_in(Path("m")) < 30:
        assert time.monotonic() < end
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    while at_work(tmp_path):  # its dealers read the copy, too
        assert time.monotonic() < end + 60
        time.sleep(0.01)
    Path("d").unlink()
    assert hands_in(Path("m")) < 300
    copy = Path("m/match.deals").read_text()
    Path("m/match.deals").write_text(copy.replace("2c3c4c", "2c3c5c", 1))
    assert play(["--resume", "m", "--quiet"]) == 1
    says_in_a_line(capsys.readouterr().err, "arena match:", "m/match.deals")
    Path("m/match.deals").write_text(copy)
    assert play(["--resume", "m", "--quiet"]) == 0
    assert hands_in(Path("m")) == 300
    assert verify(["--verify", "m"]) == 0


def test_all_pairings_of_a_tournament_play_the_same_deals(few, capsys):
    """From one file in the tournament's folder; each match folder can be verified by itself."""
    bots = (*BOTS, f"c={CALLER}")
    assert play_tournament([*bots, "--deals", "few.deals", "--out", "t", "--quiet"]) == 0
    Path("few.deals").unlink()
    logs = sorted(Path("t").glob("pairings/*/*.log"))
    assert len(logs) == 6
    assert len({tuple(cards_in(log)) for log in logs}) == 1
    assert verify(["--verify", *map(str, logs)]) == 0
    says(capsys.readouterr().out, "24 of them dealt again", "0 faults")
    assert play_tournament(["--resume", "t", "--rounds", "2", "--quiet"]) == 2
    says_in_a_line(capsys.readouterr().err, "few.deals", "4 deals", "2 runs", "4 hands")
    Path("t/match.deals").write_text("?|?\n")
    assert play_tournament(["--resume", "t", "--quiet"]) == 1
    says_in_a_line(capsys.readouterr().err, "arena tournament:", "t/match.deals")
