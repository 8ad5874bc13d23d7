"""One match from every source of seats: own ports, accepted connections, TLS, socket pairs."""

import asyncio
import contextlib
import shutil
import signal
import ssl
import subprocess

import pytest

from dealer.lane.loading import LaneLoader
from dealer.plan.match_plan import LaneMode, MatchPlan, Records, SeatPlan
from dealer.server.endings import Ending, MatchEnd
from dealer.server.fast_lane import FastLane
from dealer.server.hosting import HostedMatch, host_matches
from dealer.server.match_run import MatchRun
from dealer.server.seating import AcceptedConnections, Ports, SocketPairs
from dealer.server.standard_streams import StandardStreams
from protocol.gamedefs import load_builtin

KUHN = load_builtin("kuhn")
HANDS = 30
VERSION = b"VERSION:2.0.0\r\n"


def plan_in(folder, name: str = "m", **records) -> MatchPlan:
    """A quiet match whose files lie in a folder, wherever the test runs."""
    files = Records(str(folder / f"{name}.log"), transcript=False, **records)
    seats = (SeatPlan("A"), SeatPlan("B"))
    return MatchPlan("m", "kuhn", HANDS, 7, seats, files, lane=LaneMode.ON)


async def call(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, said: bytes) -> None:
    """Check or call to the end of the match."""
    writer.write(said)
    with contextlib.suppress(ConnectionError):
        while line := await reader.readline():
            _, position, _, betting, _ = line.split(b":")
            if betting == b"c" * int(position):
                writer.write(line.rstrip() + b":c\r\n")
    writer.close()


class Doorman(asyncio.Protocol):
    """Reads the seat's number, and hands the connection over with what comes behind it."""

    def __init__(self, *sources: AcceptedConnections) -> None:
        self.sources = sources
        self.transport: asyncio.Transport
        self.received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data
        if b"\n" in self.received:
            line, _, rest = self.received.partition(b"\n")
            match, seat = divmod(int(line), 2)
            self.sources[match].give(seat, self.transport, rest)


class Wire:
    """A way to a server that keeps what passes."""

    def __init__(self, port: int) -> None:
        self.upstream = port
        self.passed = bytearray()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self.upstream)
        await asyncio.gather(self._pump(reader, back), self._pump(there, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                self.passed += data
                writer.write(data)
        writer.close()


@pytest.fixture
def asked(monkeypatch) -> list[bool]:
    """Whether the fast lane would have taken each hand; none is played there."""
    answers: list[bool] = []
    takes = FastLane.takes

    def ask(lane: FastLane, seats) -> bool:
        answers.append(takes(lane, seats))
        return False

    monkeypatch.setattr(FastLane, "takes", ask)
    return answers


async def through_ports(plan: MatchPlan) -> MatchEnd:
    source = Ports("127.0.0.1", (), 2)
    run = run_of(plan, source)
    ports = run.open()
    streams = [await asyncio.open_connection("127.0.0.1", port) for port in ports]
    return await end_of(run, *(call(*stream, VERSION) for stream in streams))


async def through_pairs(plan: MatchPlan) -> MatchEnd:
    source = SocketPairs(2)
    run = run_of(plan, source)
    assert run.open() == ()
    streams = [await asyncio.open_connection(sock=await source.connect(seat)) for seat in range(2)]
    return await end_of(run, *(call(*stream, VERSION) for stream in streams))


async def through_a_server(
    plan: MatchPlan,
    outside: ssl.SSLContext | None = None,
    inside: ssl.SSLContext | None = None,
) -> bytes:
    """Play over a server's connections; return what passed on the wire."""
    source = AcceptedConnections(2)
    run = run_of(plan, source)
    run.open()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Doorman(source), "127.0.0.1", 0, ssl=inside)
    wire = Wire(server.sockets[0].getsockname()[1])
    relay = await asyncio.start_server(wire.carry, "127.0.0.1", 0)
    port = relay.sockets[0].getsockname()[1]
    streams = [await asyncio.open_connection("127.0.0.1", port, ssl=outside) for _ in range(2)]
    agents = [call(*stream, b"%d\n" % n + VERSION) for n, stream in enumerate(streams)]
    assert await end_of(run, *agents) == MatchEnd(Ending.FINISHED)
    for closing in (relay, server):
        closing.close()
    return bytes(wire.passed)


def run_of(plan: MatchPlan, source) -> MatchRun:
    return MatchRun(plan, KUHN, source, StandardStreams("m "), LaneLoader())


async def end_of(run: MatchRun, *agents) -> MatchEnd:
    """Play to the end; return how it ended."""
    playing = asyncio.gather(*agents)
    try:
        await run.play()
    finally:
        await run.close()
    await playing
    return run.sum_up(MatchEnd(Ending.FINISHED))


def test_every_source_gives_the_same_match(tmp_path, asked):
    """To the byte; over plain sockets the lane may be used, and states pass in clear."""
    assert asyncio.run(through_ports(plan_in(tmp_path, "ports"))).ending is Ending.FINISHED
    assert asyncio.run(through_pairs(plan_in(tmp_path, "pairs"))).ending is Ending.FINISHED
    passed = asyncio.run(through_a_server(plan_in(tmp_path, "server")))
    assert passed.count(b"MATCHSTATE") >= 4 * HANDS
    logs = {path.read_bytes() for path in tmp_path.glob("*.log")}
    assert len(logs) == 1
    assert logs.pop().count(b"STATE:") == HANDS
    assert asked == [True] * 3 * HANDS


@pytest.fixture
def contexts(tmp_path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Those of an agent and of a server, with a certificate of its own making."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl here")
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    files = ["-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate]
    subprocess.run([openssl, *words, *files], check=True, capture_output=True)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    agent = ssl.create_default_context(cafile=certificate)
    agent.check_hostname = False
    return agent, server


def test_over_tls_nothing_leaves_in_clear(tmp_path, asked, contexts):
    """Neither what agents are sent nor what they say; the lane needs sockets and is left out."""
    passed = asyncio.run(through_a_server(plan_in(tmp_path, "tls"), *contexts))
    assert len(passed) > HANDS * 100
    assert b"MATCHSTATE" not in passed
    assert b"VERSION:" not in passed
    assert asked == [False] * HANDS
    asyncio.run(through_ports(plan_in(tmp_path, "ports")))
    assert (tmp_path / "tls.log").read_bytes() == (tmp_path / "ports.log").read_bytes()


def test_a_server_hosts_matches_of_connections_that_it_accepted(tmp_path, monkeypatch):
    """Side by side in one loop; nothing is written where the process stands."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setattr(signal, "signal", lambda *_: None)

    async def host() -> list[MatchEnd]:
        sources = [AcceptedConnections(2) for _ in range(3)]
        plans = [plan_in(tmp_path, f"m{number}") for number in range(3)]
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Doorman(*sources), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        streams = [await asyncio.open_connection("127.0.0.1", port) for _ in range(6)]
        agents = [call(*stream, b"%d\n" % n + VERSION) for n, stream in enumerate(streams)]
        playing = asyncio.gather(*agents)
        ends = await host_matches(list(map(HostedMatch, plans, sources)), KUHN)
        server.close()
        await playing
        return ends

    assert asyncio.run(host()) == [MatchEnd(Ending.FINISHED)] * 3
    assert len({(tmp_path / f"m{number}.log").read_bytes() for number in range(3)}) == 1
    assert not list((tmp_path / "elsewhere").iterdir())
