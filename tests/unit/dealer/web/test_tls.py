"""TLS before plain connections, over real sockets: bytes, ends, limits, and who may come."""

import asyncio
import contextlib
import gc
import os
import socket
import ssl

import pytest

from dealer.web.http_responses import Response, switching
from dealer.web.server import WebLimits, WebServer, listen_at
from dealer.web.tls import TlsFilesError, TlsFront, client_context, secured, server_context
from tests.helpers.certificates import make_certificate

GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
SWITCH = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"
SECONDS = 10.0
MANY = 150


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Of this machine."""
    return make_certificate(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def guest(tmp_path_factory):
    """Of somebody else."""
    return make_certificate(tmp_path_factory.mktemp("guest"), "guest")


class Lines:
    """Two plain ends with TLS between them."""

    def __init__(self, client, server, pumps):
        self.client = client
        self.server = server
        self.pumps = pumps


@contextlib.asynccontextmanager
async def joined(certificate):
    """Lines over a pair of TCP sockets."""
    server = server_context(certificate.file, certificate.key)
    client = client_context(certificate.file)
    with listen_at("127.0.0.1", 0) as listening:
        near = socket.create_connection(listening.getsockname())
        far, _ = listening.accept()
    for end in (near, far):
        end.setblocking(False)
    lines = await asyncio.gather(
        secured(near, client, SECONDS, "localhost"), secured(far, server, SECONDS)
    )
    pumps = [asyncio.create_task(line.pump()) for line in lines]
    try:
        yield Lines(lines[0].plain, lines[1].plain, pumps)
    finally:
        for line in lines:
            line.plain.close()
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)


async def read_all(end):
    """All bytes up to the end of the stream."""
    got = bytearray()
    while data := await asyncio.get_running_loop().sock_recv(end, 1 << 16):
        got += data
    return bytes(got)


async def test_bytes_arrive_as_they_were_sent(certificate):
    """Both ways at the same time, more than all buffers hold."""
    loop = asyncio.get_running_loop()
    one, other = os.urandom(3 << 20), os.urandom(2 << 20)

    async def send(end, data):
        await loop.sock_sendall(end, data)
        end.shutdown(socket.SHUT_WR)

    async with joined(certificate) as lines, asyncio.timeout(SECONDS):
        got = await asyncio.gather(
            read_all(lines.client),
            read_all(lines.server),
            send(lines.client, one),
            send(lines.server, other),
        )
        assert got[:2] == [other, one]
        await asyncio.gather(*lines.pumps)


@pytest.mark.parametrize("first", ["client", "server"])
async def test_one_direction_ends_without_the_other(certificate, first):
    """Who says nothing more still hears, whichever side it is."""
    loop = asyncio.get_running_loop()
    async with joined(certificate) as lines, asyncio.timeout(SECONDS):
        ends = [lines.client, lines.server]
        near, far = ends if first == "client" else ends[::-1]
        await loop.sock_sendall(near, b"last words")
        near.shutdown(socket.SHUT_WR)
        assert await read_all(far) == b"last words"
        for number in range(20):
            await loop.sock_sendall(far, b"%d" % number)
            assert await loop.sock_recv(near, 9) == b"%d" % number
        far.close()
        assert await read_all(near) == b""
        await asyncio.gather(*lines.pumps)


async def test_data_in_flight_survive_a_farewell(certificate):
    """One side ends its direction while the other one's bytes are on the way to it."""
    loop = asyncio.get_running_loop()
    async with joined(certificate) as lines, asyncio.timeout(SECONDS):
        sending = asyncio.create_task(loop.sock_sendall(lines.server, bytes(1 << 20)))
        await asyncio.sleep(0.05)
        lines.client.shutdown(socket.SHUT_WR)
        assert await read_all(lines.server) == b""
        await sending
        lines.server.shutdown(socket.SHUT_WR)
        assert len(await read_all(lines.client)) == 1 << 20


async def test_who_does_not_read_stops_the_sender(certificate):
    """Nothing piles up between the two but what sockets hold."""
    async with joined(certificate) as lines:
        sent = 0
        with contextlib.suppress(TimeoutError):
            while sent < 64 << 20:
                async with asyncio.timeout(0.5):
                    await asyncio.get_running_loop().sock_sendall(lines.client, bytes(1 << 16))
                sent += 1 << 16
        assert sent < 32 << 20


