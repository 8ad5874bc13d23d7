"""docs/courses.md held against what happens, and bots of pokerbots competitions at real dealers."""

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import agents
from tests.architecture.repository import ROOT
from tests.helpers.arena import run_arena, start_arena
from tests.helpers.said import says

PAGE = (ROOT / "docs" / "courses.md").read_text(encoding="utf-8")
TEMPLATE = Path(agents.__file__).parent / "templates" / "pokerbots_bot"
PLAYER = {"build": [], "run": [sys.executable, "-m", "tests.helpers.pokerbots_player"]}
SHORT = ("--game", "pokerbots", "--quiet")


def folder_of(commands, folder):
    """Return the name of a bot with some commands, in a new folder."""
    folder.mkdir(parents=True)
    (folder / "commands.json").write_text(json.dumps(commands))
    return f"pokerbots:{folder.name}"


def ends_of(folder):
    """Return bankroll, rounds and forced checks of the players of a match, game by game."""
    texts = [path.read_text() for path in sorted(folder.glob("*.err"))]
    assert not [text for text in texts if "Traceback" in text or "assert" in text]
    return [
        list(map(int, line)) for text in texts for line in re.findall(r"END (.*) (.*) (.*)", text)
    ]


def test_a_bot_that_checks_all_it_is_sent_plays(tmp_path):
    """What it counts is the dealer's score; long matches are several games."""
    name = folder_of(PLAYER, tmp_path / "player")
    words = ("--hands", "40", "--seed", "3", "--no-duplicate", "--out", "match")
    done = run_arena(tmp_path, "match", f"{name} --rounds 25", "uniform-random", *SHORT, *words)
    assert (done.code, done.err) == (0, "")
    ends = ends_of(tmp_path / "match")
    (log,) = (tmp_path / "match").glob("*.log")
    score = re.search(r"(?m)^SCORE:(-?\d+)", log.read_text())
    assert [rounds for _, rounds, _ in ends] == [25, 15]
    assert sum(won for won, _, _ in ends) == int(score[1])
    assert sum(checks for _, _, checks in ends) > 0


def blocks(language):
    """Return the blocks of the page in a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


RECORDER = """\
import socket, sys
answers = {answers!r}
lines = socket.create_connection(("localhost", int(sys.argv[1]))).makefile("rw")
for line in lines:
    open("session", "a").write("> " + line)
    if line == "Q\\n":
        break
    answer = answers.pop(0)
    open("session", "a").write("< " + answer + "\\n")
    lines.write(answer + "\\n")
    lines.flush()
"""


def recorder(folder, answers):
    """Return the name of a bot that writes down a session, with some answers."""
    name = folder_of({"build": [], "run": [sys.executable, "-S", "bot.py"]}, folder)
    (folder / "bot.py").write_text(RECORDER.format(answers=answers))
    return name


def test_the_session_of_the_page_is_what_happens(tmp_path):
    """But for the clock.  The opponent's mistake, a check all the same, is counted with it."""
    (shown,) = blocks("text")
    answers = [line[2:] for line in shown.splitlines() if line.startswith("< ")]
    bots = [
        recorder(tmp_path / "bot", answers),
        recorder(tmp_path / "opponent", ["C", "C", "C", "X", "C", "K"]),
    ]
    words = ("--hands", "1", "--seed", "2", "--in-process", "--no-duplicate")
    done = run_arena(tmp_path, "match", *bots, *SHORT, *words)
    assert (done.code, done.err) == (0, "")
    session = (tmp_path / "bot" / "session").read_text()
    clock = re.compile(r"T[\d.]+ ")
    assert clock.sub("", session) == clock.sub("", shown)
    says(done.out, "opponent", "corrected: check or fold", "'X'")


WORDS_OF = {
    "check": ("--only", "positions", "--quiet"),
    "match": ("--hands", "2", "--quiet"),
    "tournament": ("--hands", "2", "--quiet"),
    "connect": ("--hands", "2"),
}
"""What the commands of the page get besides, to be done soon."""


@pytest.mark.slow
def test_the_commands_of_the_page_run(tmp_path):
    """All, in their order, with the template as each student's bot; the server's config, too."""
    for student in ("ann", "bob"):
        shutil.copytree(TEMPLATE, tmp_path / "bots" / student)
    (config,) = blocks("toml")
    config = config.replace('listen = "0.0.0.0"', "port = 0")
    (tmp_path / "course.toml").write_text(config)
    commands = [line[2:] for block in blocks("console") for line in block.splitlines()]
    commands.sort(key=lambda line: "replay --verify term" in line)  # with all of the server's logs
    server = None
    for line in commands:
        name, _, rest = line.removeprefix("arena ").partition(" ")
        rest, _, target = rest.partition(" > ")
        if name == "server" and rest == "course.toml":
            server = start_arena(tmp_path, name, rest, stderr=subprocess.DEVNULL)
            address = re.search(r"http://\S+/", server.stdout.readline())[0]
            continue
        words = shlex.split(rest.replace("http://HOST:9380/", "URL"))
        words = [
            word for given in words for word in sorted(map(str, tmp_path.glob(given))) or [given]
        ]
        words = [address if word == "URL" else word for word in words]
        at = words.index("--") if "--" in words else len(words)
        words[at:at] = WORDS_OF.get(name, ())
        done = run_arena(tmp_path, name, *words)
        assert done.code == 0, f"{line}: {done.err}"
        if target:
            (tmp_path / target).write_text(done.out)
    server.send_signal(signal.SIGINT)
    assert server.wait(60) == 0
    server.stdout.close()
    assert (tmp_path / "evening.csv").read_text().count("\n") >= 4
