"""The results of an archive, counted when somebody asks and kept until its logs have grown."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from typing import TYPE_CHECKING, Final

from dealer.web.spectating import SeenCards
from engine.errors import LogError
from engine.handlogs.source.opening import file_size

if TYPE_CHECKING:
    from dealer.web.archive import Archive
    from dealer.web.delay import Delay
    from dealer.web.results_document import WrittenLog

_REST: Final = 10
"""Times as long as counting takes nothing is counted again: matches go on meanwhile.  The first
time may be that of compiling."""
_MOST_PLAYERS: Final = 2
"""Between more players the expectation of all-in hands takes milliseconds each."""


class CountingStopped(Exception):
    """Nobody waits for the results any more."""


class ArchiveResults:
    """Counts the hands of an archive's logs in a thread, one time after the other."""

    def __init__(self, archive: Archive, cards: SeenCards, delay: Delay | None) -> None:
        """Count nothing yet.

        Args:
            cards: what spectators see; of `SHOWN`, only what needs no hidden card is told.
            delay: how far logs may be read; None: to their end.
        """
        self._archive = archive
        self._cards = cards
        self._delay = delay
        self._lock = asyncio.Lock()
        self._counted: list[tuple[WrittenLog, int, int]] = []
        self._text = b""
        self._next = 0.0

    async def text(self) -> bytes:
        """Return the results as JSON, see `results_document`.

        Raises:
            LogError: a log has gone.
        """
        stopped = threading.Event()
        async with self._lock:
            try:
                return await asyncio.to_thread(self._refreshed, stopped)
            except asyncio.CancelledError:
                stopped.set()
                raise

    def _refreshed(self, stopped: threading.Event) -> bytes:
        if time.monotonic() < self._next:
            return self._text
        logs = self._written()
        if not self._text or logs != self._counted:
            from dealer.web.results_document import results_document

            def progress(read: int, hands: int) -> None:
                if stopped.is_set():
                    raise CountingStopped

            compiling = not self._text
            begin = time.monotonic()
            document = results_document(
                [log for log, *_ in logs],
                self._archive.given_game,
                progress,
                hidden_cards=self._cards is SeenCards.ALL,
                expectation=all(self._is_quick(log) for log, *_ in logs),
                reasons=self._cards is SeenCards.ALL and self._delay is None,
            )
            if self._delay is not None and any(_is_another(log, self._delay) for log, *_ in logs):
                return self._refreshed(stopped)
            self._text = json.dumps(document, allow_nan=False).encode()
            self._counted = logs
            took = time.monotonic() - begin
            self._next = time.monotonic() + (0.0 if compiling else _REST * took)
        return self._text

    def _written(self) -> list[tuple[WrittenLog, int, int]]:
        """Return each log, its size and that of what AIVAT says of it.

        Those that have gone are left out.
        """
        from dealer.results.aivat import SUFFIX
        from dealer.web.results_document import WrittenLog

        found = []
        for number, path in enumerate(self._archive.logs):
            try:
                size = path.stat().st_size
                end = sys.maxsize if self._delay is None else self._delay.end(path)
            except OSError:
                continue
            grown = size if self._delay is None else end
            estimates = file_size(path.with_suffix(SUFFIX))
            found.append((WrittenLog(number, path, end), grown, estimates))
        return found

    def _is_quick(self, log: WrittenLog) -> bool:
        try:
            return self._archive.game(log.path).players <= _MOST_PLAYERS
        except LogError:
            return True


def _is_another(log: WrittenLog, delay: Delay) -> bool:
    """Return whether another match has begun in the file of a log meanwhile."""
    try:
        return delay.end(log.path) < log.bytes
    except OSError:
        return False
