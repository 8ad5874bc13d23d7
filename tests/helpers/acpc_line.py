"""A server whose hosts play nothing, with its door for clients of the benchmark server, and those.

The config has the users neil and ann, and a game of two bots besides the house bot "rule".
"""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

from dealer.hub.acpc_config import read_acpc_config
from dealer.hub.acpc_door import AcpcDoor
from dealer.web.server import listen_at
from tests.helpers.fake_server import CONFIG, end_of, serving

GAME = "holdem.limit.2p.reverse_blinds.game"
TEXT = f"""\
# test config
port 0
startupTimeoutSecs 5
responseTimeoutSecs 10
handTimeoutSecs 70
avgHandTimeSecs 7
game {GAME} {{
  maxMatchRuns 3
  maxRunningJobs 1
  matchHands 20
  bot testBot ./bot.sh
  bot otherBot ./bot.sh   ; the same
}}
user neil test
user ann pw2
"""
SECONDS = 20


def written(folder, text=TEXT):
    """The file of a config, with the script of its bots beside it."""
    script = folder / "bot.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    path = folder / "bm.config"
    path.write_text(text)
    return path


class LineClient:
    """One that speaks the line protocol."""

    def __init__(self, reader, writer):
        self.reader = reader
        self.writer = writer

    def say(self, text):
        """Send it."""
        self.writer.write(text.encode())

    async def hear(self, lines=1):
        """The next lines."""
        async with asyncio.timeout(SECONDS):
            return "".join([(await self.reader.readline()).decode() for _ in range(lines)])

    async def ask(self, text, lines=1):
        """Send it; the next lines."""
        self.say(f"{text}\n")
        return await self.hear(lines)

    async def rest(self):
        """All that comes until the other end closes."""
        async with asyncio.timeout(SECONDS):
            return (await self.reader.read()).decode()

    def silent(self):
        """Whether nothing has come that was not heard."""
        return not self.reader._buffer

    def close(self):
        """Go."""
        self.writer.close()


class AcpcServer:
    """A door, and the server behind it."""

    def __init__(self, server, port, events):
        self.server = server
        self.port = port
        self.events = events
        """Of the server's log."""
        self.clients = []

    async def connect(self, first=""):
        """A client; `first` is its first line, "" for none."""
        client = LineClient(*await asyncio.open_connection("127.0.0.1", self.port))
        self.clients.append(client)
        if first:
            assert await client.ask(first) == "LOGON OKAY - type help for commands\n"
        return client

    async def playing(self, *matches):
        """Wait until these are the matches that are played."""
        await self.until(lambda: set(self.server.hub.state.running) == set(matches))

    async def end(self, match, ending="finished", **how):
        """End a match, and wait until that is stored."""
        self.server.hub.hear(end_of(f"{match}.0", ending, **how))
        await self.until(lambda: match not in self.server.hub.state.running)

    async def until(self, condition):
        """Wait until something holds."""
        async with asyncio.timeout(SECONDS):
            while not condition():  # noqa: ASYNC110 - there is nothing that tells of all of it
                await asyncio.sleep(0.01)


@asynccontextmanager
async def serving_acpc(folder, text=TEXT, **changes):
    """A server with a door that runs, and is stopped at the end; `changes` are of its config."""
    acpc = read_acpc_config(written(folder, text), ["rule"])
    config = replace(CONFIG, acpc=acpc, **changes)
    events = []
    async with serving(folder, config=config) as server:
        stop = asyncio.Event()
        door = AcpcDoor(server.hub, lambda event, **facts: events.append((event, facts)))
        listening = listen_at("127.0.0.1", 0)
        port = listening.getsockname()[1]
        task = asyncio.create_task(door.serve(listening, stop))
        running = AcpcServer(server, port, events)
        try:
            yield running
        finally:
            stop.set()
            await task
            for client in running.clients:
                client.close()
