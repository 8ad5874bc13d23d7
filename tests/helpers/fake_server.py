"""A server whose hosts play nothing: a test says how each leg ends."""

import asyncio
from concurrent.futures import Future
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

from dealer.bots.participants import BotKind, Participant
from dealer.hub.hub import Hub
from dealer.hub.server_config import OfferedBot, ServerConfig, ServerLimits
from dealer.hub.store import MatchRequest, Store, StoredMatch
from dealer.hub.tokens import new_token

HOUSE = OfferedBot(Participant("rule", BotKind.SHIPPED, ("rule",)), at_once=8)
CONFIG = ServerConfig(house=(HOUSE,), limits=ServerLimits(forfeits=2, aivat_seconds=0))
MATCH = StoredMatch(
    id=0,
    game="hunl",
    hands=100,
    pairs=True,
    rated=True,
    first=1,
    second=2,
    secret=b"s" * 32,
    words="",
    started=50.0,
    ended=None,
    state="running",
    detail="",
    culprit=None,
    hands_played=0,
    result=None,
)
"""One that has just begun."""
RESULT = {"hands": 200, "estimates": {}}


class FakeHosts:
    """Remembers what it was asked for, in place of `dealer.hub.hosts.MatchHosts`."""

    def __init__(self):
        self.plays = {}
        """By leg: what was to be played."""
        self.stopped = []
        self.seated = []

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_error):
        pass

    def play(self, leg, document):
        """Take note of a leg; its log is there at once."""
        self.plays[leg] = document
        Path(document["plan"]["records"]["log"]).write_text(f"# leg {leg}\n")

    def stop(self, leg):
        """Take note of it."""
        self.stopped.append(leg)

    def seat(self, leg, seat, connection, received):
        """Take note of it."""
        self.seated.append((leg, seat, connection, received))


def end_of(leg, ending="finished", seat=None, detail=""):
    """News of the end of a leg."""
    return {
        "news": "end",
        "leg": leg,
        "ending": ending,
        "detail": detail,
        "seat": seat,
        "lines": [],
    }


class Counting:
    """Counts nothing, in place of a process."""

    def __init__(self):
        self.fails = False

    def submit(self, _count):
        """The same result, at once, or an error."""
        future = Future()
        if self.fails:
            future.set_exception(OSError("no log"))
        else:
            future.set_result(RESULT)
        return future


class Server:
    """A hub, its hosts, and an account with a bot whose relay is connected."""

    def __init__(self, folder, store, digest, config):
        self.hosts = FakeHosts()
        self.store = store
        self.token, kept = new_token("ann")
        if store.accounts():
            store.change_account("ann", salt=kept.salt, hash=kept.hash)
        else:
            store.add_account("ann", kept, 1.0)
        self.events = []
        """Names of what the server noted in its log."""
        self._logged = asyncio.Event()
        self.hub = Hub(config, folder, store, self._log, digest)
        self.ann = store.account("ann")
        self.mine = self.hub.version_of(self.ann, "mine", "1", "aa")
        self.heard = asyncio.Queue()
        self.counting = Counting()

    def _log(self, event, **_facts):
        self.events.append(event)
        self._logged.set()

    async def logged(self, event):
        """Wait until something is noted in the log."""
        async with asyncio.timeout(20):
            while event not in self.events:
                self._logged.clear()
                await self._logged.wait()

    def ask(self, **fields):
        """A request of the bot for a match with the house bot."""
        usual = MatchRequest(
            0, self.mine.id, "rule", "hunl", 100, True, True, "w", 1.0, "waiting", "", None
        )
        return self.hub.request(self.mine, replace(usual, **fields))

    async def listen(self):
        """Be the relay: keep what comes."""
        async for event in self.hub.state.channels[self.mine.id].stream(None):
            self.heard.put_nowait(event.decode())

    async def until(self, kind):
        """The next event of a kind."""
        async with asyncio.timeout(20):
            while f"event: {kind}\n" not in (event := await self.heard.get()):
                pass
        return event


@asynccontextmanager
async def serving(folder, digest="digest", config=CONFIG):
    """A server that runs, and is stopped at the end."""
    with closing(Store(folder)) as store:
        server = Server(folder, store, digest, config)
        stop = asyncio.Event()
        tasks = [
            asyncio.create_task(server.listen()),
            asyncio.create_task(server.hub.run(stop, server.hosts, server.counting)),
        ]
        await asyncio.sleep(0)
        yield server
        stop.set()
        await tasks[1]
        tasks[0].cancel()
