"""The engine room with hosts that play nothing: what becomes of requests, legs and matches."""

import asyncio
import hashlib
import json
import socket
from dataclasses import replace

import pytest

from dealer.hub.documents import match_document, owner_document
from dealer.hub.errors import OtherWords, StoreFault
from dealer.hub.server_config import SlumbotTable
from dealer.hub.tokens import new_token
from dealer.web.http_requests import Request
from protocol.deals import DealsProof, SeedProof, phrase_digest
from tests.helpers.fake_server import CONFIG, MATCH, RESULT, end_of, serving
from tests.helpers.hub_door import HOST, Door


async def test_a_request_becomes_a_match_and_a_result(tmp_path):
    """Both legs have the same deals and changed seats; the result is stored and told."""
    async with serving(tmp_path) as server:
        request = server.ask()
        assert "seat" in await server.until("seat")
        match = server.store.request(request.id).match
        plans = [server.hosts.plays[f"{match}.{leg}"]["plan"] for leg in (0, 1)]
        record = server.store.match(match)
        proof = DealsProof(record.secret, "w")
        assert [plan["seed"] for plan in plans] == [proof.number] * 2
        secret = {"key": proof.key.hex(), "commitment": proof.commitment}
        assert [plan["secret"] for plan in plans] == [secret] * 2
        assert record.secret.hex() not in json.dumps(plans)
        names = [[seat["name"] for seat in plan["seats"]] for plan in plans]
        assert names == [["mine", "rule"], ["rule", "mine"]]
        shown = match_document(server.hub.state, record)
        assert shown["secret"] is None
        assert shown["commitment"] == hashlib.sha256(record.secret).hexdigest()
        server.hub.hear(end_of(f"{match}.0"))
        assert server.store.match(match).state == "running"
        server.hub.hear(end_of(f"{match}.1"))
        assert '"state": "finished"' in await server.until("ended")
        shown = match_document(server.hub.state, server.store.match(match))
        assert (shown["secret"], shown["result"]) == (record.secret.hex(), RESULT)
        assert shown["hands_played"] == 200


def deals_of(event):
    """What the offer of a seat says of the deals."""
    offer = json.loads(event.partition("data: ")[2])
    return offer["commitment"], offer["words_sha256"]


def saying(server, words="lucky", **fields):
    """A request of the bot, whose words are said later."""
    return server.ask(words="", words_sha256=phrase_digest(words), **fields)


async def test_the_server_is_bound_before_it_knows_words(tmp_path):
    """Nothing is played before they are said; then the deals are of both, and nothing changes."""
    async with serving(tmp_path) as server:
        request = saying(server)
        commitment, digests = deals_of(await server.until("seat"))
        record = server.store.match(1)
        assert commitment == hashlib.sha256(record.secret).hexdigest()
        assert (digests, record.dealt, record.words) == ([request.words_sha256], False, "")
        key = next(iter(server.hub._offers))
        server.hub.take_seat(server.hub.offer_of(key), "connection", b"VERSION")
        assert (server.hosts.plays, server.hosts.seated) == ({}, [])
        with pytest.raises(OtherWords):
            server.hub.take_phrase(1, server.mine, "others")
        assert server.hosts.plays == {}
        server.hub.take_phrase(1, server.mine, "lucky")
        assert server.hosts.seated == [("1.0", 0, "connection", b"VERSION")]
        proof = DealsProof(record.secret, "lucky")
        secret = {"key": proof.key.hex(), "commitment": commitment}
        assert [server.hosts.plays[f"1.{leg}"]["plan"]["secret"] for leg in (0, 1)] == [secret] * 2
        assert proof.key.hex() != commitment
        server.hub.take_phrase(1, server.mine, "more")
        dealt = server.store.match(1)
        assert dealt == replace(record, words="lucky", dealt=True)
        server.hub.take_seat(server.hub.offer_of(key), "again", b"")
        assert server.hosts.seated[1:] == [("1.0", 0, "again", b"")]


