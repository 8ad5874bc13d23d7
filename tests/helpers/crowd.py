"""Many bots at one server for a long time: relays in a few processes, each with bots of its own."""

import asyncio
import contextlib
import itertools
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
from tests.helpers.live_server import ARENA, caller, hands_dealt_again, hands_played, processes_with

CONFIG = """
port = 0
games = ["hunl"]
[limits]
matches = {matches}
start_seconds = 300
reconnect_seconds = 300
address_connections = 20000
connections = 20000
address_rate = 10000
[quotas]
hands_a_day = 100000000
"""
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
            for name in self.names:
                token, kept = new_token(name)
                store.add_account(name, kept, time.time())
                (folder / f"{name}.token").write_text(token)
        config = folder / "server.toml"
        config.write_text(CONFIG.format(matches=bots))
        self.server = subprocess.Popen(
            [*ARENA, "server", str(config), "--folder", str(self.data)],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.url = re.search(r"http://[0-9.:]+/", self.server.stdout.readline())[0]

    def join(self):
        """Start the relays."""
        bot = shlex.join(caller(self.folder, self.pace))
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

    def metric(self, name):
        """One of the server's numbers."""
        with urllib.request.urlopen(f"{self.url}metrics", timeout=60) as answer:
            text = answer.read().decode()
        return float(re.search(rf"^{name} (\S+)$", text, re.MULTILINE)[1])

    def leave(self):
        """Let running matches come to their ends; stop relays and server in good order."""
        for relays in self.relays:
            relays.send_signal(signal.SIGINT)
        codes = [relays.wait(3600) for relays in self.relays]
        assert codes == [0] * len(codes), [
            path.read_text()[-500:] for path in self.folder.glob("*.out")
        ]
        self.server.send_signal(signal.SIGTERM)
        assert self.server.wait(600) == 0
        self.server.stdout.close()

    def clear(self):
        """End whatever is left."""
        for process in (*self.relays, self.server):
            if process.poll() is None:
                process.kill()
                process.wait()

    def check(self):
        """Find each hand of each match once, and all logs without a fault; return the counts."""
        counts, matches_of, waits = Counter(), Counter(), []
        with closing(Store(self.data)) as store:
            owners = {version.id: version.name for version in store.versions()}
            started = {match.id: match.started for match in store.matches()}
            for match in store.matches():
                counts[match.state] += 1
                matches_of.update(owners[version] for version in (match.first, match.second))
                if match.state == "finished":
                    counts["hands"] += hands_played(self.data, match)
            with contextlib.suppress(ServerError):  # behind the last one
                for number in itertools.count(1):
                    request = store.request(number)
                    if request.match is not None:
                        waits.append(started[request.match] - request.queued)
        assert arena(["server", "check", "--folder", str(self.data)]) == 0
        assert hands_dealt_again(self.data, self.folder / "export") >= counts["hands"]
        played = [matches_of[name] for name in self.names]
        counts["fewest matches of a bot"] = min(played)
        counts["most matches of a bot"] = max(played)
        counts["median wait, s"] = round(statistics.median(waits), 2)
        counts["longest wait, s"] = round(max(waits), 2)
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
