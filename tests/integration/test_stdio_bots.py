"""Bots on standard streams at a real dealer, and docs/bridges.md held against what happens."""

import contextlib
import functools
import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

import agents
from agents.roster.leg_player import LegSeat, leg_lines
from engine.parallel.own_programs import environment
from protocol.gamedefs import builtin_aliases, builtin_path, load_builtin
from tests.architecture.repository import ROOT
from tests.helpers.arena import run_arena, start_arena
from tests.helpers.said import says
from tests.helpers.seated_match import play_seated

TEMPLATES = Path(agents.__file__).parent / "templates"
LANGUAGES = ("go", "js", "py", "sh")
HANDS = 20
PAGE = ROOT / "docs" / "bridges.md"
ARENA = (sys.executable, "-m", "dealer.arena")
WORDS_OF = {
    "arena match": ("--hands", "2", "--quiet"),
    "arena tournament": ("--hands", "2", "--quiet"),
    "arena check": ("--only", "positions", "--quiet"),
}
"""What the commands of the page get besides, to be done soon."""


@pytest.fixture(autouse=True)
def _packages(monkeypatch):
    """A bot finds the packages that are tested."""
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])


@pytest.fixture(scope="session")
def stdio_name(tmp_path_factory):
    """Return the name of the bot that a template is, built on first use."""

    @functools.cache
    def name(language):
        template = TEMPLATES / f"stdio_bot.{language}"
        if language == "py":
            return f"stdio:{sys.executable} -S {template}"
        if language == "sh":
            return f"stdio:sh {template}"
        if language == "js":
            node = shutil.which("node") or pytest.skip("no node to run the JavaScript template")
            return f"stdio:{node} {template}"
        go = shutil.which("go") or pytest.skip("no go to compile the Go template")
        binary = tmp_path_factory.mktemp("go") / "bot"
        subprocess.run([go, "build", "-o", str(binary), str(template)], check=True)
        return f"stdio:{binary}"

    return name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("alias", ["hunl", "leduc3"])
def test_templates_play_at_a_dealer(tmp_path, stdio_name, alias, language):
    """Without a word on standard error: no answer was wrong."""
    others = ["uniform-random"] * (load_builtin(alias).players - 1)
    commands = [
        ["env", f"ARENA_GAME={builtin_path(alias)}", *ARENA, "agent", name]
        for name in (stdio_name(language), *others)
    ]
    match = play_seated(tmp_path, alias, HANDS, commands)
    assert match.errors == [""] * len(commands)
    assert set(match.exit_codes) == {0}
    assert len(match.hands) == HANDS
    assert match.warnings == []


@pytest.mark.parametrize("alias", builtin_aliases())
def test_the_python_template_plays_every_game(capfd, stdio_name, alias):
    """In this process, against itself: a wrong answer would be told."""
    game = load_builtin(alias)
    seats = [LegSeat(f"seat{number}", stdio_name("py"), number) for number in range(game.players)]
    *hands, score = leg_lines(game, 10, 1, seats)
    assert len(hands) == 10
    assert score.startswith("SCORE")
    assert capfd.readouterr().err == ""


@pytest.mark.slow
def test_a_seed_makes_a_match_repeat_itself(tmp_path, stdio_name):
    """The program is told it; the log is the same with and without dealers."""
    logs = []
    for folder, more in (("one", ()), ("two", ("--in-process",))):
        bots = [stdio_name("py"), "rule"]
        words = ("--hands", "10", "--seed", "3", *more, "--quiet", "--out", folder)
        run_arena(tmp_path, "match", *bots, *words)
        (log, _) = sorted((tmp_path / folder).glob("*.log"))
        logs.append([line for line in log.read_text().splitlines() if line.startswith("STATE")])
    assert logs[0] == logs[1]
    assert len(logs[0]) == 10


BAD = """\
while read -r line; do case $line in
    *hello*) echo ready ;;
    *decision*) %s ;;
esac; done
"""


@pytest.mark.parametrize(
    ("answer", "facts"),
    [
        ("echo I call", ["status 1: hand 0: 'I call': no action; want fold", "said when it ended"]),
        ("echo call; echo call", ["status 1: 'call': nobody asked"]),
        ("exit 3", ["exit status 3"]),
        ("printf call", ["no answer within", "'call' without the end of a line"]),
    ],
)
def test_checks_fail_where_a_program_is_wrong(tmp_path, answer, facts):
    """The report quotes what the bot's side says of it."""
    (tmp_path / "bad.sh").write_text(BAD % answer)
    words = ("--t_response", "700", "--exit", "1", "--only", "positions", "--quiet")
    done = run_arena(tmp_path, "check", "stdio:sh bad.sh", *words)
    assert done.code == 1
    says(done.out, "FAIL", *facts)


