"""Attackers of a server, each kind from addresses of its own of the loopback network.

    python -m tests.helpers.attackers FOLDER URL ACPC_PORT

They have an account of their own, eve's, with its token in FOLDER/eve.token.  At SIGINT they go,
and FOLDER/attacks.json has what they did, by kind, and what they were answered.  `leaks` are
secrets of others that somebody was told; `sights` are cards: [match, seconds since 1970].
"""

import asyncio
import base64
import contextlib
import itertools
import json
import re
import signal
import socket
import struct
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

from dealer.relay.server_calls import parse_url

STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
CARDS = re.compile(rb"[^0-9A-Za-z](?:[2-9TJQKA][cdhs]){2,7}[^0-9A-Za-z]")
OVERLAP = 200
"""Bytes of one piece that are looked at again with the next."""
ANYTHING = 0
"""In place of a match: cards may be told."""
GONE = (OSError, TimeoutError, asyncio.IncompleteReadError)
SMALL_BUFFER = 4096
FULL_SECONDS = 0.5
"""Of a pause of who does something again and again."""
GAME = "holdem.limit.2p.reverse_blinds.game"
SECRET = "eve-secret"
ACPC_NAME = "eve2"


class Witness:
    """Looks at all that attackers are told."""

    def __init__(self, folder):
        secrets = [path.read_text().partition(".")[2] for path in folder.glob("bot*.token")]
        self._secrets = re.compile(b"|".join(re.escape(secret.encode()) for secret in secrets))
        self.counts = Counter()
        self.answers = Counter()
        self.leaks = []
        self.sights = []

    def see(self, kind, data, tail, match):
        """Look at something; `match` is what it may tell cards of, None: of none.

        Args:
            tail: what has come before it.
        """
        for status in STATUS.findall(data):
            self.answers[f"{kind} {status.decode()}"] += 1
        text = tail + data
        if self._secrets.search(text) or (match is None and CARDS.search(text)):
            self.leaks.append([kind, text[:2000].decode("latin-1")])
        elif match and CARDS.search(text):
            self.sights.append([match, time.time()])


class Line:
    """A connection from an address of this machine."""

    def __init__(self, witness, kind, match):
        self.witness = witness
        self.kind = kind
        self.match = match
        self.tail = b""

    async def open(self, source, port):
        """Connect; with small buffers."""
        plain = socket.socket()
        try:
            plain.setblocking(False)
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
            plain.bind((source, 0))
            await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", port))
            self.reader, self.writer = await asyncio.open_connection(sock=plain, limit=SMALL_BUFFER)
        except BaseException:
            plain.close()
            raise
        return self

    async def send(self, data):
        """Send something."""
        self.writer.write(data)
        async with asyncio.timeout(60):
            await self.writer.drain()

    async def read(self, seconds, size=1 << 16):
        """The next bytes; b"" at the end."""
        async with asyncio.timeout(seconds):
            data = await self.reader.read(size)
        self.witness.see(self.kind, data, self.tail, self.match)
        self.tail = data[-OVERLAP:]
        return data

    async def rest(self, seconds):
        """All that comes within some time."""
        data, end = [], time.monotonic() + seconds
        with contextlib.suppress(*GONE):
            while piece := await self.read(max(0.01, end - time.monotonic())):
                data.append(piece)
        return b"".join(data)

    def reset(self):
        """Break off without a word."""
        plain = self.writer.get_extra_info("socket")
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


