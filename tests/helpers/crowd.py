"""Many bots at one server for a long time: relays in a few processes, each with bots of its own.

They come through 127.0.0.1, which the server takes for a reverse proxy, without limits of clients.
So attackers from other addresses have the usual ones.
"""

import asyncio
import contextlib
import itertools
import json
import os
import re
import shlex
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from contextlib import closing
from pathlib import Path

from dealer.arena import main as arena
from dealer.bots.participants import parse_bots
from dealer.hub.errors import ServerError
from dealer.hub.store import Store
from dealer.hub.tokens import new_token
from dealer.relay.relay import MatchWish, Relay, RelaySettings
from dealer.relay.server_calls import Server, parse_url
from tests.helpers import attackers
from tests.helpers.live_server import (
    ARENA,
    hands_dealt_again,
    hands_played,
    processes_with,
    wait_until,
)

CONFIG = """
port = 0
games = ["hunl"]
proxies = ["127.0.0.1"]
[acpc]
config = "acpc.config"
[limits]
matches = {matches}
start_seconds = 300
reconnect_seconds = 300
per_hand_ms = 60_000
connections = 12000
[quotas]
hands_a_day = 100000000
[[house]]
bot = "always-call"
at_once = 10
"""
GOOD_ENDINGS = ("", "[spectators]\ndelay_hands = 1\n", '[[house]]\nbot = "always-fold"\n')
"""Of a config that is read again."""
BAD_ENDINGS = ("[[house]]\nbot = 7\n", "[limits", "\0", "matches = 1\n", '[[house]]\nbot = "x"\n')
ACPC_CONFIG = f"""
port 0
startupTimeoutSecs 10
game {attackers.GAME} {{
  matchHands 20
}}
user neil not-{attackers.SECRET}
user {attackers.ACPC_NAME} {attackers.SECRET}
"""
CALLER = """
import pathlib, socket, sys, time
pace, answered = float(sys.argv[1]), None
delays = pathlib.Path(__file__).with_name("delays").open("a", buffering=1)
with socket.create_connection((sys.argv[-2], int(sys.argv[-1]))) as sock:
    sock.sendall(b"VERSION:2.0.0\\r\\n")
    for line in sock.makefile("rb"):
        if answered is not None:
            delays.write(f"{time.monotonic() - answered:.6f}\\n")
            answered = None
        _, position, _, betting, _ = line.split(b":")
        _, slash, street = betting.rpartition(b"/")
        if betting.count(b"c") < 8 and (len(street) + (not slash)) % 2 == int(position):
            time.sleep(pace)
            answered = time.monotonic()
            sock.sendall(line.strip() + b":c\\r\\n")
"""
"""Checks and calls; notes how long it takes from each answer to the next line."""
RELAYS = 25
"""In one process."""
GAME = "hunl"


