"""What the page that solves spots is answered, without a network; solves are real processes."""

import asyncio
import json
import signal
from contextlib import aclosing, contextmanager

import pytest

from dealer.web.guard import Guard
from dealer.web.http_requests import Refusal, Request
from dealer.web.router import read_pages
from dealer.web.solve_documents import FIELDS, spot_words
from dealer.web.solve_site import SolveSite

RIVER = {"board": "4s8hTc9h2s", "pot": "500", "stacks": "700", "oop": "AA,76s", "ip": "QQ,AKs"}
SPOT = dict.fromkeys(FIELDS, "") | RIVER
ENDLESS = SPOT | {"oop": "random", "ip": "random", "accuracy": "0.0000001"}


class Desk:
    """A site, and what asks it."""

    def __init__(self, folder):
        self.site = SolveSite(Guard("127.0.0.1", 80, "t"), read_pages(), folder)

    async def ask(self, path, method="GET", body=b"", query=""):
        return await self.site(Request(method, f"/t/{path}", query, "127.0.0.1", {}, body, 1))

    async def post(self, path, document):
        return await self.ask(path, "POST", json.dumps(document).encode())

    async def refused(self, path, method="GET", body=b"", query=""):
        """Status and words of a refusal."""
        with pytest.raises(Refusal) as refusal:
            await self.ask(path, method, body, query)
        return refusal.value.status, str(refusal.value)

    async def until(self, wanted):
        """The first state that is wanted."""
        async with asyncio.timeout(60), aclosing((await self.ask("events")).body) as events:
            async for event in events:
                state = json.loads(event.partition(b"data: ")[2])
                if wanted(state):
                    return state


@contextmanager
def control_c(handler):
    """Within, processes begin with Ctrl-C handled so, whatever this one has inherited."""
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def ended(state):
    return not state["progress"]


async def test_a_spot_is_solved_looked_at_and_saved(tmp_path):
    """Without an end, so it is stopped and keeps what it has; another one has to wait for that."""
    desk = Desk(tmp_path)
    assert (await desk.refused("decision", query="node=&dealt="))[0] == 404
    assert (await desk.refused("saved.solution"))[0] == 404
    assert (await desk.post("solve", ENDLESS)).status == 204
    assert (await desk.refused("solve", "POST", json.dumps(SPOT).encode()))[0] == 409
    await desk.until(lambda state: state["progress"].startswith("iteration"))
    assert (await desk.ask("stop", "POST")).status == 204
    solution = (await desk.until(ended))["solution"]
    assert (solution["number"], solution["name"]) == (1, "4s8hTc9h2s.solution")
    assert 0 <= solution["exploitability_of_pot"] < 1
    assert "interrupted" in solution["notes"][0]
    facing = json.loads((await desk.ask("decision", query="node=cr500&dealt=")).body)
    assert facing["to_call"] == 250
    status, words = await desk.refused("decision", query="node=r3&dealt=")
    assert (status, "--node 'r3'" in words) == (400, True)
    saved = await desk.ask("saved.solution")
    pieces = [piece async for piece in saved.body]
    saved.close()
    assert b"".join(pieces) == (tmp_path / "1.solution").read_bytes()
    assert saved.fields["Content-Disposition"].endswith('"4s8hTc9h2s.solution"')
    await desk.post("solve", ENDLESS)
    async with asyncio.timeout(10):
        await desk.site.close()


@pytest.mark.parametrize(
    ("change", "words"), [({"board": "4s"}, "--board 4s"), ({"pot": "--out"}, "--pot")]
)
async def test_what_the_command_refuses_is_told(tmp_path, change, words):
    """In its own words, without its name; no word is an option, no damaged file is read again."""
    (tmp_path / "1.solution").write_bytes(b"damaged")
    desk = Desk(tmp_path)
    await desk.post("solve", SPOT | change)
    state = await desk.until(ended)
    assert words in state["problem"]
    assert not state["problem"].startswith("arena solve")
    assert state["solution"] is None


async def test_a_solve_that_is_killed_is_told(tmp_path):
    """By which signal."""
    desk = Desk(tmp_path)
    await desk.post("solve", ENDLESS)
    desk.site.runner._process.kill()
    assert (await desk.until(ended))["problem"] == "the solve was killed by SIGKILL"


async def test_a_solve_that_is_stopped_at_once_has_nothing(tmp_path):
    """Before its program has begun, and so without a word of its own."""
    desk = Desk(tmp_path)
    await desk.post("solve", ENDLESS)
    await desk.ask("stop", "POST")
    desk.site.runner._process.kill()
    assert (await desk.until(ended))["problem"] == "interrupted, nothing is saved"


@pytest.mark.slow  # alone: programs that a warm parent starts hear Ctrl-C in its way
async def test_a_solve_stops_where_control_c_is_ignored(tmp_path):
    """As under a server that a script has started in the background."""
    desk = Desk(tmp_path)
    with control_c(signal.SIG_IGN):
        await desk.post("solve", ENDLESS)
    await desk.until(lambda state: state["progress"].startswith("iteration"))
    await desk.ask("stop", "POST")
    assert "interrupted" in (await desk.until(ended))["solution"]["notes"][0]


@pytest.mark.slow  # alone, as above
async def test_a_stop_before_the_program_hears_is_not_lost(tmp_path):
    """Under the same server, right after the start."""
    desk = Desk(tmp_path)
    with control_c(signal.SIG_IGN):
        await desk.post("solve", ENDLESS)
    await desk.ask("stop", "POST")
    state = await desk.until(ended)
    assert (state["problem"], state["solution"]) == ("interrupted, nothing is saved", None)


async def test_a_spot_that_takes_too_much_memory_is_refused(tmp_path):
    """As by the command, with what would fit."""
    desk = Desk(tmp_path)
    await desk.site.runner.start([*spot_words(SPOT), "--memory=0.00001"])
    problem = (await desk.until(ended))["problem"]
    assert "--memory allows" in problem
    assert "fewer --bets" in problem


async def test_bad_requests_are_refused(tmp_path):
    """Other names, no texts, files, other methods, other addresses."""
    desk = Desk(tmp_path)
    for body in (b"", b"[]", b"{}", b'{"board": 1}', json.dumps(SPOT | {"out": "x"}).encode()):
        for path in ("spot", "solve"):
            assert (await desk.refused(path, "POST", body))[0] == 400
    file = json.dumps(SPOT | {"ip": "@/etc/passwd"}).encode()
    assert (await desk.refused("solve", "POST", file))[0] == 400
    for query in ("", "node=c", "node=..%2F&dealt=", "node=c&dealt=2h&x=1"):
        assert (await desk.refused("decision", query=query))[0] == 400
    assert (await desk.ask("solve")).fields["Allow"] == "POST"
    assert (await desk.ask("decision", "POST")).fields["Allow"] == "GET, HEAD"
    assert (await desk.refused("../x"))[0] == 404
    assert (await desk.ask("")).body == (await desk.ask("solve.html")).body
    assert (await desk.ask("stop", "POST")).status == 204
