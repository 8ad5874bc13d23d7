"""The door for Slumbot's clients; the test is the dealer at their seats' lines."""

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from dealer.hub import hub, slumbot_sessions, token_gate
from dealer.hub.errors import StoreFault
from dealer.hub.http_door import HubSite
from dealer.hub.hub_state import SLUMBOT_GUEST
from dealer.hub.json_player import JsonPlayer
from dealer.hub.server_config import SlumbotTable
from dealer.hub.slumbot_door import SLUMBOT_PATHS
from dealer.hub.slumbot_match import BaselineLog
from dealer.hub.tokens import new_token
from dealer.web.guard import BearerGuard
from dealer.web.http_requests import Refusal, Request
from tests.helpers.fake_server import CONFIG, end_of, serving

SECONDS = 20
TABLE = SlumbotTable(
    bot="rule", sessions=3, address_sessions=2, idle_seconds=900, hands=4, baseline_seconds=0
)
HOLE = "AsKd"


async def until(true):
    """Wait until something is true."""
    async with asyncio.timeout(SECONDS):
        while not true():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.001)


class Client:
    """Posts to the door, and answers as the dealer of the match that it plays."""

    def __init__(self, server, settings):
        self.server = server
        server.hub.configure(replace(CONFIG, slumbot=settings))
        self.site = HubSite(server.hub, BearerGuard(["127.0.0.1"], SLUMBOT_PATHS), {})

    async def post(self, name, body=None, *, address="192.0.2.1", prefix="api", status=200):
        """The document that a request gets."""
        text = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        path = f"/{prefix}/{name}"
        request = Request("POST", path, "", "127.0.0.1", {}, text, 1, lambda: False, address)
        response = await self.site(request)
        assert response.status == status, response.body
        return json.loads(response.body)

    async def refused(self, name, body=None, *, status=200, **how):
        """The error_msg that a request gets."""
        answer = await self.post(name, body, status=status, **how)
        assert list(answer) == ["error_msg"]
        return answer["error_msg"]

    async def line(self, number=0):
        """The dealer's end of the line of a seat."""
        await until(lambda: len(self.server.hosts.seated) > number)
        return self.server.hosts.seated[number][2]

    def deal(self, line, hand, *bettings):
        """Tell the client's seat of a hand, as its betting grows."""
        for betting in bettings:
            cards = f"{HOLE}|" if hand % 2 == 0 else f"|{HOLE}"
            board = ["", "2c3d4h", "5c", "6d"][: betting.count("/") + 1]
            text = f"MATCHSTATE:{hand % 2}:{hand}:{betting}:{cards}{'/'.join(board)}\r\n"
            line.send(text.encode())

    async def begin(self, *bettings, token=None, line=0, **how):
        """The first hand of a session, and its line."""
        asking = asyncio.create_task(self.post("new_hand", {"token": token}, **how))
        seat = await self.line(line)
        self.deal(seat, 0, *bettings)
        async with asyncio.timeout(SECONDS):
            return await asking, seat

    def act(self, token, increment):
        """A request that is being answered."""
        return asyncio.create_task(self.post("act", {"token": token, "incr": increment}))


async def heard(line):
    """What comes at the dealer's end of a line."""
    async with asyncio.timeout(SECONDS):
        return await asyncio.get_running_loop().sock_recv(line, 1 << 16)


def silent(line):
    """Whether nothing comes there."""
    try:
        line.recv(1)
    except BlockingIOError:
        return True
    return False


@asynccontextmanager
async def playing(folder, **changes):
    """A server with such a door, and a client."""
    async with serving(folder, config=CONFIG) as server:
        client = Client(server, replace(TABLE, **changes))
        try:
            yield client
        finally:
            await client.site.close()
            for *_, line, _ in server.hosts.seated:
                line.close()


