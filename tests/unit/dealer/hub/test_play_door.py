"""Matches played by HTTP: states, answers and folds; the test is the dealer at the seats' lines."""

import asyncio
import json
import socket
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from hashlib import sha256

import pytest

from dealer.hub import play_door
from dealer.hub.tokens import new_token
from protocol.deals import phrase_digest
from tests.helpers.api_answers import check
from tests.helpers.fake_server import CONFIG, end_of, serving
from tests.helpers.hub_door import Door

ASK = b"MATCHSTATE:1:0::|AsKd\r\n"
NEXT = b"MATCHSTATE:1:0:r300r600:|AsKd\r\n"
END = b"MATCHSTATE:1:0:r300f:|AsKd\r\n"
SECONDS = 20


class Playing:
    """An owner who plays by HTTP, and what the host of his matches sees of it."""

    def __init__(self, server):
        self.server = server
        self.door = Door(server)
        self.request = 0
        self.event = 0

    async def ask(self, **fields):
        """Ask for a match."""
        wanted = {"bot": "mine", "digest": "aa", "opponent": "rule", "hands": 5, "pairs": False}
        made = await self.door.document("api/requests", "POST", {**wanted, **fields})
        self.request = made["request"]

    def path(self, tail="play"):
        """An address of the request."""
        return f"api/requests/{self.request}/{tail}"

    async def state(self, wait=60, **how):
        """The state, when it is another than the last one."""
        response = await self.door(f"{self.path()}?after={self.event}&wait={wait}", **how)
        body = response.body
        if not isinstance(body, bytes):
            async with asyncio.timeout(SECONDS):
                body = b"".join([piece async for piece in body])
        state = json.loads(body)
        check("State", state)
        self.event = state["event"]
        return state

    async def until(self, true):
        """The first state of which something is true."""
        async with asyncio.timeout(SECONDS):
            while not true(state := await self.state()):
                pass
        return state

    async def seated(self, count=1):
        """The host's end of the line of the seat that was taken last."""
        await self.until(lambda state: len(self.server.hosts.seated) >= count)
        *_, line, received = self.server.hosts.seated[count - 1]
        assert received == b"VERSION:2.0.0\r\n"
        return line

    async def asked(self, line, text=ASK):
        """Ask at a line for a decision; return its number."""
        line.send(text)
        state = await self.until(lambda state: state["decisions"])
        return state["decisions"][0]["id"]

    async def answer(self, **fields):
        """What an answer gets."""
        return await self.door.document(self.path(), "POST", fields)

    async def refused(self, **fields):
        """What an answer is refused with."""
        return await self.door.refusal(self.path(), "POST", fields)


@asynccontextmanager
async def playing(folder, config=CONFIG):
    """A server, and an owner who has asked for a match there."""
    async with serving(folder, config=config) as server:
        played = Playing(server)
        await played.ask()
        try:
            yield played
        finally:
            await played.door.site.close()
            for *_, line, _ in server.hosts.seated:
                line.close()


async def heard(line):
    """What comes at the host's end of a line."""
    async with asyncio.timeout(SECONDS):
        return await asyncio.get_running_loop().sock_recv(line, 1 << 16)


async def test_a_match_is_played_by_http_alone(tmp_path):
    """From the request to the result: decisions are asked, taken, and hands are told once."""
    async with playing(tmp_path) as played:
        line = await played.seated()
        number = await played.asked(line)
        taken = await played.answer(id=number, action="raise", to=300)
        assert taken == {"taken": number, "action": "r300"}
        assert await heard(line) == ASK.strip() + b":r300\r\n"
        line.send(END)
        state = await played.until(lambda state: state["hands"])
        assert (state["state"], state["decisions"]) == ("playing", [])
        assert [hand["won"] for hand in state["hands"]] == [[-100, 100]]
        (table,) = state["tables"]
        assert table.pop("game")["name"] == "hunl"
        assert table == {
            **{"match": 1, "leg": 0, "seat": 0, "names": ["mine", "rule"], "hands": 5},
            **{"hands_over": 1, "won": 100.0, "response_ms": 60_000, "hand_ms": 7_000},
        }
        assert (await played.state(wait=0))["hands"] == []
        played.server.hub.hear({"news": "over", "leg": "1.0"})
        line.close()
        played.server.hub.hear(end_of("1.0"))
        state = await played.until(lambda state: state["state"] == "over")
        assert (state["result"]["state"], state["result"]["logs"]) == (
            "finished",
            ["/logs/1.0.log"],
        )
        assert await played.refused(id=number + 2, action="call") == (409, "not_asked")


