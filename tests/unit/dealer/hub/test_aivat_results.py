"""AIVAT behind a match: what is computed, what is not and why, and what a restart leaves to do."""

import asyncio
import json
import signal
import sys
from dataclasses import replace

import pytest

from dealer.hub import aivat_results
from tests.helpers.fake_server import CONFIG, RESULT, end_of, serving

COMPUTING = replace(CONFIG, limits=replace(CONFIG.limits, aivat_seconds=7))


class Programs:
    """Stands for `arena aivat`: remembers what it was called with, and ends as a test says."""

    def __init__(self, monkeypatch, check=(0, ""), hands=(0, "")):
        self.calls = []
        self.ends = {"check": check, "hands": hands}
        self.may_end = asyncio.Event()
        self.may_end.set()
        monkeypatch.setattr(aivat_results, "_run", self.run)

    async def run(self, arguments, _folder, seconds):
        """Be one of them."""
        self.calls.append((arguments[0], seconds))
        await self.may_end.wait()
        return self.ends[arguments[0]]


async def played(server, **request):
    """A match that is over."""
    asked = server.ask(pairs=False, **request)
    await server.until("seat")
    number = server.store.request(asked.id).match
    server.hub.hear(end_of(f"{number}.0"))
    await server.until("ended")
    return number


async def told(server, number):
    """What the result of a match says of AIVAT once it is not pending."""
    async with asyncio.timeout(20):
        while True:
            aivat = json.loads(server.store.match(number).result)["aivat"]
            if aivat["state"] != "pending":
                return aivat
            await asyncio.sleep(0.01)


async def test_a_result_is_there_at_once_and_aivat_comes_later(tmp_path, monkeypatch):
    """Whether its bot tells its strategy is looked up once."""
    async with serving(tmp_path, config=COMPUTING) as server:
        programs = Programs(monkeypatch)
        programs.may_end.clear()
        first = await played(server)
        assert json.loads(server.store.match(first).result) == {
            **RESULT,
            "aivat": {"state": "pending", "reason": ""},
        }
        programs.may_end.set()
        assert await told(server, first) == {"state": "counted", "known": "rule"}
        await told(server, await played(server))
        assert programs.calls == [("check", 120), ("hands", 7), ("hands", 7)]


@pytest.mark.parametrize(
    ("ends", "reason"),
    [
        ({"check": (2, "rule of /secret/model: no")}, "rule tells no strategy by which it plays"),
        ({"hands": (-signal.SIGKILL, "")}, "its hands could not be estimated"),
        ({"hands": (-signal.SIGXCPU, "")}, "it took longer than 7 seconds"),
        ({"hands": (1, "/secret/leg0.log:3: no")}, "its hands could not be estimated"),
    ],
)
async def test_a_match_without_aivat_says_why(tmp_path, monkeypatch, ends, reason):
    """In words for everybody, which name no file; the other estimators stay."""
    async with serving(tmp_path, config=COMPUTING) as server:
        Programs(monkeypatch, **ends)
        number = await played(server)
        assert await told(server, number) == {"state": "none", "reason": reason}
        result = json.loads(server.store.match(number).result)
        assert {**result, **RESULT} == result


async def test_what_is_pending_is_done_by_the_next_server(tmp_path, monkeypatch):
    """Unless the house bot is another one by then: its strategy is not the one that was played."""
    programs = Programs(monkeypatch)
    programs.may_end.clear()
    async with serving(tmp_path, config=COMPUTING) as server:
        number = await played(server)
    async with serving(tmp_path, config=COMPUTING) as server:
        programs.may_end.set()
        assert (await told(server, number))["state"] == "counted"
        programs.may_end.clear()
        number = await played(server)
    programs.may_end.set()
    async with serving(tmp_path, digest="of another program", config=COMPUTING) as server:
        assert (await told(server, number))["reason"] == "rule is another bot by now"


@pytest.mark.parametrize("game", ["hunl", "kuhn"])
async def test_other_matches_say_nothing_of_it(tmp_path, monkeypatch, game):
    """Games that are no hold'em, and hosts that do not want it."""
    config = replace(COMPUTING if game == "kuhn" else CONFIG, games=(game,))
    async with serving(tmp_path, config=config) as server:
        programs = Programs(monkeypatch)
        number = await played(server, game=game)
        assert json.loads(server.store.match(number).result) == RESULT
        assert programs.calls == []


@pytest.mark.parametrize(
    ("program", "code", "line"),
    [
        ("x = bytearray(6 << 30)", 1, "MemoryError"),
        ("import resource as r, sys; sys.exit(str(r.getrlimit(r.RLIMIT_CPU)))", 1, "(77, -1)"),
        ("import os, sys; sys.exit(f'a line\\nnice: {os.nice(0)}\\n')", 1, "nice: 10"),
        ("print('a result')", 0, ""),
    ],
)
async def test_time_and_memory_are_bounded(tmp_path, monkeypatch, program, code, line):
    """By the system, so that they are also where the server has been killed."""
    monkeypatch.setattr(aivat_results, "AIVAT_PROGRAM", (sys.executable, "-c", program))
    assert await aivat_results._run([], str(tmp_path), 77) == (code, line)
