"""`arena server --acpc`: the original's clients, unmodified, and a small one of ours."""

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from dealer.arena import main as arena
from protocol.handlog import Header, parse_log_line
from tests.conftest import SHARED

SECONDS = 120
GAME = "holdem.limit.2p.reverse_blinds.game"
PASSWORD = "nobody-knows"
CONFIG = f"""\
port 0
game {GAME} {{
  matchHands 100
  bot testBot ./test_bot.sh
}}
game kuhn.limit.3p.game {{
  matchHands 50
  bot third ./third.sh
}}
user neil {PASSWORD}
"""
SETTINGS = """\
port = 0
[limits]
processes = 1
[[house]]
bot = "always-call"
"""
CALLER = """
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2]))) as sock:
    sock.sendall(b"VERSION:2.0.0\\r\\n")
    for line in sock.makefile("rb"):
        _, position, _, betting, _ = line.split(b":")
        _, slash, street = betting.rpartition(b"/")
        if betting.count(b"c") < 8 and (len(street) + (not slash)) % 2 == int(position):
            sock.sendall(line.strip() + b":c\\r\\n")
"""
THIRD = """
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2]))) as sock:
    sock.sendall(b"VERSION:2.0.0\\r\\n")
    for line in sock.makefile("rb"):
        _, position, _, betting, _ = line.split(b":")
        if betting == b"c" * int(position):
            sock.sendall(line.strip() + b":c\\r\\n")
"""
"""One of three that call each other."""
PROGRAMS = {
    "bm_widget": ("bm_widget.c", "net.c"),
    "bm_run_matches": ("bm_run_matches.c", "net.c"),
    "example_player": ("example_player.c", "game.c", "rng.c", "net.c"),
}


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """Folder of the original's clients, built from its sources, and a script of its player."""
    sources = SHARED / "tools" / "acpc_original"
    if not sources.is_dir():
        pytest.skip("the original's sources (../shared/tools/acpc_original) are not here")
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler here")
    folder = tmp_path_factory.mktemp("original")
    for program, files in PROGRAMS.items():
        command = [compiler, "-O0", "-w", "-o", folder / program, *files]
        subprocess.run(command, cwd=sources, check=True)
    script = f'#!/bin/sh\nexec {folder}/example_player {sources}/{GAME} "$1" "$2"\n'
    write_script(folder / "player.sh", script)
    return folder


def write_script(path, text):
    """Write a program."""
    path.write_text(text)
    path.chmod(0o755)