async def test_words_of_two_guests_go_into_the_deals_in_the_order_of_requests(tmp_path):
    """Each is shown that the other cannot choose his words any more, either."""
    async with serving(tmp_path) as server:
        bob = server.store.add_account("bob", new_token("bob")[1], 1.0)
        other = server.hub.version_of(bob, "other", "1", "bb")
        with server.hub.state.channels[other.id].attended():
            asked = server.ask(version=other.id, opponent="guest", words="plain")
            saying(server, opponent="guest")
            _, digests = deals_of(await server.until("seat"))
            assert digests == [phrase_digest("plain"), phrase_digest("lucky")]
            assert server.hosts.plays == {}
            server.hub.take_phrase(asked.match or 1, other, "not asked for")
            server.hub.take_phrase(1, server.mine, "lucky")
            assert server.store.match(1).words == "plain lucky"
            assert sorted(server.hosts.plays) == ["1.0", "1.1"]


@pytest.mark.parametrize("late", [False, True])
async def test_who_says_no_words_in_time_plays_without(tmp_path, late):
    """Or says that he has none; a server that is started again deals from the same."""
    async with serving(tmp_path) as server:
        request = saying(server)
        await server.until("seat")
        if late:
            key = next(iter(server.hub._offers))
            server.hub.take_seat(server.hub.offer_of(key), "connection", b"")
            server.hub._deal_at_last(server.hub.state.running[1])
        else:
            server.hub.take_phrase(1, server.mine, "")
        await server.until("dealt")
        secret = server.hosts.plays["1.0"]["plan"]["secret"]
        record = server.store.match(1)
        assert (record.dealt, record.words) == (True, "")
        server.hub.take_phrase(1, server.mine, "lucky")
        assert server.store.request(request.id).words == ""
    async with serving(tmp_path) as server:
        assert server.hosts.plays["1.0"]["plan"]["secret"] == secret


async def test_who_takes_no_seat_before_the_deals_forfeits(tmp_path):
    """Once the time for that is over; no host plays the match."""
    hasty = replace(CONFIG, limits=replace(CONFIG.limits, start_seconds=0))
    async with serving(tmp_path, config=hasty) as server:
        saying(server)
        assert "did not take its seat in time" in await server.until("ended")
        assert (server.store.match(1).state, server.hosts.plays) == ("forfeited", {})


@pytest.mark.parametrize("said", [False, True])
async def test_a_start_between_commitment_and_deals_changes_neither(tmp_path, said):
    """The seats are offered again, bound to the same secret; words that were said stay so."""
    async with serving(tmp_path) as server:
        saying(server)
        before = deals_of(await server.until("seat"))
        if said:  # and the server ends before the deals are made
            server.store.set_phrase(1, "lucky")
    async with serving(tmp_path) as server:
        assert deals_of(await server.until("seat")) == before
        if not said:
            assert server.hosts.plays == {}
            server.hub.take_phrase(1, server.mine, "lucky")
        await server.until("dealt")
        record = server.store.match(1)
        assert (record.words, record.dealt) == ("lucky", True)
        assert server.hosts.plays["1.0"]["plan"]["secret"]["commitment"] == before[0]


async def test_who_leaves_before_the_deals_are_made_forfeits(tmp_path):
    """The match ends at once: no host plays it."""
    async with serving(tmp_path) as server:
        saying(server)
        await server.until("seat")
        guest, seat = socket.socketpair()
        key = next(iter(server.hub._offers))
        server.hub.take_seat(server.hub.offer_of(key), seat, b"")
        server.hub.give_up(server.hub.offer_of(key), "mine left")
        assert "forfeited" in await server.until("ended")
        assert server.store.match(1).state == "forfeited"
        assert (server.hosts.plays, server.hub._offers) == ({}, {})
        assert guest.recv(1) == b""
        guest.close()