async def test_a_quiet_line_wakes_nobody(certificate, monkeypatch):
    """Also one of which one direction is over."""
    async with joined(certificate) as lines:
        lines.server.shutdown(socket.SHUT_WR)
        assert await read_all(lines.client) == b""
        selector, wakes = asyncio.get_running_loop()._selector, []
        select = selector.select
        monkeypatch.setattr(selector, "select", lambda wait: wakes.append(wait) or select(wait))
        await asyncio.sleep(0.3)
        assert len(wakes) < 10


@pytest.mark.parametrize("closing", ["client", "server"])
async def test_who_closes_ends_everything(certificate, closing):
    """Although the other end says and does nothing."""
    async with joined(certificate) as lines, asyncio.timeout(SECONDS):
        getattr(lines, closing).close()
        other = lines.server if closing == "client" else lines.client
        assert await read_all(other) == b""
        other.close()
        await asyncio.gather(*lines.pumps)


async def test_a_torn_connection_is_an_end(certificate):
    """In the middle of a record: what came whole has arrived, and then it is over."""
    server = server_context(certificate.file, certificate.key)
    with listen_at("127.0.0.1", 0) as listening:
        context = client_context(certificate.file)
        port = listening.getsockname()[1]
        connecting = asyncio.open_connection(
            "127.0.0.1", port, ssl=context, server_hostname="localhost"
        )
        accepting = asyncio.create_task(connecting)
        far, _ = await asyncio.get_running_loop().sock_accept(listening)
        line = await secured(far, server, SECONDS)
        reader, writer = await accepting
    pump = asyncio.create_task(line.pump())
    writer.write(b"whole")
    await writer.drain()
    await asyncio.sleep(0.05)
    os.write(writer.get_extra_info("socket").fileno(), b"\x17\x03\x03\x10\x00half of a record")
    writer.transport.abort()
    async with asyncio.timeout(SECONDS):
        with line.plain as plain:
            assert await read_all(plain) == b"whole"
        await pump
    del reader


# A server behind it.


class Behind:
    """A server behind TLS that is running."""

    def __init__(self, port):
        self.port = port
        self.given = []

    async def handle(self, request):
        """Say a word, or hand the connection on."""
        if "upgrade" in request.fields:
            return switching(request, "x", lambda *given: self.given.append(given))
        return Response(b"hello")

    async def connect(self, context=None):
        """A connection under TLS, or without."""
        host = None if context is None else "localhost"
        return await asyncio.open_connection(
            "127.0.0.1", self.port, ssl=context, server_hostname=host
        )


@contextlib.asynccontextmanager
async def behind(context, handshake_seconds=SECONDS):
    """A server behind TLS."""
    stop, front = asyncio.Event(), TlsFront(context, handshake_seconds)
    with listen_at("127.0.0.1", 0) as listening:
        served = Behind(listening.getsockname()[1])
        server = WebServer(served.handle, {}, print, WebLimits(1000), front=front)
        running = asyncio.create_task(server.serve(listening, stop))
        yield served
        stop.set()
        await running
        await front.close()
        for connection, _ in served.given:
            connection.close()


async def asked(reader, writer):
    """The answer to a request, up to its end."""
    writer.write(GET)
    async with asyncio.timeout(SECONDS):
        return await reader.readuntil(b"hello")


async def test_a_server_answers_under_tls(certificate):
    """Requests one after the other on a connection."""
    async with behind(server_context(certificate.file, certificate.key)) as served:
        reader, writer = await served.connect(client_context(certificate.file))
        for _ in range(3):
            assert (await asked(reader, writer)).startswith(b"HTTP/1.1 200 OK")
        writer.close()
        await writer.wait_closed()


async def test_a_connection_under_tls_is_taken_over(certificate):
    """As a plain one, which another process could have, with what came behind the request."""
    loop = asyncio.get_running_loop()
    async with behind(server_context(certificate.file, certificate.key)) as served:
        reader, writer = await served.connect(client_context(certificate.file))
        writer.write(SWITCH + b"hello")
        await reader.readuntil(b"\r\n\r\n")
        ((connection, received),) = served.given
        assert received == b"hello"
        descriptor = os.dup(connection.fileno())
        with socket.socket(fileno=descriptor) as other, connection:
            other.setblocking(False)
            writer.write(b"more")
            assert await loop.sock_recv(other, 9) == b"more"
            await loop.sock_sendall(other, b"answer")
            assert await reader.readexactly(6) == b"answer"
        async with asyncio.timeout(SECONDS):
            assert await reader.read() == b""
        writer.close()


