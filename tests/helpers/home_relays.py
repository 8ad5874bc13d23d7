"""`arena connect` in this process, at a stub of a server."""

import asyncio
import contextlib
import shlex
import sys
from pathlib import Path

import pytest

from dealer.bots.participants import parse_bots
from dealer.relay.relay import MatchWish, Relay, RelaySettings, RelayStopped
from dealer.relay.server_calls import Server, parse_url
from tests.helpers.stub_hub import TOKEN, StubHub

CALLER = """
import socket, sys, time
pace, most = float(sys.argv[1]), int(sys.argv[2])
with socket.create_connection((sys.argv[-2], int(sys.argv[-1]))) as sock:
    sock.sendall(b"VERSION:2.0.0\\r\\n")
    answered = 0
    for line in sock.makefile("rb"):
        _, position, hand, betting, _ = line.split(b":")
        if betting == b"c" * int(position):
            answered += 1
            if answered == most:
                sys.exit(7)
            time.sleep(pace)
            sock.sendall(line.strip() + b":c\\r\\n")
"""
SECONDS = 60


def caller_in(folder):
    """A function that returns the words of a bot that checks and calls."""
    path = folder / "caller.py"
    path.write_text(CALLER)

    def words(pace=0.0, most=0):
        return [sys.executable, str(path), str(pace), str(most)]

    return words


class Home:
    """One relay, in this process."""

    def __init__(self, hub, name, words, folder, *, context=None, patience=20.0, **wish):
        self.told = []
        scheme, host = ("https", "localhost") if context else ("http", "127.0.0.1")
        address = parse_url(f"{scheme}://{host}:{hub.port}")
        seconds = wish.pop("call", 5.0), wish.pop("silence", 5.0)
        server = Server(address, wish.pop("token", TOKEN), context, *seconds)
        jobs, matches = wish.pop("jobs", 1), wish.pop("matches", 1)
        usual = {"version": "1", "game": "kuhn", "hands": 20, "opponent": None, "pairs": True}
        said = wish.pop("said", "")
        asked = MatchWish(**{"bot": name, "rated": True, "words": said, **usual, **wish})
        (bot,) = parse_bots([shlex.join(words)], (), Path.cwd())
        self.folder = folder / name
        self.folder.mkdir(exist_ok=True)
        settings = RelaySettings(matches, jobs, patience, self.folder)
        self.relay = Relay(server, asked, bot, settings, self.told.append)
        self.stop = asyncio.Event()

    async def run(self):
        """The exit code."""
        try:
            return await self.relay.run(self.stop)
        except RelayStopped as stopped:
            self.told.append(str(stopped))
            return stopped.code

    def heard(self, words):
        """Lines with some words."""
        return [line for line in self.told if words in line]


@contextlib.asynccontextmanager
async def hub_in(folder, front=None, **options):
    """A server that is there."""
    hub = StubHub(folder, **options)
    try:
        async with asyncio.timeout(SECONDS):
            async with hub.serving(front):
                yield hub
            if front is not None:
                await front.close()
    finally:
        await hub.end()


async def until(true, what):
    """Wait for something, and say what is missing when it does not come."""
    for _ in range(2000):
        if true():
            return
        await asyncio.sleep(0.01)
    pytest.fail(what)