async def test_a_hand_from_the_blinds_to_its_end(tmp_path):
    """Fields are those that clients read, in the order in which one of them does."""
    async with playing(tmp_path) as client:
        state, line = await client.begin("r200")
        token = state["token"]
        assert state == {
            **{"old_action": "", "action": "b200", "client_pos": 0},
            **{"hole_cards": ["As", "Kd"], "board": [], "token": token},
        }
        acting = client.act(token, "c")
        assert b":r200:AsKd|:c\r\n" in await heard(line)
        client.deal(line, 0, "r200c/")
        state = await acting
        assert (state["old_action"], state["action"]) == ("b200", "b200c/")
        assert state["board"] == ["4h", "3d", "2c"]
        acting = client.act(token, "b100")
        assert b":r300\r\n" in await heard(line)
        client.deal(line, 0, "r200c/r300f")
        client.deal(line, 1, "")
        state = await acting
        assert list(state) == [
            *("old_action", "action", "client_pos", "hole_cards", "board", "bot_hole_cards"),
            *("winnings", "won_pot", "session_num_hands", "baseline_winnings"),
            *("session_total", "session_baseline_total", "token"),
        ]
        assert (state["action"], state["winnings"], state["won_pot"]) == ("b200c/b100f", 200, 500)
        assert (state["session_num_hands"], state["session_total"]) == (1, 200)
        assert len(state["bot_hole_cards"]) == 2
        state = await client.post("new_hand", {"token": token}, prefix="slumbot/api")
        assert (state["client_pos"], state["action"], state["token"]) == (1, "", token)


async def test_a_hand_that_the_house_bot_gives_up_at_once_is_over_at_once(tmp_path):
    """Its first answer is its last, and the next one is the next hand."""
    async with playing(tmp_path) as client:
        state, line = await client.begin("f")
        assert (state["action"], state["winnings"]) == ("f", 50)
        token = state["token"]
        assert "is over" in await client.refused("act", {"token": token, "incr": "c"})
        client.deal(line, 1, "")
        assert (await client.post("new_hand", {"token": token}))["client_pos"] == 1


async def test_a_hand_is_shown_again_until_it_is_acted_in_and_folded_then(tmp_path):
    """So an answer that was lost costs nothing, and no hand can be passed over."""
    async with playing(tmp_path) as client:
        state, line = await client.begin("r200")
        token = state["token"]
        assert await client.post("new_hand", {"token": token}) == state
        acting = client.act(token, "c")
        await heard(line)
        client.deal(line, 0, "r200c/")
        await acting
        asking = asyncio.create_task(client.post("new_hand", {"token": token}))
        assert (await heard(line)).endswith(b":c\r\n")
        client.deal(line, 0, "r200c/cr400")
        assert (await heard(line)).endswith(b":f\r\n")
        client.deal(line, 0, "r200c/cr400f")
        client.deal(line, 1, "")
        assert (await asking)["client_pos"] == 1
        acting = client.act(token, "f")
        await heard(line)
        client.deal(line, 1, "f")
        state = await acting
        assert (state["session_num_hands"], state["session_total"]) == (2, -250)


async def test_what_is_no_action_moves_nothing(tmp_path):
    """The hand stays as it is, and nothing reaches the dealer."""
    async with playing(tmp_path) as client:
        state, line = await client.begin("r200")
        token = state["token"]
        for text in ("", "k", "b1", "b" + "9" * 200, "cc", "b400b19999b20000f", "0c", "c\n", "x"):
            assert await client.refused("act", {"token": token, "incr": text})
        for body in (b"", b"[]", b"{", b"\xff", b'{"token": 7}', b"[" * 5000):
            await client.refused("act", body, status=200 if body == b"" else 400)
        await client.refused("act", {"token": token, "incr": "b" * 301}, status=400)
        await client.refused("act", {"token": token, "incr": ["c"]}, status=400)
        assert silent(line)
        assert await client.post("new_hand", {"token": token}) == state


async def test_a_second_action_at_the_same_time_is_refused(tmp_path):
    """It may be the same one, sent again."""
    async with playing(tmp_path) as client:
        state, line = await client.begin("r200")
        acting = client.act(state["token"], "c")
        await heard(line)
        refusal = await client.refused("act", {"token": state["token"], "incr": "c"})
        assert "Another request" in refusal
        client.deal(line, 0, "r200c/")
        assert (await acting)["action"] == "b200c/"
        assert silent(line)


async def test_tokens_are_of_one_session(tmp_path):
    """Of nobody, of another, and before there is a hand."""
    async with playing(tmp_path) as client:
        assert await client.refused("act", {"incr": "c"}) == "Invalid token"
        assert await client.refused("new_hand", {"token": "nobody's"}) == "Invalid token"
        first, line = await client.begin("r200")
        second, other_line = await client.begin("c", line=1)
        assert first["token"] != second["token"]
        acting = client.act(second["token"], "k")
        await heard(other_line)
        client.deal(other_line, 0, "cc/")
        await acting
        assert silent(line)


