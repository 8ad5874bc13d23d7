"""Programs on standard streams: what they are told, and whatever they may do wrong."""

import contextlib
import json
import os
import shlex
import subprocess
import sys
import time

import psutil
import pytest

from agents.bridges import dialogue, line_program
from agents.bridges.program_replies import Replies
from agents.bridges.stdio_bot import StdioBot
from agents.errors import ProgramFailed, UnknownAgent
from agents.roster.bots import find_agent
from engine.play.budget import UNLIMITED, TimeBudget
from engine.rules.view import PlayerView
from engine.rules.view_reader import ViewReader
from protocol.actions import CALL, FOLD
from protocol.gamedefs import load_builtin
from protocol.matchstate import parse_match_state
from tests.helpers.said import refused, says

GAME = load_builtin("hunl")
FIRST = "MATCHSTATE:1:0::|8s2h"
"""A question: 50 to call."""
CHECKED = "MATCHSTATE:0:0:c:8s2h|"
"""A question: nothing to call."""
OVER = "MATCHSTATE:1:0:f:|8s2h"
SOON = TimeBudget(20.0)


def view(text: str) -> PlayerView:
    """Return what a player sees in a state."""
    return ViewReader(GAME).view(parse_match_state(text.encode()))


@pytest.fixture
def start(monkeypatch):
    """Start shell scripts as bots, in a match of no-limit hold'em; end them afterwards."""
    monkeypatch.setattr(line_program, "_END_PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr(dialogue, "QUIET_SECONDS", 0.3)
    started = []

    def bot_of(script, strict=0.0, replies=""):
        bot = StdioBot(shlex.join(["sh", "-c", script]), strict, replies)
        started.append(bot)
        bot.start_match(GAME, 5)
        return bot

    yield bot_of
    for bot in started:
        if bot._end is not None:
            bot._end()


def answering(*answers):
    """Return a script that says these, one by one, to whatever it is told after the first line."""
    lines = "".join(f"read -r line; printf '{answer}'; " for answer in answers)
    return f"read -r line; echo ready; {lines} cat >&2"


def test_a_program_is_told_of_the_match_and_its_hands(start, tmp_path):
    """The first line with game and seed, a question, the end of the hand."""
    said = tmp_path / "said"
    bot = start(
        f"while read -r line; do printf '%s\\n' \"$line\" >> {said}; case $line in "
        "*hello*) echo ready;; *decision*) echo call;; esac; done"
    )
    assert bot.act(view(FIRST)) == CALL
    bot.end_hand(view(OVER))
    bot._end()
    hello, asked, result = map(json.loads, said.read_text().splitlines())
    assert (hello["type"], hello["seed"], hello["game"]["name"]) == ("hello", 5, "hunl")
    assert (asked["type"], asked["hole"], asked["to_call"]) == ("decision", ["8s", "2h"], 50)
    assert (result["type"], result["won"]) == ("result", [50, -50])
    assert bot.notes() == {}


def test_the_time_that_is_left_is_told(start):
    """In whole milliseconds."""
    bot = start("read -r line; echo ready; read -r line; echo \"$line\" | grep -q time_left_ms..2 "
                "&& echo call; read -r line")  # fmt: skip
    assert bot.act(view(FIRST), SOON._replace(seconds=2.9)) == CALL


@pytest.mark.parametrize(
    ("answers", "actions", "facts"),
    [
        (
            ["raise 7\\n", "", "raise 200\\n"],
            ["r200"],
            ["raise 7", "not legal", "from 200 to 20000", "wrong answers: 1"],
        ),
        (
            ["call\\ncall\\ncall\\n", "", "call\\n"],
            ["c", "c"],
            ["'call and 1 more': nobody asked", "wrong answers: 1"],
        ),
        (
            ["""{"action":"fold"} or\\n{"action":"call"}\\n""", "", "call\\n"],
            ["c"],
            ["fold", "answers that differ"],
        ),
        (
            ["""{"action":"call","id":7}\\n""", "", "call\\n"],
            ["c"],
            ["7}': the id of the question is 1; want fold"],
        ),
        (
            ["""{"action":"fold","id":7}{"action":"call","id":1}\\n"""],
            ["c"],
            ["names another decision", "wrong answers: 0"],
        ),
    ],
)
def test_a_wrong_answer_is_asked_once_more(start, capfd, answers, actions, facts):
    """The program and the user are told what was expected; what nobody asked for is dropped."""
    bot = start(answering(*answers))
    assert [bot.act(view(FIRST), SOON).text for _ in actions] == actions
    bot._end()
    says(capfd.readouterr().err, *facts)


@pytest.mark.parametrize(("asked", "action"), [(FIRST, FOLD), (CHECKED, CALL)])
def test_two_wrong_answers_are_a_check_or_a_fold(start, capfd, asked, action):
    """A fold only where there is something to call."""
    bot = start(answering("what?\\n", "", "{}\\n"))
    assert bot.act(view(asked), SOON) == action
    bot._end()
    says(capfd.readouterr().err, "what?", "'{}': no action", "wrong answers: 2", "instead: 1")


def test_the_user_is_told_of_ten_wrong_answers_only(start, capfd):
    """The others are counted."""
    bot = start("while read -r line; do case $line in *hello*) echo ready;; *decision*) echo no;; "
                "esac; done")  # fmt: skip
    for _ in range(10):
        bot.act(view(FIRST), SOON)
    bot._end()
    err = capfd.readouterr().err
    assert err.count("'no'") == 10
    says(err, "wrong answers: 20", "instead: 10")


def test_a_strict_bot_stops_at_a_wrong_answer(start):
    """For checks, which want to know."""
    bot = start(answering("raise 7\\n"), strict=1.0)
    with refused(ProgramFailed, "hand 0", "raise 7"):
        bot.act(view(FIRST), SOON)


def test_lines_around_an_answer_are_passed_over(start, capfd, tmp_path):
    """They are counted, in the file too, and nobody is asked twice."""
    text = 'Well,\\n```json\\n{\\n"action": "raise",\\n"to": "200"\\n}\\n```\\nsuits.\\n'
    bot = start(answering(text, "call\\n"), replies=str(tmp_path / "counts.json"))
    assert bot.act(view(FIRST), SOON).text == "r200"
    assert bot.act(view(FIRST), SOON) == CALL
    bot._end()
    says(capfd.readouterr().err, "wrong answers: 0", "passed over besides: 2")
    told = json.loads((tmp_path / "counts.json").read_text())
    assert told["counts"] == {"ignored: names no action": 2}
    assert "Well," in told["examples"]["ignored: names no action"]


def test_an_answer_owed_to_an_earlier_decision_acts_in_no_other(start):
    """A remark, a pause, the answer; asked again meanwhile, the program answers twice."""
    bot = start(
        "while read -r line; do case $line in *hello*) echo ready;; *decision*) "
        "n=$((${n:-199} + 1)); echo hm; sleep 0.5; echo raise $n;; esac; done"
    )
    assert [bot.act(view(FIRST), SOON).text for _ in range(3)] == ["r200", "r202", "r203"]


def test_counts_go_on_where_a_bot_is_started_again(start, tmp_path):
    """In the middle of a match."""
    counts = tmp_path / "counts.json"
    for _ in range(2):
        bot = start(answering("raise 7\\n", "", "call\\n"), replies=str(counts))
        assert bot.act(view(FIRST), SOON) == CALL
        bot._end()
    assert json.loads(counts.read_text())["counts"] == {"wrong: asked again": 2}


@pytest.mark.parametrize(
    ("script", "facts"),
    [
        ("echo hello; cat >&2", ["'hello'", "want ready"]),
        ("exit 3", ["exit status 3"]),
        ("printf ready; exit 0", ["exit status 0", "after 'ready'"]),
        ("kill -9 $$", ["signal 9"]),
        ("exec >&-; read -r line; sleep 60", ["closed its standard output"]),
    ],
)
def test_a_program_that_does_not_begin_is_refused(start, script, facts):
    """Before the bot connects."""
    with refused(ProgramFailed, *facts):
        start(script)


@pytest.mark.parametrize(
    ("script", "facts"),
    [
        ("exec <&-; exit 5", ["exit status 5"]),
        ("exec >&-; sleep 60", ["closed its standard output"]),
        ("read -r line; sleep 60", ["no answer within 0.3 s"]),
        ("read -r line; printf call; sleep 60", ["within 0.3 s", "'call' without the end"]),
        ("read -r line; head -c 100000 /dev/zero; sleep 60", ["more than 65,536 bytes"]),
        (
            "read -r line; { head -c 70000 /dev/zero; echo; } | tr '\\0' x; sleep 60",
            ["more than 65,536 bytes"],
        ),
        ("yes call", ["on and on"]),
        ("sleep 60", ["no answer within"]),
        ("sleep 60 & exit 3", ["ended with exit status 3"]),
    ],
)
def test_a_program_that_breaks_off_ends_the_match(start, script, facts, monkeypatch):
    """With what it did, and within the time; nothing of it is left."""
    monkeypatch.setattr(line_program, "_LOOK_INTERVAL_SECONDS", 0.1)
    bot = start(f"read -r line; echo ready; {script}")
    with refused(ProgramFailed, *facts):
        for _ in range(1000):
            bot.act(view(FIRST), UNLIMITED if "&" in script else TimeBudget(0.3))
    pid = bot._program._process.pid
    bot._end()
    deadline = time.monotonic() + 10
    while lives(pid):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def lives(group):
    """Return whether a process of a group runs; one that nobody has cleared away does not."""
    for process in psutil.process_iter():
        with contextlib.suppress(OSError, psutil.NoSuchProcess):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                return True
    return False


def test_a_program_that_does_not_read_holds_nobody_up(start):
    """What it is told is kept for it, up to a bound; who waited would meet its end instead."""
    bot = start("read -r line; echo ready; sleep 60")
    with refused(ProgramFailed, "does not read"):
        for _ in range(10_000):
            bot.end_hand(view(OVER))


def test_the_user_hears_what_is_waited_for(start, capfd, monkeypatch):
    """Once, after some seconds: mostly the answer is in a buffer."""
    monkeypatch.setattr(line_program, "_HINT_AFTER_SECONDS", 0.2)
    bot = start("read -r line; echo ready; read -r line; printf ca; sleep 0.5; echo ll; cat")
    assert bot.act(view(FIRST), SOON) == CALL
    says(capfd.readouterr().err, "no answer for 0.2 s", "'ca'", "flush")


def test_a_bot_that_is_not_needed_any_more_ends_its_program(start):
    """A process of ours plays several legs."""
    bot = StdioBot("sh -c 'read -r line; echo ready; sleep 60 & cat'")
    bot.start_match(GAME, 1)
    process = psutil.Process(bot._program._process.pid)
    helpers = process.children(recursive=True)
    del bot
    assert not process.is_running()
    _, alive = psutil.wait_procs(helpers, timeout=5)
    assert alive == []


def test_a_program_gets_no_secret_of_the_seat(start, monkeypatch, tmp_path):
    """Not the token, nor the log with everybody's cards; the seed and the game it may know."""
    for name in ("ARENA_SEAT_TOKEN", "ARENA_PLAYED_LOG", "ARENA_LABEL", "ARENA_BOT_SEED"):
        monkeypatch.setenv(name, "here")
    start(f"env > {tmp_path}/told; read -r line; echo ready; cat")
    told = dict(
        line.split("=", 1) for line in (tmp_path / "told").read_text().splitlines() if "=" in line
    )
    assert {name for name in told if name.startswith("ARENA_")} >= {"ARENA_BOT_SEED"}
    assert not {"ARENA_SEAT_TOKEN", "ARENA_PLAYED_LOG", "ARENA_LABEL"} & told.keys()


def test_it_is_found_by_its_command():
    """Any game; the command may have blanks and equal signs, and must be one."""
    spec = find_agent("stdio:python3 my_bot.py --x=1")
    assert spec.name == "stdio:python3 my_bot.py --x=1"
    assert spec.plays(load_builtin("kuhn3"), {})
    assert isinstance(spec.build({"strict": 0.0}), StdioBot)
    for command, why in (("", "program"), ("sh 'x", "quotation")):
        with pytest.raises(ValueError, match=why):
            StdioBot(command)
    with refused(UnknownAgent, "/no/such/program"):
        StdioBot("/no/such/program").start_match(GAME, 1)


def test_a_signal_ends_the_program_with_the_agent(tmp_path):
    """While an answer takes long; the exit code is that of Ctrl-C."""
    marker = tmp_path / "pid"
    code = (
        "import sys\n"
        "from agents.bridges.line_program import program_on_streams\n"
        "import os\n"
        f"one = program_on_streams(['sh', '-c', 'echo $$ > {marker}; trap : TERM; sleep 60'],"
        " environment=os.environ, notice=print)\n"
        "try:\n    one.line()\nexcept KeyboardInterrupt:\n    sys.exit(130)\n"
        "finally:\n    one.close()\n"
    )
    agent = subprocess.Popen([sys.executable, "-c", code])
    while not marker.exists() or not marker.read_text():
        time.sleep(0.02)
    time.sleep(0.5)
    agent.terminate()
    assert agent.wait(20) == 130
    assert not psutil.pid_exists(int(marker.read_text()))


@pytest.mark.parametrize("text", ['{"counts": {"wrong": "x"}, "examples": {}}', "[" * 100_000, "7"])
def test_a_damaged_count_of_replies_begins_anew(tmp_path, text):
    """It is a file beside a log, which any program may have written to."""
    path = tmp_path / "replies.json"
    path.write_text(text)
    replies = Replies("name", path, ())
    replies.add("wrong", "what")
    assert json.loads(path.read_text())["counts"] == {"wrong": 1}
