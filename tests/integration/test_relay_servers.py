"""`arena connect` at servers that are away, silent, busy, encrypted, or not to be trusted."""

import asyncio
import socket

import pytest

from dealer.relay.relay import SERVER_GONE
from dealer.web.http_requests import Refusal
from dealer.web.tls import TlsFront, client_context, server_context
from tests.helpers.certificates import make_certificate
from tests.helpers.home_relays import SECONDS, Home, caller_in, hub_in, until
from tests.helpers.stub_hub import StubHub


@pytest.fixture
def caller(tmp_path):
    """A function that returns the words of a bot that checks and calls."""
    return caller_in(tmp_path)


def test_a_server_that_restarts_is_waited_for(tmp_path, caller):
    """Its streams and calls break off; a request that waits is not asked for twice."""

    async def play():
        hub = StubHub(tmp_path)
        homes = []
        async with asyncio.timeout(SECONDS):
            async with hub.serving():
                homes.append(Home(hub, "ann", caller(), tmp_path))
                running = [asyncio.create_task(homes[0].run())]
                await until(lambda: hub.requests, "no request")
            await asyncio.sleep(0.3)
            async with hub.serving():
                homes.append(Home(hub, "bob", caller(), tmp_path))
                running.append(asyncio.create_task(homes[1].run()))
                codes = await asyncio.gather(*running)
            await hub.end()
        return hub, homes, codes

    hub, (ann, _), codes = asyncio.run(play())
    assert codes == [0, 0]
    assert len(hub.requests) == 2
    assert ann.heard("no connection to the server")
    assert ann.heard("connected again")


def test_silence_is_a_lost_connection(tmp_path, caller):
    """A stream without a sign of life is made again."""

    async def play():
        async with hub_in(tmp_path) as hub:
            home = Home(hub, "ann", caller(), tmp_path, silence=0.3)
            running = asyncio.create_task(home.run())
            await until(lambda: len(home.heard("said nothing")) >= 1, "silence was not noticed")
            await until(lambda: len(home.heard("connected again")) >= 1, "no new connection")
            home.stop.set()
            return home, await running, hub

    home, code, hub = asyncio.run(play())
    assert code == 130
    assert hub.requests["1"]["state"] == "withdrawn"
    assert home.heard("request 1: withdrawn")


def test_under_tls_with_certificates_of_both(tmp_path, caller):
    """Seats and calls are encrypted; the server knows the bots by their certificate."""
    own, guest = make_certificate(tmp_path), make_certificate(tmp_path, "guest")
    front = TlsFront(server_context(own.file, own.key, guest.file))
    context = client_context(own.file, guest.file, guest.key)

    async def play():
        async with hub_in(tmp_path, front) as hub:
            homes = [
                Home(hub, name, caller(), tmp_path, context=context) for name in ("ann", "bob")
            ]
            running = asyncio.gather(*(home.run() for home in homes))
            return homes, await running

    homes, codes = asyncio.run(play())
    assert codes == [0, 0], [home.told for home in homes]


@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        ("its certificate", 2, "its certificate is not trusted: self-signed certificate"),
        ("ours", 2, "certificate required: the server wants to see one, by --cert FILE"),
        ("no TLS", 2, "what answers does not speak TLS: want http://"),
        ("TLS", 1, "this port speaks TLS: want https://"),
    ],
)
def test_what_would_never_heal_is_told_at_once(tmp_path, caller, fault, code, words):
    """In one line; a server that is not trusted hears nothing."""
    own, guest = make_certificate(tmp_path), make_certificate(tmp_path, "guest")
    front = TlsFront(server_context(own.file, own.key, guest.file if fault == "ours" else None))
    context = client_context(guest.file if fault == "its certificate" else own.file)

    async def play():
        async with hub_in(tmp_path, None if fault == "no TLS" else front) as hub:
            home = Home(
                hub,
                "ann",
                caller(),
                tmp_path,
                context=None if fault == "TLS" else context,
                patience=3600.0,
            )
            return home, await home.run(), hub

    home, exit_code, hub = asyncio.run(play())
    assert exit_code == code
    assert hub.asked == []
    (line,) = home.told
    assert words in line