async def test_wrong_passwords_are_not_tried_for_long(tmp_path, monkeypatch):
    """Each is work; the client is told to come back later."""
    monkeypatch.setattr(token_gate, "_RATE", 1e-6)
    monkeypatch.setattr(token_gate, "_MOST", 2)
    async with playing(tmp_path) as client:
        login = {"username": "ann", "password": "ann.x"}
        for _ in range(2):
            await client.refused("login", login)
        assert "Too many" in await client.refused("login", login, status=503)


async def test_who_has_logged_in_plays_in_his_own_name(tmp_path):
    """With his token for a password; results are unrated, and of his bot."""
    async with playing(tmp_path) as client:
        wrong = ("ann", "x"), ("ann", "ann.\ud800"), ("bob", client.server.token), ("", "")
        for name, password in wrong:
            fault = await client.refused("login", {"username": name, "password": password})
            assert "Invalid username or password" in fault
        login = {"username": "Ann", "password": client.server.token}
        answer = await client.post("login", login)
        assert list(answer) == ["token"]
        refusal = await client.refused("act", {"token": answer["token"], "incr": "c"})
        assert "ask for a new one" in refusal
        state, _ = await client.begin("c", token=answer["token"])
        assert state["token"] == answer["token"]
        store = client.server.store
        (record,) = store.matches("running")
        first, second = (client.server.hub.state.version(n) for n in (record.first, record.second))
        assert (first.name, first.owner, second.name) == ("ann", "ann", "rule")
        assert (record.rated, record.pairs, record.hands, record.seed) == (0, 0, 4, None)
        store.change_account("ann", revoked=1.0)
        assert await client.refused("login", login)


async def test_sessions_of_an_address_and_together_are_bounded(tmp_path, monkeypatch):
    """One in which no hand is open makes room after a while; its client gets a new token."""
    async with playing(tmp_path) as client:
        first, _ = await client.begin("f")
        await client.begin("r200", line=1)
        assert "2 sessions of this address" in await client.refused("new_hand", status=503)
        await client.begin("r200", line=2, address="192.0.2.2")
        refusal = await client.refused("new_hand", status=503, address="192.0.2.3")
        assert "3 sessions at once" in refusal
        monkeypatch.setattr(slumbot_sessions, "_SPARE_SECONDS", -1.0)
        beginning = asyncio.create_task(client.begin("r200", line=3, address="192.0.2.3"))
        await until(lambda: client.server.hosts.stopped == ["1.0"])
        refusal = await client.refused("act", {"token": first["token"], "incr": "c"})
        assert "session is over" in refusal
        client.server.hub.hear({"news": "hands", "legs": {"1.0": 1}})
        client.server.hub.hear(end_of("1.0", "interrupted"))
        await beginning
        await until(lambda: client.server.store.match(1).state != "running")
        record = client.server.store.match(1)
        assert (record.state, record.hands_played) == ("finished", 1)
        assert "others wanted its room" in record.detail
        refusal = await client.refused("new_hand", {"token": first["token"]}, status=503)
        assert "3 sessions at once" in refusal


async def test_a_session_that_is_idle_ends(tmp_path):
    """Its open hand is folded, what was played counts, and its client comes back as who it was."""
    async with playing(tmp_path, idle_seconds=1) as client:
        login = {"username": "ann", "password": client.server.token}
        token = (await client.post("login", login))["token"]
        _, line = await client.begin("r200", token=token)
        assert (await heard(line)).endswith(b":f\r\n")
        client.deal(line, 0, "r200f")
        await until(lambda: client.server.hosts.stopped)
        state, _ = await client.begin("r200", token=token, line=1)
        assert state["token"] != token
        assert await client.post("new_hand", {"token": token}) == state  # the answer was lost
        assert client.server.hub.state.version(client.server.store.match(2).first).name == "ann"


async def test_after_the_last_hand_of_a_match_comes_another_match(tmp_path):
    """The session goes on, with the client in the big blind."""
    async with playing(tmp_path, hands=2) as client:
        state, line = await client.begin("f")
        token = state["token"]
        client.deal(line, 1, "")
        await client.post("new_hand", {"token": token})
        acting = client.act(token, "f")
        await heard(line)
        client.deal(line, 1, "f")
        assert (await acting)["session_total"] == 0
        state, _ = await client.begin("f", token=token, line=1)
        assert (state["client_pos"], state["session_num_hands"]) == (0, 3)
        assert client.server.hosts.stopped == ["1.0"]


async def test_a_match_that_is_lost_is_told_and_another_one_begins(tmp_path):
    """The house bot crashes while the client waits for it."""
    async with playing(tmp_path) as client:
        state, line = await client.begin("r200")
        acting = asyncio.create_task(client.refused("act", {"token": state["token"], "incr": "c"}))
        await heard(line)
        client.server.hub.hear(end_of("1.0", "crash", 1, "rule ended with status 1"))
        assert await acting == "The match has ended: rule ended with status 1"
        await client.begin("r200", token=state["token"], line=1)


