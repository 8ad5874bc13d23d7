"""A line to other hosts: messages both ways, and signs of life.

A thread of its own looks into the store, since nothing else tells of news there, and since a store
that does not answer must not hold up the dealers' supervision.

Each message goes into a mailbox of the store, a part of it that one host writes and another reads:

    BOX/<n>          number of pieces of message n, counted from 0; written last
    BOX/<n>/<piece>  a piece of its bytes: msgpack, then zlib; lists arrive as tuples

Who has read a message deletes it, so the store holds no more than what is on its way.
"""

from __future__ import annotations

import asyncio
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, Protocol, TypeAlias

import msgpack  # type: ignore[import-untyped]

LOOK_PAUSE_SECONDS: Final = 0.02
"""A look takes the store some 50 microseconds."""
BEAT_SECONDS: Final = 1.0
DEAD_AFTER_SECONDS: Final = 20.0
FAREWELL_SECONDS: Final = 5.0
PIECE_BYTES: Final = 1 << 20
"""The store of torch.distributed takes far more as one value."""
_ZLIB_LEVEL: Final = 1
"""A log becomes a fifth at over 100 MB/s; higher levels gain little."""

Message: TypeAlias = dict[str, Any]
"""Plain values by name; "what" says what it is about."""


class KeyValueStore(Protocol):
    """What is used of torch.distributed's store.  Its methods raise RuntimeError when it is gone.

    What one process sets arrives in the order in which it was set.
    """

    def set(self, key: str, value: Any, /) -> None:
        """Set a value, text or bytes."""

    def get(self, key: str, /) -> bytes:
        """Return a value that is there."""

    def check(self, keys: list[str], /) -> bool:
        """Return whether all of these keys are there."""

    def delete_key(self, key: str, /) -> bool:
        """Delete a key; return whether it was there."""


