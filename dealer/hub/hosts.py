"""The processes that play the server's matches: started, watched, started again.

A leg goes to the process with the fewest; what it says comes back as news.  Of legs whose process
is lost the news is "lost": their files are whole, and they are played on in another.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final

from dealer.hub.channel import Channel, Document
from engine.parallel.own_programs import bare_environment, own_program

_END_SECONDS: Final = 30.0
_RESTART_SECONDS: Final = 1.0


class MatchHosts:
    """Async context manager around the processes."""

    def __init__(
        self, count: int, folder: Path, hear: Callable[[Document], None], lock: int
    ) -> None:
        """Start nothing yet.

        Args:
            count: of processes.
            folder: in which house bots are started; the processes' errors are added to files there.
            hear: takes news, see `dealer.hub.match_host`, and {"news": "lost", "leg": KEY}.
            lock: open file that the processes hold, too, until their matches have stopped.
        """
        self.lock: Final = lock
        self._folder = folder
        self._hear = hear
        self._hosts = [_HostProcess(self, number) for number in range(count)]
        self._host_of: dict[str, _HostProcess] = {}
        self.closing = False

    async def __aenter__(self) -> MatchHosts:
        for host in self._hosts:
            await host.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing = True
        await asyncio.gather(*(host.end() for host in self._hosts))

    def play(self, leg: str, document: Document) -> None:
        """Have a leg played."""
        host = min(self._hosts, key=lambda host: len(host.legs))
        host.legs.add(leg)
        self._host_of[leg] = host
        host.send({"do": "play", "leg": leg, **document})

    def seat(self, leg: str, seat: int, connection: socket.socket, received: bytes) -> None:
        """Hand a guest's connection over; it is closed here."""
        host = self._host_of.get(leg)
        if host is None:
            connection.close()
            return
        text = received.decode("latin-1")
        host.send({"do": "seat", "leg": leg, "seat": seat, "received": text}, connection.detach())

    def stop(self, leg: str) -> None:
        """Stop a leg in good order; its end is news."""
        if leg in self._host_of:
            self._host_of[leg].send({"do": "stop", "leg": leg})

    def hear(self, document: Document) -> None:
        """Take news of a process."""
        if document["news"] in ("end", "lost"):
            host = self._host_of.pop(document["leg"], None)
            if host is not None:
                host.legs.discard(document["leg"])
        self._hear(document)

    @property
    def folder(self) -> Path:
        """See `__init__`."""
        return self._folder


class _HostProcess:
    """One process, and those that follow it in its place."""

    def __init__(self, hosts: MatchHosts, number: int) -> None:
        self.legs: set[str] = set()
        self._hosts = hosts
        self._errors = hosts.folder / f"host-{number}.err"
        self._process: asyncio.subprocess.Process | None = None
        self._channel: Channel | None = None
        self._unsent: list[tuple[Document, int | None]] = []
        self._restarting: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the process."""
        ours, theirs = socket.socketpair()
        with theirs, self._errors.open("ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *(*own_program("match host"), str(theirs.fileno()), str(self._hosts.folder)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=errors,
                pass_fds=(theirs.fileno(), self._hosts.lock),
                env=bare_environment(),
                start_new_session=True,
            )
        self._channel = Channel(ours, lambda document, _: self._hosts.hear(document), self._lost)
        for document, file in self._unsent:
            self._channel.send(document, file)
        self._unsent.clear()

    def send(self, document: Document, file: int | None = None) -> None:
        """Say something to the process, or to the next one where it is lost."""
        if self._channel is None:
            self._unsent.append((document, file))
        else:
            self._channel.send(document, file)

    def _lost(self) -> None:
        self._channel = None
        if self._hosts.closing:
            return
        for leg in sorted(self.legs):
            self._hosts.hear({"news": "lost", "leg": leg})
        self._restarting = asyncio.create_task(self._restart())

    async def _restart(self) -> None:
        await self._end_process()
        while True:
            await asyncio.sleep(_RESTART_SECONDS)
            with contextlib.suppress(OSError):
                await self.start()
                return

    async def end(self) -> None:
        """Have the process stop its matches, and wait for it."""
        if self._restarting is not None:
            self._restarting.cancel()
        if self._channel is not None:
            self._channel.close()
        await self._end_process()

    async def _end_process(self) -> None:
        if self._process is None:
            return
        try:
            async with asyncio.timeout(_END_SECONDS):
                await self._process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
