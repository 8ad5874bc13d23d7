"""A dealer in its own process, and raw sockets to play against it by hand."""

import contextlib
import re
import signal
import socket
import struct
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

HUNL = "holdem.nolimit.2p.reverse_blinds.game"


class Client:
    """One seat's socket: says what it is told, reads line by line.

    Through a narrow one little is sent ahead: small segments also keep the dealer's own buffer in
    the operating system small.  Both have to be set before it is connected.
    """

    def __init__(
        self, port: int, *, version: bytes = b"VERSION:2.0.0\r\n", narrow: bool = False
    ) -> None:
        self.sock = socket.socket()
        self.sock.settimeout(10)
        if narrow:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        try:
            self.sock.connect(("127.0.0.1", port))
        except OSError:
            self.sock.close()
            raise
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = b""
        if version:
            self.send(version)

    def send(self, data: bytes) -> None:
        """Send all of `data`."""
        self.sock.sendall(data)

    def line(self) -> bytes:
        r"""Return the next line without "\r\n"; b"" at the end of the stream."""
        while b"\n" not in self._buffer:
            try:
                data = self.sock.recv(65536)
            except ConnectionResetError:
                data = b""
            if not data:
                return b""
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.removesuffix(b"\r")

    def answer(self, action: bytes) -> None:
        """Read the next state and answer it."""
        self.send(self.line() + b":" + action + b"\r\n")

    def rest(self) -> list[bytes]:
        """Return all lines up to the end of the stream."""
        return list(iter(self.line, b""))

    def reset(self) -> None:
        """Drop the connection with a RST."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def close(self) -> None:
        """Close in order."""
        self.sock.close()


class DealerProcess:
    """`arena dealer` in a folder; a context manager that never leaves it running."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        seats: int = 2,
        seed: str = "42",
        name: str = "m",
        matches: int | None = None,
        python: str | None = None,
        program: str = "dealer.server.dealer_command",
    ) -> None:
        """Start it and wait for its ports.

        Args:
            folder: its folder.
            arguments: number of hands, game and options.
            seats: how many.
            seed: of the cards.
            name: of the match.
            matches: how many are hosted side by side.
            python: what runs it, `sys.executable` by default.
            program: the module that is run.
        """
        words = [a for a in arguments if not a.endswith(".game")]
        games = [a for a in arguments if a.endswith(".game")] or [HUNL]
        hands = words.pop(0) if words and words[0].isdigit() else "1"
        names = ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank"][:seats]
        if matches is not None:
            words += ["--serve", str(matches)]
        self.folder = folder
        dealer = [python or sys.executable, "-m", program]
        self.process = subprocess.Popen(
            [*dealer, name, games[0], hands, seed, *names, *words],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        assert self.process.stdout is not None
        lines = [self.process.stdout.readline() for _ in range(matches or 1)]
        self.ports_of = [[int(port) for port in line.split()] for line in lines]
        """Ports of each match."""
        self.ports = self.ports_of[0]
        self._clients: list[Client] = []

    def __enter__(self) -> "DealerProcess":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        for client in self._clients:
            client.close()

    def connect(self, seat: int, match: int = 0, **options: Any) -> Client:
        """Connect to a 1-based seat of a match, 0 where there is one."""
        client = Client(self.ports_of[match][seat - 1], **options)
        self._clients.append(client)
        return client

    def connect_all(self) -> list[Client]:
        """Connect to every seat, in order."""
        return [self.connect(seat + 1) for seat in range(len(self.ports))]

    def finish(self, seconds: float = 20) -> tuple[int, str, str]:
        """Wait for the end; return exit code, stdout after the port line, and stderr."""
        out, err = self.process.communicate(timeout=seconds)
        return self.process.returncode, out, err

    def has_lane(self) -> bool:
        """Return whether the fast lane's code is loaded: memory of no file that can be executed."""
        with contextlib.suppress(OSError):
            maps = Path(f"/proc/{self.process.pid}/maps").read_text()
            return re.search(r"r-xp 0+ 00:00 0\s*$", maps, re.MULTILINE) is not None
        return False

    def interrupt(self) -> None:
        """Send SIGINT, as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)

    @property
    def log(self) -> list[str]:
        """Lines of the match log so far."""
        return (self.folder / "m.log").read_text().splitlines()
