"""The server's end of an HTTP/1.1 connection, without the connection: bytes in, requests out.

Bytes go in with `feed` and `finish`, requests come out of `next_request` one at a time, and
`reply_due` has what must be sent before more comes.  However the bytes are cut, they give the same
requests, or a `Refusal`, and nothing else.

It is strict, so that nothing can be read in two ways: lines end with CR and LF, a field's name
touches its colon and its value has one line, and there is one way to tell where a body ends.

    line or field                      | refused with
    -----------------------------------|---------------------------------------------------------
    bare LF, bare CR, control character| 400
    empty line before a request        | 400
    folded field, blank before a colon | 400
    Host missing, twice or no host     | 400 (HTTP/1.0 may leave it out)
    Content-Length twice, or no number | 400
    Content-Length, Transfer-Encoding  | 400, both together; the latter in HTTP/1.0
    Transfer-Encoding but "chunked"    | 501
    Expect but "100-continue"          | 417
    a method of no RFC                 | 501
    another version than HTTP/1        | 505
    request line, head, body too long  | 414, 431, 413
    the end of the stream within it    | 400

Taken besides what browsers send: the absolute form of a target, and chunk extensions and trailers,
which mean nothing here.

Sources: "HTTP Semantics", RFC 9110, 2022; "HTTP/1.1", RFC 9112, 2022.
"""

import math
import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

MAX_LINE_BYTES: Final = 8192
"""Of the request line and of each other line, its end included."""
MAX_HEAD_BYTES: Final = 32768
"""Of all lines of a request together, those between the chunks of a body too."""
MAX_FIELDS: Final = 100
MAX_BODY_BYTES: Final = 65536

_TOKEN: Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_REQUEST_LINE: Final = re.compile(
    rf"({_TOKEN}) ([!-~]+) HTTP/([0-9])\.([0-9])\r\n".encode()
)  # method, target, version
_FIELD: Final = re.compile(rf"({_TOKEN}):([\t -~\x80-\xff]*)\r\n".encode())
_HOST_TEXT: Final = r"(?:[0-9A-Za-z._\-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?"
_HOST: Final = re.compile(_HOST_TEXT)
_TARGET: Final = re.compile(rf"(?:[Hh][Tt][Tt][Pp]://({_HOST_TEXT})(?=/))?(/[^?#]*)(?:\?([^#]*))?")
_LENGTH: Final = re.compile(r"[0-9]+")
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,8})(;[\t -~\x80-\xff]*)?\r\n")
_METHODS: Final = frozenset(
    ("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH")
)
_CRLF: Final = b"\r\n"
_CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"

_Steps: TypeAlias = Generator[None, None, bytes]
"""Reads something; stops wherever more bytes are needed."""