class Attackers:
    """All of them."""

    def __init__(self, folder, url, acpc):
        address = parse_url(url)
        self.host, self.port, self.acpc = address.authority, address.port, acpc
        self.folder = folder
        self.witness = Witness(folder)
        self.random = np.random.default_rng(1)
        self.tokens = {
            name: (folder / f"{name}.token").read_text() for name in ("eve", "old", "gone", "late")
        }
        self.names = sorted(path.stem for path in folder.glob("bot*.token"))
        self.versions = itertools.count(1)
        self.newest = 1
        """Number of a match that was seen on the board."""

    # Beginnings.

    async def run(self, stop):
        """Attack until `stop` is set."""
        attacks = [
            (self.keep_silent, 10, 180),
            (self.send_halves, 4, 100),
            (self.drip, 2, 40),
            (self.flood, 3, 4),
            (self.come_and_go, 2, 4),
            (self.bring_tokens, 3, 1),
            (self.send_junk, 3, 2),
            (self.send_bodies, 2, 2),
            (self.misplay, 1, 2),
            (self.knock, 2, 2),
            (self.order, 1, 1),
            (self.watch_slowly, 2, 20),
            (self.misuse_seats, 1, 2),
            (self.shake_hands, 2, 1),
        ]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self.look())]
            for last, (attack, addresses, times) in enumerate(attacks, 1):
                for source in range(addresses):
                    tasks += [
                        group.create_task(self._again(attack, f"127.0.{last}.{2 + source}"))
                        for _ in range(times)
                    ]
            await stop.wait()
            for task in tasks:
                task.cancel()

    async def _again(self, attack, source):
        await asyncio.sleep(10 * self.random.random())
        while True:
            with contextlib.suppress(*GONE):
                await attack(source)
            await asyncio.sleep(FULL_SECONDS * (1 + self.random.random()))

    @contextlib.asynccontextmanager
    async def line(self, kind, source, *, port=None, match=None):
        """A connection; one more of its kind is counted."""
        self.witness.counts[kind] += 1
        line = await Line(self.witness, kind, match).open(source, port or self.port)
        try:
            yield line
        finally:
            line.writer.transport.abort()

    def head(self, path, *fields, method="GET", version="1.1", token=""):
        """A request without its last line."""
        lines = [f"{method} {path} HTTP/{version}", f"Host: {self.host}", *fields]
        lines += [f"Authorization: Bearer {token}"] if token else []
        return "".join(f"{line}\r\n" for line in lines).encode()

    async def ask(self, kind, source, path, *, method="GET", token="", body=None, match=None):
        """A request in good order: (status, body)."""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        fields = [] if body is None else [f"Content-Length: {len(body)}"]
        head = self.head(path, *fields, method=method, version="1.0", token=token)
        async with self.line(kind, source, match=match) as line:
            await line.send(head + b"\r\n" + (body or b""))
            answer = await line.rest(30)
        status = STATUS.match(answer)
        return int(status[1]) if status else 0, answer.partition(b"\r\n\r\n")[2]

    async def look(self):
        """Know which matches there are."""
        while True:
            with contextlib.suppress(*GONE, ValueError):
                _, body = await self.ask("board", "127.0.0.2", "/api/board")
                numbers = [match["match"] for match in json.loads(body)["matches"]]
                self.newest = max([self.newest, *numbers])
            await asyncio.sleep(5)

    # Connections.

    async def keep_silent(self, source):
        """Say nothing."""
        async with self.line("silent connections", source) as line:
            await line.rest(300)

    async def send_halves(self, source):
        """Say half a request, and no more."""
        async with self.line("half requests", source) as line:
            await line.send(self.head("/api/board"))
            await line.rest(300)

    async def drip(self, source):
        """Send a request letter by letter."""
        async with self.line("slow requests", source) as line:
            for letter in self.head("/", *["X: y"] * 90):
                await line.send(bytes([letter]))
                await asyncio.sleep(1)

    async def come_and_go(self, source):
        """Connect, and break off."""
        async with self.line("broken connections", source) as line:
            if self.random.random() < 0.5:
                await line.send(self.head("/")[: self.random.integers(1, 20)])
            line.reset()

    # Requests.

    async def flood(self, source):
        """Ask again and again, ten requests at a time."""
        number = self.newest + int(self.random.integers(-5, 2))
        paths = [
            *("/", "/api/board", "/metrics", "/healthz", "/api/openapi.json", "/%2e%2e/etc/passwd"),
            *("/../../etc/passwd", f"/api/bots/{self.names[0]}", f"/api/matches/{number}"),
            *(f"/api/pairs/{self.names[0]}/{self.names[1]}", "/api/bots/%00", "/logs/eve.%2e.log"),
            *(f"/watch/{number}/logs.json", "/watch/1.00000000000000000000000000000000/logs.json"),
            *("/logs/999999999999.0.log", "/api/matches/999999999999", "/data/hub.db", "//", "/?a"),
        ]
        async with self.line("floods of requests", source) as line:
            for _ in range(20):
                chosen = self.random.choice(paths, 10)
                await line.send(b"".join(self.head(path) + b"\r\n" for path in chosen))
                self.witness.counts["requests of floods"] += 10
                await line.rest(1)

    async def bring_tokens(self, source):
        """Ask with tokens that are none, none any more, or another's."""
        name = str(self.random.choice(self.names))
        guess = base64.urlsafe_b64encode(self.random.bytes(32)).decode().strip("=")
        tokens = [
            *(self.tokens[kind] for kind in ("old", "gone", "late", "eve")),
            *(f"{name}.{guess}", f"nobody.{guess}", f"{name}.", name, "", f"{name}.{'A' * 6000}"),
            *(f"{name}.{guess}\r\nAuthorization: Bearer {self.tokens['eve']}", "' OR 1=1 --"),
            *(f"{name}.{self.tokens['eve'].partition('.')[2]}", f"{name}.\xe9\xff", "eve"),
        ]
        request = int(self.random.integers(1, 1 + len(self.names)))  # the first are all of others
        wanted = {"bot": name, "digest": "x", "game": "hunl", "hands": 1}
        calls = [
            ("GET", "/api/me", None),
            ("GET", f"/api/requests/{request}", None),
            ("DELETE", f"/api/requests/{request}", None),
            ("GET", f"/api/requests/{request}/play?wait=0", None),
            ("DELETE", f"/api/requests/{request}/play", None),
            ("POST", f"/api/requests/{request}/play", {"id": 1, "action": "fold"}),
            ("GET", f"/api/matches/{(request + 1) // 2}/decisions?leg=0", None),
            ("GET", f"/api/bots/{name}/seats?version=1&digest=x", None),
            ("DELETE", f"/api/seats/{guess[:22]}", {"reason": "x"}),
            ("POST", "/api/requests", wanted),
        ]
        token = tokens[self.random.integers(len(tokens))]
        method, path, body = calls[self.random.integers(len(calls))]
        kind = "wrong tokens" if token != self.tokens["eve"] else "another's things"
        status, answer = await self.ask(kind, source, path, method=method, token=token, body=body)
        if 200 <= status < 300 and not (path == "/api/me" and b'"eve"' in answer):
            self.witness.leaks.append([kind, f"{method} {path} {token}: {answer[:500]!r}"])

    async def send_junk(self, source):
        """Send what is no request."""
        head = self.head("/api/me")
        pieces = [
            self.random.bytes(3000),
            b"GET /" + b"a" * 60_000,
            head + b"X: " + b"b" * 60_000,
            self.head("/", *(f"X{number}: y" for number in range(3000))) + b"\r\n",
            head + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
            head + b"Transfer-Encoding: chunked\r\n\r\nffffffff\r\n" + bytes(9000),
            head + b"Transfer-Encoding: chunked\r\n\r\n" + b"1;a=b\r\nx\r\n" * 9000,
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + self.random.bytes(500),
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"\n" * 20_000,
            b"MATCHSTATE:0:0::|AsKd\r\n" * 500,
            head.replace(self.host.encode(), b"evil.example") + b"\r\n",
            head + b"Origin: http://evil.example\r\n\r\n",
            head + b"Expect: the-unexpected\r\n\r\n",
        ]
        async with self.line("junk", source) as line:
            await line.send(pieces[self.random.integers(len(pieces))])
            await line.rest(3)

    async def send_bodies(self, source):
        """Send bodies that are too long, or make no sense."""
        bodies = [
            b"[" * 60_000,
            b"9" * 60_000,
            b'{"bot":' * 8000,
            b'{"bot": "a", "bot": "b", "hands": NaN}',
            b'"\\ud800"',
            b'{"bot": "eve", "digest": "1", "hands": 1e999}',
            b'{"bot": "../../x", "digest": "1", "hands": 1}',
            b'{"bot": "eve", "digest": "' + b"d" * 50_000 + b'", "hands": 1}',
            b'{"bot": "eve", "digest": "1", "hands": -1, "words": "\\u0000\\u202e"}',
            b'{"bot": "eve", "digest": "1", "hands": 99999999999999999999}',
            self.random.bytes(2000),
        ]
        token = self.tokens["eve"]
        if self.random.random() < 0.5:
            body = bodies[self.random.integers(len(bodies))]
            status, answer = await self.ask(
                "bad bodies", source, "/api/requests", method="POST", token=token, body=body
            )
            if 200 <= status < 300:
                self.witness.leaks.append(["bad bodies", f"{body[:80]!r}: {answer[:200]!r}"])
            return
        length = int(self.random.choice([70_000, 10**9, 10**15]))
        head = self.head("/api/requests", f"Content-Length: {length}", method="POST", token=token)
        async with self.line("oversize bodies", source) as line:
            await line.send(head + b"\r\n")
            with contextlib.suppress(*GONE):
                for _ in range(20):
                    await line.send(bytes(1 << 16))
            await line.rest(3)

    # Matches of their own.

    async def begin(self, kind, source, bot, version, opponent):
        """Ask for a match; the number of the request, None where there is none."""
        wanted = {"bot": bot, "version": version, "digest": "1", "opponent": opponent, "hands": 50}
        status, body = await self.ask(
            kind,
            source,
            "/api/requests",
            method="POST",
            token=self.tokens["eve"],
            body={**wanted, "rated": False},
            match=ANYTHING,
        )
        return json.loads(body)["request"] if status == 201 else None

    async def misplay(self, source):
        """Play by HTTP, with answers that are none, twice, or too late; then leave."""
        kind, token = "answers by HTTP", self.tokens["eve"]
        version = str(next(self.versions))
        number = await self.begin(kind, source, f"http{version}", version, "always-call")
        if number is None:
            await asyncio.sleep(10)
            return
        path = f"/api/requests/{number}/play"
        for _ in range(15):
            _, body = await self.ask(kind, source, f"{path}?wait=5", token=token, match=ANYTHING)
            state = json.loads(body) if body else {}
            ids = [decision["id"] for decision in state.get("decisions", [])] or [0]
            bodies = [
                {"id": ids[0], "action": "raise", "to": -5},
                {"id": ids[0] - 1, "action": "call"},
                {"id": 10**18, "action": "call"},
                {"id": ids[0], "action": "call", "to": "x" * 40_000},
                b'{"id": 1, "action": ' + b"[" * 50_000,
                *[{"id": ids[0], "client_id": "a", "action": "call"}] * 2,
                {"id": ids[0], "client_id": "a", "action": "fold"},
            ]
            for body in bodies:
                how = {"method": "POST", "token": token, "body": body, "match": ANYTHING}
                await self.ask(kind, source, path, **how)
                await asyncio.sleep(0.1)
            async with self.line("abandoned questions", source, match=ANYTHING) as line:
                await line.send(self.head(f"{path}?wait=60&after=999999", token=token) + b"\r\n")
                await asyncio.sleep(0.2)
        await self.ask(kind, source, path, method="DELETE", token=token, match=ANYTHING)

    async def misuse_seats(self, source):
        """Ask for a match, and take its seats again and again, in wrong ways."""
        kind, token = "seats misused", self.tokens["eve"]
        version = str(next(self.versions))
        bot = f"seat{version}"
        if await self.begin(kind, source, bot, version, "always-call") is None:
            await asyncio.sleep(10)
            return
        path = f"/api/bots/{bot}/seats?version={version}&digest=1"
        upgrade = ("Connection: Upgrade", "Upgrade: acpc")
        async with (
            self.line("streams of seats", source, match=ANYTHING) as stream,
            asyncio.timeout(90),
        ):
            await stream.send(self.head(path, token=token) + b"\r\n")
            heard = b""
            while not (keys := re.findall(rb'"seat": "([^"]+)"', heard)):
                heard += await stream.read(60)
            seat = f"/api/seats/{keys[0].decode()}"
            start = self.head(seat, *upgrade, token=token) + b"\r\n"
            sayings = [
                *(b"", b"VERSION:2.0.0\r\n", b"VERSION:2.0", b"VERSION:9.9.9\r\n", bytes(300)),
                *(b"VERSION:2.0.0\r\n" + b"x\n" * 20_000, self.random.bytes(5000)),
                b"VERSION:2.0.0\r\nMATCHSTATE:0:0::|AsKd:r99999999999999\r\n" * 20,
            ]
            first = self.random.integers(len(sayings))
            async with asyncio.TaskGroup() as group:
                for number in range(300):
                    saying = sayings[first if number else 0]
                    group.create_task(self._sit(source, number, start, saying))
            leaving = {"method": "DELETE", "token": token, "body": {"reason": "\0" * 1000}}
            await self.ask(kind, source, seat, match=ANYTHING, **leaving)

    async def _sit(self, source, number, start, saying):
        await asyncio.sleep(number / 8)
        with contextlib.suppress(*GONE):
            async with self.line("seats taken", source, match=ANYTHING) as line:
                await line.send(start + saying)
                await line.rest(40)

    async def shake_hands(self, source):
        """Ask for seats that are none, or in a damaged way."""
        key = base64.urlsafe_b64encode(self.random.bytes(16)).decode().strip("=")
        fields = [
            ("Connection: Upgrade", "Upgrade: acpc"),
            ("Connection: Upgrade", "Upgrade: websocket"),
            ("Upgrade: acpc",),
            ("Connection: close, Upgrade", "Upgrade: acpc, acpc", "Content-Length: 5"),
            ("Connection: Upgrade", "Upgrade: acpc", "Transfer-Encoding: chunked"),
        ]
        chosen = fields[self.random.integers(len(fields))]
        token = self.tokens["eve"] if self.random.random() < 0.7 else ""
        async with self.line("damaged handshakes", source) as line:
            start = self.head(f"/api/seats/{key}", *chosen, token=token) + b"\r\n"
            await line.send(start[: self.random.integers(1, 2 * len(start))])
            await line.send(b"VERSION:2.0.0\r\n")
            await line.rest(3)

    async def watch_slowly(self, source):
        """Watch a match of others, or read its log, a few bytes a second."""
        number = max(1, self.newest - int(self.random.integers(20)))
        leg = self.random.integers(2)
        choices = [f"/watch/{number}/live/{leg}"] * 3 + [f"/logs/{number}.{leg}.log"]
        async with self.line("slow readers", source, match=number) as line:
            await line.send(self.head(self.random.choice(choices)) + b"\r\n")
            end = time.monotonic() + 300
            while await line.read(60, 50):
                await asyncio.sleep(0.5)
                if time.monotonic() > end:
                    return

    # The door of ACPC clients.

    async def knock(self, source):
        """Log on with wrong passwords, or with no words at all."""
        sayings = [
            *(b"neil wrong\n", b"eve2 wrong\n", b"eve2\n", b"\n", b"a" * 60_000, bytes(5000)),
            *(self.random.bytes(4000), b"neil wrong games\n" * 200, b"", b"neil "),
            *(b"GET / HTTP/1.1\r\n\r\n", f"eve2 wrong{'x' * 4000}\n".encode()),
        ]
        async with self.line("wrong logons", source, port=self.acpc) as line:
            await line.send(sayings[self.random.integers(len(sayings))])
            answer = await line.rest(35)
        self.witness.answers[f"wrong logons {answer[:9].decode('latin-1')!r}"] += 1
        if b"OKAY" in answer:
            self.witness.leaks.append(["wrong logons", answer.decode("latin-1")])

    async def order(self, source):
        """Log on rightly, and order without reading or playing."""
        async with self.line("orders", source, port=self.acpc, match=ANYTHING) as line:
            await line.send(f"{ACPC_NAME} {SECRET}\n".encode())
            await line.read(30)
            orders = [
                b"GAMES\nHELP\nQSTAT\n" * 300,
                b"RUNMATCHES " + self.random.bytes(900).replace(b"\n", b"") + b"\n",
                f"RUNMATCHES {GAME} 1 tag 7 LOCAL always-call\n".encode() * 3,
                f"RUNMATCHES {GAME} 99999999999 tag -7 LOCAL LOCAL\n".encode() * 100,
                b"HELP" * 2000,
            ]
            await line.send(orders[self.random.integers(len(orders))])
            await line.rest(20)


async def main(folder, url, acpc):
    """Attack until SIGINT; write what came of it."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop.set)
    attackers = Attackers(folder, url, acpc)
    await attackers.run(stop)
    witness = attackers.witness
    document = {
        "counts": witness.counts,
        "answers": witness.answers,
        "leaks": witness.leaks[:100],
        "sights": witness.sights,
    }
    (folder / "attacks.json").write_text(json.dumps(document, indent=1))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
