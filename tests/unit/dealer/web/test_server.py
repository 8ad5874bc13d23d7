"""Connections, over real sockets: who asks rightly is served whatever others do."""

import asyncio
import contextlib
import re
import socket
from pathlib import Path

import pytest

from dealer.web.clients import ClientLimits
from dealer.web.http_requests import Refusal
from dealer.web.http_responses import Response, json_response_to, switching
from dealer.web.server import WebLimits, WebServer, _has_gone, listen_at

GET = b"GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"
LAST = b"GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
SWITCH = b"GET /switch HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"
SOON = 0.05
CROWD = 400
MOST_WAITING = 128
"""Connections, to be accepted."""
with contextlib.suppress(OSError):
    MOST_WAITING = int(Path("/proc/sys/net/core/somaxconn").read_text())


class Served:
    """A server that is running, and what it has told and closed."""

    def __init__(self, listening):
        self.port = listening.getsockname()[1]
        self.told = []
        self.closed = 0
        self.asked = []
        self.clients = []
        self.given = []
        self.server = None
        self.stop = asyncio.Event()

    async def connect(self):
        """A connection."""
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def say(self, data, *, end=False):
        """All that comes back for some bytes, up to the end of the connection."""
        reader, writer = await self.connect()
        writer.write(data)
        if end:
            writer.write_eof()
        async with asyncio.timeout(5):
            got = await reader.read()
        writer.close()
        return got

    async def handle(self, request):
        """A handler with something of everything."""
        self.asked.append(request.method)
        self.clients.append(request.client)
        match request.path:
            case "/made":
                return Response(self.pieces(), close=self.close)
            case "/endless":
                return Response(self.endless(), close=self.close)
            case "/damaged":
                return Response(self.damaged(), close=self.close)
            case "/large":
                return Response(bytes(64 << 20))
            case "/unsendable":
                return Response(fields={"X-Name": "two\nlines"}, close=self.close)
            case "/switch":
                return switching(request, "x", lambda *given: self.given.append(given))
            case "/damaged-switch":
                return switching(request, "x", self.fail)
            case "/refused":
                raise Refusal(403, "no")
            case "/wrong":
                raise RuntimeError("a bug")
        return Response(f"{request.method} {request.body!r}".encode())

    def fail(self, _connection, _received):
        """A mistake of who takes a connection over."""
        raise RuntimeError("a bug")

    def close(self):
        """Count responses that were closed."""
        self.closed += 1

    async def pieces(self):
        """Two pieces."""
        yield b"one"
        yield b"two"

    async def damaged(self):
        """One piece, then a mistake."""
        yield b"one"
        raise ValueError("a mistake")

    async def endless(self):
        """A first piece at once, and no second one."""
        yield b"one"
        await asyncio.Event().wait()


@contextlib.asynccontextmanager
async def serving(front=None, refuse=None, **limits):
    """A server with short time limits."""
    options = {"front": front} | ({} if refuse is None else {"refuse": refuse})
    usual = {"request_seconds": 5, "idle_seconds": 5, "stalled_seconds": 5, "parting_seconds": SOON}
    with listen_at("127.0.0.1", 0) as listening:
        served = Served(listening)
        fields, all_limits = {"X-All": "yes"}, WebLimits(**usual | limits)
        server = WebServer(served.handle, fields, served.told.append, all_limits, **options)
        served.server = server
        running = asyncio.create_task(server.serve(listening, served.stop))
        try:
            yield served
        finally:
            served.stop.set()
            async with asyncio.timeout(5):
                await running


def status_of(answer):
    """The status code of a response."""
    return int(answer.split()[1])


async def test_a_connection_serves_many_requests():
    """One after the other or at once, bodies and all; each answer has the time and all fields."""
    post = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
    async with serving() as served:
        answer = await served.say(GET * 20 + post + LAST + GET)
    assert (
        answer.count(b"HTTP/1.1 200 OK\r\nDate: ") == answer.count(b" GMT\r\nX-All: yes\r\n") == 22
    )
    assert answer.index(b"POST b'abc'") < answer.rindex(b"GET b''")