async def test_words_are_said_once_the_server_is_bound(tmp_path):
    """The state says when; others are refused, and the same again gets the same."""
    async with serving(tmp_path) as server:
        played = Playing(server)
        await played.ask(words_sha256=phrase_digest("lucky"))
        path = played.path("words")
        refusal = await played.door.refusal(path, "POST", {"words": "lucky"})
        assert refusal == (409, "not_playing")
        assert (await played.state(wait=0))["deals"] is None
        state = await played.until(lambda state: state["deals"])
        deals = {"commitment": sha256(server.store.match(1).secret).hexdigest()}
        deals["words_sha256"] = [phrase_digest("lucky")]
        assert state["deals"] == {**deals, "words_wanted": True}
        assert state["state"] == "playing"
        texts = [{"words": text} for text in (7, "lucky\nSCORE:0|0:ann|rule", "\ud800", "x" * 201)]
        for words in (*texts, {}, {"words": "lucky", "more": ""}):
            assert (await played.door.refusal(path, "POST", words))[0] == 400
        refusal = await played.door.refusal(path, "POST", {"words": "others"})
        assert refusal == (409, "other_words")
        assert server.hosts.plays == {}
        for _ in range(2):
            said = await played.door.document(path, "POST", {"words": "lucky"})
            assert said == {**deals, "words_wanted": False}
        line = await played.seated()
        assert await played.asked(line)
        assert server.store.match(1).words == "lucky"
        await played.door.site.close()
        line.close()


async def test_words_that_come_too_late_are_refused(tmp_path):
    """Who has said that he has none plays without; nothing is dealt anew."""
    async with serving(tmp_path) as server:
        played = Playing(server)
        await played.ask(words_sha256=phrase_digest("lucky"))
        await played.state(wait=0)
        await played.until(lambda state: state["deals"])
        await played.door.document(played.path("words"), "POST", {"words": ""})
        line = await played.seated()
        refusal = await played.door.refusal(played.path("words"), "POST", {"words": "lucky"})
        assert refusal == (409, "too_late")
        await played.door.site.close()
        line.close()


async def test_an_answer_is_taken_once(tmp_path):
    """The same again gets the same; another one of its id, or a late one, is refused."""
    async with playing(tmp_path) as played:
        assert await played.refused(id=0, action="call") == (409, "not_playing")
        line = await played.seated()
        number = await played.asked(line)
        assert await played.refused(id=number, action="raise", to=1) == (400, "bad_action")
        assert await played.refused(id=number) == (400, "bad_answer")
        answer = {"id": number, "client_id": "a", "action": "raise", "to": 300}
        assert await played.answer(**answer) == await played.answer(**answer)
        assert await played.refused(**{**answer, "to": 400}) == (409, "other_payload")
        assert await played.refused(id=number, action="call") == (409, "not_asked")
        assert await heard(line) == ASK.strip() + b":r300\r\n"


async def test_open_decisions_are_listed_and_folded(tmp_path):
    """By their owner alone, whichever request they are of."""
    async with playing(tmp_path) as played:
        line = await played.seated()
        number = await played.asked(line)
        (open_decision,) = (await played.door.document("api/decisions"))["decisions"]
        assert (open_decision["id"], open_decision["request"]) == (number, played.request)
        assert open_decision["time_left_ms"] > 0
        fold = played.path(f"decisions/{number}")
        token, kept = new_token("bob")
        played.server.store.add_account("bob", kept, 1.0)
        assert (await played.door.document("api/decisions", token=token))["decisions"] == []
        for method, path in (("DELETE", fold), ("GET", played.path()), ("POST", played.path())):
            refusal = await played.door.refusal(path, method, {}, token=token)
            assert refusal == (404, "no_such_request")
        assert (await played.door.document(fold, "DELETE"))["action"] == "f"
        assert await heard(line) == ASK.strip() + b":f\r\n"
        assert (await played.door.document("api/decisions"))["decisions"] == []
        other = played.path(f"decisions/{number + 2}")
        assert await played.door.refusal(other, "DELETE") == (409, "not_asked")


