"""`arena check` as its users meet it: real bots, sound and broken, each by its own process."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

import agents
from agents.roster.bots import agent_names
from dealer.bots.participants import shipped_bots
from dealer.compliance.check_command import main
from engine.parallel.own_programs import environment
from tests.helpers.interpreter import INTERPRETER
from tests.helpers.said import says, says_in_a_line

BROKEN = Path(__file__).parents[1] / "helpers" / "broken_bot.py"
TEMPLATES = Path(agents.__file__).parent / "templates"
QUICK = ("--hands", "8", "--late", "1.3", "--exit", "1", "--start_timeout", "1500", "--quiet")
MATCH = "plays-on,answer-form,silence,legal-answers,time"


@pytest.fixture(autouse=True)
def _packages(monkeypatch):
    """A bot finds the packages that are tested."""
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])


def broken(fault):
    """Return the BOT argument of a bot with one thing broken."""
    return f"{fault}={sys.executable} -S {BROKEN} {fault}"


def check(bot, folder, *words):
    """Return the exit code, and the facts of each check by name."""
    path = folder / "report.json"
    code = main([bot, *QUICK, *words, f"--json={path}"])
    (game,) = json.loads(path.read_text())["games"]
    return code, {one["name"]: one for one in game["checks"]}


def verdicts(checks, verdict):
    """Return the names of the checks with a verdict."""
    return {name for name, one in checks.items() if one["verdict"] == verdict}


FOUND = {
    "none": (MATCH, set()),
    "rash": (MATCH, {"silence"}),
    "segments": ("joined", {"joined"}),
    "no_comments": ("positions,comments", {"comments"}),
    "dies": ("connects", {"connects"}),
}
FOUND_SLOWLY = {
    "forgets_rest": ("positions,bytes,joined", {"bytes", "joined"}),
    "keeps_cr": (MATCH, {"answer-form", "legal-answers"}),
    "garbage": (MATCH, {"answer-form", "legal-answers"}),
    "folds_free": (MATCH, {"legal-answers"}),
    "twice": (MATCH, {"silence"}),
    "echo": (MATCH, {"answer-form"}),
    "bare": (MATCH, {"answer-form"}),
    "raises_one": (f"{MATCH},raise-sizes,all-in", {"legal-answers", "raise-sizes"}),
    "raises_half": (f"{MATCH},raise-sizes", {"legal-answers", "raise-sizes"}),
    "no_runs": ("positions,all-in,bytes", {"all-in"}),
    "counts_hands": ("positions,hand-numbers,showdown", {"hand-numbers"}),
    "one_hole": ("connects,greeting,positions", {"positions"}),
    "one_position": ("connects,greeting,positions", {"positions"}),
    "mute": ("positions,plays-on,silence", {"plays-on"}),
    "crash": ("positions,plays-on,silence", {"plays-on"}),
    "impatient": ("positions,waits-for-others,waits-for-dealer", {"waits-for-others"}),
    "hangs_alone": ("positions,waits-for-others,waits-for-dealer", {"waits-for-dealer"}),
    "stays": ("positions,reconnect,clean-exit", {"reconnect", "clean-exit"}),
    "child": ("positions,reconnect,clean-exit", {"clean-exit"}),
    "status": ("positions,reconnect,clean-exit", {"clean-exit"}),
    "abort": ("reconnect,clean-exit", {"reconnect", "clean-exit"}),
    "hello": ("connects,greeting", {"greeting"}),
    "never_connects": ("connects", {"connects"}),
}


def find(fault, checks, wanted, folder):
    """Check a broken bot; the checks that fail must be these."""
    code, found = check(broken(fault), folder, "--only", checks)
    assert verdicts(found, "failed") == wanted
    assert not verdicts(found, "not_run")
    assert code == (1 if wanted else 0)
    for name in wanted:
        assert found[name]["hint"]
        assert found[name]["expected"]
        assert found[name]["section"].startswith("docs/compliance.md#")
    return found


@pytest.mark.parametrize("fault", FOUND)
def test_a_broken_bot_fails_the_check_that_is_meant_for_it(fault, tmp_path):
    """And passes the others."""
    find(fault, *FOUND[fault], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FOUND_SLOWLY)
def test_so_does_one_that_takes_longer_to_be_found(fault, tmp_path):
    """Waiting is part of finding these."""
    find(fault, *FOUND_SLOWLY[fault], tmp_path)


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        ("old", "greeting"),
        pytest.param("lf", "answer-form", marks=pytest.mark.slow),
        pytest.param("words", "answer-form", marks=pytest.mark.slow),
        pytest.param("crlf_only", "line-feed", marks=pytest.mark.slow),
    ],
)
def test_what_the_dealer_puts_up_with_is_a_warning(fault, name, tmp_path):
    """Which counts as a failure only where that is wanted."""
    words = ("--only", name, "--hands", "2", "--t_response", "500")
    code, found = check(broken(fault), tmp_path, *words)
    assert (code, verdicts(found, "warning")) == (0, {name})
    assert check(broken(fault), tmp_path, *words, "--strict")[0] == 1


def test_a_slow_bot_fails_by_its_times_alone(tmp_path):
    """Answers that come too late are still answers; the times say how late."""
    words = ("--only", MATCH, "--hands", "1", "--t_response", "50")
    _, found = check(broken("slow"), tmp_path, *words)
    assert verdicts(found, "failed") == {"time"}
    facts = found["time"]["facts"]
    assert facts["late"] > 0
    assert 50 < facts["p50_ms"] <= facts["p90_ms"] <= facts["max_ms"]


def test_a_failure_tells_what_was_sent_and_what_the_bot_said(tmp_path, capsys):
    """The text has the bytes, and the last line of the bot's error output."""
    words = ["--only", "positions,comments", "--out", str(tmp_path / "wire")]
    assert main([broken("no_comments"), *QUICK, *words]) == 1
    out = capsys.readouterr().out
    assert re.search(r"^  sent +[#;M].*\\r\\n$", out, re.M)
    assert re.search(r"^ +# the next line is a state\\r\\n$|^  sent +#", out, re.M)
    assert "MalformedLine" in out
    says(out, "2 checks", "1 passed", "1 failed")
    wire = next((tmp_path / "wire").glob("*.comments.wire")).read_text()
    assert r"<- VERSION:2.0.0\r\n" in wire
    assert main([broken("none"), *QUICK, *words]) == 2  # the folder is not empty any more