def test_a_client_has_gone_once_it_has_closed_and_all_was_read():
    """One that has asked besides still waits for that answer."""
    ours, its = socket.socketpair()
    with ours:
        ours.setblocking(False)
        assert not _has_gone(ours)
        its.send(b"x")
        its.close()
        assert not _has_gone(ours)
        assert ours.recv(1) == b"x"
        assert _has_gone(ours)


async def test_a_body_is_asked_for():
    """Where the client waits for that."""
    async with serving() as served:
        reader, writer = await served.connect()
        writer.write(
            b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        )
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"abc")
        await reader.readuntil(b"POST b'abc'")
        writer.close()


async def test_a_body_is_sent_while_it_is_made():
    """In chunks, and closed at the end; to HEAD not at all, but closed."""
    async with serving() as served:
        answer = await served.say(LAST.replace(b"hello", b"made"))
        assert answer.endswith(b"\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n")
        half = await served.say(GET.replace(b"hello", b"made"), end=True)
        assert half.endswith(b"0\r\n\r\n")  # a client that says nothing more still reads
        answer = await served.say(LAST.replace(b"GET /hello", b"HEAD /made"))
        assert answer.endswith(b"chunked\r\nConnection: close\r\n\r\n")
        assert served.closed == 3


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"GET / HTTP/1.1\n\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n" + bytes(500_000), 413),
        (
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n"
            b"\r\n0\r\n\r\n" + GET,
            400,
        ),
    ],
    ids=["bare LF", "large body", "smuggling"],
)
async def test_what_is_no_request_is_told_and_left(data, status):
    """One answer, and nothing behind it is read, but the answer arrives."""
    async with serving() as served:
        answer = await served.say(data)
        assert status_of(answer) == status
        assert answer.count(b"HTTP/1.1") == 1
        assert b"Connection: close" in answer
        assert b"X-All: yes" in answer
        assert status_of(await served.say(LAST)) == 200


async def test_a_handler_may_refuse():
    """The connection stays."""
    async with serving() as served:
        answer = await served.say(GET.replace(b"hello", b"refused") + LAST)
    assert answer.count(b"HTTP/1.1 403 Forbidden") == answer.count(b"HTTP/1.1 200 OK") == 1
    assert served.told == []


async def test_an_error_of_ours_ends_nothing():
    """It is told on this side, and not to the client; a body stops short, so that this shows."""
    async with serving() as served:
        answer = await served.say(GET.replace(b"hello", b"wrong") + LAST)
        assert answer.count(b"HTTP/1.1 500") == answer.count(b"HTTP/1.1 200 OK") == 1
        assert b"a bug" not in answer
        answer = await served.say(GET.replace(b"hello", b"damaged"))
        assert answer.endswith(b"3\r\none\r\n")
        assert served.closed == 1
        assert status_of(await served.say(GET.replace(b"hello", b"unsendable"))) == 500
        assert served.closed == 2
    told = [line.partition(":")[0] for line in served.told]
    assert told == ["RuntimeError", "ValueError", "ValueError"]


async def test_a_slow_request_is_not_waited_for():
    """However steadily its bytes come; others are served meanwhile."""
    async with serving(request_seconds=4 * SOON) as served:
        reader, writer = await served.connect()

        async def dribble():
            for byte in GET:
                writer.write(bytes([byte]))
                await asyncio.sleep(SOON / 2)

        dribbling = asyncio.create_task(dribble())
        assert status_of(await served.say(LAST)) == 200
        async with asyncio.timeout(2):
            assert status_of(await reader.read()) == 408
        dribbling.cancel()
        writer.close()


