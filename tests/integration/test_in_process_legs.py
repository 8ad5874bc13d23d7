"""Legs without a dealer: the logs are the dealer's, to the byte."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

from agents.roster.leg_player import answer
from dealer.commands.match import main as match
from dealer.commands.tournament import main as tournament
from dealer.plan.match_plan import MatchPlan, Records, SeatPlan
from dealer.plan.plan_documents import plan_document
from engine.parallel.own_programs import environment
from protocol.gamedefs import builtin_path
from tests.helpers.interpreter import INTERPRETER
from tests.helpers.said import says_in_a_line


def logs_of(folder: Path) -> dict[str, bytes]:
    return {log.name: log.read_bytes() for log in sorted(folder.rglob("*.log"))}


def test_a_match_has_the_same_logs_and_result(tmp_path):
    """Played over TCP, in one process, and resumed in one process after a dealer's half."""
    words = ["O5", "x=cnn --sharpness 2", "--seed", "7", "--quiet", "--t_hand", "-1"]
    at_dealer, alone = tmp_path / "dealer", tmp_path / "alone"
    in_process = ["--in-process", "--jobs", "1"]
    assert match([*words, "--hands", "10", "--out", str(at_dealer)]) == 0
    assert match([*words, "--hands", "10", "--out", str(alone), *in_process]) == 0
    assert logs_of(at_dealer) == logs_of(alone)
    rates = [
        json.loads((folder / "result.json").read_text(encoding="utf-8"))["bots"]
        for folder in (at_dealer, alone)
    ]
    assert rates[0] == rates[1]
    longer = ["--hands", "15", "--quiet", *in_process]
    assert match(["--resume", str(at_dealer), *longer]) == 0
    assert match(["--resume", str(alone), *longer]) == 0
    assert logs_of(at_dealer) == logs_of(alone)
    assert all(log.count(b"STATE:") == 15 for log in logs_of(alone).values())
    assert not list(alone.glob("*.part"))


def test_bots_that_are_not_compiled_have_the_same_logs_too(tmp_path):
    """One that learns, and one that plays by rules; one process plays all legs."""
    words = ["rule", "exploiter", "--hands", "12", "--seed", "3", "--quiet"]
    at_dealer, alone = tmp_path / "dealer", tmp_path / "alone"
    assert tournament([*words, "--out", str(at_dealer)]) == 0
    assert tournament([*words, "--out", str(alone), "--in-process"]) == 0
    assert logs_of(at_dealer) == logs_of(alone)
    assert len(logs_of(alone)) == 2
    ledgers = [
        sorted((one / "ledger.jsonl").read_text().splitlines()) for one in (at_dealer, alone)
    ]
    assert ledgers[0] == ledgers[1]


def test_more_than_two_play_in_one_process(tmp_path):
    """Their legs are the dealer's as well."""
    words = ["rule", "always-call", "biased-random", "--game", "limit3", "--hands", "10"]
    folders = tmp_path / "dealer", tmp_path / "alone"
    for folder, more in zip(folders, ([], ["--in-process"]), strict=True):
        assert match([*words, "--seed", "3", "--quiet", "--out", str(folder), *more]) == 0
    assert logs_of(folders[0]) == logs_of(folders[1])
    assert len(logs_of(folders[1])) == 3


@pytest.mark.slow
def test_in_a_tournament_pairings_with_other_bots_have_dealers(tmp_path):
    """Only those leave transaction files."""
    folder = tmp_path / "t"
    words = ["O1", "O5", f"x={sys.executable} -m agents O3", "--hands", "10", "--quiet"]
    assert tournament([*words, "--in-process", "--out", str(folder)]) == 0
    acted = {log.parent.name for log in folder.rglob("*.tlog")}
    assert acted == {"O1.x", "O5.x"}
    assert len(logs_of(folder)) == 6


def test_a_bot_that_does_not_play_a_game_of_the_users_ends_the_match(tmp_path, capsys):
    """In one line, with its own words, and without a trace."""
    game = tmp_path / "mine.game"
    text = builtin_path("hunl").read_text(encoding="utf-8")
    game.write_text(text.replace("20000 20000", "30000 30000"), encoding="utf-8")
    words = ["blueprint", "O1", "--game", str(game), "--in-process", "--hands", "5"]
    assert match([*words, "--out", str(tmp_path / "m"), "--quiet"]) == 2
    says_in_a_line(capsys.readouterr().err, "blueprint", 20, 250, 300)
    assert not (tmp_path / "m").exists()


def asked(tmp_path, bots=("O1", "O5"), game="hunl"):
    """Return a request for a leg."""
    seats = tuple(SeatPlan(name) for name in "ab"[: len(bots)])
    path = str(builtin_path(game)) if game in ("hunl", "kuhn") else game
    plan = MatchPlan("leg", path, 3, 1, seats, Records(str(tmp_path / "leg.log")))
    files = {name: str(tmp_path / f"leg.{name}") for name in ("errors", "turn")}
    Path(files["turn"]).write_bytes(bytes(1))
    words = [{"bot": bot, "seed": seed} for seed, bot in enumerate(bots, 1)]
    return {"plan": plan_document(plan), "bots": words} | files