async def test_a_seat_is_taken_again_long_after_the_match_began(tmp_path, monkeypatch):
    """As behind a full disk: there is no seat for a while, and nobody has asked for a match."""
    monkeypatch.setattr(hub, "_RETRY_SECONDS", 0.1)
    players, attend = [], JsonPlayer.attend
    monkeypatch.setattr(JsonPlayer, "attend", lambda self: players.append(self) or attend(self))
    async with playing(tmp_path) as client:
        state, _ = await client.begin("r200")
        players[0]._until = 0.0  # seconds pass
        client.server.hub.hear(end_of("1.0", "error"))
        line = await client.line(1)
        act = {"token": state["token"], "incr": "c"}
        assert "try again" in await client.refused("act", act, status=503)
        client.deal(line, 0, "r200")
        asking = asyncio.create_task(client.post("new_hand", {"token": state["token"]}))
        async with asyncio.timeout(SECONDS):
            assert await asking == state


async def test_a_match_that_cannot_begin_is_told(tmp_path, monkeypatch):
    """Why it waits; it is withdrawn, and the disk may be full as well."""
    monkeypatch.setattr(slumbot_sessions, "_BEGIN_SECONDS", 0.2)
    async with playing(tmp_path) as client:
        client.server.store.change_account(SLUMBOT_GUEST, matches_at_once=0)
        refusal = await client.refused("new_hand", status=503)
        assert "the account may play 0 matches" in refusal
        assert client.server.store.waiting_requests() == []
        client.server.store.change_account(SLUMBOT_GUEST, hands_a_day=0)
        assert "no more hands" in await client.refused("new_hand")


async def test_a_house_bot_that_a_config_has_taken_away_is_told(tmp_path):
    """The door stays open until the next start."""
    async with playing(tmp_path) as client:
        client.server.hub.configure(replace(CONFIG, house=(), slumbot=TABLE))
        refusal = await client.refused("new_hand", status=503)
        assert refusal == "rule is no bot of the house any more"


async def test_a_full_disk_is_told(tmp_path, monkeypatch):
    """With a status that says that it may pass."""

    def fail(*_):
        raise StoreFault("full")

    async with playing(tmp_path) as client:
        monkeypatch.setattr(client.server.store, "add_request", fail)
        assert "cannot write" in await client.refused("new_hand", status=503)


async def test_the_door_is_there_only_where_it_is_wanted(tmp_path):
    """Else its addresses are none, and want a token as all that do something."""
    async with serving(tmp_path, config=CONFIG) as server:
        token, _ = new_token("ann")
        for fields, status in (({}, 401), ({"authorization": f"Bearer {token}"}, 404)):
            site = HubSite(server.hub, BearerGuard(["127.0.0.1"]), {})
            request = Request("POST", "/api/new_hand", "", "127.0.0.1", fields, b"{}", 1)
            with pytest.raises(Refusal) as caught:
                await site(request)
            assert caught.value.status == status
            await site.close()


async def test_a_page_from_elsewhere_does_not_play(tmp_path):
    """A visitor's browser names where it comes from."""
    async with playing(tmp_path) as client:
        fields = {"origin": "https://elsewhere.example"}
        request = Request("POST", "/api/new_hand", "", "127.0.0.1", fields, b"{}", 1)
        with pytest.raises(Refusal, match="elsewhere"):
            await client.site(request)


async def test_a_baseline_is_read_as_it_is_written(tmp_path):
    """A hand is known once its line is whole; what is not known in time is 0."""
    log, more = tmp_path / "baseline.log", [True]
    baseline = BaselineLog(log, "rule", lambda: more[0])
    assert await baseline.won(0, 0.0) == 0
    asking = asyncio.create_task(baseline.won(0, SECONDS))
    log.write_text("# name/game/hands/seed a.1.baseline hunl 4 1\nSTATE:0:f:AsKd|2c3c:50|-5")
    await asyncio.sleep(0.05)
    assert not asking.done()
    with log.open("a") as file:
        file.write("0:rule|rule-2\nSTATE:1:f:AsKd|2c3c:50|-50:rule-2|rule\n")
    assert await asking == 50
    assert await baseline.won(1, SECONDS) == -50
    more[0] = False
    assert await baseline.won(2, SECONDS) == 0