async def test_deals_that_cannot_be_stored_are_made_later(tmp_path, monkeypatch):
    """As on a full disk: nothing is played before."""
    monkeypatch.setattr("dealer.hub.hub._RETRY_SECONDS", 0.0)
    async with serving(tmp_path) as server:
        saying(server)
        await server.until("seat")
        faults, deal = [StoreFault("full")], server.store.deal_match

        def full(*what):
            if faults:
                raise faults.pop()
            return deal(*what)

        monkeypatch.setattr(server.store, "deal_match", full)
        server.hub.take_phrase(1, server.mine, "lucky")
        assert (faults, server.hosts.plays) == ([], {})
        await server.until("dealt")
        assert server.store.match(1).words == "lucky"


async def test_no_match_begins_while_nothing_can_be_written(tmp_path, monkeypatch):
    """A match that is played waits, and what is to begin does; health and requests say why."""
    faults = ["No space"]
    monkeypatch.setattr("dealer.hub.hub.writing_fault", lambda _folder: faults[-1])
    monkeypatch.setattr("dealer.hub.hub._RETRY_SECONDS", 0.0)
    async with serving(tmp_path) as server:
        request, door = server.ask(pairs=False), Door(server)
        await server.logged("paused")
        assert server.hosts.plays == {}
        assert "begins no matches, since it cannot write: No space" in (
            server.hub.state.why_waiting(request)
        )
        health = await door.site(Request("GET", "/healthz", "", HOST, {}, b"", 1))
        assert health.status == 503
        assert json.loads(health.body)["status"] == "no matches are begun: No space"
        faults.append("")
        await server.until("seat")
        assert (await door.document("healthz"))["status"] == "ok"
        faults.append("No space")
        assert (await door.site(Request("GET", "/healthz", "", HOST, {}, b"", 1))).status == 503
        for _ in range(9):
            server.hub.hear(end_of("1.0", "error"))
            assert '"match": 1' in await server.until("seat")
        faults.append("")
        for _ in range(3):
            server.hub.hear(end_of("1.0", "error"))
            await server.until("seat")
        server.hub.hear(end_of("1.0", "error"))
        await server.until("ended")
        assert server.store.match(1).state == "void"
        assert [event for event in server.events if event in ("paused", "resumed")] == [
            *("paused", "resumed"),
            *("paused", "resumed"),
        ]


async def test_a_forfeit_is_no_result_and_too_many_are_probation(tmp_path):
    """Who breaks a match off is named; after so many the bot waits, and its owner knows."""
    async with serving(tmp_path) as server:
        for number in (1, 2):
            server.ask()
            await server.until("started")
            (leg,) = [leg for leg in server.hosts.plays if leg == f"{number}.0"]
            server.hub.hear(end_of(leg, "timeout", 0, "seat 1 took too long"))
            assert server.hosts.stopped[-1] == f"{number}.1"
            server.hub.hear(end_of(f"{number}.1", "interrupted"))
            await server.until("ended")
            record = server.store.match(number)
            assert (record.state, record.culprit, record.result) == (
                "forfeited",
                server.mine.id,
                None,
            )
        waiting = server.ask()
        await asyncio.sleep(0.2)
        assert server.store.request(waiting.id).state == "waiting"
        assert "on probation" in server.hub.state.why_waiting(waiting)
        notices = owner_document(server.hub.state, server.ann)["notices"]
        assert "seat 1 took too long" in notices[0]["text"]


async def test_a_relay_that_stays_away_is_named(tmp_path):
    """Its bot has not crashed: what is told is that nobody came back to the seat."""
    async with serving(tmp_path) as server:
        server.ask(pairs=False)
        await server.until("started")
        server.hub.hear(end_of("1.0", "disconnect", 0, "seat 1 did not come back"))
        await server.until("ended")
        record = server.store.match(1)
        assert (record.state, record.culprit) == ("forfeited", server.mine.id)
        assert record.detail == "the relay of mine was lost and did not come back in time"


async def test_a_bot_that_has_left_forfeits(tmp_path):
    """The match is stopped at once, not when time is up, and says what its relay said."""
    async with serving(tmp_path) as server:
        server.ask()
        await server.until("seat")
        offer = server.hub.offer(next(iter(server.hub._offers)), server.ann)
        server.hub.give_up(offer, "mine left: it ended with exit status 7")
        server.hub.give_up(offer, "again")
        assert server.hosts.stopped == ["1.0", "1.1"]
        for leg in (0, 1):
            server.hub.hear(end_of(f"1.{leg}", "interrupted"))
        await server.until("ended")
        record = server.store.match(1)
        assert (record.state, record.culprit) == ("forfeited", server.mine.id)
        assert record.detail == "mine left: it ended with exit status 7"