class HostLine:
    """This host's line to some others.

    Attributes:
        rank: the number of this host.
        others: numbers of those it speaks with.
        fault: why the store can no longer be used, "" while it can.
    """

    def __init__(
        self,
        store: KeyValueStore,
        rank: int,
        others: Collection[int],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open it; nothing is exchanged before `start` or `exchange`."""
        self.rank: Final = rank
        self.others: Final = tuple(others)
        self.fault = ""
        self._store = store
        self._clock = clock
        self._outboxes = {peer: Outbox(store, f"{rank}-{peer}") for peer in others}
        self._inboxes = {peer: Inbox(store, f"{peer}-{rank}") for peer in others}
        self._outgoing: deque[tuple[int, Message]] = deque()
        self._heard: deque[tuple[int, Message]] = deque()
        self._beats = 0
        self._next_beat = clock()
        self._last_beats = dict.fromkeys(others, b"")
        self._alive_at = dict.fromkeys(others, clock())
        self._tell: Callable[[], None] | None = None
        self._ending = threading.Event()
        self._last_words = threading.Event()
        self._thread = threading.Thread(target=self._run, name="host line", daemon=True)

    def start(self) -> None:
        """Exchange messages from now on."""
        self._thread.start()

    def send(self, peer: int, message: Message) -> None:
        """Send a message to another host."""
        self._outgoing.append((peer, message))

    def take(self) -> tuple[int, Message] | None:
        """Return who sent the next message, and the message; None where there is none."""
        return self._heard.popleft() if self._heard else None

    def listen(self, tell: Callable[[], None] | None) -> None:
        """Call `tell`, from the thread, whenever there is something to take, or a fault."""
        self._tell = tell
        if tell is not None and (self._heard or self.fault):
            tell()

    @contextmanager
    def heard_by(self, hear: Callable[[int, Message], None]) -> Iterator[None]:
        """Within, call `hear` on the running loop with who sent a message, and the message."""
        loop = asyncio.get_running_loop()

        def take() -> None:
            while (heard := self.take()) is not None:
                hear(*heard)

        def tell() -> None:
            with suppress(RuntimeError):  # the loop is closed already
                loop.call_soon_threadsafe(take)

        self.listen(tell)
        try:
            yield
        finally:
            self.listen(None)

    def silent_for(self, peer: int) -> float:
        """Return for how many seconds another host has given no sign of life."""
        return self._clock() - self._alive_at[peer]

    def was_heard(self, peer: int) -> bool:
        """Return whether another host has given a sign of life."""
        return bool(self._last_beats[peer])

    def has_left(self, peer: int) -> bool:
        """Return whether another host has closed its line.  Raises RuntimeError without a store."""
        return self._store.check([f"left.{peer}"])

    def exchange(self) -> None:
        """Send what waits, take in what has come.  Raises RuntimeError when the store is gone."""
        while self._outgoing:
            peer, message = self._outgoing.popleft()
            self._outboxes[peer].send(message)
        if self._clock() >= self._next_beat:
            self._beat()
        for peer, inbox in self._inboxes.items():
            while (received := inbox.receive()) is not None:
                self._heard.append((peer, received))
        if self._heard and self._tell is not None:
            self._tell()

    def close(self, wait_for: Collection[int] = ()) -> None:
        """Send what waits, let some others leave first, and leave.  Idempotent."""
        if self._ending.is_set() or not self._thread.is_alive():
            return
        self._tell = None
        self._ending.set()
        answering = self._last_words.wait(FAREWELL_SECONDS)
        end = time.monotonic() + FAREWELL_SECONDS
        while answering and time.monotonic() < end and not self.fault:
            try:
                if all(self.has_left(peer) for peer in wait_for):
                    return
            except RuntimeError:
                return
            time.sleep(LOOK_PAUSE_SECONDS)

    def _beat(self) -> None:
        self._next_beat = self._clock() + BEAT_SECONDS
        self._beats += 1
        self._store.set(f"beat.{self.rank}", str(self._beats))
        for peer in self.others:
            key = f"beat.{peer}"
            beats = self._store.get(key) if self._store.check([key]) else b""
            if beats != self._last_beats[peer]:
                self._last_beats[peer] = beats
                self._alive_at[peer] = self._clock()

    def _run(self) -> None:
        try:
            while not self._ending.wait(LOOK_PAUSE_SECONDS):
                self.exchange()
            self.exchange()
            self._store.set(f"left.{self.rank}", "1")
        except RuntimeError as exc:  # of torch: the connection broke, or nobody answers
            self.fault = str(exc).partition("\n")[0] or "no reason given"
            if self._tell is not None:
                self._tell()
        finally:
            self._last_words.set()


class Outbox:
    """The end of a mailbox at which messages are put in."""

    def __init__(self, store: KeyValueStore, name: str) -> None:
        self._store = store
        self._name = name
        self._sent = 0

    def send(self, message: Message) -> None:
        """Put a message in."""
        data = zlib.compress(msgpack.packb(message), _ZLIB_LEVEL)
        key = f"{self._name}/{self._sent}"
        starts = range(0, len(data), PIECE_BYTES)
        for number, start in enumerate(starts):
            self._store.set(f"{key}/{number}", data[start : start + PIECE_BYTES])
        self._store.set(key, str(len(starts)))
        self._sent += 1


class Inbox:
    """The end of a mailbox at which messages are taken out."""

    def __init__(self, store: KeyValueStore, name: str) -> None:
        self._store = store
        self._name = name
        self._received = 0

    def receive(self) -> Message | None:
        """Take the next message out, None where there is none yet."""
        key = f"{self._name}/{self._received}"
        if not self._store.check([key]):
            return None
        pieces = [f"{key}/{number}" for number in range(int(self._store.get(key)))]
        data = b"".join(self._store.get(piece) for piece in pieces)
        for used in (key, *pieces):
            self._store.delete_key(used)
        self._received += 1
        message: Message = msgpack.unpackb(zlib.decompress(data), use_list=False)
        return message
