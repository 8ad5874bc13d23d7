"""`arena server` in a process of its own, with relays and bots around it."""

import contextlib
import io
import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from dealer.arena import main as arena
from tests.helpers.ports import steady_port

ARENA = [sys.executable, "-m", "dealer.arena"]
CONFIG = """
port = {port}
hosts = {names}
[limits]
processes = 1
reconnect_seconds = 20
aivat_seconds = {aivat}
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

    def __init__(self, folder, names=(), config=CONFIG, aivat=0):
        """Take names by which it is reached, beside this machine's own."""
        self.names = list(names)
        self.config = config
        self.aivat = aivat
        self.folder = folder
        self.data = folder / "data"
        self.port = steady_port()
        self.process = None

    def start(self, program=sys.executable, *, before=(), **options):
        """Start it, and wait until it says where it is; some words may stand before its own."""
        config = self.folder / "server.toml"
        config.write_text(self.config.format(port=self.port, names=self.names, aivat=self.aivat))
        self.process = subprocess.Popen(
            [*before, program, *ARENA[1:], "server", str(config), "--folder", str(self.data)],
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

    def keep(self, folder, leg):
        """The path of a log of the first match as the board has it, once it is over."""
        wait_until(lambda: self.ask("api/matches/1")["state"] == "finished", "it is not over")
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/logs/1.{leg}.log") as answer:
            path = folder / f"1.{leg}.log"
            path.write_bytes(answer.read())
        return path

    def end(self, number=signal.SIGTERM):
        """Send it a signal; return its exit code."""
        self.process.send_signal(number)
        code = self.process.wait(SECONDS)
        self.process.stdout.close()
        return code

    def clear(self):
        """End it, whatever has happened."""
        if self.process is not None and self.process.poll() is None:
            self.end(signal.SIGKILL)

    def connect(self, hands, bot, *options):
        """Start a relay that plays one match against the house."""
        words = [
            *(*ARENA, "connect", f"http://127.0.0.1:{self.port}/"),
            *("--token-file", str(self.data / "owner.token"), "--bot", "mine"),
            *("--hands", str(hands), "--against", "always-call", "--words", "luck"),
            *(*options, "--", *bot),
        ]
        return subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, text=True)

    def logs(self):
        """The logs of all matches."""
        return sorted(self.data.glob("matches/*/*.log"))

    def hosts(self):
        """The numbers of the processes that play its matches."""
        return list(processes_with("dealer.hub.match_host", self.data / "house"))


def hands_played(data, match):
    """Find each hand of a finished match of two legs once; return how many there are."""
    folder = data / "matches" / f"{match.id:08}"
    for leg in (0, 1):
        lines = (folder / f"leg{leg}.log").read_text().splitlines()
        numbers = [line.split(":")[1] for line in lines if line.startswith("STATE:")]
        assert numbers == [str(number) for number in range(match.hands)], match.id
    assert match.hands_played == 2 * match.hands
    if match.result is not None:
        assert json.loads(match.result)["hands"] == match.hands_played
    return match.hands_played


def hands_dealt_again(data, folder):
    """Export all matches of a server to a folder; count the hands that are dealt right in them."""
    assert arena(["server", "export", str(folder), "--folder", str(data)]) == 0
    logs = sorted(map(str, folder.glob("**/*.log")))
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = arena(["replay", "--verify", *logs])
    assert code == 0, said.getvalue()
    counts = re.findall(r": ok, ([0-9,]+)(?: of [0-9,]+)? hands, deals checked", said.getvalue())
    return sum(int(count.replace(",", "")) for count in counts)


def caller(folder, pace):
    """The words of a bot that checks and calls, and takes so many seconds for each answer."""
    path = folder / "caller.py"
    path.write_text(CALLER)
    return [sys.executable, str(path), str(pace)]


def wait_until(true, what, seconds=SECONDS):
    """Wait until something is true, and say what is missing when it does not come."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            pytest.fail(what)
        time.sleep(0.1)


def wait_for_hands(server):
    """Wait until more hands are in the logs than now."""

    def size():
        return sum(log.stat().st_size for log in server.logs())

    now = size()
    wait_until(lambda: size() > now + 500, "no hands are played")


def processes_with(*words):
    """The numbers of the processes that have each of some words in their commands."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_bytes().decode(errors="replace")
        except OSError:
            continue
        if all(str(word) in command for word in words):
            yield int(entry.parent.name)
