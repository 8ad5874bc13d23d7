"""A server in a storm: what is around it dies at random moments, and then its ledger is checked."""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
import urllib.request
from collections import Counter
from contextlib import closing
from pathlib import Path

import numpy as np

from dealer.arena import main as arena
from dealer.hub.store import Store
from dealer.hub.tokens import new_token
from dealer.relay.relay import MatchWish, match_line
from tests.helpers.interpreter import INTERPRETER
from tests.helpers.live_server import CALLER, hands_dealt_again, hands_played
from tests.helpers.ports import steady_port

CONFIG = """
port = {port}
[limits]
processes = 2
start_seconds = 300
reconnect_seconds = 300
aivat_seconds = 0
forfeits = 1000000
address_rate = 1000
[[house]]
bot = "always-call"
at_once = 8
"""
SHIFTED = """
import pathlib, sys, time
real, shift = time.time, pathlib.Path(sys.argv.pop(1))
time.time = lambda: real() + float(shift.read_text())
from dealer.arena import main
sys.exit(main())
"""
"""A server whose wall clock is so many seconds ahead as a file says at present."""
GUESTS = {"mine": "always-call", "ann": "bob", "bob": "ann"}
"""Bots that want to meet others; the accounts have the same names."""
PACE = 0.004
HANDS = 30
DAY = 86_400
SECONDS = 900.0
VICTIMS = {"server": 4, "host": 4, "counting": 2, "bot": 2, "house bot": 1, "relay": 3, "clock": 2}
"""What the storm hits -> how often."""
ASKED = re.compile(r"request (\d+): asked for a match against (\S+)")
TOLD = re.compile(r"match (\d+): (against .*)")