@pytest.mark.slow
def test_a_check_repeats_itself(tmp_path):
    """Same seed, same bot: the same bytes both ways, alone or among others."""

    def wire(name, *words):
        assert main([broken("none"), *QUICK, *words, "--out", str(tmp_path / name)]) == 0
        text = next((tmp_path / name).glob("*.match.wire")).read_text()
        return [line[11:] for line in text.splitlines()]

    alone = wire("a", "--only", "plays-on")
    assert (
        alone
        == wire("b", "--only", "positions,silence")
        != wire("c", "--only", "plays-on", "--seed", "2")
    )


def test_a_bot_that_somebody_starts_finds_the_same_port_each_time(tmp_path, capsys):
    """It connects once for each check; what only its process shows is left out."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    over = threading.Event()

    def keep_starting():
        command = [sys.executable, "-S", str(BROKEN), "none", "127.0.0.1", str(port)]
        while not over.is_set():
            subprocess.run(command, stderr=subprocess.DEVNULL, check=False)

    starter = threading.Thread(target=keep_starting)
    starter.start()
    try:
        words = ("--start_timeout", "20000", "--only", "greeting,hand-numbers,waits-for-dealer")
        code, found = check(f"listen:{port}", tmp_path, *words)
    finally:
        over.set()
        starter.join()
    assert code == 0
    assert verdicts(found, "not_applicable") == {"waits-for-dealer"}
    says(capsys.readouterr().err, f"127.0.0.1 port {port}", "hand-numbers")


def test_ctrl_c_shows_the_report_so_far_and_leaves_no_bot():
    """Exit code 130, no traceback."""
    command = [INTERPRETER, "-m", "dealer.arena", "check", broken("none"), "--late", "60"]
    only = ["--only", "connects,waits-for-others"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*command, *only], env=environment(), text=True, **pipes) as checker:
        assert "connects" in checker.stdout.readline() + checker.stdout.readline()
        bots = []
        while not bots:
            time.sleep(0.05)
            bots = [one for one in psutil.Process(checker.pid).children() if "python" in one.name()]
        os.kill(checker.pid, signal.SIGINT)
        out, err = checker.communicate(timeout=20)
        assert checker.returncode == 130
    says(out, "stopped", "1 of 2 checks", "1 passed")
    assert "Traceback" not in err
    assert not any(bot.is_running() for bot in bots)


@pytest.mark.slow
def test_a_shipped_bot_passes_for_three(tmp_path):
    """In positions that two players do not have."""
    words = ("--game", "nolimit3", "--only", "positions,plays-on,silence,legal-answers")
    code, found = check("uniform-random", tmp_path, *words)
    assert (code, len(verdicts(found, "passed"))) == (0, 4)


def test_a_bot_that_refuses_the_game_is_a_wrong_argument(capsys):
    """In its own words."""
    assert main(["always-call --colour blue", *QUICK]) == 2
    says_in_a_line(capsys.readouterr().err, "arena check:", "always-call", "--colour")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "javascript", "python"])
@pytest.mark.parametrize("game", ["hunl", "hulhe", "leduc3", "nolimit6"])
def test_templates_pass(language, game, tmp_path):
    """Every check that the game has."""
    if language == "c":
        compiler = shutil.which("cc") or pytest.skip("no cc to compile the C template")
        program = str(tmp_path / "bot")
        subprocess.run([compiler, "-O2", str(TEMPLATES / "bot.c"), "-o", program], check=True)
    elif language == "javascript":
        node = shutil.which("node") or pytest.skip("no node to run the JavaScript template")
        program = f"{node} {TEMPLATES / 'bot.js'}"
    else:
        program = f"{sys.executable} -S {TEMPLATES / 'bot.py'}"
    words = ("--game", game, "--hands", "50", "--start_timeout", "20000")
    code, found = check(f"{program} -g {{game}} -s 3", tmp_path, *words)
    no_stacks = set() if "no" in game or game == "hunl" else {"all-in", "odd-stacks"}
    assert (code, verdicts(found, "not_applicable")) == (0, no_stacks)
    assert len(verdicts(found, "passed")) == 21 - len(no_stacks)


@pytest.mark.slow
@pytest.mark.parametrize("name", agent_names())
def test_every_shipped_bot_passes(name, tmp_path):
    """In the first game that it plays."""
    game = shipped_bots([name])[name][0]
    words = ("--game", game, "--hands", "40", "--start_timeout", "120000", "--exit", "5")
    code, found = check(name, tmp_path, *words)
    assert code == 0
    assert not verdicts(found, "warning")
