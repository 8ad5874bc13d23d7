"""`arena server` and `arena connect` as programs: to the first result, and through kills."""

import fcntl
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import termios
import time
import urllib.request
from pathlib import Path

import pytest

from dealer.arena import main as arena
from protocol.handlog import Header, parse_log_line
from tests.helpers.browser import open_browser
from tests.helpers.interpreter import INTERPRETER

ARENA = [sys.executable, "-m", "dealer.arena"]
CONFIG = """
port = {port}
[limits]
processes = 1
reconnect_seconds = 20
[[house]]
bot = "always-call"
"""
CALLER = """
import socket, sys, time
with socket.create_connection((sys.argv[-2], int(sys.argv[-1]))) as sock:
    sock.sendall(b"VERSION:2.0.0\\r\\n")
    for line in sock.makefile("rb"):
        _, position, _, betting, _ = line.split(b":")
        _, slash, street = betting.rpartition(b"/")
        if betting.count(b"c") < 8 and (len(street) + (not slash)) % 2 == int(position):
            time.sleep(float(sys.argv[1]))
            sock.sendall(line.strip() + b":c\\r\\n")
"""
SECONDS = 120


class Server:
    """A server in its own process; started again it has the port it had."""

    def __init__(self, folder):
        self.folder = folder
        self.data = folder / "data"
        self.port = 0
        self.process = None

    def start(self, program=sys.executable, **options):
        """Start it, and wait until it says where it is."""
        config = self.folder / "server.toml"
        config.write_text(CONFIG.format(port=self.port))
        self.process = subprocess.Popen(
            [program, *ARENA[1:], "server", str(config), "--folder", str(self.data)],
            stdout=subprocess.PIPE,
            text=True,
            **options,
        )
        self.port = int(re.search(r":([0-9]+)/", self.process.stdout.readline())[1])
        return self

    def ask(self, path):
        """The JSON of an address."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{path}", timeout=30) as answer:
            return json.load(answer)

    def end(self, number=signal.SIGTERM):
        """Send it a signal; return its exit code."""
        self.process.send_signal(number)
        code = self.process.wait(SECONDS)
        self.process.stdout.close()
        return code

    def connect(self, hands, bot):
        """Start a relay that plays one match against the house."""
        words = [
            *(*ARENA, "connect", f"http://127.0.0.1:{self.port}/"),
            *("--token-file", str(self.data / "owner.token"), "--bot", "mine"),
            *("--hands", str(hands), "--against", "always-call", "--words", "luck", "--", *bot),
        ]
        return subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, text=True)

    def logs(self):
        """The logs of all matches."""
        return sorted(self.data.glob("matches/*/*.log"))


@pytest.fixture
def server(tmp_path):
    """A server that has not begun; its process is ended in any case."""
    server = Server(tmp_path)
    yield server
    if server.process is not None and server.process.poll() is None:
        server.end(signal.SIGKILL)


def caller(folder, pace):
    """The words of a bot that checks and calls, and takes so many seconds for each answer."""
    path = folder / "caller.py"
    path.write_text(CALLER)
    return [sys.executable, str(path), str(pace)]


def test_from_the_first_start_to_a_result(server, tmp_path, capsys):
    """A bot plays a rated match in duplicate; result, proof of the deals and logs are there."""
    server.start()
    relay = server.connect(10, caller(tmp_path, 0))
    text, _ = relay.communicate(timeout=SECONDS)
    assert relay.returncode == 0, text
    assert "over 20 hands" in text
    match = server.ask("api/matches/1")
    assert (match["state"], match["hands_played"], match["rated"]) == ("finished", 20, True)
    assert match["result"]["estimates"]["sets"]["samples"] == 10
    _wait_until(lambda: server.ask("api/matches/1")["result"]["aivat"]["state"] != "pending")
    result = server.ask("api/matches/1")["result"]
    assert result["aivat"] == {"state": "counted", "known": "always-call"}
    assert result["estimates"]["aivat_sets"]["samples"] == 10
    assert result["estimates"]["sets"] == match["result"]["estimates"]["sets"]
    secret = bytes.fromhex(match["secret"])
    assert hashlib.sha256(secret).hexdigest() == match["commitment"]
    seed = int.from_bytes(hashlib.sha256(secret + b"luck").digest()[:4], "big")
    for log in server.logs():
        header = parse_log_line(log.read_text().partition("\n")[0])
        assert isinstance(header, Header)
        assert header.seed == seed
    assert server.end() == 0
    assert arena(["replay", "--verify", *map(str, server.logs())]) == 0
    assert arena(["server", "check", "--folder", str(server.data)]) == 0
    assert "1 matches, 20 hands: 0 faults" in capsys.readouterr().out
    token = server.data / "owner.token"
    assert token.stat().st_mode & 0o777 == 0o600
    assert token.read_text().strip() not in (server.data / "server.jsonl").read_text()


def test_a_match_is_watched_without_its_cards(server, tmp_path):
    """From the board's page of a match a guest comes to its hands, and sees bets and no card."""
    with open_browser() as browser:
        server.start()
        relay = server.connect(2000, caller(tmp_path, 0.002))
        _wait_for_hands(server)
        page = browser.new_page()
        page.set_default_timeout(1000 * SECONDS)
        page.goto(f"http://127.0.0.1:{server.port}/?match=1")
        page.get_by_text("Watch it").click()
        page.locator("#hand-title", has_text=re.compile("Hand [0-9]+")).wait_for()
        page.locator(".seat .back").first.wait_for()
        assert page.locator(".seat .card:not(.back), .board .card").count() == 0
        assert page.locator("#history", has_text="checks").count() == 1
        assert not page.locator("#fault").is_visible()
        relay.kill()
        relay.communicate()
        assert server.end() == 0