class Crowd:
    """A server, and so many bots of as many accounts that play each other."""

    def __init__(self, folder, bots, hands, pace):
        """Begin nothing yet; a bot takes `pace` seconds for an answer."""
        self.folder = folder
        self.data = folder / "data"
        self.data.mkdir()
        self.names = [f"bot{number:03}" for number in range(bots)]
        self.hands = hands
        self.pace = pace
        self.samples = []
        self.relays = []
        with closing(Store(self.data)) as store:
            for name in (*self.names, "eve", "old", "gone", "late"):
                token, kept = new_token(name)
                store.add_account(name, kept, time.time())
                (folder / f"{name}.token").write_text(token)
            _, renewed = new_token("old")
            store.change_account("old", salt=renewed.salt, hash=renewed.hash)
            store.change_account("gone", revoked=time.time())
            store.change_account("late", expires=time.time())
        (folder / "acpc.config").write_text(ACPC_CONFIG)
        self.config = folder / "server.toml"
        self.text = CONFIG.format(matches=bots + 10)
        self.config.write_text(self.text)
        self.server = subprocess.Popen(
            [*ARENA, "server", str(self.config), "--folder", str(self.data)],
            stdout=subprocess.PIPE,
            text=True,
        )
        said = ""
        while "bm_widget" not in said:
            line = self.server.stdout.readline()
            assert line, f"the server ended: {said}"
            said += line
        self.url = re.search(r"http://[0-9.:]+/", said)[0]
        self.acpc = re.search(r"bm_widget 127\.0\.0\.1 ([0-9]+)", said)[1]
        self.attackers = None
        self.hangups = Counter()

    def join(self):
        """Start the relays."""
        caller = self.folder / "caller.py"
        caller.write_text(CALLER)
        bot = shlex.join([sys.executable, str(caller), str(self.pace)])
        for first in range(0, len(self.names), RELAYS):
            output = (self.folder / f"relays{first}.out").open("w")
            words = [self.url, str(self.folder), str(self.hands), bot]
            words += self.names[first : first + RELAYS]
            self.relays.append(
                subprocess.Popen(
                    [sys.executable, "-m", "tests.helpers.crowd", *words],
                    stdout=output,
                    stderr=subprocess.STDOUT,
                )
            )
            output.close()

    def attack(self):
        """Start attackers."""
        words = [str(self.folder), self.url, self.acpc]
        self.attackers = subprocess.Popen([sys.executable, "-m", attackers.__name__, *words])

    def retreat(self):
        """End the attackers; return what they have seen."""
        self.attackers.send_signal(signal.SIGINT)
        assert self.attackers.wait(300) == 0
        return json.loads((self.folder / "attacks.json").read_text())

    def hang_up(self):
        """Have the config read again; it has a fault now and then."""
        number = self.hangups.total()
        good = number % 2 == 0
        endings = GOOD_ENDINGS if good else BAD_ENDINGS
        self.config.write_text(self.text + endings[number // 2 % len(endings)])
        event = "config read" if good else "config refused"
        self.hangups[event] += 1
        self.server.send_signal(signal.SIGHUP)
        wait_until(lambda: self.events(event) == self.hangups[event], f"no {event}")

    def events(self, event):
        """How often something stands in the server's log."""
        return (self.data / "server.jsonl").read_text().count(f'"event": "{event}"')

    def sample(self):
        """Note what the server takes at this moment; return it."""
        processes = {"server": self.server.pid}
        for number, pid in enumerate(processes_with("dealer.hub.match_host", self.data)):
            processes[f"host {number}"] = pid
        sample = {"running": self.metric("arena_matches_running")}
        sample["waiting"] = self.metric("arena_requests_waiting")
        for name, pid in processes.items():
            with contextlib.suppress(OSError):
                sample[f"{name} descriptors"] = len(os.listdir(f"/proc/{pid}/fd"))
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
                sample[f"{name} MiB"] = int(re.search(r"Pss: +(\d+)", rollup)[1]) / 1024
        self.samples.append(sample)
        return sample

    def is_idle_again(self, before):
        """Whether server and hosts have no more descriptors than before any match, or few."""
        now = self.sample()
        names = [name for name in before if name.endswith("descriptors")]
        return all(now.get(name, 0) <= before[name] + 10 for name in names)

    def metric(self, name):
        """One of the server's numbers."""
        with urllib.request.urlopen(f"{self.url}metrics", timeout=60) as answer:
            text = answer.read().decode()
        return float(re.search(rf"^{name} (\S+)$", text, re.MULTILINE)[1])

    def leave(self):
        """Let running matches come to their ends; stop the relays in good order."""
        for relays in self.relays:
            relays.send_signal(signal.SIGINT)
        codes = [relays.wait(3600) for relays in self.relays]
        assert codes == [0] * len(codes), [
            path.read_text()[-500:] for path in self.folder.glob("*.out")
        ]

    def stop(self):
        """Stop the server in good order."""
        self.server.send_signal(signal.SIGTERM)
        assert self.server.wait(600) == 0
        self.server.stdout.close()

    def clear(self):
        """End whatever is left."""
        for process in (*self.relays, self.server, self.attackers):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()

    def check(self):
        """Find each hand of each match once, and all logs without a fault; return the counts."""
        counts, matches_of, waits = Counter(), Counter(), []
        with closing(Store(self.data)) as store:
            owners = {version.id: version.name for version in store.versions()}
            started = {match.id: match.started for match in store.matches()}
            for match in store.matches():
                bots = {owners[match.first], owners[match.second]}
                if bots.isdisjoint(self.names):
                    counts[f"{match.state} of attackers"] += 1
                    continue
                assert bots.issubset(self.names)
                counts[match.state] += 1
                matches_of.update(bots)
                if match.state == "finished":
                    counts["hands"] += hands_played(self.data, match)
            with contextlib.suppress(ServerError):  # behind the last one
                for number in itertools.count(1):
                    request = store.request(number)
                    if request.match is not None and owners[request.version] in self.names:
                        waits.append(started[request.match] - request.queued)
        assert arena(["server", "check", "--folder", str(self.data)]) == 0
        assert hands_dealt_again(self.data, self.folder / "export") >= counts["hands"]
        played = [matches_of[name] for name in self.names]
        counts["fewest matches of a bot"] = min(played)
        counts["most matches of a bot"] = max(played)
        counts["median wait, s"] = round(statistics.median(waits), 2)
        counts["longest wait, s"] = round(max(waits), 2)
        delays = [float(line) for line in (self.folder / "delays").read_text().splitlines()]
        counts["answers"] = len(delays)
        counts["median delay, ms"] = round(1e3 * statistics.median(delays), 2)
        counts["longest delay, ms"] = round(1e3 * max(delays), 1)
        return counts


async def _relay_all(url, folder, hands, bot, names):
    """Ask for matches again and again, for all names, until SIGINT."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop.set)
    (bot,) = parse_bots([bot], (), Path.cwd())
    async with asyncio.TaskGroup() as group:
        for name in names:
            server = Server(parse_url(url), (folder / f"{name}.token").read_text(), None)
            wish = MatchWish(name, "1", GAME, hands, "guest", pairs=True, rated=True, words="")
            outputs = folder / name
            outputs.mkdir()
            relay = Relay(server, wish, bot, RelaySettings(None, 1, 600.0, outputs), print)
            group.create_task(relay.run(stop))


if __name__ == "__main__":
    url, folder, hands, bot, *names = sys.argv[1:]
    asyncio.run(_relay_all(url, Path(folder), int(hands), bot, names))
