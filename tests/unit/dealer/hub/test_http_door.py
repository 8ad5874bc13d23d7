"""The server's addresses: who may ask for what, what is answered, and what is refused."""

import asyncio
import hashlib
import json
import re
from dataclasses import replace
from urllib.parse import urlencode

import numpy as np
import pytest

from dealer.hub.server_config import Spectators
from dealer.hub.tokens import new_token
from dealer.web.http_requests import Refusal
from protocol.deals import DealsProof, SeedProof, parse_proof, phrase_digest
from protocol.gamedefs import load_builtin
from tests.helpers.fake_server import CONFIG, MATCH, end_of, serving
from tests.helpers.hub_door import Door
from tests.helpers.random_logs import random_log


async def test_guests_read_and_owners_ask(tmp_path):
    """A request is taken with a token, its match is seen without one; its log when it is over."""
    async with serving(tmp_path) as server:
        door = Door(server)
        wanted = {"bot": "mine", "digest": "aa", "opponent": "rule", "hands": 100, "words": "w"}
        made = await door.document("api/requests", "POST", wanted)
        await server.until("seat")
        asked = await door.document(f"api/requests/{made['request']}")
        assert (asked["state"], asked["match"]) == ("matched", 1)
        board = await door.document("api/board", token="")
        assert [match["match"] for match in board["running"]] == [1]
        assert await door.refusal("logs/1.0.log", token="") == (404, "")
        for leg in (0, 1):
            server.hub.hear(end_of(f"1.{leg}"))
        await server.until("ended")
        shown = await door.document("api/matches/1", token="")
        secret = bytes.fromhex(shown["secret"])
        assert hashlib.sha256(secret).hexdigest() == shown["commitment"]
        pieces = (await door("logs/1.1.log", token="")).body
        log = b"".join([piece async for piece in pieces]).decode()
        first, last = log.splitlines()
        assert first == "# leg 1.1"
        assert parse_proof(last) == DealsProof(secret, "w")
        for address in ("api/bots/MINE", "api/pairs/rule/mine", "api/pairs/mine/rule"):
            seen = await door.document(address, token="")
            assert [match["match"] for match in seen["matches"]] == [1]
        metrics = (await door("metrics", token="")).body.decode()
        assert 'arena_matches_total{state="finished"} 1' in metrics
        assert (await door.document("healthz", token=""))["status"] == "ok"


async def test_a_match_of_an_older_server_has_its_proof(tmp_path):
    """Its deals are those of a seed, and what shows it says so."""
    async with serving(tmp_path) as server:
        server.ask(pairs=False)
        await server.until("seat")
        server.store.begin_match(replace(MATCH, words="w", pairs=False, state="void"), ())
        log = server.hub.state.match_folder(2) / "leg0.log"
        log.parent.mkdir()
        log.write_text("# leg 2.0\n")
        pieces = (await Door(server)("logs/2.0.log", token="")).body
        text = b"".join([piece async for piece in pieces]).decode()
        assert parse_proof(text.splitlines()[-1]) == SeedProof(MATCH.secret, "w")


async def test_a_seat_is_its_owners_alone(tmp_path):
    """A seat's key is of use with the owner's token only, and while the seat is free to take."""
    async with serving(tmp_path) as server:
        door = Door(server)
        server.ask(pairs=False)
        event = await server.until("seat")
        key = json.loads(event.partition("data: ")[2])["seat"]
        token, kept = new_token("bob")
        server.store.add_account("bob", kept, 1.0)
        upgrade = {"connection": "Upgrade", "upgrade": "acpc"}
        assert await door.refusal(f"api/seats/{key}", token=token, **upgrade) == (
            404,
            "no_such_seat",
        )
        assert (await door.refusal(f"api/seats/{key}"))[0] == 426
        response = await door(f"api/seats/{key}", **upgrade)
        response.takeover("connection", b"VERSION")
        assert server.hosts.seated == [("1.0", 0, "connection", b"VERSION")]
        server.hub.hear(end_of("1.0"))
        assert (await door.refusal(f"api/seats/{key}", **upgrade))[0] == 404