def test_a_certificate_that_goes_wrong_on_the_way_is_waited_for(tmp_path, caller):
    """Whoever looks after the server may mend it; matches would be lost for nothing."""
    own, other = make_certificate(tmp_path), make_certificate(tmp_path, "other")
    fronts = [TlsFront(server_context(made.file, made.key)) for made in (own, other)]

    async def play():
        async with hub_in(tmp_path, fronts[0]) as hub:
            home = Home(hub, "ann", caller(), tmp_path, context=client_context(own.file))
            running = asyncio.create_task(home.run())
            await until(lambda: hub.requests, "no request")
        await fronts[0].close()
        async with hub.serving(fronts[1]):
            await until(lambda: home.heard("not trusted"), "no fault")
        await fronts[1].close()
        async with hub.serving(fronts[0]):
            await until(lambda: home.heard("connected again"), "no new connection")
            home.stop.set()
            code = await running
        await fronts[0].close()
        return code

    assert asyncio.run(play()) == 130


@pytest.mark.parametrize(
    ("refusal", "code", "words"),
    [
        (Refusal(401, "this token is not right"), 1, "the server refuses: this token is not right"),
        (Refusal(403, "on probation"), 1, "the server refuses: on probation (403)"),
        (Refusal(404, "no such bot"), 1, "no such bot"),
        (Refusal(409, "another relay plays as ann"), 1, "refuses: another relay plays as ann"),
    ],
)
def test_a_refusal_is_the_last_word(tmp_path, caller, refusal, code, words):
    """Whichever call it is for."""

    async def play():
        async with hub_in(tmp_path) as hub:
            hub.refuse.append(refusal)
            home = Home(hub, "ann", caller(), tmp_path)
            return home, await home.run()

    home, got = asyncio.run(play())
    assert got == code
    assert home.heard(words)


def test_a_server_that_wants_to_be_left_alone_is(tmp_path, caller):
    """For as long as it says; nothing is lost by that."""

    async def play():
        async with hub_in(tmp_path) as hub:
            homes = [Home(hub, name, caller(), tmp_path) for name in ("ann", "bob")]
            hub.refuse += [Refusal(503, "busy", {"Retry-After": "1"}), Refusal(429, "too many")]
            began = asyncio.get_running_loop().time()
            codes = await asyncio.gather(*(home.run() for home in homes))
            return homes, codes, asyncio.get_running_loop().time() - began

    homes, codes, seconds = asyncio.run(play())
    assert codes == [0, 0], [home.told for home in homes]
    assert seconds >= 1


def test_a_signal_ends_a_long_wait(tmp_path, caller):
    """Also one of an hour that the server wants."""

    async def play():
        async with hub_in(tmp_path) as hub:
            home = Home(hub, "ann", caller(), tmp_path)
            running = asyncio.create_task(home.run())
            await until(lambda: hub.streams, "no stream")
            hub.refuse += [Refusal(429, "enough for today", {"Retry-After": "3600"})] * 9
            await until(lambda: home.heard("enough for today") or hub.requests, "no wait")
            home.stop.set()
            return await running

    assert asyncio.run(play()) == 130


def test_the_end_of_patience(tmp_path, caller):
    """A server that does not come back is given up; the time it was there does not count."""

    async def play():
        async with hub_in(tmp_path) as hub:
            home = Home(hub, "ann", caller(), tmp_path, patience=1.0)
            running = asyncio.create_task(home.run())
            await until(lambda: hub.requests, "no request")
            await asyncio.sleep(1.2)
            assert not running.done()
        return home, await running

    home, code = asyncio.run(play())
    assert code == SERVER_GONE
    assert home.heard("the server has gone")


def test_patience_ends_a_call_that_is_not_answered(tmp_path, caller):
    """However long a call may take, and however long the next try is away."""

    async def play():
        with socket.create_server(("127.0.0.1", 0)) as silent:
            hub = StubHub(tmp_path)
            hub.port = silent.getsockname()[1]
            home = Home(hub, "ann", caller(), tmp_path, patience=0.2, call=3600.0)
            async with asyncio.timeout(SECONDS):
                return home, await home.run()

    home, code = asyncio.run(play())
    assert code == SERVER_GONE
    assert home.told == ["the server is not to be reached: no answer"]
