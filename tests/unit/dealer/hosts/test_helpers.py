"""What the first host does about others that come, play, die and leave."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from dealer.bots.participants import BotKind, Participant
from dealer.hosts.helpers import HelpingHosts
from dealer.hosts.line import DEAD_AFTER_SECONDS, HostLine
from dealer.hosts.parcel import outcome_document
from dealer.series.leg_queue import HostLost
from dealer.series.leg_settings import LegSettings
from dealer.series.manifest import Manifest, from_json
from dealer.series.outcome import LegOutcome
from dealer.server.endings import Ending
from protocol.gamedefs import builtin_path
from tests.helpers.fake_store import FakeStore
from tests.helpers.said import says

BOTS = tuple(Participant(label, BotKind.COMMAND, ("/bin/true",)) for label in "AB")
GAME = builtin_path("hunl")
MANIFEST = Manifest(BOTS, GAME.name, GAME.read_text(), 4, 7, 1, True, (), "/")
LEGS = MANIFEST.legs()


class Scene:
    """A first host, another one whose part the test plays, and a clock that waits."""

    def __init__(self, folder):
        self.now = 0.0
        store = FakeStore()
        self.first = HostLine(store, 0, (1,), clock=lambda: self.now)
        self.other = HostLine(store, 1, (0,), clock=lambda: self.now)
        self.said = []
        self.hosts = HelpingHosts(self.first, "arena 1", {"tournament": "t"}, self.said.append)
        self.settings = LegSettings(MANIFEST, folder, print, recover=True)
        self.stop = asyncio.Event()
        self.players = []

    async def hear(self, message=None):
        """Let the other say something and the first answer; return the answers."""
        if message is not None:
            self.other.send(0, message)
        for _ in range(20):
            for line in (self.other, self.first, self.other):
                line.exchange()
            await asyncio.sleep(0.001)
        answers = []
        while (heard := self.other.take()) is not None:
            answers.append(heard[1])
        return answers

    async def join(self, jobs=1):
        """Let the other take part."""
        await self.hear({"what": "hello", "program": "arena 1", "name": "vm"})
        await self.hear({"what": "ready", "jobs": jobs})

    def play(self, leg=LEGS[0]):
        """Ask the other for a leg."""
        return asyncio.create_task(self.players[0](self.settings, leg, self.stop))


def scene(test):
    """Run a test in a loop with a scene."""

    def run(tmp_path, monkeypatch):
        monkeypatch.setattr("dealer.hosts.helpers._LOOK_SECONDS", 0.001)
        monkeypatch.setattr("dealer.hosts.helpers._LEGS_STOP_SECONDS", 0.2)

        async def main():
            async with asyncio.timeout(20), opened(tmp_path) as it:
                await test(it)

        asyncio.run(main())

    run.__doc__ = test.__doc__
    run.__name__ = test.__name__
    return run


@asynccontextmanager
async def opened(folder):
    """Yield a scene while hosts may come."""
    it = Scene(folder)
    async with it.hosts.recruiting(it.players.append):
        yield it


def played(leg=LEGS[0], ending=Ending.FINISHED, files=()):
    """Return what a host says of a leg that is over."""
    outcome = outcome_document(LegOutcome(leg, ending))
    return {"what": "played", "leg": leg.name, "outcome": outcome, "files": dict(files)}


@scene
async def test_a_host_that_is_ready_is_given_legs(it):
    """With what is needed to play them; its files and its outcome come back."""
    (welcome,) = await it.hear({"what": "hello", "program": "arena 1", "name": "vm"})
    assert welcome == {"what": "welcome", "tournament": "t"}
    assert not it.players
    await it.hear({"what": "ready", "jobs": 3})
    assert len(it.players) == 3
    assert it.said == ["host vm (1) joins, 3 legs at once"]
    (it.settings.folder / f"{LEGS[0].name}.tlog").write_bytes(b"begun")
    task = it.play()
    (asked,) = await it.hear()
    assert (asked["what"], asked["leg"]) == ("play", LEGS[0].name)
    assert asked["files"] == {f"{LEGS[0].name}.tlog": b"begun"}
    assert [asked[one] for one in ("recover", "events", "in_process")] == [True, False, False]
    assert from_json(asked["manifest"]) == MANIFEST
    await it.hear(played(files=[(f"{LEGS[0].name}.log", b"SCORE")]))
    assert await task == LegOutcome(LEGS[0], Ending.FINISHED)
    assert (it.settings.folder / f"{LEGS[0].name}.log").read_bytes() == b"SCORE"


@scene
async def test_another_version_is_refused(it):
    """The host is told why, and so is the user; it gets nothing to play."""
    (answer,) = await it.hear({"what": "hello", "program": "arena 2", "name": "vm"})
    assert answer["what"] == "refused"
    says(answer["why"], "arena 2", "arena 1")
    await it.hear({"what": "ready", "jobs": 1})
    assert not it.players
    (line,) = it.said
    says(line, "host vm (1)", "refused", "arena 2", "arena 1")


@scene
async def test_a_silent_host_gives_its_legs_back(it):
    """After the deadline, not before; what it says later does not count any more."""
    await it.join(2)
    tasks = [it.play(leg) for leg in LEGS]
    await it.hear()
    it.now += DEAD_AFTER_SECONDS
    it.first.exchange()
    await asyncio.sleep(0.02)
    assert not any(task.done() for task in tasks)
    it.now += 0.1
    await asyncio.sleep(0.02)
    for task in tasks:
        with pytest.raises(HostLost):
            await task
    (line,) = it.said[1:]
    says(line, "host vm (1)", "silent", "20 s", "legs", 2)
    (answer,) = await it.hear(played(files=[(f"{LEGS[0].name}.log", b"late")]))
    assert answer["what"] == "refused"
    assert not list(it.settings.folder.iterdir())
    with pytest.raises(HostLost):
        await it.play()


@scene
async def test_a_host_that_leaves_sends_what_it_has(it):
    """The leg is given back, and is resumed by whoever plays it next."""
    await it.join()
    task = it.play()
    await it.hear()
    log = f"{LEGS[0].name}.log"
    await it.hear(played(ending=Ending.INTERRUPTED, files=[(log, b"half")]))
    await it.hear({"what": "leaves", "why": "was stopped and leaves"})
    with pytest.raises(HostLost):
        await task
    assert (it.settings.folder / log).read_bytes() == b"half"
    (line,) = it.said[1:]
    says(line, "host vm (1)", "was stopped")


@scene
async def test_hosts_are_told_to_stop_once(it):
    """What they send of their legs counts; who sends nothing is not waited for."""
    await it.join(2)
    tasks = [it.play(leg) for leg in LEGS]
    await it.hear()
    it.stop.set()
    assert await it.hear() == [{"what": "stop"}]
    await it.hear(played(ending=Ending.INTERRUPTED))
    assert (await tasks[0]).ending is Ending.INTERRUPTED
    late = await tasks[1]
    assert late.ending is Ending.INTERRUPTED
    says(late.detail, "host vm (1)")


@scene
async def test_a_lost_store_loses_all_hosts(it):
    """The first one plays on alone."""
    await it.join()
    task = it.play()
    await it.hear()
    it.first.fault = "Broken pipe"
    with pytest.raises(HostLost):
        await task
    (line,) = it.said[1:]
    says(line, "host vm (1)", "Broken pipe", "legs", 1)


def test_at_the_end_all_are_sent_home(tmp_path):
    """Also those that come later."""

    async def main():
        async with opened(tmp_path) as it:
            await it.join()
        assert await it.hear() == [{"what": "over"}]

    asyncio.run(main())