@pytest.mark.parametrize(
    ("changes", "ending", "told"),
    [
        ({"bots": ("nobody", "nobody")}, "refused", "nobody"),
        ({"bots": ("O1", "cnn --sized 2")}, "refused", "sized 2"),
        ({"game": "kuhn"}, "refused", "O1 plays"),
        ({"bots": ("rule",)}, "failed", "1 players"),
        ({"game": "none.game"}, "failed", "none.game"),
    ],
)
def test_the_process_says_what_it_cannot_play(tmp_path, changes, ending, told):
    """And plays the next leg."""
    said = answer(asked(tmp_path, **changes))
    assert said["ending"] == ending
    assert not (tmp_path / "leg.errors").exists()
    assert told in said["why"]
    assert answer(asked(tmp_path)) == {"ending": "played"}
    assert (tmp_path / "leg.log").read_text().count("STATE:") == 3


def test_a_bot_that_raises_costs_its_leg_alone(tmp_path, monkeypatch):
    """With the traceback for whoever mends it."""

    def broken(self, view):
        raise ZeroDivisionError("no cards")

    monkeypatch.setattr("agents.baselines.always_call.AlwaysCall.act", broken)
    said = answer(asked(tmp_path, ("always-call",) * 2))
    assert (said["ending"], said["why"]) == ("failed", "ZeroDivisionError: no cards")
    assert "in broken" in (tmp_path / "leg.errors").read_text()


def test_what_a_class_started_is_ended(tmp_path):
    """Also what has a session of its own, when the class ended its process."""
    nap = ["sleep", f"6{os.getpid()}"]
    source = f"""
import os, subprocess
from agents.bot import Bot
class Starter(Bot):
    def act(self, view):
        subprocess.Popen({nap!r}, start_new_session=True)
        os._exit(3)
"""
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    words = ["mine:Starter", "rule", "--hands", "3", "--no-duplicate", "--in-process", "--quiet"]
    arena = [INTERPRETER, "-m", "dealer.arena", "match", *words]
    done = subprocess.run(
        arena, cwd=tmp_path, env=environment(), capture_output=True, timeout=100, check=False
    )
    assert (done.returncode, b"crash by Starter" in done.stdout) == (7, True)
    assert nap not in [one.info["cmdline"] for one in psutil.process_iter(["cmdline"])]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_the_runner(tmp_path, number):
    """However it went; the legs that were over stay, the others are played again from the start."""
    words = [
        *("statistical", "rule", "--hands", "10", "--runs", "400"),
        *("--seed", "3", "--in-process"),
    ]
    process = subprocess.Popen(
        [INTERPRETER, "-m", "dealer.arena", "match", *words, "--quiet", "--out", "m"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.DEVNULL,
    )
    end = time.monotonic() + 60
    while not list(tmp_path.glob("m/*.log")):
        assert time.monotonic() < end
        time.sleep(0.02)
    players = [
        child
        for child in psutil.Process(process.pid).children(recursive=True)
        if "agents.roster.leg_player" in " ".join(child.cmdline())
    ]
    assert players
    process.send_signal(number)
    assert process.wait(30) == (130 if number == signal.SIGINT else -9)
    assert not psutil.wait_procs(players, timeout=10)[1]
    assert all(log.read_bytes().count(b"STATE:") == 10 for log in tmp_path.glob("m/*.log"))


OWN = """\
import os
import subprocess
import time

from agents.bot import Bot


class Caller(Bot):
    def act(self, view):
        print("thinking", view.hand_id)
        return view.call()


class Late(Caller):
    def act(self, view):
        if view.hand_id == 3:
            raise KeyError("hand 3")
        return view.call()


class Wrong(Caller):
    def act(self, view):
        return view.call() if view.hand_id < 3 else "r300"


class Leaver(Caller):
    def act(self, view):
        if view.hand_id == 3:
            raise SystemExit("bye")
        return view.call()


class Speechless(Caller):
    def act(self, view):
        if view.hand_id == 3:
            raise type("Speechless", (Exception,), {"__str__": lambda self: 1 / 0})
        return view.call()


class Broken(Caller):
    def act(self, view):
        if view.hand_id == 3:
            raise ValueError("\\ud800" + "x" * 100_000)
        return view.call()


class Gone(Caller):
    def act(self, view):
        if view.hand_id == 3:
            if not os.fork():  # which holds all that is open
                time.sleep(600)
            os._exit(3)
        return view.call()


class Closer(Caller):
    def act(self, view):
        if view.hand_id == 3:
            os.closerange(0, 100)
        return view.call()


class Forker(Caller):
    def act(self, view):
        if view.hand_id == 3:
            os.fork()
        return view.call()


class Halves(Caller):
    def act(self, view):
        return view.raise_to(view.pot_fraction(1) + 0.7)
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A folder with bots of the user's own, which the commands run in."""
    (tmp_path / "mine.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_classes_of_the_users_own_have_the_same_logs(own, capsys):
    """By module and by file, at a dealer and without one; a changed file is told on resuming."""
    words = ["--hands", "10", "--seed", "5", "--quiet", "--out"]
    assert match(["mine:Caller", "rule", *words, "dealer"]) == 0
    assert match(["mine:Caller", "rule", *words, "alone", "--in-process"]) == 0
    assert match(["./mine.py:Caller", "rule", *words, "file", "--in-process"]) == 0
    logs = logs_of(own / "dealer")
    assert list(logs) == ["Caller.rule.0.0.log", "Caller.rule.0.1.log"]
    assert logs == logs_of(own / "alone") == logs_of(own / "file")
    capsys.readouterr()
    (own / "mine.py").write_text(OWN + "# new", encoding="utf-8")
    longer = ["--hands", "12", "--quiet", "--in-process"]
    assert match(["--resume", "alone", *longer]) == 2
    says_in_a_line(capsys.readouterr().err, "mine:Caller", "--changed-bots")
    assert match(["--resume", "alone", *longer, "--changed-bots"]) == 0
    assert all(log.count(b"STATE:") == 12 for log in logs_of(own / "alone").values())


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("Late", "KeyError: 'hand 3'"),
        ("Wrong", "'r300', a str and no action"),
        ("Leaver", "act ended the program (SystemExit: bye)"),
        ("Speechless", "its text cannot be made"),
        ("Broken", "ValueError: \\ud800x"),
        ("Gone", "the process ended with exit status 3 in its turn"),
        ("Closer", "in its turn"),
    ],
)
def test_what_a_class_does_wrong_is_its_crash(own, capsys, bot, told):
    """As at a dealer; the traceback of an exception is kept."""
    words = [f"mine:{bot}", "rule", "--hands", "9", "--no-duplicate", "--out", "m", "--in-process"]
    assert match(words) == 7
    out = capsys.readouterr().out
    assert f"crash by {bot}" in out
    assert told in out
    error = own / "m" / f"{bot}.rule.0.0.err"
    assert error.is_file() == (bot in ("Late", "Speechless", "Broken"))
    played = (own / "m" / f"{bot}.rule.0.0.log").read_text(encoding="utf-8")
    assert (played.count("STATE:"), played.count("SCORE:")) == (3, 0)
    assert json.loads((own / "m" / "result.json").read_text())["hands_played"] == 3
    if bot == "Late":
        assert 'raise KeyError("hand 3")' in error.read_text(encoding="utf-8")