async def test_a_silent_connection_is_closed():
    """Without a word, before the first request and after one."""
    async with serving(idle_seconds=SOON) as served:
        assert await served.say(b"") == b""
        answer = await served.say(GET)
        assert answer.count(b"HTTP/1.1") == 1
        assert answer.endswith(b"GET b''")


async def test_a_flood_of_requests_holds_nobody_up():
    """Others are served between two of them."""
    async with serving() as served:
        reader, writer = await served.connect()
        writer.write(GET * 1000 + LAST)
        other = await served.say(LAST.replace(b"GET", b"HEAD"))
        assert status_of(other) == 200
        assert served.asked.index("HEAD") < 900
        async with asyncio.timeout(5):
            assert (await reader.read()).count(b"GET b''") == 1001
        writer.close()


async def test_a_flood_of_noise_ends_in_time():
    """It is refused, read for a moment so that the refusal arrives, and cut off."""

    def send_noise():
        with socket.create_connection(("127.0.0.1", served.port), timeout=5) as sock:
            sock.sendall(b"GET / HTTP/1.1\n")
            with contextlib.suppress(OSError):
                while True:
                    sock.sendall(noise)

    noise = bytes(1 << 18)
    async with serving() as served, asyncio.timeout(3):
        await asyncio.to_thread(send_noise)


@pytest.mark.skipif(MOST_WAITING < CROWD, reason="the system lets fewer connections wait")
async def test_a_crowd_that_comes_at_once_is_served():
    """The system sends nobody away while the server has no time for new connections."""
    async with serving(connections=CROWD) as served:
        address = "127.0.0.1", served.port
        crowd = [socket.create_connection(address, timeout=5) for _ in range(CROWD)]  # it blocks
        for sock in crowd:
            sock.sendall(LAST)
            sock.setblocking(False)
        async with asyncio.timeout(20):
            for sock in crowd:
                with sock:
                    answer = await asyncio.get_running_loop().sock_recv(sock, 1 << 16)
                    assert status_of(answer) == 200


async def test_who_does_not_read_is_left():
    """What it asked for is not kept in the memory, and others are served meanwhile."""
    async with serving(stalled_seconds=4 * SOON) as served:
        _, writer = await served.connect()
        writer.write(GET.replace(b"hello", b"large") * 100)
        await writer.drain()
        await asyncio.sleep(0)
        assert status_of(await served.say(LAST)) == 200
        async with asyncio.timeout(5):
            while not writer.is_closing():
                writer.write(b"x")
                await asyncio.sleep(SOON / 2)


async def test_one_connection_too_many_is_told():
    """The others go on, and one that ends makes room."""
    async with serving(connections=20) as served:
        kept = [await served.connect() for _ in range(20)]
        assert status_of(await served.say(b"")) == 503
        for reader, writer in kept:
            writer.write(GET)
            await reader.readuntil(b"GET b''")
        kept.pop()[1].close()
        async with asyncio.timeout(5):
            while True:
                reader, writer = await served.connect()
                writer.write(GET)
                try:
                    answer = await reader.readuntil(b"\r\n\r\n")
                except (ConnectionError, asyncio.IncompleteReadError):
                    answer = b""
                writer.close()
                if b"200 OK" in answer:
                    break
        for _, writer in kept:
            writer.close()


async def test_the_end_closes_all_connections():
    """Idle ones, one within a request and a body without an end, which is closed too."""
    async with serving() as served:
        connections = [await served.connect() for _ in range(3)]
        for (_, writer), data in zip(
            connections, (b"", b"GET ", GET.replace(b"hello", b"endless")), strict=True
        ):
            writer.write(data)
        await connections[-1][0].readuntil(b"one\r\n")
        served.stop.set()
        for reader, writer in connections:
            async with asyncio.timeout(2):
                assert await reader.read() == b""
            writer.close()
        assert served.closed == 1


