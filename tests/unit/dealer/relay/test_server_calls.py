"""Addresses of servers, and calls of servers that do wrong at every stage."""

import asyncio
import contextlib
import json

import pytest

from dealer.relay.server_calls import (
    Server,
    ServerAddress,
    ServerRefusal,
    ServerUnreachable,
    parse_url,
)

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n"


@pytest.mark.parametrize(
    ("url", "address", "authority"),
    [
        ("http://127.0.0.1:9380/", ServerAddress("http", "127.0.0.1", 9380), "127.0.0.1:9380"),
        ("https://arena.example", ServerAddress("https", "arena.example", 443), "arena.example"),
        ("HTTPS://a:80/x/y/", ServerAddress("https", "a", 80, "/x/y"), "a:80"),
        ("http://[::1]:8000", ServerAddress("http", "::1", 8000), "[::1]:8000"),
    ],
)
def test_addresses_are_read(url, address, authority):
    """With the usual ports, and the path of a server behind a proxy."""
    assert parse_url(url) == address
    assert address.authority == authority


@pytest.mark.parametrize(
    "url",
    [
        "",
        "arena.example",
        "ftp://arena.example",
        "http://",
        "http://user@arena.example",
        "http://:token@arena.example",
        "https://arena.example/?token=x",
        "https://arena.example/#x",
        "http://arena.example:99999",
        "http://arena.example:port",
        "http://arena.example/a b",
        "http://caf\xe9.example",
        "http://[::1",
    ],
)
def test_other_addresses_are_refused(url):
    """Above all those with a token in them."""
    with pytest.raises(ValueError, match=r"."):
        parse_url(url)


@contextlib.asynccontextmanager
async def answering(*pieces, end=True, pause=0.0):
    """A server that sends bytes to whoever asks anything."""
    asked, tasks = [], []

    async def answer(reader, writer):
        tasks.append(asyncio.current_task())
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            asked.append(await reader.readuntil(b"\r\n\r\n"))
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(pause)
            if not end:
                await reader.read()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    yield Server(ServerAddress("http", "127.0.0.1", port), "token-of-mine", None, 0.5, 0.3), asked
    server.close()
    await asyncio.gather(*tasks)


async def heard(server):
    """What a stream of events gives before it ends, and for what it ends."""
    found = []
    try:
        async with contextlib.aclosing(server.events("x", query={"version": "a b"})) as stream:
            async for one in stream:
                found.append(one)  # noqa: PERF401
    except ServerUnreachable as error:
        return found, str(error)


async def test_a_call_is_answered():
    """The token goes in its field, and parts of the path cannot be more than that."""
    async with answering(OK, b'{"a": 1}') as (server, asked):
        assert await server.call("GET", "api", "a/b?c", document={}) == {"a": 1}
    (head,) = asked
    assert head.startswith(b"GET /api/a%2Fb%3Fc HTTP/1.1\r\nHost: 127.0.0.1:")
    assert b"\r\nAuthorization: Bearer token-of-mine\r\n" in head
    assert "token-of-mine" not in repr(server)


@pytest.mark.parametrize(
    ("pieces", "end", "reason"),
    [
        ((), True, "closed without a response"),
        ((), False, "no answer in time|said nothing"),
        ((b"SSH-2.0\r\n",), True, "does not speak HTTP"),
        ((b"\x15\x03\x03\x00\x02\x02\x46",), True, "speaks TLS: want https"),
        ((OK, b"half"), True, "stops short"),
        ((OK, b"half"), False, "no answer in time|said nothing"),
        ((OK, b"no json!"), True, "no JSON object"),
        ((OK, b"[1, 2]  "), True, "no JSON object"),
        ((b"HTTP/1.1 200 OK\r\n\r\n", *[bytes(1 << 18)] * 8), True, "too long"),
        ((b"HTTP/1.1 502 Bad Gateway\r\n\r\n<html>\n",), True, "<html> .502."),
        ((*[b"H"] * 3, *[b"T"] * 90), False, "HTTP|no answer in time"),
    ],
)
async def test_what_is_no_answer_is_for_another_time(pieces, end, reason):
    """In words, and in time, whatever comes."""
    async with answering(*pieces, end=end, pause=0.01) as (server, _):
        with pytest.raises(ServerUnreachable, match=reason) as error:
            await server.call("GET", "api")
    assert error.value.retry_after == 0
    assert error.value.lasting == ("speak" in str(error.value))