def test_a_tournament_goes_on_after_a_class_that_ends_its_process(own):
    """Its own legs count as far as they were played; what a class forks plays no hand."""
    bots = ["mine:Gone", "mine:Forker", "rule"]
    words = ["--hands", "5", "--seed", "5", "--quiet", "--in-process", "--out", "t"]
    assert tournament([*bots, *words]) == 1
    played = {name: log.count(b"STATE:") for name, log in logs_of(own / "t").items()}
    assert sorted(played.items()) == [
        (f"{pair}.0.{seating}.log", hands)
        for pair, hands in (("Forker.rule", 5), ("Gone.Forker", 3), ("Gone.rule", 3))
        for seating in (0, 1)
    ]
    told = [json.loads(line) for line in (own / "t" / "ledger.jsonl").read_text().splitlines()]
    endings = Counter((leg["ending"], leg["bot"]) for leg in told[1:])
    assert endings == {("crash", "Gone"): 4, ("finished", None): 2}


def test_hands_before_a_crash_count_as_at_a_dealer(own):
    """In the ledger, the standings and the logs, also after resuming."""
    words = ["mine:Late", "rule", "--hands", "9", "--seed", "5", "--quiet", "--out"]
    assert tournament([*words, "dealer"]) == tournament([*words, "alone", "--in-process"]) == 1
    assert tournament(["--resume", "alone", "--quiet"]) == 1
    hands = [
        [line for line in log.splitlines() if line.startswith(b"STATE:")]
        for folder in ("dealer", "alone")
        for log in logs_of(own / folder).values()
    ]
    assert hands[:2] == hands[2:]
    assert [len(leg) for leg in hands] == [3] * 4
    ledgers = [
        sorted((own / one / "ledger.jsonl").read_text().splitlines()) for one in ("dealer", "alone")
    ]
    assert ledgers[0] == ledgers[1]


def test_parts_of_chips_are_cut_off(own):
    """At a dealer and without one."""
    words = ["mine:Halves", "rule", "--hands", "6", "--seed", "5", "--quiet", "--out"]
    assert match([*words, "dealer"]) == 0
    assert match([*words, "alone", "--in-process"]) == 0
    assert logs_of(own / "dealer") == logs_of(own / "alone")