async def test_a_client_that_goes_ends_nothing():
    """In the middle of what it asked for, with a reset."""
    async with serving() as served:
        for path in (b"large", b"endless", b"hello"):
            reader, writer = await served.connect()
            writer.write(GET.replace(b"hello", path))
            await reader.readexactly(10)
            writer.transport.abort()
        assert status_of(await served.say(LAST)) == 200
    assert served.told == []


def test_a_taken_port_is_an_error():
    """And so is an address of another machine."""
    with listen_at("127.0.0.1", 0) as listening, pytest.raises(OSError):
        listen_at("127.0.0.1", listening.getsockname()[1])
    with pytest.raises(OSError):
        listen_at("192.0.2.1", 0)


def test_addresses_of_both_kinds_can_be_listened_at():
    """Where the machine has them."""
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    try:
        listening = listen_at("::1", 0)
    except OSError:
        pytest.skip("no IPv6 here")
    with listening:
        assert listening.family == socket.AF_INET6


async def test_a_response_that_cannot_be_sent_ends_one_connection():
    """It is told, and others are served on."""
    async with serving() as served:
        answer = await served.say(GET.replace(b"/hello", b"/unsendable"))
        assert status_of(answer) == 500
        assert status_of(await served.say(LAST)) == 200
    assert served.closed == 1
    assert [line.partition(":")[0] for line in served.told] == ["ValueError"]


async def test_a_connection_is_taken_over():
    """Plain, and with what has come already; the end of the server does not close it."""
    async with serving() as served:
        reader, writer = await served.connect()
        writer.write(SWITCH + b"hello")
        head = await reader.readuntil(b"\r\n\r\n")
        ((connection, received),) = served.given
        assert received == b"hello"
    with connection:
        writer.write(b"more")
        loop = asyncio.get_running_loop()
        assert await loop.sock_recv(connection, 9) == b"more"
        await loop.sock_sendall(connection, b"answer")
        assert await reader.readexactly(6) == b"answer"
    assert await reader.read() == b""
    assert head.startswith(b"HTTP/1.1 101 Switching Protocols\r\n")
    assert b"\r\nUpgrade: x\r\nConnection: Upgrade\r\n" in head
    assert b"Content" not in head
    writer.close()


async def test_who_takes_over_is_not_counted():
    """What was taken over makes room for other connections."""
    async with serving(connections=1) as served:
        for _ in range(3):
            reader, writer = await served.connect()
            writer.write(SWITCH)
            await reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(SOON)
            writer.close()
        for connection, _ in served.given:
            connection.close()


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        (b"HTTP/1.1", b"HTTP/1.0"),
        (b"Connection: Upgrade", b"Connection: close"),
        (b"Upgrade: x", b"Upgrade: websocket"),
        (b"Upgrade: x\r\n", b"Upgrade: x\r\nContent-Length: 1\r\n"),
    ],
)
async def test_who_does_not_ask_rightly_takes_nothing_over(line, instead):
    """It is told how; nothing was given away."""
    async with serving() as served:
        answer = await served.say(SWITCH.replace(line, instead) + b"x", end=True)
    assert answer.startswith(b"HTTP/1.1 426 Upgrade Required")
    assert b"\r\nUpgrade: x\r\n" in answer
    assert served.given == []


async def test_a_takeover_that_fails_closes_the_connection():
    """And is told on this side."""
    async with serving() as served:
        answer = await served.say(SWITCH.replace(b"/switch", b"/damaged-switch"))
        assert answer.endswith(b"Connection: Upgrade\r\n\r\n")
        assert status_of(await served.say(LAST)) == 200
    assert served.told == ["RuntimeError: a bug"]