class Storm:
    """Server, relays and bots in a folder."""

    def __init__(self, folder, seed, disk=None):
        """Take a small disk, mounted, on which the server is to lie; None: no disk gets full."""
        self.random = np.random.default_rng(seed)
        self.folder = folder
        self.disk = disk
        self.data = (disk or folder) / "data"
        self.hits = Counter()
        self.was_full = False
        """Whether the disk was full since the server was started: it may not start then."""
        self.port = steady_port()
        self.server = None
        self.relays = {}
        self.begun = {}
        """By relay, where what it says begins in the file of all that went before it."""
        self.caller = folder / "caller.py"
        self.caller.write_text(CALLER)
        self._shift(0)
        self.data.mkdir()
        with closing(Store(self.data)) as store:
            for name in GUESTS:
                token, kept = new_token(name)
                account = store.add_account(name, kept, time.time())
                store.version(account.id, name, "0", "", time.time())
                (folder / f"{name}.token").write_text(token)

    # What lives.

    def start(self, first=True):
        """Start the server, the first time with the relays."""
        self.was_full = False
        config = self.folder / "server.toml"
        config.write_text(CONFIG.format(port=self.port))
        self.server = subprocess.Popen(
            [
                *(INTERPRETER, "-c", SHIFTED, str(self.folder / "shift")),
                *("server", str(config), "--folder", str(self.data)),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        line = self.server.stdout.readline()
        self.port = int(re.search(r":([0-9]+)/", line)[1])
        if first:
            for name in GUESTS:
                self._connect(name)

    def _connect(self, name):
        with (self.folder / f"{name}.out").open("a") as output:
            self.begun[name] = output.tell()
            self.relays[name] = subprocess.Popen(
                [
                    *(INTERPRETER, "-m", "dealer.arena", "connect"),
                    *(f"http://127.0.0.1:{self.port}/", "--bot", name, "--no-rated"),
                    *("--token-file", str(self.folder / f"{name}.token")),
                    *("--hands", str(HANDS), "--against", GUESTS[name]),
                    *("--matches", "forever", "--jobs", "1", "--words", name),
                    *("--", INTERPRETER, str(self.caller), str(PACE)),
                ],
                cwd=self.folder,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def end(self):
        """Let matches come to their ends."""
        self._shift(0)
        self._wait(self._all_listen, "a relay does not connect")
        for relay in self.relays.values():
            relay.send_signal(signal.SIGINT)
        codes = [relay.wait(SECONDS) for relay in self.relays.values()]
        assert codes == [130] * len(codes), self.output()
        self.relays.clear()
        with closing(Store(self.data)) as store:
            self._wait(lambda: not store.matches("running"), "some matches do not end")

    def stop(self):
        """Stop the server in good order."""
        self.server.send_signal(signal.SIGTERM)
        assert self.server.wait(SECONDS) == 0
        self.server.stdout.close()

    def clear(self):
        """End whatever is left, whatever has happened."""
        for process in (self.server, *self.relays.values()):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()

    def _all_listen(self):
        """Whether each relay is there, and would hear of a signal to end."""
        said = {name: (self.folder / f"{name}.out").read_bytes() for name in GUESTS}
        return all(b"connected" in said[name][self.begun[name] :] for name in GUESTS)

    def output(self):
        """What the relays have said."""
        return {name: (self.folder / f"{name}.out").read_text() for name in GUESTS}

    # What dies.

    def rage(self, hits):
        """Hit so many times."""
        kinds = dict(VICTIMS, **({"disk": 1} if self.disk else {}))
        while self.hits.total() < hits:
            if self.random.random() < 0.7:
                self._wait_for_hands()
            time.sleep(self.random.random())
            weights = np.array(list(kinds.values()))
            self._hit(str(self.random.choice(list(kinds), p=weights / weights.sum())))

    def _hit(self, kind):
        if kind == "clock":
            self._shift(int(self.random.choice([-400, -2, -1, 0, 1])) * DAY)
        elif kind == "disk":
            self._fill_the_disk()
        else:
            victims = self._victims(kind)
            if not victims:
                return
            victim = int(self.random.choice(victims))
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
            for process in (self.server, *self.relays.values()):
                if process.pid == victim:
                    process.wait()
        self.hits[kind] += 1
        self._revive()

    def _revive(self):
        for name, relay in list(self.relays.items()):
            if relay.poll() is not None:
                assert relay.returncode == -signal.SIGKILL, self.output()
                self._connect(name)
        if self.server.poll() is not None:
            killed = self.server.returncode == -signal.SIGKILL
            assert killed or self.was_full, f"the server ended with {self.server.returncode}"
            self.server.stdout.close()
            self.start(first=False)

    def _victims(self, kind):
        """The numbers of the processes of a kind."""
        if kind == "server":
            return [self.server.pid]
        if kind == "relay":
            return [relay.pid for relay in self.relays.values()]
        processes = _processes()
        if kind == "bot":
            return [
                process.pid
                for process in processes
                if str(self.caller) in process.words and "connect" not in process.words
            ]
        if kind == "house bot":
            hosts = self._victims("host")
            return [p.pid for p in processes if p.parent in hosts and "always-call" in p.words]
        word = "dealer.hub.match_host" if kind == "host" else "spawn_main"
        return [p.pid for p in processes if p.parent == self.server.pid and word in p.command]

    def _shift(self, seconds):
        """Set the server's clock."""
        new = self.folder / "shift.new"
        new.write_text(str(seconds))
        new.replace(self.folder / "shift")

    def _fill_the_disk(self):
        """Leave no byte free for some time; now and then the server is killed then."""
        self.was_full = True
        filler = self.disk / "filler"
        with filler.open("wb", buffering=0) as file:
            for size in (1 << 20, 1 << 12, 1):
                with contextlib.suppress(OSError):
                    while file.write(bytes(size)):
                        pass
        time.sleep(1 + 2 * self.random.random())
        if self.random.random() < 0.3:
            self.server.kill()
            self.server.wait()
        filler.unlink()

    # Waiting.

    def _wait(self, true, what):
        end = time.monotonic() + SECONDS
        while not true():
            assert time.monotonic() < end, f"{what}: {self.output()}"
            time.sleep(0.1)
            self._revive()

    def _wait_for_hands(self):
        now = self._size()
        self._wait(lambda: self._size() > now + 200, "no hands are played")

    def _size(self):
        return sum(log.stat().st_size for log in self.data.glob("matches/*/*.log"))

    # What is left.

    def check(self):
        """Compare ledger, logs, and what was acknowledged; return how many of what there are."""
        with closing(Store(self.data)) as store:
            matches = {match.id: match for match in store.matches()}
            bots = {version.id: version.name for version in store.versions()}
            counts = Counter(match.state for match in matches.values())
            for match in matches.values():
                if match.state == "finished":
                    counts["hands"] += hands_played(self.data, match)
                    assert [leg.number for leg in store.legs(match.id)] == [0, 1]
            for name, text in self.output().items():
                for number, against in ASKED.findall(text):
                    request = store.request(int(number))
                    assert (bots[request.version], request.opponent) == (name, against)
                    counts["requests acknowledged"] += 1
                for number, line in TOLD.findall(text):
                    self._check_told(name, number, line)
                    counts["results told"] += 1
        self.stop()
        logs = [str(log) for log in sorted(self.data.glob("matches/*/*.log"))]
        assert arena(["replay", "--verify", *logs]) == 0
        assert arena(["server", "check", "--folder", str(self.data)]) == 0
        counts["hands dealt again"] = hands_dealt_again(self.data, self.folder / "export")
        assert counts["hands dealt again"] >= counts["hands"]
        return counts

    def _check_told(self, name, number, line):
        """Compare what a relay told of a match with what the server says now."""
        address = f"http://127.0.0.1:{self.port}/api/matches/{number}"
        with urllib.request.urlopen(address, timeout=60) as answer:
            document = json.load(answer)
        wish = MatchWish(name, "1", "hunl", HANDS, None, pairs=True, rated=False, words="")
        if "could not be counted" not in line:  # it is counted at the next start
            assert line == match_line(document, wish)


class _Process:
    def __init__(self, entry):
        self.pid = int(entry.name)
        self.words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
        self.command = " ".join(self.words)
        self.parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])


def _processes():
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found.append(_Process(entry))
    return found


@contextlib.contextmanager
def small_disk(folder, megabytes=24):
    """A file system of its own, mounted in a folder; None where that cannot be."""
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    try:
        mounted = os.getuid() == 0 and not subprocess.run(words, capture_output=True).returncode
    except OSError:
        mounted = False
    try:
        yield folder if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