async def test_a_fault_of_the_house_counts_for_nobody(tmp_path):
    """Where a house bot crashes the match is void, and nobody has forfeited it."""
    async with serving(tmp_path) as server:
        server.ask(pairs=False)
        await server.until("started")
        server.hub.hear(end_of("1.0", "crash", 1, "rule ended"))
        await server.until("ended")
        record = server.store.match(1)
        assert (record.state, record.culprit, record.detail) == ("void", None, "rule ended")
        assert server.hub.state.version_now(server.mine).failures == 0


async def test_a_leg_whose_host_is_lost_is_played_on(tmp_path):
    """It goes to another host with a new seat; after some losses the match is void."""
    async with serving(tmp_path) as server:
        server.ask(pairs=False)
        await server.until("seat")
        for _ in range(3):
            server.hosts.plays.clear()
            server.hub.hear({"news": "lost", "leg": "1.0"})
            assert "1.0" in server.hosts.plays
            await server.until("seat")
        server.hub.hear({"news": "lost", "leg": "1.0"})
        await server.until("ended")
        assert server.store.match(1).state == "void"


async def test_what_could_not_be_counted_is_counted_by_the_next_server(tmp_path):
    """The match is finished all the same, and says what is wrong; its result comes later."""
    async with serving(tmp_path) as server:
        server.counting.fails = True
        server.ask(pairs=False)
        await server.until("seat")
        server.hub.hear(end_of("1.0"))
        await server.until("ended")
        record = server.store.match(1)
        assert (record.state, record.result) == ("finished", None)
        assert record.detail == "its logs could not be counted: no log"
    async with serving(tmp_path) as server:
        await asyncio.sleep(0.1)
        record = server.store.match(1)
        assert json.loads(record.result)["hands"] == 200
        assert record.detail == ""


async def test_a_match_goes_on_with_the_next_server(tmp_path):
    """Legs that are over stay so; the others, and the requests, are there after a start."""
    async with serving(tmp_path) as server:
        server.ask()
        await server.until("seat")
        server.hub.hear(end_of("1.0"))
        waiting = server.ask(game="hulhe", opponent="guest")
    async with serving(tmp_path) as server:
        assert list(server.hosts.plays) == ["1.1"]
        assert server.store.waiting_requests() == [waiting]
        server.hub.hear(end_of("1.1"))
        await server.until("ended")
        assert server.store.match(1).state == "finished"
    async with serving(tmp_path) as server:
        assert server.hosts.plays == {}


async def test_matches_that_were_begun_with_a_seed_keep_it(tmp_path):
    """One that an older server has begun, and one whose seed a client has chosen."""
    async with serving(tmp_path) as server:
        house = server.hub.state.house["rule"].id
        seats = {"first": house, "second": house, "pairs": False}
        server.store.begin_match(replace(MATCH, words="w", **seats), ())
        server.store.begin_match(replace(MATCH, seed=7, **seats), ())
    async with serving(tmp_path) as server:
        plans = [server.hosts.plays[f"{match}.0"]["plan"] for match in (1, 2)]
        assert [plan["seed"] for plan in plans] == [SeedProof(MATCH.secret, "w").seed, 7]
        assert [plan["secret"] for plan in plans] == [None, None]


async def test_a_match_with_a_house_bot_that_has_changed_is_void(tmp_path):
    """Half a match with one program and half with another is no result."""
    async with serving(tmp_path) as server:
        server.ask()
        await server.until("seat")
    async with serving(tmp_path, digest="of another program") as server:
        assert server.hosts.plays == {}
        record = server.store.match(1)
        assert (record.state, record.culprit) == ("void", None)
        assert "rule is no bot of the house any more" in record.detail