def test_a_hangup_has_the_config_read(server, capsys):
    """What is new in it counts at once; a fault changes nothing, and its line is in the status."""
    server.start()
    server.ask("healthz")
    config = server.folder / "server.toml"
    status = ["server", "status", "--folder", str(server.data)]
    config.write_text(config.read_text() + '[[house]]\nbot = "always-fold"\n')
    server.process.send_signal(signal.SIGHUP)
    _wait_until(lambda: len(server.ask("api/board")["house"]) == 2)
    config.write_text("prot = 1")
    server.process.send_signal(signal.SIGHUP)
    _wait_until(lambda: arena(status) == 0 and "prot is no key" in capsys.readouterr().out)
    assert len(server.ask("api/board")["house"]) == 2
    assert server.end() == 0


def test_a_server_ends_with_its_terminal(server):
    """A window that is closed sends the same signal, and stops the server in good order."""
    ours, theirs = os.openpty()
    server.start(
        INTERPRETER,  # nothing stands between it and its terminal
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(theirs, termios.TIOCSCTTY, 0),
        pass_fds=(theirs,),
    )
    os.close(theirs)
    server.ask("healthz")
    os.close(ours)
    assert server.process.wait(SECONDS) == 0
    server.process.stdout.close()


def _wait_until(true):
    """Wait until something is true."""
    end = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < end
        time.sleep(0.2)


def test_a_match_goes_on_after_kills(server, tmp_path):
    """Server and hosts are killed in mid-match; each hand is played once, and the relay is told."""
    server.start()
    relay = server.connect(40, caller(tmp_path, 0.005))
    for killed in ("server", "host"):
        _wait_for_hands(server)
        if killed == "server":
            server.end(signal.SIGKILL)
            server.start()
        else:
            for process in _hosts(server):
                os.kill(process, signal.SIGKILL)
    text, _ = relay.communicate(timeout=SECONDS)
    assert relay.returncode == 0, text
    assert server.ask("api/matches/1")["hands_played"] == 80
    assert server.end() == 0
    assert arena(["replay", "--verify", *map(str, server.logs())]) == 0
    for log in server.logs():
        numbers = [line.split(":")[1] for line in log.read_text().splitlines() if "STATE" in line]
        assert numbers == [str(number) for number in range(40)]


def _wait_for_hands(server):
    """Wait until more hands are in the logs than now."""
    now = sum(log.stat().st_size for log in server.logs())
    end = time.monotonic() + SECONDS
    while sum(log.stat().st_size for log in server.logs()) < now + 2000:
        assert time.monotonic() < end, "no hands are played"
        time.sleep(0.05)


def _hosts(server):
    """The processes that play matches for a server."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"dealer.hub.match_host" in words and str(server.data / "house").encode() in words:
            yield int(entry.parent.name)