async def test_words_are_said_with_the_taking_of_a_seat(tmp_path):
    """Others than those whose SHA-256 came with the request are refused, and nobody waits."""
    async with serving(tmp_path) as server:
        door, words = Door(server), "ä & ö = 2?"
        wanted = {"bot": "mine", "digest": "aa", "opponent": "rule", "hands": 100}
        wanted |= {"words_sha256": phrase_digest(words), "pairs": False}
        await door.document("api/requests", "POST", wanted)
        event = await server.until("seat")
        address = f"api/seats/{json.loads(event.partition('data: ')[2])['seat']}"
        upgrade = {"connection": "Upgrade", "upgrade": "acpc"}
        for wrong, refusal in (("other", (409, "other_words")), ("x" * 201, (400, "bad_value"))):
            assert await door.refusal(f"{address}?words={wrong}", **upgrade) == refusal
        assert (await door.refusal(f"{address}?{urlencode({'words': words})}"))[0] == 426
        assert server.hosts.plays == {}
        response = await door(f"{address}?{urlencode({'words': words})}", **upgrade)
        response.takeover("connection", b"VERSION")
        assert server.hosts.seated == [("1.0", 0, "connection", b"VERSION")]
        assert (await door.document("api/matches/1", token=""))["words"] == words
        await door(f"{address}?words=late", **upgrade)
        assert server.store.match(1).words == words


async def test_a_guest_without_his_words_plays(tmp_path):
    """As one whose relay was lost with them: the seat is taken all the same."""
    async with serving(tmp_path) as server:
        server.ask(words="", words_sha256=phrase_digest("lost"))
        event = await server.until("seat")
        address = f"api/seats/{json.loads(event.partition('data: ')[2])['seat']}"
        await Door(server)(address, connection="Upgrade", upgrade="acpc")
        assert sorted(server.hosts.plays) == ["1.0", "1.1"]


async def test_a_bot_that_is_not_there_is_told_before_quotas(tmp_path):
    """Who mistypes a name is not sent away for a day."""
    async with serving(tmp_path) as server:
        server.store.change_account("ann", hands_a_day=1)
        wanted = {"bot": "mine", "digest": "aa", "opponent": "rul"}
        refusal = await Door(server).refusal("api/requests", "POST", wanted)
        assert refusal == (404, "no_such_bot")


@pytest.mark.parametrize(
    ("change", "status", "word"),
    [
        ({"hands": 0}, 400, "hands_a_match"),
        ({"hands": 10**6}, 400, "hands_a_match"),
        ({"hands": True}, 400, "bad_value"),
        ({"hands": "7"}, 400, "bad_value"),
        ({"pairs": 1}, 400, "bad_value"),
        ({"bot": "a b"}, 400, "bad_name"),
        ({"bot": "rule"}, 409, ""),
        ({"opponent": "nobody"}, 404, "no_such_bot"),
        ({"game": "chess"}, 400, "bad_game"),
        ({"words": "x" * 201}, 400, "bad_value"),
        ({"words": "\n"}, 400, "bad_value"),
        ({"words_sha256": "a" * 63}, 400, "bad_value"),
        ({"words_sha256": "A" * 64}, 400, "bad_value"),
        ({"words_sha256": phrase_digest("")}, 400, "bad_value"),
        ({"words_sha256": "a" * 64, "words": "w"}, 400, "bad_value"),
        ({"digest": ""}, 400, "no_digest"),
        ({"digest": None}, 400, "bad_value"),
        ({"colour": "red"}, 400, "bad_key"),
    ],
)
async def test_what_makes_no_sense_is_refused(tmp_path, change, status, word):
    """Each value has its limits; what is refused leaves nothing behind."""
    async with serving(tmp_path) as server:
        wanted = {"bot": "mine", "digest": "bb", "opponent": "rule", **change}
        versions = server.store.versions()
        assert await Door(server).refusal("api/requests", "POST", wanted) == (status, word)
        assert server.store.waiting_requests() == []
        assert server.store.versions() == versions


async def test_no_version_arises_without_a_digest(tmp_path):
    """Neither by a request nor by a relay that comes."""
    async with serving(tmp_path) as server:
        door, versions = Door(server), server.store.versions()
        wanted = {"bot": "mine", "opponent": "rule"}
        assert await door.refusal("api/requests", "POST", wanted) == (400, "bad_value")
        for query in ("", "?version=7", "?version=7&digest="):
            assert await door.refusal(f"api/bots/mine/seats{query}") == (400, "no_digest")
        assert server.store.versions() == versions


@pytest.mark.parametrize("body", [b"", b"[]", b"3", b"{", b"[" * 100_000, b"\xff", b"null"])
async def test_what_is_no_object_is_refused(tmp_path, body):
    """Whatever the bytes of a request are, the answer is a line."""
    async with serving(tmp_path) as server:
        assert await Door(server).refusal("api/requests", "POST", body) == (400, "bad_json")