class AcpcProcess:
    """A server with a door for those clients, in its own process."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "caller.py").write_text(CALLER)
        write_script(
            folder / "test_bot.sh", f'#!/bin/sh\nexec {sys.executable} caller.py "$1" "$2"\n'
        )
        (folder / "third.py").write_text(THIRD)
        write_script(folder / "third.sh", f'#!/bin/sh\nexec {sys.executable} third.py "$@"\n')
        (folder / "bm.config").write_text(CONFIG)
        (folder / "server.toml").write_text(SETTINGS)
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "dealer.arena", "server", "server.toml"),
                *("--acpc", "bm.config", "--folder", "data"),
            ],
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.board = self.process.stdout.readline().split()[-1]
        self.process.stdout.readline()
        self.port = re.search(r" ([0-9]+) ", self.process.stdout.readline())[1]

    def log(self, name):
        """The logs of USER.TAG, as a file."""
        path = self.folder / f"{name}.log"
        with urllib.request.urlopen(f"{self.board}logs/{name}.log", timeout=SECONDS) as answer:
            path.write_bytes(answer.read())
        return path

    def end(self):
        """Stop it; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(SECONDS)
        self.process.stdout.close()
        return code


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server, which ends well."""
    server = AcpcProcess(tmp_path_factory.mktemp("acpc"))
    try:
        yield server
    except BaseException:
        server.process.kill()
        raise
    assert server.end() == 0


def seeds_and_scores(log):
    """The seeds of the matches of a log, and the names in its scores."""
    seeds, names = [], []
    for line in log.read_text().splitlines():
        if line.startswith("# name/"):
            header = parse_log_line(line)
            assert isinstance(header, Header)
            seeds.append(header.seed)
        if line.startswith("SCORE"):
            names.append(line.rpartition(":")[2])
    return seeds, names


def test_the_originals_clients_play(server, original, capsys):
    """`bm_run_matches` and `bm_widget`: against a bot of the config, and one of the house."""
    command = [original / "bm_run_matches", "127.0.0.1", server.port, "neil", PASSWORD]
    games = subprocess.run([*command, "games"], capture_output=True, text=True, timeout=SECONDS)
    assert (games.returncode, games.stdout) == (
        0,
        f"\nkuhn.limit.3p.game\n third\n always-call\n\n{GAME}\n testBot\n always-call\n",
    )
    words = ["run", "2pl", original / "player.sh", "2", "set", "12345", "local", "testBot"]
    run = subprocess.run([*command, *words], capture_output=True, text=True, timeout=SECONDS)
    assert re.sub("[0-9]+$", "PORT", run.stdout, flags=re.MULTILINE) == (
        "# RUNNING neil.set\nstarting match 127.0.0.1:PORT\n" * 2 + "Matches finished\n"
    )
    widget = subprocess.Popen(
        [original / "bm_widget", "127.0.0.1", server.port, original / "player.sh"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with widget:
        widget.stdin.write(f"neil {PASSWORD}\n")
        widget.stdin.flush()
        assert "Log in" in widget.stdout.readline()
        assert widget.stdout.readline() == "LOGON OKAY - type help for commands\n"
        widget.stdin.write(f"RUNMATCHES {GAME} 1 house 7 always-call LOCAL\n")
        widget.stdin.flush()
        assert widget.stdout.readline() == "# RUNNING neil.house\n"
        assert widget.stdout.readline().startswith("starting match 127.0.0.1:")
        queue = ""
        while queue != "Queue empty\n":
            widget.stdin.write("qstat\n")
            widget.stdin.flush()
            queue = widget.stdout.readline()
        widget.stdin.close()
        assert widget.wait(SECONDS) == 0
    logs = [server.log(f"neil.{tag}") for tag in ("set", "house")]
    assert seeds_and_scores(logs[0]) == ([3992670690, 3823185381], ["neil|testBot"] * 2)
    assert seeds_and_scores(logs[1]) == ([7], ["always-call|neil"])
    assert arena(["replay", "--verify", *map(str, logs)]) == 0
    assert "300 hands, 300 of them dealt again, 0 faults" in capsys.readouterr().out


def test_a_small_client_plays(server, capsys):
    """One line asks for a match, a program connects to the port, and the end is said."""
    with socket.create_connection(("127.0.0.1", int(server.port)), SECONDS) as sock:
        sock.sendall(f"neil {PASSWORD} run 2pl script 1 tag 12345 LOCAL testBot\n".encode())
        lines = sock.makefile("r")
        assert lines.readline() == "# RUNNING neil.tag\n"
        _, host, port = lines.readline().split()
        with subprocess.Popen([sys.executable, server.folder / "caller.py", host, port]) as bot:
            assert lines.read() == "Matches finished\n"
            assert bot.wait(SECONDS) == 0
    log = server.log("neil.tag")
    assert seeds_and_scores(log) == ([12345], ["neil|testBot"])
    events = (server.folder / "data" / "server.jsonl").read_text()
    assert PASSWORD not in events
    assert arena(["replay", "--verify", str(log)]) == 0
    assert "100 hands" in capsys.readouterr().out


def test_three_play(server, capsys):
    """A client's bot, one of the config and one of the house: unrated, in the order's seats."""
    line = f"neil {PASSWORD} run 3pl script 1 three 9 third LOCAL always-call\n"
    with socket.create_connection(("127.0.0.1", int(server.port)), SECONDS) as sock:
        sock.sendall(line.encode())
        lines = sock.makefile("r")
        assert lines.readline() == "# RUNNING neil.three\n"
        _, host, port = lines.readline().split()
        with subprocess.Popen([sys.executable, server.folder / "third.py", host, port]) as bot:
            assert lines.read() == "Matches finished\n"
            assert bot.wait(SECONDS) == 0
    log = server.log("neil.three")
    assert seeds_and_scores(log) == ([9], ["third|neil|always-call"])
    assert arena(["replay", "--verify", str(log)]) == 0
    assert "ok, 50 hands, deals checked" in capsys.readouterr().out
    with urllib.request.urlopen(f"{server.board}api/bots/third", timeout=SECONDS) as answer:
        (match,) = json.load(answer)["matches"]
    players = [match[seat]["bot"] for seat in ("first", "second", "third")]
    assert players == ["third", "neil", "always-call"]
    assert (match["state"], match["hands_played"], match["rated"]) == ("finished", 50, False)
    assert match["best"]["hands"] == 50


def test_a_config_that_is_none_is_refused(tmp_path, capsys):
    """A line says where, before anything is made."""
    (tmp_path / "bm.config").write_text("user neil test\nport x\n")
    (tmp_path / "server.toml").write_text('house = []\n[acpc]\nconfig = "bm.config"\n')
    folder = tmp_path / "data"
    assert arena(["server", str(tmp_path / "server.toml"), "--folder", str(folder)]) == 2
    error = capsys.readouterr().err
    assert error.endswith("bm.config:2: port: want a whole number, 0 to 65,535\n")
    assert error.count("\n") == 1
    assert not folder.exists()