def test_a_program_that_breaks_off_loses_its_leg_in_a_process_too(tmp_path):
    """The leg says whose fault it is."""
    (tmp_path / "bad.sh").write_text(BAD % "exit 3")
    words = ("--hands", "5", "--in-process", "--quiet")
    done = run_arena(tmp_path, "match", "mine=stdio:sh bad.sh", "rule", *words)
    assert done.code != 0
    says(done.out + done.err, "crash by mine", "exit status 3")


def test_wrong_answers_in_a_process_are_told_beside_the_log(tmp_path):
    """With what the program says itself; there is no file where nothing is said."""
    words = ("rule", "--hands", "5", "--in-process", "--quiet", "--out")
    for name, answer in (("bad", "echo why >&2; echo bet"), ("good", "echo call")):
        (tmp_path / f"{name}.sh").write_text(BAD % answer)
        run_arena(tmp_path, "match", f"mine=stdio:sh {name}.sh", *words, name)
    bad = (tmp_path / "bad" / "mine.rule.0.0.err").read_text()
    says(bad, "why", "'bet': no action", "wrong answers: ")
    assert not list((tmp_path / "good").glob("*.err"))


def test_nothing_is_left_after_ctrl_c(tmp_path):
    """Even of a program that neither answers nor ends."""
    mark = f"never-{os.getpid()}"
    (tmp_path / "bad.sh").write_text(f": {mark}; trap : TERM INT HUP\n" + BAD % "sleep 600")
    words = ("--hands", "5", "--seed", "1", "--quiet", "--out", str(tmp_path / "match"))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    bots = (f"stdio:sh bad.sh {mark}", "rule")
    match = start_arena(tmp_path, "match", *bots, *words, **quiet, start_new_session=True)
    deadline = time.monotonic() + 60
    while not programs(mark):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(0.5)
    match.send_signal(signal.SIGINT)
    assert match.wait(60) == 130
    deadline = time.monotonic() + 10
    while programs(mark):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def programs(mark):
    """Return the running shells that have a mark among their words."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            words = process.cmdline()
            if words[:1] == ["sh"] and mark in words:
                found.append(process)
    return found


def blocks():
    """Return the blocks of code of the page, in order."""
    return re.findall(r"^```\w*\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def test_the_shell_template_is_that_of_the_page():
    """Ten lines."""
    script = (TEMPLATES / "stdio_bot.sh").read_text()
    assert script in blocks()
    assert script.count("\n") <= 10


def test_the_commands_of_the_page_run(tmp_path):
    """Each of them, with a template as the program."""
    program = tmp_path / "my_bot"
    program.write_text((TEMPLATES / "stdio_bot.sh").read_text())
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    for line in blocks()[0].splitlines():
        _, command, *words = shlex.split(line, comments=True)
        if command == "agent":
            name, host, _ = words
            seats = [[*ARENA, "agent", one] for one in (name, "always-call")]
            assert host == "127.0.0.1"
            match = play_seated(tmp_path, "hunl", 2, seats)
            assert match.exit_codes == [0, 0]
            continue
        done = run_arena(tmp_path, command, *words, *WORDS_OF[f"arena {command}"])
        assert (done.code, done.err) == (0, ""), line


def test_the_session_of_the_page_is_what_happens(tmp_path):
    """To the letter, with the answers of the page."""
    (shown,) = [block for block in blocks() if block.startswith("> ")]
    shown = shown.replace("\n    ", "")
    answers = [line[2:] for line in shown.splitlines() if line.startswith("< ")]
    (tmp_path / "answers").write_text("".join(f"{answer}\n" for answer in answers))
    (tmp_path / "recorded.sh").write_text(
        "exec 3< answers\n"
        "while read -r line; do\n"
        "    printf '> %s\\n' \"$line\" >> session\n"
        '    case $line in *\'"type":"hello"\'* | *\'"type":"decision"\'*)\n'
        "        read -r answer <&3\n"
        "        printf '< %s\\n' \"$answer\" >> session\n"
        "        printf '%s\\n' \"$answer\" ;;\n"
        "    esac\n"
        "done\n"
    )
    words = ("--hands", "1", "--seed", "1", "--in-process", "--no-duplicate", "--quiet")
    run_arena(tmp_path, "match", "stdio:sh recorded.sh", "always-call", *words)
    assert (tmp_path / "session").read_text() == shown
