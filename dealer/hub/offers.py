"""What the relays of one version of a bot hear: seats to be taken, and news of requests.

A version has one relay at a time: of two, both would start a bot for each seat.  It may come and
go; a seat is offered each time until it is over, so nothing is lost with a connection.  Of news
the last few are kept for the same reason, each with its number.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from dealer.web.event_channel import News

_KEPT: Final = 64


class RelayChannel:
    """Told by the server, heard by the relay of a version."""

    def __init__(self) -> None:
        self.news: Final = News()
        self._relay = ""
        self._gone: Callable[[], bool] = lambda: True
        self.relays = 0
        """Streams that are open."""
        self._seats: dict[str, dict[str, Any]] = {}
        self._recent: deque[tuple[int, str, dict[str, Any]]] = deque(maxlen=_KEPT)
        self._number = time.time_ns() // 1_000_000
        """Of what has happened last; greater than all that an earlier server gave."""
        self.told = self._number
        """Of the last news."""

    def admit(self, relay: str, gone: Callable[[], bool]) -> bool:
        """Return whether a relay may listen: none does, or it is the one that does.

        Args:
            relay: what it calls itself; "" is nobody's name.
            gone: tells whether it has left.
        """
        if not self._gone() and not (relay and relay == self._relay):
            return False
        self._relay, self._gone = relay, gone
        return True

    def offer(self, key: str, document: dict[str, Any]) -> None:
        """Offer a seat."""
        self._seats[key] = document
        self.news.tell()

    def withdraw(self, key: str) -> None:
        """Offer a seat no more; idempotent."""
        if self._seats.pop(key, None) is not None:
            self.tell("over", {"seat": key})

    def tell(self, kind: str, document: dict[str, Any]) -> None:
        """Tell of something that has happened."""
        self.told = self.count()
        self._recent.append((self.told, kind, document))

    def count(self) -> int:
        """Give a number to something that has happened, and wake all who wait for that."""
        self._number += 1
        self.news.tell()
        return self._number

    @property
    def seats(self) -> dict[str, dict[str, Any]]:
        """The seats that are offered now, by key."""
        return self._seats

    def stream(self, last: int | None) -> AsyncGenerator[bytes, None]:
        """Return what a relay hears, from after event `last` on; None: from now on."""
        start = self._number if last is None else last
        return self.news.stream(self._events(start))

    @contextmanager
    def attended(self) -> Iterator[None]:
        """Count a relay, in this process or another."""
        self.relays += 1
        try:
            yield
        finally:
            self.relays -= 1

    def seats_of(self, match: int) -> dict[str, dict[str, Any]]:
        """Return the seats of a match that are offered now, by key, in their order."""
        return {key: seat for key, seat in self._seats.items() if seat["match"] == match}

    async def _events(self, last: int) -> AsyncGenerator[bytes | None, None]:
        offered: set[str] = set()
        with self.attended():
            while True:
                for key, document in list(self._seats.items()):
                    if key not in offered:
                        offered.add(key)
                        yield _event("seat", document, None)
                for number, kind, document in list(self._recent):
                    if number > last:
                        last = number
                        yield _event(kind, document, number)
                yield None


def _event(kind: str, document: dict[str, Any], number: int | None) -> bytes:
    lines = [] if number is None else [f"id: {number}"]
    lines += [f"event: {kind}", f"data: {json.dumps(document)}", "", ""]
    return "\n".join(lines).encode()
