"""`arena match` as its users meet it: real dealers, real bots, real trouble."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from math import inf
from pathlib import Path

import psutil
import pytest

from dealer.commands.match import main
from dealer.logs.replay import main as verify
from dealer.series.manifest import read_manifest
from engine.parallel.own_programs import environment
from tests.helpers.arena import start_arena
from tests.helpers.said import says, says_in_a_line

SCRIPTED = Path(__file__).parents[1] / "helpers" / "scripted_bot.py"
CALLER = f"{sys.executable} -S -E {SCRIPTED}"


def bot(label, then="call", after=0):
    """Return the BOT argument of a caller that goes wrong after so many answers."""
    return f"{label}={CALLER} --after {after} --then {then}"


OWN = """
from agents.bot import Bot
from agents.bot_command import run


class Mine(Bot):
    def act(self, view, budget):
        with open(f"{view.position}.{view.hand_id}", "a") as told:
            print(*budget, file=told)
        return view.fold()


run(Mine())
"""


def wait_for_hands(folder, hands):
    """Wait until the logs in a match folder hold so many hands."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if hands_in(folder) >= hands:
            return
        time.sleep(0.01)
    pytest.fail(f"{hands_in(folder)} hands after 30 s")


def hands_in(folder):
    return sum(path.read_text().count("STATE:") for path in folder.glob("*.log"))


def played_in(folder):
    """Return the hands of each log, by name."""
    return {
        path.name: [line for line in path.read_text().splitlines() if line.startswith("STATE:")]
        for path in folder.glob("*.log")
    }


def score_lines(folder):
    """Return the last line of each log, by name."""
    return {path.name: path.read_text().splitlines()[-1] for path in folder.glob("*.log")}