async def test_quotas_are_told_before_they_are_met(tmp_path):
    """The owner sees what is left of a day's hands; more is refused, with a time to wait."""
    async with serving(tmp_path) as server:
        server.store.change_account("ann", hands_a_day=300)
        door = Door(server)
        wanted = {"bot": "mine", "digest": "aa", "opponent": "rule", "hands": 100}
        await door.document("api/requests", "POST", wanted)
        await server.until("seat")
        me = await door.document("api/me")
        assert (me["quotas"]["hands_a_day"], me["hands_today"]) == (300, 200)
        with pytest.raises(Refusal, match="100 more hands") as caught:
            await door("api/requests", "POST", wanted)
        assert (caught.value.status, caught.value.code) == (429, "hands_a_day")
        assert int(caught.value.fields["Retry-After"]) > 60


@pytest.mark.parametrize("token", ["", "ann.wrong", "bob.wrong", "ann"])
async def test_without_the_right_token_nothing_is_an_owners(tmp_path, token):
    """All that is for owners is refused alike, whoever the token says it is of."""
    async with serving(tmp_path) as server:
        door = Door(server)
        for address in ("api/me", "api/requests/1", "api/bots/mine/seats", "api/seats/x"):
            assert (await door.refusal(address, token=token))[0] == 401
        assert (await door.refusal("api/requests", "POST", {}, token=token))[0] == 401


async def test_a_token_counts_until_it_is_revoked(tmp_path):
    """Who was let in before is not let in after."""
    async with serving(tmp_path) as server:
        door = Door(server)
        assert (await door.document("api/me"))["account"] == "ann"
        server.store.change_account("ann", revoked=1.0)
        assert await door.refusal("api/me") == (401, "bad_token")


async def test_another_owners_requests_are_not_there(tmp_path):
    """A request is seen and withdrawn by its owner alone, and withdrawn once."""
    async with serving(tmp_path) as server:
        door = Door(server)
        request = server.ask(opponent="guest").id
        token, kept = new_token("bob")
        server.store.add_account("bob", kept, 1.0)
        address = f"api/requests/{request}"
        assert (await door.refusal(address, token=token))[0] == 404
        assert (await door.refusal(address, "DELETE", token=token))[0] == 404
        assert (await door.document(address, "DELETE"))["state"] == "withdrawn"
        assert await door.refusal(address, "DELETE") == (409, "not_waiting")


async def test_seats_are_streamed_with_what_was_missed(tmp_path):
    """A relay that comes hears of the seats there are; one that comes back, what it has missed."""
    async with serving(tmp_path) as server:
        door = Door(server)
        server.ask(pairs=False)
        await server.until("seat")
        address = "api/bots/mine/seats?version=1&digest=aa&relay=one"
        response = await door(address)
        assert b"event: seat" in await anext(response.body)
        await response.body.aclose()
        server.hub.hear(end_of("1.0"))
        await server.until("ended")
        response = await door(address, **{"last-event-id": "0"})
        text = b""
        async with asyncio.timeout(10):
            while b"event: ended" not in text:
                text += await anext(response.body)
        await response.body.aclose()
        assert b"event: seat" not in text


@pytest.mark.parametrize("query", ["", "&relay=two"])
async def test_a_version_has_one_relay(tmp_path, query):
    """A second one is refused while the first is there; another version of the bot is not."""
    async with serving(tmp_path) as server:
        door, address = Door(server), "api/bots/mine/seats?version={}&digest=aa"
        await door(f"{address.format(1)}&relay=one")
        assert await door.refusal(f"{address.format(1)}{query}") == (409, "relay_connected")
        await door(f"{address.format(2)}{query}")
        await door(f"{address.format(1)}&relay=one")
        door.gone = True
        await door(f"{address.format(1)}{query}")


def play(server, hands=20):
    """Let both legs of match 1 be so far; return cards of theirs that no hexadecimal text has."""
    record, cards = server.store.match(1), set()
    proof = DealsProof(record.secret, record.words)
    for leg, log in enumerate(server.hub.state.leg_logs(record)):
        names = server.hub.state.labels(record)[:: 1 - 2 * leg]
        random = np.random.default_rng(leg)
        lines = random_log(load_builtin("hunl"), proof, hands, random, names=names)[:-2]
        log.write_text("".join(f"{line}\n" for line in lines))
        log.with_suffix(".tlog").write_text("r300 0 1.0 2.0\n")
        for line in lines[2:]:
            cards |= set(re.split(r"[|/]", line.split(":")[3]))
    return {text for text in cards if len(text) > 3 and set(text) & set("hsTJQK")}


