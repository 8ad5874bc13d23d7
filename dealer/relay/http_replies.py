"""A client's end of HTTP/1.1, without the connection: requests as bytes, bytes as responses.

A connection has one request.  However the bytes of its response are cut, they give the same head
and body, or a `ReplyError`, and nothing else.  `read_events` makes server-sent events of a body.

Sources: "HTTP/1.1", RFC 9112, 2022; "HTML: Server-sent events", WHATWG Living Standard, 2025.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

_MOST_HEAD_BYTES: Final = 1 << 15
_MOST_EVENT_BYTES: Final = 1 << 18
_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: [\t -~\x80-\xff]*)?")
_FIELD: Final = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t -~\x80-\xff]*)")
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[\t -~\x80-\xff]*)?")
_LENGTH: Final = re.compile(r"[0-9]{1,15}")
_MOST_CHUNK_LINE_BYTES: Final = 1 << 10
_SWITCHING: Final = 101
_BODILESS: Final = (_SWITCHING, 204, 304)
_CRLF: Final = b"\r\n"
_NO_HTTP: Final = "what answers does not speak HTTP"
_TLS_ALERT: Final = b"\x15\x03"
"""Begins what a server under TLS says to who speaks plainly."""


class ReplyError(Exception):
    """What came is no response of HTTP/1.1, or not all of one."""


class NoHttpError(ReplyError):
    """What answers speaks something else, and will the next time."""


@dataclass(frozen=True, slots=True)
class ReplyHead:
    """How a request was answered."""

    status: int
    fields: Mapping[str, str]
    """Lower-case names -> values; the last one of a name."""


def format_request(method: str, target: str, fields: Mapping[str, str], body: bytes) -> bytes:
    """Return a request; its values are to be one line each.  Raises ValueError: one is not."""
    if body:
        fields = {**fields, "Content-Type": "application/json", "Content-Length": str(len(body))}
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {text}" for name, text in fields.items())]
    if not all(line.isprintable() and line.isascii() for line in lines):
        raise ValueError("a request is made of printable ASCII")
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode("ascii") + body


class ReplyReader:
    """Cuts a stream of bytes into the head and the body of one response."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._finished = False
        self._chunked = False
        self._missing: int | None = 0
        self.over = False
        """Whether all of the body was read."""

    def feed(self, data: bytes) -> None:
        """Append bytes from the peer, cut anywhere; b"" is the end of the stream."""
        self._data += data
        self._finished |= not data

    def read_head(self) -> ReplyHead | None:
        """Return the head, None where it is not all there yet.  Raises ReplyError."""
        while (end := self._data.find(_CRLF * 2, 0, _MOST_HEAD_BYTES)) >= 0:
            first, *lines = bytes(self._data[:end]).split(_CRLF)
            del self._data[: end + 4]
            status, fields = _STATUS.fullmatch(first), [_FIELD.fullmatch(line) for line in lines]
            if status is None or not all(fields):
                raise NoHttpError(_NO_HTTP)
            head = ReplyHead(
                int(status[1]),
                {
                    field[1].decode().lower(): field[2].strip().decode("latin-1")
                    for field in fields
                    if field
                },
            )
            if head.status >= 200 or head.status == _SWITCHING:
                self._frame(head)
                return head
        if self._finished:
            raise ReplyError("the connection was closed without a response")
        if len(self._data) >= _MOST_HEAD_BYTES or not _could_be_http(self._data):
            tls = self._data.startswith(_TLS_ALERT)
            raise NoHttpError("what answers speaks TLS: want https://" if tls else _NO_HTTP)
        return None

    def read_body(self) -> bytes:
        """Return what has come of the body, b"" for nothing (yet), see `over`.

        Raises:
            ReplyError: it stops short, or is not cut into chunks as it should be.
        """
        body = b""
        while not self.over and self._data:
            if self._missing == 0 and not self._next_chunk():
                break
            if self._missing is None:
                body += self._take(len(self._data))
                break
            piece = self._take(min(self._missing, len(self._data)))
            body += piece[: max(0, self._missing - 2)] if self._chunked else piece
            self._missing -= len(piece)
            self.over = not (self._missing or self._chunked)
        if self._finished and not self.over:
            if self._missing is not None:
                raise ReplyError("the response stops short")
            self.over = True
        return body

    def take_rest(self) -> bytes:
        """Return what has come behind the head of a response that switches protocols."""
        return self._take(len(self._data))

    def _frame(self, head: ReplyHead) -> None:
        """Note how the end of the body is known."""
        length = head.fields.get("content-length")
        self._chunked = head.fields.get("transfer-encoding", "").lower() == "chunked"
        if head.status in _BODILESS:
            self.over = True
        elif not self._chunked:
            if length is not None and not _LENGTH.fullmatch(length):
                raise ReplyError("the length of the response is no number")
            self._missing = None if length is None else int(length)
            self.over = self._missing == 0

    def _next_chunk(self) -> bool:
        """Read the size of the next chunk; return False if it has not come, or is 0."""
        end = self._data.find(_CRLF, 0, _MOST_CHUNK_LINE_BYTES)
        if end < 0:
            if len(self._data) >= _MOST_CHUNK_LINE_BYTES:
                raise ReplyError("a chunk of the response has no size")
            return False
        size = _CHUNK.fullmatch(self._take(end + 2)[:-2])
        if size is None:
            raise ReplyError("a chunk of the response has no size")
        self._missing = int(size[1], 16) + 2
        self.over = self._missing == 2
        return not self.over

    def _take(self, size: int) -> bytes:
        data = bytes(self._data[:size])
        del self._data[:size]
        return data


def _could_be_http(data: bytearray) -> bool:
    return data[:5] == b"HTTP/"[: len(data)]


class ServerEvent(NamedTuple):
    """One event of a stream."""

    kind: str
    data: str


class EventReader:
    """Cuts the body of a stream into events."""

    def __init__(self) -> None:
        self._data = b""

    def read(self, data: bytes) -> Iterator[ServerEvent]:
        """Yield the events that some bytes, cut anywhere, bring to their end.

        Raises:
            ReplyError: an event has no end.
        """
        self._data = (self._data + data).replace(b"\r\n", b"\n")
        *events, self._data = self._data.split(b"\n\n")
        if len(self._data) > _MOST_EVENT_BYTES:
            raise ReplyError("an event is too long")
        for event in events:
            kind, lines = "message", []
            for line in event.decode("utf-8", "replace").split("\n"):
                name, _, text = line.partition(":")
                if name == "event":
                    kind = text.removeprefix(" ")
                elif name == "data":
                    lines.append(text.removeprefix(" "))
            if lines:
                yield ServerEvent(kind, "\n".join(lines))
