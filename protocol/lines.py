"""Cut a stream of bytes into lines the way the original dealer does.

A line ends with LF (which belongs to it), or after `max_line_bytes` bytes without one (what
follows starts the next line), or at the end of the stream if at least one byte is left.
Carriage returns and NUL bytes are ordinary bytes here.

Every byte is read once and copied a bounded number of times however the stream is chopped.  So
neither one 10 MB delivery nor a million one-byte deliveries is slow.
"""

from typing import Final

from protocol.errors import WrongState

MAX_LINE_BYTES: Final = 4095
_COMPACT_BYTES: Final = 1 << 16


class LineBuffer:
    """Bytes in, lines out, on demand.  Holds only bytes that were fed and not yet taken."""

    __slots__ = ("_chunk", "_max", "_partial", "_start", "_tail", "finished")

    def __init__(self, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        if max_line_bytes < 1:
            raise ValueError(f"a line of at most {max_line_bytes} bytes")
        self._max = max_line_bytes
        self._partial = bytearray()  # start of an unfinished line, already searched
        self._chunk = b""  # being cut up; bytes before _start are gone
        self._start = 0
        self._tail = bytearray()  # arrived while _chunk was still being cut up
        self.finished = False
        """Whether `finish` was called."""

    def feed(self, data: bytes) -> None:
        """Append received bytes.

        Raises:
            WrongState: after `finish`.
        """
        if self.finished:
            raise WrongState("bytes fed after the end of the stream")
        if self._start == len(self._chunk) and not self._tail:
            self._chunk = data
            self._start = 0
        else:
            self._tail += data

    def finish(self) -> None:
        """Note the end of the stream: an unterminated rest becomes the last line."""
        self.finished = True

    @property
    def pending(self) -> int:
        """Number of bytes fed and not yet taken as part of a line."""
        return len(self._partial) + len(self._chunk) - self._start + len(self._tail)

    def take_all(self) -> bytes:
        """Take all bytes fed and not yet taken, for a caller that cuts lines itself."""
        everything = bytes(self._partial) + self._chunk[self._start :] + bytes(self._tail)
        self._partial.clear()
        self._chunk = b""
        self._start = 0
        self._tail.clear()
        return everything

    def put_back(self, data: bytes) -> None:
        """Give back what is left after `take_all`; nothing may have been fed meanwhile."""
        self._chunk = data

    def next_line(self) -> bytes | None:
        """Take the next line, terminator included; None if there is no whole line (yet)."""
        chunk = self._chunk
        if not self._start and not self._partial and not self._tail:  # one line came in one piece
            end = chunk.find(b"\n") + 1
            if end and end == len(chunk) <= self._max:
                self._chunk = b""
                return chunk
            if not chunk and not self.finished:
                return None
        while True:
            chunk, start, partial = self._chunk, self._start, self._partial
            limit = start + self._max - len(partial)
            end = chunk.find(b"\n", start, limit) + 1
            if not end and len(chunk) >= limit:
                end = limit
            if end:
                return self._take(chunk, start, end)
            partial += chunk[start:]
            self._start = 0
            if self._tail:
                self._chunk = bytes(self._tail)
                self._tail.clear()
                continue
            self._chunk = b""
            if self.finished and partial:
                return self._take(b"", 0, 0)
            return None

    def _take(self, chunk: bytes, start: int, end: int) -> bytes:
        line = chunk[start:end]
        if self._partial:
            line = bytes(self._partial) + line
            self._partial.clear()
        if end > _COMPACT_BYTES and 2 * end > len(chunk):  # give consumed memory back
            self._chunk = chunk[end:]
            self._start = 0
        else:
            self._start = end
        return line