async def test_who_asks_with_no_news_waits_with_heartbeats(tmp_path, monkeypatch):
    """Blanks before the JSON show that the server is there."""
    async with playing(tmp_path) as played:
        line = await played.seated()
        played.event += 10**9
        monkeypatch.setattr(play_door, "_HEARTBEAT_SECONDS", 0.01)
        response = await played.door(f"{played.path()}?after={played.event}")
        assert [await anext(response.body) for _ in range(2)] == [b"\n", b"\n"]
        await response.body.aclose()
        for query in ("after=x", "wait=61", "wait=-1", "after=", "after=" + "9" * 16):
            refusal = await played.door.refusal(f"{played.path()}?{query}")
            assert refusal == (400, "bad_value")
        line.close()


async def test_states_are_streamed(tmp_path):
    """As events, whose numbers a reader comes back with; the last one is of the end."""
    async with playing(tmp_path) as played:
        line = await played.seated()
        response = await played.door(played.path("events"))
        line.send(ASK)
        event = b""
        async with asyncio.timeout(SECONDS):
            while b'"decision"' not in event:
                event = await anext(response.body)
        assert event.startswith(b"id: ")
        await response.body.aclose()
        seen = event.split()[1].decode()
        played.server.hub.hear(end_of("1.0"))
        response = await played.door(played.path("events"), **{"last-event-id": seen})
        async with asyncio.timeout(SECONDS):
            events = [event async for event in response.body]
        assert b'"state": "over"' in events[-1]


async def test_a_version_is_played_by_a_relay_or_by_http(tmp_path):
    """Not by both; and what wants an owner's token is refused without it."""
    async with playing(tmp_path) as played:
        await played.seated()
        seats = "api/bots/mine/seats?version=1&digest=aa&relay=one"
        assert await played.door.refusal(seats) == (409, "relay_connected")
        for method, tail in (("GET", "play"), ("POST", "play"), ("DELETE", "decisions/7")):
            refusal = await played.door.refusal(played.path(tail), method, {}, token="")
            assert refusal[0] == 401
        await played.ask(version="2")
        await played.door(seats.replace("version=1", "version=2"))
        assert await played.door.refusal(played.path()) == (409, "relay_connected")
        assert await played.door.refusal("api/requests/99/play") == (404, "no_such_request")
        acpc = played.server.ask(seating="[1, 2]", seed=7).id
        assert await played.door.refusal(f"api/requests/{acpc}/play") == (409, "not_playing")


async def test_a_lost_host_asks_again_and_gets_the_same_answer(tmp_path):
    """The seat is taken at the next host, and an answer that was lost with the first is sent."""
    async with playing(tmp_path) as played:
        line = await played.seated()
        number = await played.asked(line)
        await played.answer(id=number, action="call")
        line.close()
        played.server.hub.hear({"news": "lost", "leg": "1.0"})
        line = await played.seated(2)
        line.send(ASK)
        assert await heard(line) == ASK.strip() + b":c\r\n"
        assert await played.asked(line, NEXT) > number


async def test_a_seat_that_is_offered_while_another_is_taken_is_taken(tmp_path):
    """Whatever else happens, or does not: a match of nobody else waits for it."""
    async with serving(tmp_path) as server:
        played, taken, seat = Playing(server), asyncio.Event(), server.hosts.seat

        def take(leg, *line):
            seat(leg, *line)
            if len(server.hosts.seated) == 1:
                server.hub.hear({"news": "lost", "leg": leg})
            if len(server.hosts.seated) == 3:
                taken.set()

        server.hosts.seat = take
        await played.ask(pairs=True)
        await played.state(wait=0)
        async with asyncio.timeout(SECONDS):
            await taken.wait()
        assert [leg for leg, *_ in server.hosts.seated] == ["1.0", "1.1", "1.0"]
        await played.door.site.close()
        for *_, line, _ in server.hosts.seated:
            line.close()