async def test_connections_of_others_are_served():
    """As if they had been accepted; after the end they are closed."""
    ends = []
    async with serving() as served:
        await asyncio.sleep(0)
        for _ in range(2):
            ours, theirs = socket.socketpair()
            theirs.setblocking(False)
            served.server.take(theirs, "192.0.2.1")
            ends.append(await asyncio.open_connection(sock=ours))
        for reader, writer in ends:
            writer.write(LAST)
            assert status_of(await reader.read()) == 200
    assert served.clients == ["192.0.2.1"] * 2
    ours, theirs = socket.socketpair()
    with ours:
        served.server.take(theirs, "192.0.2.1")
        assert ours.recv(1) == b""
    for _, writer in ends:
        writer.close()


class ShoutingFront:
    """Takes the place of encryption: the first byte is checked, and dropped."""

    async def plain(self, connection):
        """The connection itself."""
        with contextlib.ExitStack() as undo:
            undo.enter_context(connection)
            if await asyncio.get_running_loop().sock_recv(connection, 1) != b"!":
                raise ConnectionAbortedError
            undo.pop_all()
        return connection


async def test_connections_come_through_a_front():
    """Others are served while it is busy with one, and after one that it refuses."""
    async with serving(front=ShoutingFront()) as served:
        silent = await served.connect()
        assert await served.say(b"?") == b""
        assert status_of(await served.say(b"!" + LAST)) == 200
        silent[1].close()


def one_client(connections=100, burst=100):
    """Limits of one client, without which it could go on for long."""
    return ClientLimits(connections, 0.1, burst)


async def test_a_client_with_too_many_connections_is_told():
    """With a time to come back; when one of them ends there is room."""
    async with serving(client=one_client(connections=3)) as served:
        others = [await served.connect() for _ in range(3)]
        answer = await served.say(b"")
        assert status_of(answer) == 429
        assert b"\r\nRetry-After: " in answer
        others.pop()[1].close()
        await asyncio.sleep(SOON)
        assert status_of(await served.say(LAST)) == 200
        for _, writer in others:
            writer.close()


async def test_a_client_that_asks_too_often_is_told():
    """It keeps its connection, and the handler hears nothing of it."""
    async with serving(client=one_client(burst=3), refuse=json_response_to) as served:
        answer = await served.say(GET * 4 + LAST)
        assert answer.count(b"HTTP/1.1 200 OK") == len(served.asked) == 2
        assert answer.count(b"HTTP/1.1 429 Too Many Requests") == 3
        assert b'{"error": "too_many_requests", "message": "too many requests", "sec' in answer
        waits = [int(part.split()[0]) for part in answer.split(b"Retry-After: ")[1:]]
        assert all(8 <= wait <= 20 for wait in waits)
        seconds = [float(text) for text in re.findall(rb'"seconds": ([0-9.]+)', answer)]
        assert len(set(seconds)) == 3
        assert all(8 <= wait <= 20 for wait in seconds)
        assert served.clients == ["127.0.0.1"] * 2


async def test_some_clients_wait_for_their_turn_and_are_not_turned_away():
    """By what they ask for; their connections wait, too, and others are refused as ever."""
    limits = {"client": ClientLimits(9, 200.0, 2), "patient": ("/slow",)}
    slow = GET.replace(b" /", b" /slow", 1)
    async with serving(**limits) as served:
        answer = await served.say(slow * 9 + LAST.replace(b" /", b" /slow", 1))
        assert answer.count(b"HTTP/1.1 200 OK") == 10
        others = [await served.connect() for _ in range(9)]
        assert status_of(await served.say(b"")) == 429
        for _, writer in others:
            writer.close()
    async with serving(client=one_client(burst=2), patient=("/slow",)) as served:
        assert b"429" in await served.say(GET * 2 + LAST)


async def test_who_is_turned_away_learns_when_to_come_back():
    """Where clients have limits; elsewhere nothing is different."""
    for client, told in ((None, 0), (one_client(), 1)):
        async with serving(connections=1, client=client) as served:
            _, writer = await served.connect()
            answer = await served.say(b"")
            assert status_of(answer) == 503
            assert answer.count(b"\r\nRetry-After: ") == told
            writer.close()
