"""How long a server takes from one bot's answer to the other bot's state, alone and in a flood.

The flood comes from seven addresses of the loopback network: requests whose answers nobody reads,
streams that nobody reads, half a request on each of many connections, and 1000 requests for matches
that wait in the queue.
"""

import asyncio
import contextlib
import gc
import json
import re
import signal
import subprocess
import sys
import time
from contextlib import aclosing, closing

import pytest

from dealer.hub.store import Store
from dealer.hub.tokens import new_token
from dealer.relay.server_calls import Server, ServerRefusal, ServerUnreachable, parse_url
from tests.helpers.dealer_process import DealerProcess
from tests.helpers.live_server import ARENA

HANDS = 20_000
WAITING = 1000
FLOOD_CONNECTIONS = 60
"""Of each address and kind."""
CONFIG = """
port = 0
[limits]
address_rate = 100000
address_connections = 200
[quotas]
matches_at_once = 2
hands_a_day = 1000000000
"""


class Guest:
    """A bot that calls whatever comes, at once."""

    def __init__(self, url, token, name, opponent, delays):
        self.server = Server(parse_url(url), token, None)
        self.name = name
        self.opponent = opponent
        self.delays = delays

    async def play(self, hands):
        """Play one match of one leg."""
        await self.server.call("POST", "api", "requests", document=self.request(hands))
        query = {"version": "1", "digest": "1", "relay": self.name}
        stream = self.server.events("api", "bots", self.name, "seats", query=query)
        async with aclosing(stream):
            async for event in stream:
                if event is not None and event.kind == "seat":
                    return await self.sit(json.loads(event.data)["seat"])

    def request(self, hands):
        """What it asks for."""
        words = {"bot": self.name, "version": "1", "digest": "1", "opponent": self.opponent}
        return {
            **words,
            "game": "hunl",
            "hands": hands,
            "pairs": False,
            "rated": False,
            "words": "",
        }

    async def sit(self, key):
        """Take a seat."""
        async with self.server.switched("api", "seats", key) as stream:
            await self.delays.call(stream.reader, stream.writer, stream.rest)


class Delays:
    """What two bots measure together."""

    def __init__(self):
        self.answered = None
        self.seconds = []

    async def call(self, reader, writer, partial=b""):
        """Answer all states of a seat; note when the other's answer came through."""
        writer.write(b"VERSION:2.0.0\r\n")
        while data := await reader.read(1 << 16):
            *lines, partial = (partial + data).split(b"\r\n")
            now = time.perf_counter()
            for line in lines:
                _, position, _, betting, _ = line.split(b":")
                _, slash, street = betting.rpartition(b"/")
                turn = (len(street) + (not slash)) % 2 == int(position)
                if turn and self.answered is not None:
                    self.seconds.append(now - self.answered)
                if turn and betting.count(b"c") < 8:
                    self.answered = time.perf_counter()
                    writer.write(line + b":c\r\n")

    def note(self, benchmark):
        """Put the figures into a report."""
        ordered = sorted(1e3 * seconds for seconds in self.seconds)
        assert len(ordered) > 7 * HANDS
        benchmark.extra_info["delay_ms_median"] = ordered[len(ordered) // 2]
        benchmark.extra_info["delay_ms_999_of_1000"] = ordered[len(ordered) * 999 // 1000]
        benchmark.extra_info["delay_ms_max"] = ordered[-1]


@pytest.fixture
def server(tmp_path):
    """The address of a server, and a token of each of three accounts."""
    data = tmp_path / "data"
    data.mkdir()
    tokens = {}
    with closing(Store(data)) as store:
        for name in ("ann", "bob", "eve"):
            tokens[name], kept = new_token(name)
            store.add_account(name, kept, time.time())
    (tmp_path / "server.toml").write_text(CONFIG)
    words = [*ARENA, "server", str(tmp_path / "server.toml"), "--folder", str(data)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        yield re.search(r"http://[0-9.:]+/", process.stdout.readline())[0], tokens
        process.send_signal(signal.SIGTERM)


def bench_answers_of_a_dealer(benchmark, tmp_path):
    """The same bots at `arena dealer`."""
    delays = Delays()

    async def play(ports):
        seats = [await asyncio.open_connection("127.0.0.1", port) for port in ports]
        await asyncio.gather(*(delays.call(*seat) for seat in seats))
        for _, writer in seats:
            writer.close()

    with DealerProcess(tmp_path, str(HANDS), "-q") as dealer, contextlib.ExitStack() as stack:
        gc.disable()
        stack.callback(gc.enable)
        benchmark.pedantic(lambda: asyncio.run(play(dealer.ports)), rounds=1)
    delays.note(benchmark)


@pytest.mark.parametrize("flooded", [False, True], ids=["alone", "flooded"])
def bench_answers(benchmark, server, flooded):
    """One leg of 20,000 hands of two bots that take no time."""
    url, tokens = server
    delays = Delays()

    async def play():
        ann = Guest(url, tokens["ann"], "ann", "guest", delays)
        bob = Guest(url, tokens["bob"], "bob", "guest", delays)
        await asyncio.gather(ann.play(HANDS), bob.play(HANDS))

    flood = [sys.executable, "-m", __name__, url, tokens["eve"]]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with contextlib.ExitStack() as stack:
        if flooded:
            flooding = stack.enter_context(subprocess.Popen(flood, **pipes))
            stack.callback(flooding.kill)
            assert flooding.stdout.readline() == b"flooding\n"
        gc.disable()
        stack.callback(gc.enable)
        benchmark.pedantic(lambda: asyncio.run(play()), rounds=1)
    delays.note(benchmark)


async def flood_server(url, token):
    """Never end."""
    address = parse_url(url)
    eve = Guest(url, token, "eve", "guest", None)
    for number in range(WAITING):
        with contextlib.suppress(ServerRefusal, ServerUnreachable):
            await eve.server.call("POST", "api", "requests", document=eve.request(1 + number))
    request = f"GET / HTTP/1.1\r\nHost: {address.authority}\r\n\r\n".encode()
    stream = (
        f"GET /api/bots/eve/seats?version=1&digest=1 HTTP/1.1\r\nHost: {address.authority}\r\n"
        f"Authorization: Bearer {token}\r\n\r\n"
    ).encode()
    kinds = [(request, 1 << 30), (request[:-2], 1), (stream, 1)]
    async with asyncio.TaskGroup() as group:
        for last in range(2, 9):
            for data, times in kinds:
                for _ in range(FLOOD_CONNECTIONS):
                    group.create_task(flood_from(f"127.0.0.{last}", address.port, data, times))
        print("flooding", flush=True)


async def flood_from(source, port, data, times):
    """Send the same again and again over one connection, and read nothing; then over a new one."""
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(source, 0), limit=1
            )
            for _ in range(times):
                writer.write(data)
                await asyncio.wait_for(writer.drain(), 5)
                await asyncio.sleep(0)
            await asyncio.sleep(5)
            writer.close()
        await asyncio.sleep(0.1)


if __name__ == "__main__":
    asyncio.run(flood_server(*sys.argv[1:]))