async def test_without_descriptors_a_seat_is_taken_later(tmp_path, monkeypatch):
    """As after a flood of connections."""
    pairs, make = [OSError("too many open files")], socket.socketpair

    def socketpair():
        if pairs:
            raise pairs.pop()
        return make()

    async with playing(tmp_path) as played:
        monkeypatch.setattr("dealer.hub.json_player.socket.socketpair", socketpair)
        assert await played.asked(await played.seated())
        assert pairs == []


async def test_a_line_that_is_cut_is_taken_up_again(tmp_path, monkeypatch):
    """While the seat is offered; nothing is asked in between."""
    async with playing(tmp_path) as played:
        line = await played.seated()
        number = await played.asked(line)
        line.close()
        line = await played.seated(2)
        assert await played.asked(line) == number
        assert (await played.answer(id=number, action="call"))["action"] == "c"
        assert await heard(line) == ASK.strip() + b":c\r\n"


async def test_who_leaves_forfeits(tmp_path):
    """Once, while the match is played."""
    async with playing(tmp_path) as played:
        assert await played.door.refusal(played.path(), "DELETE") == (409, "not_playing")
        await played.seated()
        assert (await played.door(played.path(), "DELETE")).status == 204
        assert played.server.hosts.stopped == ["1.0"]
        played.server.hub.hear(end_of("1.0", "interrupted"))
        state = await played.until(lambda state: state["state"] == "over")
        result = state["result"]
        assert (result["state"], result["detail"]) == ("forfeited", "mine left")
        assert result["forfeited_by"] == "mine"
        assert await played.door.refusal(played.path(), "DELETE") == (409, "not_playing")


async def test_a_client_comes_back_to_a_server_that_was_started_again(tmp_path):
    """It asks for the state of its request, and is asked what it was asked before."""
    async with playing(tmp_path) as played:
        number = await played.asked(await played.seated())
        request = played.request
    async with serving(tmp_path) as server:
        again = Playing(server)
        again.request = request
        line = await again.seated()
        assert await again.asked(line) == number
        with suppress(OSError):
            line.close()
        await again.door.site.close()


async def test_a_client_that_has_gone_has_no_match_begun(tmp_path, monkeypatch):
    """It is there for a while after it has asked, and then its request waits."""
    busy = replace(CONFIG, limits=replace(CONFIG.limits, matches=0))
    async with playing(tmp_path, busy) as played:
        monkeypatch.setattr("dealer.hub.json_player._PRESENCE_SECONDS", 0.02)
        channel = played.server.hub.state.channels[played.server.mine.id]
        relays = channel.relays
        state = await played.state(wait=0)
        assert (state["state"], channel.relays) == ("waiting", relays + 1)
        async with asyncio.timeout(SECONDS):
            await asyncio.wait(
                [task for task in asyncio.all_tasks() if "JsonPlayer.run" in str(task.get_coro())]
            )
        assert channel.relays == relays
        await asyncio.sleep(0)
        assert list(played.door.site._play_door._players) == []
        await played.door.document(f"api/requests/{played.request}", "DELETE")
        assert (await played.state(wait=0))["state"] == "withdrawn"


async def test_other_matches_of_the_bot_are_no_news(tmp_path):
    """A client that plays one of several matches is not woken by the others; all are listed."""
    async with playing(tmp_path) as played:
        await played.seated()
        first = played.request
        await played.ask()
        second = await played.seated(2)
        event = (await played.door.document(f"api/requests/{first}/play?wait=0"))["event"]
        assert await played.asked(second)
        state = await played.door.document(f"api/requests/{first}/play?wait=0")
        assert (state["event"], state["decisions"]) == (event, [])
        me = await played.door.document("api/me")
        assert [request["request"] for request in me["requests"]] == [first, played.request]
        played.server.hub.hear(end_of("1.0"))
        async with asyncio.timeout(SECONDS):
            path = f"api/requests/{first}/play?wait=0"
            while (await played.door.document(path))["state"] != "over":
                pass
        me = await played.door.document("api/me")
        assert [request["match"] for request in me["requests"]] == [2]


@pytest.mark.parametrize("agent", ["Python-urllib/3.11", "curl/8.5.0", ""])
async def test_any_user_agent_is_served(tmp_path, agent):
    """Programs are what this is for."""
    async with playing(tmp_path) as played:
        assert await played.state(wait=0, **{"user-agent": agent})