def processes_in(folder):
    """Return the command lines of living processes that work in a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and Path(process.cwd()) == folder:
                found.append(process.cmdline())
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


def left_in(folder, seconds):
    """Return what still works in a folder after so many seconds, sooner where nothing does."""
    end = time.monotonic() + seconds
    while (found := processes_in(folder)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def test_terminal_shows_a_living_line_then_the_table(tmp_path):
    """hands/s, time left and the running result; at the end everything once more in numbers."""
    master, slave = pty.openpty()
    words = [bot("a"), bot("b"), "--hands", "600", "--seed", "2", "--out", "m", "--jobs", "2"]
    process = start_arena(tmp_path, "match", *words, "--affinity", stderr=slave)
    os.close(slave)
    shown = b""
    while process.poll() is None or select.select([master], [], [], 0)[0]:
        if select.select([master], [], [], 0.1)[0]:
            try:
                shown += os.read(master, 65536)
            except OSError:  # the other end is closed
                break
    os.close(master)
    table = process.communicate(timeout=20)[0]
    assert process.returncode == 0
    pattern = rb"\r\x1b\[K[0-9,]+/1,200 hands  +[0-9]+%  [0-9,]+ hands/s  [-0-9:]+ left  a "
    assert re.search(pattern, shown), shown
    assert re.search(r"\na +\+0\.0 ± [0-9.]+ +\+0\.0 ± 0\.0 +", table), table
    assert re.search(r"\nfrom +1,200 hands +600 sets +1,200 hands +600 sets\n", table), table
    assert table.endswith("\nlogs: m\n2 of 2 legs finished\n")


@pytest.mark.parametrize(
    ("then", "options", "code", "ending", "fact"),
    [
        ("exit:3", [], 7, "crash", "out of ideas"),
        ("kill", [], 7, "crash", "SIGKILL"),
        ("close", [], 4, "disconnect", "disconnect by bad"),
        ("silent", ["--t_response", "bad=300"], 3, "timeout", "timeout by bad: ran out of time"),
        ("garbage", ["--invalid", "forfeit"], 5, "malformed", "malformed by bad"),
        ("garbage", ["--invalid", "call"], 0, "finished", "corrected: malformed"),
    ],
)
def test_bot_that_fails_ends_as_a_result(tmp_path, capsys, then, options, code, ending, fact):
    """With its name, its ending, its last words and the hands that were played."""
    arguments = [bot("good"), bot("bad", then, after=5), "--hands", "20", "--no-duplicate"]
    folder = tmp_path / "m"
    assert main([*arguments, *options, "--quiet", "--seed", "1", "--out", str(folder)]) == code
    says(capsys.readouterr().out, fact)
    result = json.loads((folder / "result.json").read_text())
    assert result["exit_code"] == code
    (leg,) = result["legs"]
    assert leg["ending"] == ending
    assert leg["bot"] == (None if ending == "finished" else "bad")
    assert leg["hands"] == (20 if ending == "finished" else 1)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_then_resume_ends_as_if_nothing_had_been(tmp_path, jobs):
    """The table of what was played, exit code 130, no process left; then the same SCORE."""
    words = [bot("a"), bot("b"), "--hands", "400", "--seed", "2"]
    assert main([*words, "--quiet", "--out", str(tmp_path / "whole")]) == 0
    folder = tmp_path / "m"
    process = start_arena(tmp_path, "match", *words, "--out", "m", "--jobs", jobs)
    wait_for_hands(folder, 50)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert re.search(r"\na +[+-][0-9.,]+ ± ", out), out
    assert re.search(r"^a\.b\.0\.0(, a\.b\.0\.1)?: interrupted$", out, re.MULTILINE), out
    says(out, "arena match --resume m\n")
    assert left_in(folder, 0) == []
    played = hands_in(folder)
    assert 50 <= played < 800
    assert main(["--resume", str(folder), "--quiet", "--jobs", "2"]) == 0
    assert hands_in(folder) == 800
    assert score_lines(folder) == score_lines(tmp_path / "whole")


def test_a_match_made_longer_is_judged_by_the_test_that_allows_it(tmp_path, capsys):
    """Its folder remembers each look; interrupted and played to its end it was looked at once."""
    folder = tmp_path / "m"
    resume = ["--resume", str(folder), "--quiet"]
    assert main([bot("A"), "always-fold", "--hands", "150", "--quiet", "--out", str(folder)]) == 0
    says(capsys.readouterr().out, "A leads", "t test")
    assert main(resume) == 0
    says(capsys.readouterr().out, "A leads", "t test")
    assert main([*resume, "--hands", "200"]) == 0
    says(capsys.readouterr().out, "not decided", "betting test", "fixed beforehand")
    told = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert told["looks"] == [300, 400]
    assert not told["verdict"]["hands_fixed_beforehand"]


def test_who_was_edited_plays_only_when_that_is_asked_for(tmp_path, capsys):
    """And the result says that two programs played under one name."""
    script, folder = tmp_path / "mine.py", tmp_path / "m"
    script.write_bytes(SCRIPTED.read_bytes())
    mine = f"mine={sys.executable} -S -E {script} --after 0 --then call"
    resume = ["--resume", str(folder), "--quiet", "--hands"]
    assert main([mine, bot("B"), "--hands", "10", "--quiet", "--out", str(folder)]) == 0
    script.write_bytes(SCRIPTED.read_bytes() + b"# edited\n")
    before = read_manifest(folder)
    capsys.readouterr()
    assert main([*resume, "20"]) == 2
    says_in_a_line(capsys.readouterr().err, "mine.py", "of mine", "--changed-bots")
    assert read_manifest(folder) == before
    assert main([*resume, "20", "--changed-bots"]) == 0
    says(capsys.readouterr().out, "mine played as several programs", "mine.py")
    told = json.loads((folder / "result.json").read_text(encoding="utf-8"))["bots"]
    assert [[len(file["earlier"]) for file in one["files"]] for one in told] == [[0, 1], [0, 0]]
    assert main([*resume, "30"]) == 0


def test_who_is_edited_during_a_match_does_not_play_its_next_leg(tmp_path, capsys):
    """One line, exit code 1; what was played is kept."""
    script, folder = tmp_path / "mine.py", tmp_path / "m"
    script.write_bytes(SCRIPTED.read_bytes() + b"open(__file__, 'a').write('# again')\n")
    mine = f"mine={sys.executable} -S -E {script} --after 0 --then call"
    words = ["--hands", "10", "--jobs", "1", "--quiet", "--out", str(folder)]
    assert main([mine, bot("B"), *words]) == 1
    says_in_a_line(capsys.readouterr().err, "mine.py", "of mine", "--changed-bots")
    assert (folder / "mine.B.0.0.log").read_text().count("\nSTATE:") == 10


def test_killed_runner_leaves_nothing_running_and_can_be_resumed(tmp_path, monkeypatch):
    """kill -9 of `arena match` itself, helpers of bots included."""
    folder = tmp_path / "m"
    (tmp_path / "bots").mkdir()
    words = [bot("a"), bot("b", f"orphan:{tmp_path}/pids"), "--hands", "400", "--seed", "2"]
    words += ["--out", "../m", "--jobs", "2", "--quiet"]
    process = start_arena(tmp_path / "bots", "match", *words)
    wait_for_hands(folder, 50)
    process.kill()
    process.communicate()
    # It waits for the old dealers, which hold the folder until they have ended.
    assert main(["--resume", str(folder), "--quiet"]) == 0
    assert hands_in(folder) == 800
    for where in (folder, tmp_path / "bots"):
        assert left_in(where, 5) == []
    # At least one helper of the killed match and one of the resumed, all of whom work there.
    assert (tmp_path / "pids").read_text().count("\n") >= 2


def test_a_match_made_longer_is_the_longer_match(tmp_path, monkeypatch):
    """Bit by bit, however its legs are played and though the longer one is killed on the way."""
    words = [bot("a"), bot("b"), "--seed", "2", "--quiet"]
    whole, folder = tmp_path / "whole", tmp_path / "m"
    assert main([*words, "--hands", "150", "--jobs", "1", "--out", str(whole)]) == 0
    assert main([*words, "--hands", "30", "--jobs", "2", "--out", str(folder)]) == 0
    longer = ["--resume", "m", "--hands", "150", "--quiet"]
    process = start_arena(tmp_path, "match", *longer)
    wait_for_hands(folder, 100)
    process.kill()
    process.communicate()
    assert read_manifest(folder) == read_manifest(whole)
    assert main(["--resume", str(folder), "--quiet", "--jobs", "3"]) == 0
    assert played_in(folder) == played_in(whole)
    assert score_lines(folder) == score_lines(whole)
    rates = [json.loads((match / "result.json").read_text())["bots"] for match in (whole, folder)]
    assert rates[0] == rates[1]
    assert verify(["--verify", *map(str, folder.glob("*.log"))]) == 0


def test_listening_bot_is_told_where_to_connect(tmp_path):
    """Also when nothing else is shown; the port is the one asked for."""
    words = ["me=listen", bot("b"), "--no-duplicate", "--hands", "5", "--quiet", "--seed", "1"]
    process = start_arena(tmp_path, "match", *words)
    line = process.stderr.readline()
    told = re.fullmatch(
        r"me: connect to 127\.0\.0\.1 port ([0-9]+) \(leg me\.b\.0\.0, seat 1\)\n", line
    )
    assert told, line
    guest = subprocess.Popen([sys.executable, "-S", "-E", SCRIPTED, "127.0.0.1", told[1]])
    out, err = process.communicate(timeout=30)
    assert guest.wait(10) == 0
    assert process.returncode == 0, err
    assert "1 of 1 legs finished" in out


def test_result_that_nobody_gets_is_an_error(tmp_path):
    """A full disk behind standard output: one line on stderr, exit code 1, the folder has it."""
    words = f'exec {sys.executable} -m dealer.arena match "$@" >/dev/full'
    arguments = [bot("a"), bot("b"), "--hands", "3", "--no-duplicate", "--quiet", "--out", "m"]
    done = subprocess.run(
        ["/bin/sh", "-c", words, "sh", *arguments],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    says(done.stderr, "arena match", "stdout", "No space", "m/result.json")
    assert json.loads((tmp_path / "m" / "result.json").read_text())["hands_played"] == 3


@pytest.mark.slow
def test_progress_says_whom_the_match_waits_for(tmp_path):
    """On a terminal all the time, until the guest is there; then the bot that does not act."""
    master, slave = pty.openpty()
    words = ["me=listen", bot("b", "silent", 3), "--no-duplicate", "--hands", "5", "--seed", "1"]
    process = start_arena(tmp_path, "match", *words, stderr=slave)
    os.close(slave)
    shown = b""

    def see(pattern):
        nonlocal shown
        end = time.monotonic() + 30
        while (told := re.search(pattern, shown)) is None and time.monotonic() < end:
            if select.select([master], [], [], 0.1)[0]:
                shown += os.read(master, 65536)
        assert told, shown
        return told

    awaited = rb"0/5 hands  waiting for me \(seat 1, port ([0-9]+)\) to connect for [0-9]+ s;"
    port = see(awaited)[1].decode()
    guest = subprocess.Popen([sys.executable, "-S", "-E", SCRIPTED, "127.0.0.1", port])
    see(rb"/5 hands  waiting for b \(seat 2, port [0-9]+\) to act in hand [0-9]+ for ")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    os.close(master)
    assert guest.wait(10) == 0
    assert process.returncode == 130
    words = r"interrupted while waiting for b \(seat 2, .*\) to act in hand .*; --t_response ends"
    assert re.search(words, out), out


def test_structured_log_is_written_where_wanted(tmp_path):
    """One file a leg, with the fate of every reply."""
    folder = tmp_path / "m"
    arguments = [bot("a"), bot("b"), "--hands", "3", "--no-duplicate", "--events", "--quiet"]
    assert main([*arguments, "--seed", "1", "--out", str(folder)]) == 0
    lines = (folder / "a.b.0.0.events.jsonl").read_text().splitlines()
    fates = [event["fate"] for event in map(json.loads, lines) if event["event"] == "reply"]
    assert fates == ["accepted"] * 24


@pytest.mark.parametrize(
    ("words", "seconds"),
    [("", (1000, 2000, 3000)), ("--t_response 500000 --t_hand -1", (500, inf, 3000))],
)
def test_a_bot_of_ones_own_knows_the_limits(tmp_path, words, seconds):
    """Those of the match and its own, from its environment; its own options win."""
    (tmp_path / "mine.py").write_text(OWN)
    bots = [f"me={sys.executable} mine.py {words}", bot("b")]
    limits = ["--t_response", "1000000", "--t_hand", "me=2000000", "--t_per_hand", "3000000"]
    process = start_arena(tmp_path, "match", *bots, "--hands", "1", "--no-duplicate", *limits)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, out + err
    (told,) = tmp_path.glob("[01].0")
    budget = tuple(map(float, told.read_text().splitlines()[0].split()))
    assert budget == pytest.approx(seconds, abs=50)


def test_the_bot_of_the_readme_plays_what_is_dealt(tmp_path, monkeypatch, capsys):
    """Limit hold'em as well: the runner tells every bot the game."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    program = re.search(r"```python\n(from agents\.bot import Bot\n.*?)```", readme, re.DOTALL)
    assert program is not None
    (tmp_path / "potbot.py").write_text(program[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    bots = ["potbot:PotBot", "always-call"]
    words = ["--game", "hulhe", "--hands", "20", "--no-duplicate", "--quiet", "--out", "m"]
    assert main([*bots, *words]) == 0
    assert "1 of 1 legs finished" in capsys.readouterr().out


def test_a_python_without_our_packages_is_told_of_the_one_that_has_them(
    tmp_path, monkeypatch, capsys
):
    """After the traceback, with the command to use."""
    other = tmp_path / "python9"
    other.write_text(
        "#!/bin/sh\necho \"ModuleNotFoundError: No module named 'agents'\" >&2\nexit 1\n",
        encoding="utf-8",
    )
    other.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    bots = ["./python9 my.py", "always-call"]
    assert main([*bots, "--hands", "5", "--no-duplicate", "--quiet", "--out", "m"]) == 7
    assert "python my.py' would run the bot with it" in capsys.readouterr().out
