"""What the page of a person's seat is answered, without a network."""

import asyncio
import json
from contextlib import aclosing

import pytest

from dealer.web.guard import Guard
from dealer.web.http_requests import Refusal, Request
from dealer.web.person import PersonSeat
from dealer.web.router import read_pages
from dealer.web.seat_site import SeatSite
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from protocol.spelled_games import spelled_game
from tests.helpers.fake_teller import FakeTeller

ASKED = b"MATCHSTATE:1:0::|AhKd\r\n"
LINE = "STATE:0::|AhKd::bob|me"


class Table:
    """A seat with its site, and what was sent to the dealer."""

    def __init__(self, strategy=None):
        self.seat = PersonSeat(load_builtin("hunl"), ("me", "bob"))
        self.seat.connected()
        self.sent = []
        guard = Guard("127.0.0.1", 80, "t")
        facts = {"names": "x"}
        self.site = SeatSite(self.seat, self.sent.append, guard, read_pages(), facts, strategy)

    def hear(self, data):
        self.seat.receive(data)
        self.site.changed()

    async def ask(self, path, method="GET", body=b"", **fields):
        return await self.site(Request(method, f"/t/{path}", "", "127.0.0.1", fields, body, 1))

    async def act(self, document):
        return await self.ask("act", "POST", json.dumps(document).encode())


def told(event):
    """Kind and data of an event."""
    lines = event.decode().splitlines()
    data = "\n".join(line.removeprefix("data: ") for line in lines if line.startswith("data:"))
    return lines[1].removeprefix("event: "), data


async def test_a_hand_is_shown_and_answered():
    """The situation comes by events, the answer goes by POST; then the hand is in the list."""
    table = Table()
    response = await table.ask("events")
    async with aclosing(response.body) as events:
        table.hear(ASKED)
        kind, data = told(await anext(events))
        assert (kind, json.loads(data)["line"]) == ("situation", LINE)
        raises = {"action": "raise", "min": 200, "max": 20000}
        turn = json.loads(data)["turn"]
        assert (turn["hole"], turn["pot"], turn["to_call"]) == (["Ah", "Kd"], 150, 50)
        assert turn["legal"] == [{"action": "fold"}, {"action": "call"}, raises]
        assert (await table.act({"line": LINE, "action": "f"})).status == 204
        assert table.sent == [b"MATCHSTATE:1:0::|AhKd:f\r\n"]
        assert json.loads(told(await anext(events))[1])["turn"] is None
        table.hear(b"MATCHSTATE:1:0:f:|AhKd\r\n")
        assert told(await anext(events)) == ("hands", "STATE:0:f:|AhKd:50|-50:bob|me")
        assert told(await anext(events))[0] == "situation"
        table.site.end("it is over")
        assert told(await anext(events)) == ("over", "it is over")
        assert [one async for one in events] == []
    log = await table.ask("hands.log")
    header, line = map(parse_log_line, log.body.decode().splitlines())
    assert spelled_game(header.game) == table.seat.game
    assert (header.seed, line.names) == (None, ("bob", "me"))
    assert "attachment" in log.fields["Content-Disposition"]


async def test_a_page_that_comes_back_has_what_it_had():
    """A new one all hands, one that reconnects those that it has not seen."""
    table = Table()
    for hand in (0, 1, 2):
        table.hear(b"MATCHSTATE:1:%d:f:|AhKd\r\n" % hand)
    for fields, first in (({}, "STATE:0"), ({"last-event-id": "2"}, "STATE:2")):
        async with aclosing((await table.ask("events", **fields)).body) as events:
            assert told(await anext(events))[1].startswith(first)
            assert told(await anext(events))[0] == "situation"
            waiting = asyncio.ensure_future(anext(events))
            await asyncio.sleep(0.01)
            assert not waiting.done()
            waiting.cancel()
            await asyncio.wait([waiting])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b'{"line": 1, "action": "f"}', 400),
        (b'{"action": "f"}', 400),
        (b"[" * 5000, 400),
        (b"\xff", 400),
        (json.dumps({"line": LINE, "action": "r1"}).encode(), 409),
        (json.dumps({"line": LINE.replace("Kd", "Ks"), "action": "f"}).encode(), 409),
    ],
)
async def test_what_is_no_answer_is_refused(body, status):
    """Nothing is sent to the dealer."""
    table = Table()
    table.hear(ASKED)
    with pytest.raises(Refusal) as refused:
        await table.ask("act", "POST", body)
    assert refused.value.status == status
    assert table.sent == []


async def test_other_addresses_and_methods_are_refused():
    """An answer cannot be given by a link."""
    table = Table()
    assert (await table.ask("act")).status == 405
    assert (await table.ask("events", "POST")).status == 405
    assert json.loads((await table.ask("game.json")).body) == {"names": "x"}
    assert (await table.ask("")).body == (await table.ask("play.html")).body
    with pytest.raises(Refusal):
        await table.ask("../seat_site.py")


async def test_a_strategy_is_told_of_hands_that_are_over_alone():
    """Neither of the one that is played, nor of what is made up; without one, of none."""
    strategy = FakeTeller()
    table = Table(strategy)
    table.hear(ASKED)

    async def told(line, asked="strategy"):
        body = json.dumps({"line": line}).encode()
        try:
            return (await table.ask(asked, "POST", body)).body
        except Refusal as refusal:
            return refusal.status

    assert json.loads((await table.ask("game.json")).body) == {"names": "x", "strategy": "bob"}
    over = "STATE:0:f:|AhKd:50|-50:bob|me"
    assert [await told(line) for line in (LINE, over, "STATE:0::|AhKd:0|0:bob|me")] == [409] * 3
    assert strategy.asked == []
    table.hear(b"MATCHSTATE:1:0:f:|AhKd\r\nMATCHSTATE:0:1::AhKd|\r\n")
    assert await told(over) == b"told"
    assert await told("STATE:1::AhKd|::me|bob") == 409
    assert await told("STATE:1::AhKd|::me|bob", "values") == 409
    assert await told(over, "values") == b"told"
    asked = "STATE:0:f:|AhKd:50|-50:0|1"
    assert strategy.asked == [asked, f"values {asked}"]
    assert (await table.ask("strategy")).status == 405
    with pytest.raises(Refusal):
        await Table().ask("strategy", "POST")