async def test_strangers_to_tls_hold_nobody_up(certificate):
    """Silent ones, plain HTTP, noise and half a handshake: they are told, and closed in time."""
    context = client_context(certificate.file)
    async with behind(server_context(certificate.file, certificate.key), 0.5) as served:
        strangers = []
        for said in (b"", GET, os.urandom(300), b"\x16\x03\x01\x02\x00\x01\x00"):
            reader, writer = await served.connect()
            writer.write(said)
            strangers.append((reader, writer))
        good = await served.connect(context)
        assert (await asked(*good)).startswith(b"HTTP/1.1 200 OK")
        async with asyncio.timeout(SECONDS):
            for reader, writer in strangers:
                with contextlib.suppress(ConnectionError):
                    answer = await reader.read()
                    assert b"HTTP" not in answer or b"want https" in answer
                writer.close()
        good[1].close()


async def test_a_client_must_show_its_certificate_where_that_is_wanted(certificate, guest):
    """None and a stranger's are turned away; one that is known is served."""
    wanted = server_context(certificate.file, certificate.key, guest.file)
    own = client_context(certificate.file, guest.file, guest.key)
    none = client_context(certificate.file)
    other = client_context(certificate.file, certificate.file, certificate.key)
    async with behind(wanted) as served:
        for context in (none, other):
            with pytest.raises((OSError, asyncio.IncompleteReadError)):
                await asked(*await served.connect(context))
        reader, writer = await served.connect(own)
        assert b"200 OK" in await asked(reader, writer)
        writer.close()


async def test_a_client_learns_why_it_was_turned_away(certificate, guest):
    """In TLS 1.3 that comes after the handshake."""
    wanted = server_context(certificate.file, certificate.key, guest.file)
    async with behind(wanted) as served:
        near = socket.create_connection(("127.0.0.1", served.port))
        near.setblocking(False)
        line = await secured(near, client_context(certificate.file), SECONDS, "localhost")
        with line.plain:
            async with asyncio.timeout(SECONDS):
                await line.pump()
        assert "certificate required" in line.failure


@pytest.mark.parametrize("host", ["elsewhere.example", "localhost"])
async def test_a_server_of_another_name_or_maker_is_refused(certificate, guest, host):
    """Before anything is said to it."""
    context = client_context(guest.file if host == "localhost" else certificate.file)
    async with behind(server_context(certificate.file, certificate.key)) as served:
        near = socket.create_connection(("127.0.0.1", served.port))
        near.setblocking(False)
        with pytest.raises(ssl.SSLCertVerificationError):
            await secured(near, context, SECONDS, host)
        assert near.fileno() == -1


async def test_tls_of_2008_is_the_oldest(certificate):
    """1.2 is spoken with who knows no later one, and nothing before it."""
    context = client_context(certificate.file)
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    async with behind(server_context(certificate.file, certificate.key)) as served:
        reader, writer = await served.connect(context)
        assert writer.get_extra_info("ssl_object").version() == "TLSv1.2"
        assert b"200 OK" in await asked(reader, writer)
        writer.close()


async def test_many_connections_leave_nothing_behind(certificate):
    """Many at a time: all are answered, and afterwards all descriptors and tasks are gone."""
    context = client_context(certificate.file)
    server = server_context(certificate.file, certificate.key)
    descriptors, tasks = len(os.listdir("/proc/self/fd")), len(asyncio.all_tasks())

    async def one(served):
        reader, writer = await served.connect(context)
        await asked(reader, writer)
        await meeting.wait()
        await asked(reader, writer)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async with behind(server) as served:
        meeting = asyncio.Barrier(MANY)
        async with asyncio.timeout(60):
            await asyncio.gather(*(one(served) for _ in range(MANY)))
    gc.collect()
    await asyncio.sleep(0.1)
    assert len(asyncio.all_tasks()) <= tasks
    assert len(os.listdir("/proc/self/fd")) <= descriptors + 2


@pytest.mark.parametrize("wrong", ["missing", "noise", "of another", "locked"])
def test_files_that_cannot_be_used_are_named(tmp_path, certificate, guest, wrong):
    """In one line; a key with a password is not asked for on the terminal."""
    noise = tmp_path / "noise.pem"
    noise.write_bytes(os.urandom(200))
    locked = tmp_path / "locked.pem"
    text = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n"
    locked.write_text(text)
    key = {
        "missing": tmp_path / "nothing.pem",
        "noise": noise,
        "of another": guest.key,
        "locked": locked,
    }[wrong]
    with pytest.raises(TlsFilesError) as error:
        server_context(certificate.file, key)
    assert key.name in str(error.value)
    assert "\n" not in str(error.value)
    if wrong in ("missing", "noise"):
        with pytest.raises(TlsFilesError, match=key.name):
            client_context(key)