async def test_a_request_that_nobody_can_play_is_refused(tmp_path):
    """More hands than an account may play at once will never do: that is said at once."""
    async with serving(tmp_path) as server:
        request = server.ask(hands=10**9)
        assert "refused" in await server.until("request")
        refused = server.store.request(request.id)
        assert refused.state == "refused"
        assert "hands a match" in refused.reason


async def test_nobody_plays_while_his_relay_is_away(tmp_path):
    """A request waits for the relay of its version, and says so."""
    async with serving(tmp_path) as server:
        other = server.hub.version_of(server.ann, "mine", "2", "bb")
        request = server.ask(version=other.id)
        await asyncio.sleep(0.2)
        assert server.hosts.plays == {}
        assert "no relay" in server.hub.state.why_waiting(request)


@pytest.mark.parametrize("name", ["rule", "RULE"])
async def test_a_house_bot_is_nobody_elses(tmp_path, name):
    """Nobody plays under the name of a bot of the house."""
    async with serving(tmp_path) as server:
        with pytest.raises(Exception, match="is a bot of the house"):
            server.hub.version_of(server.ann, name, "1", "")


OPEN_ENDED = replace(CONFIG, slumbot=SlumbotTable("rule", baseline_seconds=1))


async def open_ended(server):
    """Begin a match that ends when its client wants."""
    house = server.hub.state.house["rule"]
    seating = json.dumps([server.mine.id, house.id])
    server.ask(seating=seating, pairs=False, rated=False)
    await server.until("started")


@pytest.mark.parametrize(("hands", "state"), [(0, "void"), (7, "finished")])
async def test_what_was_played_of_an_open_ended_match_counts(tmp_path, hands, state):
    """Its baseline is stopped with it, and what that says of hands is not the match's."""
    async with serving(tmp_path, config=OPEN_ENDED) as server:
        await open_ended(server)
        names = [seat["name"] for seat in server.hosts.plays["1.baseline"]["plan"]["seats"]]
        assert names == ["rule", "rule-2"]
        secrets = {str(leg["plan"]["secret"]) for leg in server.hosts.plays.values()}
        assert len(secrets) == 1
        assert server.hosts.plays["1.0"]["plan"]["limits"]["t_response"] == -1
        server.hub.hear({"news": "hands", "legs": {"1.0": hands, "1.baseline": 100}})
        server.hub.conclude(1, "enough")
        assert server.hosts.stopped == ["1.0", "1.baseline"]
        server.hub.hear(end_of("1.baseline", "interrupted"))
        server.hub.hear(end_of("1.0", "interrupted"))
        await server.until("ended")
        record = server.store.match(1)
        assert (record.state, record.hands_played, record.detail) == (state, hands, "enough")
        assert [leg.hands for leg in server.store.legs(1)] == ([hands] if hands else [])


async def test_an_open_ended_match_is_played_on_without_its_baseline(tmp_path):
    """As where the house bot crashes there, or the host is lost."""
    for news in (end_of("1.baseline", "crash", 0, "x"), {"news": "lost", "leg": "1.baseline"}):
        folder = tmp_path / news["news"]
        folder.mkdir()
        async with serving(folder, config=OPEN_ENDED) as server:
            await open_ended(server)
            server.hub.hear(news)
            match = server.hub.state.running[1]
            assert (match.baseline, match.stopping, list(match.legs)) == ("", "", ["1.0"])
            server.hub.hear(end_of("1.0"))
            await server.until("ended")
            assert server.store.match(1).hands_played == 100


async def test_an_open_ended_match_ends_with_the_server(tmp_path):
    """The next one counts what was played: the client's session has gone."""
    async with serving(tmp_path, config=OPEN_ENDED) as server:
        await open_ended(server)
    async with serving(tmp_path, config=OPEN_ENDED) as server:
        assert list(server.hosts.plays) == server.hosts.stopped == ["1.0"]
        server.hub.hear({"news": "hands", "legs": {"1.0": 3}})
        server.hub.hear(end_of("1.0", "interrupted"))
        await server.until("ended")
        record = server.store.match(1)
        assert (record.state, record.hands_played) == ("finished", 3)
