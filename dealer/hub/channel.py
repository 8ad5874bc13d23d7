"""A line between two of our processes on one machine: JSON documents, and open files with them.

Each document is one line.  A file goes with the first byte of its document, and a document says by
`_FILE` that it has one, so both ends agree which belong together however the bytes are cut.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from engine.storage.documents import json_document

Document: TypeAlias = dict[str, Any]
Hear: TypeAlias = Callable[[Document, int | None], None]
"""Takes a document and the file that came with it, which is the taker's to close; None: it had
none, or there was no descriptor to be had for it."""
_FILE: Final = "file"
_READ_BYTES: Final = 1 << 16
_MOST_FILES: Final = 16


class Channel:
    """One end, on the running event loop."""

    def __init__(self, end: socket.socket, hear: Hear, closed: Callable[[], None]) -> None:
        """Listen from now on.

        Args:
            end: of a pair of Unix stream sockets.
            hear: takes what comes.
            closed: called once, when the other end is gone.
        """
        end.setblocking(False)
        self._end = end
        self._hear = hear
        self._closed = closed
        self._loop = asyncio.get_running_loop()
        self._received = b""
        self._files: deque[int | None] = deque()
        self._waiting: deque[tuple[bytes, int | None]] = deque()
        self._loop.add_reader(end, self._read)

    def send(self, document: Document, file: int | None = None) -> None:
        """Send a document; the file is open at the other end, too, and closed here."""
        if self._end.fileno() < 0:
            if file is not None:
                os.close(file)
            return
        if file is not None:
            document = {**document, _FILE: True}
        self._waiting.append((json.dumps(document).encode() + b"\n", file))
        if len(self._waiting) == 1:
            self._write()

    def close(self) -> None:
        """Close this end; idempotent."""
        if self._end.fileno() < 0:
            return
        self._loop.remove_reader(self._end)
        self._loop.remove_writer(self._end)
        self._end.close()
        for file in (*self._files, *(file for _, file in self._waiting)):
            if file is not None:
                os.close(file)
        self._files.clear()
        self._waiting.clear()

    def _write(self) -> None:
        try:
            while self._waiting:
                data, file = self._waiting[0]
                sent = socket.send_fds(self._end, [data], [] if file is None else [file])
                if file is not None:
                    os.close(file)
                if sent == len(data):
                    self._waiting.popleft()
                else:
                    self._waiting[0] = data[sent:], None
        except BlockingIOError:
            self._loop.add_writer(self._end, self._write)
            return
        except OSError:
            self._lose()
            return
        self._loop.remove_writer(self._end)

    def _read(self) -> None:
        try:
            data, files, flags, _ = socket.recv_fds(self._end, _READ_BYTES, _MOST_FILES)
        except BlockingIOError:
            return
        except OSError:
            data, files, flags = b"", [], 0
        self._files += files
        if flags & socket.MSG_CTRUNC and not files:
            self._files.append(None)
        if not data:
            self._lose()
            return
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            document = json_document(line)
            self._hear(document, self._files.popleft() if document.pop(_FILE, False) else None)

    def _lose(self) -> None:
        if self._end.fileno() >= 0:
            self.close()
            self._closed()