async def all_sent(response, end=b"event: end"):
    """All bytes of a response, or of events up to some."""
    if isinstance(response.body, bytes):
        return response.body
    text = b""
    async with asyncio.timeout(20):
        async for piece in response.body:
            text += piece
            if end in text:
                break
    await response.body.aclose()
    response.close()
    return text


async def test_nothing_that_is_sent_holds_a_secret(tmp_path):
    """Neither tokens, commands and paths nor seed, secret and cards of running matches are sent."""
    async with serving(tmp_path) as server:
        door = Door(server)
        server.ask()
        await server.until("seat")
        cards = play(server)
        proof = DealsProof(server.store.match(1).secret, "w")
        number, secret = str(proof.number), proof.secret
        stored = server.store.account("ann")
        word = server.token.partition(".")[2]
        deals = [secret.hex(), proof.key.hex(), number, *cards]
        secrets = [stored.hash.hex(), stored.salt.hex(), word, *deals]
        public = ("", "api/board", "api/matches/1", "api/bots/mine", "api/pairs/mine/rule")
        watched = [f"watch/1/{name}" for name in ("logs.json", "live/0", "live/1", "replay.html")]
        addresses = (*public, "api/me", "metrics", "healthz", *watched)
        for token in ("", server.token):
            for address in addresses:
                if address == "api/me" and not token:
                    continue
                sent = await all_sent(await door(address, token=token), b"event: hand")
                for text in (*secrets, str(tmp_path), "tlog", '"words": ["rule"]'):
                    assert text.encode() not in sent, address
                if "live" in address:
                    assert sent.count(b"STATE:") == 20
        for address in ("logs/1.0.log", "watch/1/log/0", "watch/1/live/2", "watch/2/live/0"):
            assert (await door.refusal(address, token=""))[0] == 404
        for leg in (0, 1):
            server.hub.hear(end_of(f"1.{leg}"))
        await server.until("ended")
        response = await door("watch/1/live/0", token="", **{"last-event-id": "7"})
        sent = await all_sent(response)
        assert sent.startswith(b"id: 0\nevent: restart")
        assert number.encode() in sent
        assert sum(text.encode() in sent for text in cards) > 20


@pytest.mark.parametrize("who", ["nobody", "owners", "everybody"])
async def test_who_watches_is_the_hosts_to_say(tmp_path, who):
    """Owners get an address of theirs; a match that is over is everybody's to look at."""
    config = replace(CONFIG, spectators=Spectators(who=who))
    async with serving(tmp_path, config=config) as server:
        door = Door(server)
        token, kept = new_token("bob")
        server.store.add_account("bob", kept, 1.0)
        server.ask(pairs=False)
        await server.until("seat")
        mine = (await door.document("api/matches/1"))["watch"]
        for stranger in ("", token, "ann.wrong"):
            seen = (await door.document("api/matches/1", token=stranger))["watch"]
            assert seen == ("watch/1/" if who == "everybody" else None)
        if who == "owners":
            assert re.fullmatch(r"watch/1\.[0-9a-f]{32}/", mine)
            assert (await door(f"{mine}replay.html", token="")).body == b"replayer"
            wrong = mine[:-2] + ("0" if mine[-2] != "0" else "1")
            assert (await door.refusal(f"{wrong}/replay.html", token=""))[0] == 404
        else:
            assert mine == ("watch/1/" if who == "everybody" else None)
        if who != "everybody":
            assert (await door.refusal("watch/1/live/0", token=server.token))[0] == 404
        assert (await door.refusal("watch/1/live/1", token=""))[0] == 404
        server.hub.hear(end_of("1.0"))
        await server.until("ended")
        assert (await door.document("api/matches/1", token=""))["watch"] == "watch/1/"
        assert (await door("watch/1/", token="")).fields["Location"] == "replay.html"
        assert (await door("watch/1/index.html")).fields["Location"] == "../../?match=1"
        assert b"event: end" in await all_sent(await door("watch/1/live/0", token=""))


async def test_who_watches_hears_the_end_of_the_match(tmp_path):
    """The streams of spectators end with it, and the server keeps nothing of them."""
    async with serving(tmp_path) as server:
        door = Door(server)
        server.ask(pairs=False)
        await server.until("seat")
        play(server, 3)
        response = await door("watch/1/live/0", token="")
        assert (await anext(response.body)).count(b"STATE:") == 3
        server.hub.hear(end_of("1.0"))
        assert b"event: end" in await all_sent(response)
        assert server.hub.state.watched == {}
