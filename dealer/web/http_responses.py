"""Responses as bytes: heads, whole bodies, and bodies in chunks.  Pure, as `http_requests` is.

A body that is known is sent with its length.  One that is made while it is sent goes in chunks, or,
to a peer of HTTP/1.0, up to the end of the connection.

Sources: "HTTP Semantics", RFC 9110, 2022; "HTTP/1.1", RFC 9112, 2022.
"""

import json
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import starmap
from typing import Any, Final, TypeAlias

from dealer.web.http_requests import Refusal, Request

TEXT: Final = "text/plain; charset=utf-8"
JSON: Final = "application/json"
_LAST_CHUNK: Final = b"0\r\n\r\n"
_SWITCHING: Final = HTTPStatus.SWITCHING_PROTOCOLS
_BODILESS: Final = (_SWITCHING, HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)
_NAME: Final = re.compile(r"[0-9A-Za-z-]+")
_VALUE: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?")

Takeover: TypeAlias = Callable[[Any, bytes], None]
"""Takes a connection over: a plain socket that does not block, which it has to close, and the bytes
that came behind the request."""


@dataclass(frozen=True, slots=True)
class Response:
    """What a request is answered with."""

    body: bytes | AsyncGenerator[bytes, None] = b""
    """All of it, or what makes its pieces while they are sent."""
    content_type: str = TEXT
    status: int = 200
    fields: Mapping[str, str] = field(default_factory=dict)
    """Beside those of the body and of the connection."""
    close: Callable[[], None] = lambda: None
    """Is called when the response has been sent, or cannot be."""
    takeover: Takeover | None = None
    """Of status 101: who has the connection from then on, see `switching`."""


def response_to(refusal: Refusal) -> Response:
    """Return the response that tells what a request is refused for."""
    text = f"{refusal}\n".encode("utf-8", "replace")
    return Response(text, status=refusal.status, fields=refusal.fields)


def json_response_to(refusal: Refusal) -> Response:
    """Return the same for programs: {"error": a word, "message": one line}.

    Where waiting helps it has "seconds", as Retry-After.
    """
    phrase = HTTPStatus(refusal.status).phrase
    error = refusal.code or re.sub("[^a-z]+", "_", phrase.lower())
    document: dict[str, Any] = {"error": error, "message": str(refusal)}
    if refusal.seconds is not None:
        document["seconds"] = round(refusal.seconds, 3)
    body = json.dumps(document).encode()
    return Response(body, JSON, refusal.status, refusal.fields)


def switching(request: Request, protocol: str, takeover: Takeover) -> Response:
    """Return the response after which a connection speaks another protocol (RFC 9110, 7.8).

    Raises:
        Refusal: the request does not ask for that protocol (426).
    """
    upgrade = {"Upgrade": protocol}
    if not (request.minor and "upgrade" in _words(request, "connection")):
        raise Refusal(426, f"want the fields Connection: Upgrade and Upgrade: {protocol}", upgrade)
    if protocol not in _words(request, "upgrade") or request.body:
        raise Refusal(426, f"want Upgrade: {protocol}, and no body", upgrade)
    fields = {**upgrade, "Connection": "Upgrade"}
    return Response(status=_SWITCHING, fields=fields, takeover=takeover)


def _words(request: Request, field: str) -> list[str]:
    """Return the words of a field that is a list, in small letters."""
    return [word.strip().lower() for word in request.fields.get(field, "").split(",")]


class OutgoingResponse:
    """One response on its way: `start`, then, where `streamed`, `piece` of each piece and `end`."""

    def __init__(
        self, response: Response, request: Request | None, fields: Mapping[str, str]
    ) -> None:
        """Make the head.

        Args:
            response: what to send.
            request: the one that is answered; None where it could not be read.
            fields: of every response of a server.

        Raises:
            ValueError: a field would not be one line of ASCII.
        """
        body = response.body
        made = not isinstance(body, bytes)
        chunks = request is not None and request.minor > 0
        wanted = request is None or request.method != "HEAD"
        self.switches: Final = response.status == _SWITCHING
        """Whether the connection speaks another protocol from then on."""
        self.keep_alive: Final = request is not None and request.keep_alive
        """Whether the connection stays open for another request."""
        self.streamed: Final = made and wanted
        """Whether pieces of the body are to follow."""
        self._chunked = self.streamed and chunks
        lines = {**fields, **response.fields}
        if response.status not in _BODILESS:
            lines["Content-Type"] = response.content_type
            if isinstance(body, bytes):
                lines["Content-Length"] = str(len(body))
            elif chunks:
                lines["Transfer-Encoding"] = "chunked"
        if not (self.keep_alive or self.switches):
            lines["Connection"] = "close"
        phrase = HTTPStatus(response.status).phrase
        head = [f"HTTP/1.1 {response.status} {phrase}", *starmap(_line, lines.items()), "", ""]
        self.start: Final = "\r\n".join(head).encode("ascii") + (
            body if isinstance(body, bytes) and wanted else b""
        )
        """The head, and the body where it is known."""

    def piece(self, data: bytes) -> bytes:
        """Return the next bytes of a streamed body as they are sent."""
        return b"%x\r\n%b\r\n" % (len(data), data) if self._chunked and data else data

    @property
    def end(self) -> bytes:
        """What is sent behind the last piece."""
        return _LAST_CHUNK if self._chunked else b""


def _line(name: str, value: str) -> str:
    if not (_NAME.fullmatch(name) and _VALUE.fullmatch(value)):
        raise ValueError(f"no field of a response: {name!r}: {value!r}")
    return f"{name}: {value}"