class Refusal(Exception):
    """What was asked is not done; `str` of it is one line for whoever asked."""

    def __init__(
        self,
        status: int,
        reason: str,
        fields: Mapping[str, str] | None = None,
        code: str = "",
        seconds: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.status: Final = status
        """The status code of the response, 400 to 599."""
        wait = {} if seconds is None else {"Retry-After": str(math.ceil(seconds))}
        self.fields: Final = {**(fields or {}), **wait}
        """Fields of the response, such as Retry-After."""
        self.seconds: Final = seconds
        """After which it may be asked again, None: that would not help."""
        self.code: Final = code
        """A word for programs, "" for that of the status."""


def _stays() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Request:
    """One whole request.  Texts are as they were sent: nothing is unescaped."""

    method: str
    path: str
    """Begins with "/"."""
    query: str
    """What stands behind "?"."""
    host: str
    """Whom it asks for: the authority of an absolute target, else the field; "" in HTTP/1.0."""
    fields: Mapping[str, str]
    """Lower-case names -> values; those of one name are joined by ", "."""
    body: bytes
    minor: int
    """Of the version HTTP/1.x.  0: reads no chunks, and one response a connection."""
    gone: Callable[[], bool] = _stays
    """Tells whether the client has closed its connection and waits for no response."""
    client: str = ""
    """IP address of whoever asks, as far as the server knows it."""

    @property
    def keep_alive(self) -> bool:
        """Whether another request may come on the same connection."""
        options = self.fields.get("connection", "").lower().split(",")
        return self.minor > 0 and "close" not in map(str.strip, options)


class RequestReader:
    """Cuts a stream of bytes into requests."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._finished = False
        self._due = b""
        self._head_bytes = 0
        self._reading = self._one_request()
        self.begun = False
        """Whether some bytes of a request have come, and not yet all of it."""
        self.over = False
        """Whether no request comes any more: the stream ended, or something was refused."""

    def feed(self, data: bytes) -> None:
        """Append bytes from the peer, cut anywhere."""
        self._data += data

    def finish(self) -> None:
        """Note the end of the stream."""
        self._finished = True

    def reply_due(self) -> bytes:
        """Return what the peer waits for before it sends a body; b"" if it does not, or twice."""
        due, self._due = self._due, b""
        return due

    def take_rest(self) -> bytes:
        """Return what has come behind the last request; no request is read any more."""
        self.over = True
        rest = bytes(self._data)
        self._data.clear()
        return rest

    def next_request(self) -> Request | None:
        """Take the next request; None if there is no whole one (yet), see `over`.

        Raises:
            Refusal: the bytes are no request, or too many.  Nothing can be read after them.
        """
        if self.over:
            return None
        try:
            next(self._reading)
        except StopIteration as done:
            request: Request | None = done.value
            self._reading = self._one_request()
            self.over = request is None
            self.begun = False
            return request
        except Refusal:
            self.over = True
            raise
        return None

    def _one_request(self) -> Generator[None, None, Request | None]:
        """Read a request; None is the end of the stream."""
        while not self._data:
            if self._finished:
                return None
            yield
        self.begun = True
        self._head_bytes = 0
        line = yield from self._line(414)
        found = _REQUEST_LINE.fullmatch(line)
        if found is None:
            raise Refusal(400, "no request line of HTTP/1.1")
        method, target = found[1].decode(), found[2].decode()
        if found[3] != b"1":
            raise Refusal(505, "only HTTP/1.1 and HTTP/1.0 are spoken here")
        if method not in _METHODS:
            raise Refusal(501, f"no method {method[:40]}")
        places = _TARGET.fullmatch(target)
        if places is None:
            raise Refusal(400, "the target is no path")
        minor = int(found[4])
        fields = yield from self._fields()
        host = _checked_host(fields.get("host"), minor)
        return Request(
            method=method,
            path=places[2],
            query=places[3] or "",
            host=places[1] or host,
            fields=fields,
            body=(yield from self._body(fields, minor)),
            minor=minor,
        )

    def _line(self, too_long: int) -> _Steps:
        """Read a line; its end belongs to it.  `too_long` is the status where it has none."""
        searched = 0
        while not (end := self._data.find(b"\n", searched, MAX_LINE_BYTES) + 1):
            if len(self._data) >= MAX_LINE_BYTES:
                raise Refusal(too_long, f"a line of more than {MAX_LINE_BYTES} bytes")
            searched = len(self._data)
            yield from self._more()
        line = bytes(self._data[:end])
        del self._data[:end]
        if not line.endswith(_CRLF):
            raise Refusal(400, "a line does not end with CR and LF")
        self._count(end)
        return line

    def _count(self, head_bytes: int) -> None:
        self._head_bytes += head_bytes
        if self._head_bytes > MAX_HEAD_BYTES:
            raise Refusal(431, f"a head of more than {MAX_HEAD_BYTES} bytes")

    def _more(self) -> Generator[None, None, None]:
        """Wait for more bytes."""
        if self._finished:
            raise Refusal(400, "the stream ends within a request")
        yield

    def _fields(self) -> Generator[None, None, dict[str, str]]:
        """Read fields up to the empty line behind them."""
        fields: dict[str, str] = {}
        count = 0
        while (line := (yield from self._line(431))) != _CRLF:
            found = _FIELD.fullmatch(line)
            if found is None:
                raise Refusal(400, "a line of the head is no field")
            count += 1
            if count > MAX_FIELDS:
                raise Refusal(431, f"more than {MAX_FIELDS} fields")
            name, value = found[1].decode().lower(), found[2].strip(b" \t").decode("latin-1")
            fields[name] = f"{fields[name]}, {value}" if name in fields else value
        return fields

    def _body(self, fields: Mapping[str, str], minor: int) -> _Steps:
        coding, length = fields.get("transfer-encoding"), fields.get("content-length")
        expected = fields.get("expect", "100-continue").lower()
        if coding is not None and (length is not None or not minor):
            raise Refusal(400, "it cannot be told where the body ends")
        if coding is not None and coding.lower() != "chunked":
            raise Refusal(501, "no other transfer coding than chunked")
        if length is not None and not _LENGTH.fullmatch(length):
            raise Refusal(400, "Content-Length is not one number")
        if expected != "100-continue":
            raise Refusal(417, "nothing but 100-continue can be expected")
        size = 0 if length is None else _size(length.lstrip("0"), 10)
        if (size or coding is not None) and "expect" in fields and minor and not self._data:
            self._due = _CONTINUE
        return (yield from self._bytes(size) if coding is None else self._chunks())

    def _bytes(self, size: int) -> _Steps:
        while len(self._data) < size:
            yield from self._more()
        body = bytes(self._data[:size])
        del self._data[:size]
        return body

    def _chunks(self) -> _Steps:
        body = bytearray()
        while True:
            line = yield from self._line(431)
            found = _CHUNK.fullmatch(line)
            if found is None:
                raise Refusal(400, "a chunk without its size")
            size = _size(found[1].decode(), 16, len(body))
            if not size:
                yield from self._fields()
                return bytes(body)
            body += yield from self._bytes(size)
            if (yield from self._bytes(len(_CRLF))) != _CRLF:
                raise Refusal(400, "a chunk is longer than its size")


def _checked_host(host: str | None, minor: int) -> str:
    if host is None:
        if minor:
            raise Refusal(400, "no field Host")
        return ""
    if not _HOST.fullmatch(host):
        raise Refusal(400, "the field Host is not one host")
    return host


def _size(digits: str, base: int, before: int = 0) -> int:
    """Return a number of bytes that a body may have behind some others."""
    size = int(digits or "0", base) if len(digits) < 10 else MAX_BODY_BYTES + 1
    if before + size > MAX_BODY_BYTES:
        raise Refusal(413, f"a body of more than {MAX_BODY_BYTES} bytes")
    return size
