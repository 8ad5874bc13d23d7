"""An assistant's tools, at a server's addresses; the test is the dealer at the seats' lines."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager

import pytest

from dealer.hub.http_door import HubSite
from dealer.relay import assistant_matches
from dealer.relay.assistant_matches import AssistantMatches
from dealer.relay.mcp_server import assistant_server
from dealer.relay.relay import MatchWish
from dealer.relay.server_calls import Server, parse_url
from dealer.web.guard import BearerGuard
from dealer.web.http_responses import json_response_to
from dealer.web.router import serve_site
from dealer.web.server import listen_at
from engine.console.command import WrongArguments
from tests.helpers.fake_server import end_of, serving

ASK = b"MATCHSTATE:1:0::|AsKd\r\n"
END = b"MATCHSTATE:1:0:r300f:|AsKd\r\n"
SECONDS = 20
WISH = MatchWish("model", "1", "hunl", 5, "rule", pairs=False, rated=True, words="")


class Fault(Exception):
    """What an assistant is told."""


class Played:
    """A server at a port, and who asks it."""

    def __init__(self, server, port, token=None):
        self.hub, self.hosts = server.hub, server.hosts
        self.server = Server(parse_url(f"http://127.0.0.1:{port}"), token or server.token)
        self.matches = AssistantMatches(self.server, WISH, Fault)

    async def seat(self):
        """The dealer's end of the line of the first seat."""
        async with asyncio.timeout(SECONDS):
            while not self.hosts.seated:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.001)
        return self.hosts.seated[0][2]


@asynccontextmanager
async def playing(folder):
    """A server that is asked over a socket."""
    async with serving(folder) as server:
        listening, stop = listen_at("127.0.0.1", 0), asyncio.Event()
        site = HubSite(server.hub, BearerGuard(["127.0.0.1"]), {})
        served = serve_site(site, listening, stop, print, refuse=json_response_to)
        task = asyncio.create_task(served)
        try:
            yield Played(server, listening.getsockname()[1])
        finally:
            for *_, line, _ in server.hosts.seated:
                line.close()
            stop.set()
            await task
            listening.close()


async def test_a_match_is_played_by_tools(tmp_path):
    """From the house bots to the result, whose cards nobody can have chosen."""
    async with playing(tmp_path) as played:
        tools = played.matches
        house = await tools.list_house_bots()
        assert (house["you"], house["house_bots"]) == ("model", ["rule"])
        request = (await tools.ask_for_match(hands=3))["request"]
        waiting = asyncio.create_task(tools.wait_for_decision(request))
        line = await played.seat()
        line.send(ASK)
        state = await waiting
        (decision,) = state["decisions"]
        assert (state["state"], decision["hole"], decision["hand"]) == ("playing", ["As", "Kd"], 0)
        with pytest.raises(Fault, match="want"):
            await tools.act(request, decision["id"], "raise", 1)
        acting = asyncio.create_task(tools.act(request, decision["id"], "raise", 300))
        async with asyncio.timeout(SECONDS):
            heard = await asyncio.get_running_loop().sock_recv(line, 1 << 16)
        assert heard == ASK.strip() + b":r300\r\n"
        with pytest.raises(Fault, match="no result: it is playing"):
            await tools.match_result(request)
        line.send(END)
        played.hub.hear({"news": "over", "leg": "1.0"})
        line.close()
        played.hub.hear(end_of("1.0"))
        state = await acting
        while state["state"] == "playing":
            assert [hand["won"] for hand in state["hands_ended"]] in ([], [[-100, 100]])
            state = await tools.wait_for_decision(request)
        assert (state["state"], state["won"]) == ("over", 100)
        result = await tools.match_result(request)
        assert (result["first"], result["second"], result["state"]) == ("model", "rule", "finished")
        assert (result["cards_proven"], result["cards_note"]) == (True, "")
        with pytest.raises(Fault, match="another answer"):
            await tools.act(request, decision["id"], "call")


async def test_what_was_shown_first_counts(monkeypatch):
    """A host who has heard the words may show another commitment then, and is found out."""
    matches = AssistantMatches(Server(parse_url("http://127.0.0.1:9"), "token"), WISH, Fault)
    asked, said = assistant_matches._AskedMatch("lucky"), []

    async def call(*_path, document):
        said.append(document)
        return {}

    monkeypatch.setattr(matches, "_call", call)
    for match, commitment in ((1, "a" * 64), (2, "b" * 64)):
        deals = {"commitment": commitment, "words_sha256": ["c" * 64], "words_wanted": True}
        await matches._say_words(7, asked, {"deals": deals, "request": {"match": match}})
    assert said[0] == {"words": "lucky"}
    assert (asked.shown.match, asked.shown.commitment) == ("1", "a" * 64)


async def test_who_comes_back_without_the_words_plays_on(tmp_path, monkeypatch):
    """Its request is waited for no longer than needed, and the deals are made without them."""
    monkeypatch.setattr(assistant_matches, "_WAIT_SECONDS", 1)
    async with playing(tmp_path) as played:
        request = (await played.matches.ask_for_match())["request"]
        later = AssistantMatches(played.server, WISH, Fault)
        waiting = asyncio.create_task(later.wait_for_decision(request))
        await played.seat()
        assert (await waiting)["state"] == "playing"
        left = await later.leave_match(request)
        assert left == {"request": request, "state": "left"}
        played.hub.hear(end_of("1.0", "interrupted"))
        result = await later.match_result(request)
        assert (result["state"], result["estimates"]) == ("forfeited", {})
        request = (await later.ask_for_match("guest"))["request"]
        assert (await later.wait_for_decision(request))["reason"]
        assert (await later.leave_match(request))["state"] == "withdrawn"


async def test_what_goes_wrong_is_a_line_for_the_assistant(tmp_path):
    """A refusal, somebody else's request, and a server that has gone."""
    async with playing(tmp_path) as played:
        with pytest.raises(Fault, match="no bot is called nobody"):
            await played.matches.ask_for_match("nobody")
        with pytest.raises(Fault, match="no request 9"):
            await played.matches.wait_for_decision(9)
        played.matches._server = Server(played.server.address, "ann.wrong")
        with pytest.raises(Fault, match="not right"):
            await played.matches.ask_for_match()
    with pytest.raises(Fault, match="does not answer now"):
        await played.matches.list_house_bots()


async def test_an_assistant_finds_and_calls_the_tools(tmp_path):
    """By the protocol's own client, in this process."""
    pytest.importorskip("mcp")
    from mcp.client.client import Client

    async with (
        playing(tmp_path) as played,
        Client(assistant_server(played.server, WISH)) as client,
    ):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert len(tools) == 6
        assert tools["act"].input_schema["required"] == ["request", "decision", "action"]
        answer = await client.call_tool("list_house_bots", {})
        assert json.loads(answer.content[0].text)["house_bots"] == ["rule"]
        answer = await client.call_tool("ask_for_match", {"opponent": "nobody"})
        assert answer.is_error
        assert "no bot is called nobody" in answer.content[0].text


def test_without_the_package_it_is_named(monkeypatch):
    """In one line, with what installs it."""
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    with pytest.raises(WrongArguments, match=r"pip install 'acpc-arena\[mcp\]'"):
        assistant_server(Server(parse_url("http://127.0.0.1:1"), "token"), WISH)