@pytest.mark.parametrize(
    ("status", "wait", "seconds"),
    [
        ("429 Too Many Requests", "7", 7.0),
        ("503 Service Unavailable", "99999999999", 86400.0),
        ("503 Service Unavailable", "Fri, 31 Dec 1999 23:59:59 GMT", 0.0),
        ("500 Internal Server Error", "-1", 0.0),
    ],
)
async def test_a_busy_server_says_when(status, wait, seconds):
    """What it says is kept to, as far as it makes sense."""
    head = f"HTTP/1.1 {status}\r\nRetry-After: {wait}\r\n\r\n".encode()
    body = json.dumps({"error": "rate", "message": "not so fast"}).encode()
    async with answering(head, body) as (server, _):
        with pytest.raises(ServerUnreachable, match="not so fast") as error:
            await server.call("GET", "api")
    assert (error.value.retry_after, error.value.answered) == (seconds, True)


@pytest.mark.parametrize("status", [301, 400, 401, 404, 409])
async def test_a_refusal_is_told(status):
    """With its word for programs."""
    body = json.dumps({"error": "no_such", "message": "no\x07pe" + "e" * 999}).encode()
    async with answering(f"HTTP/1.1 {status} No\r\n\r\n".encode(), body) as (server, _):
        with pytest.raises(ServerRefusal) as error:
            await server.call("GET", "api")
    assert (error.value.status, error.value.code) == (status, "no_such")
    assert len(str(error.value)) < 400


async def test_nobody_there_is_unreachable():
    """At once."""
    async with answering() as (server, _):
        pass
    with pytest.raises(ServerUnreachable, match="refused"):
        await server.call("GET", "api")
    address = ServerAddress("http", "nothing.invalid", 80)
    with pytest.raises(ServerUnreachable):
        await Server(address, "token-of-mine").call("GET", "api")


async def test_a_stream_that_falls_silent_is_lost():
    """Comments keep it; an end is told, too."""
    head = b"HTTP/1.1 200 OK\r\n\r\n"
    event = b'event: seat\ndata: {"a": 1}\n\n'
    async with answering(head, event, *[b":\n\n"] * 5, end=False, pause=0.1) as (server, _):
        began = asyncio.get_running_loop().time()
        found, reason = await heard(server)
        assert "said nothing" in reason
        assert asyncio.get_running_loop().time() - began > 0.6
    assert found[0] is None
    assert (found[1].kind, found[1].data) == ("seat", '{"a": 1}')
    async with answering(head, event) as (server, asked):
        assert "ended the stream" in (await heard(server))[1]
    assert asked[0].startswith(b"GET /x?version=a+b HTTP/1.1")


async def test_a_proxy_that_does_not_switch_is_told():
    """Its answer is no seat."""
    async with answering(OK, b'{"a": 1}') as (server, _):
        with pytest.raises(ServerRefusal, match="does not switch"):
            async with server.switched("api", "seats", "KEY"):
                pass


async def test_a_switch_gives_the_connection():
    """With what has come already."""
    head = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: acpc\r\nConnection: Upgrade\r\n\r\n"
    async with (
        answering(head + b"MATCH", b"STATE\r\n", pause=0.05) as (server, asked),
        server.switched("api", "seats", "KEY") as stream,
    ):
        assert stream.rest + await stream.reader.read() == b"MATCHSTATE\r\n"
    assert b"\r\nConnection: Upgrade\r\nUpgrade: acpc\r\n" in asked[0]
