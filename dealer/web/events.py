"""Server-sent events as text: what a browser's EventSource reads from a response that goes on.

    id: 4711            the reader says it when it comes back (Last-Event-ID)
    event: lines        what kind it is
    data: one line      of the text, as many as it has
                        an empty line ends the event
    :                   a comment, so that nobody takes the connection for dead

Pure.  Source: "HTML: Server-sent events", WHATWG Living Standard, 2025.
"""

from typing import Final

from dealer.web.http_requests import Request

EVENT_STREAM: Final = "text/event-stream"
"""The content type."""
KEEP_ALIVE: Final = b":\n\n"
"""A comment."""
FORGET: Final = b"id: 0\n\n"
"""No event, but the reader comes back as one who has seen nothing."""
_MOST_DIGITS: Final = 15


def format_event(kind: str, data: bytes, number: int) -> bytes:
    """Return an event as it is sent.

    Args:
        kind: a word.
        data: lines of UTF-8.  Line ends are LF or CRLF and the last one is left out; any other
            CR, which would end a line here, becomes U+FFFD.
        number: 0 or more; the reader comes back with it.
    """
    text = data.removesuffix(b"\n").replace(b"\r\n", b"\n").removesuffix(b"\r")
    lines = text.replace(b"\r", "\N{REPLACEMENT CHARACTER}".encode()).replace(b"\n", b"\ndata: ")
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (number, kind.encode("ascii"), lines)


def last_event(request: Request) -> int | None:
    """Return the number of the last event that a reader who comes back has seen; None: another."""
    text = request.fields.get("last-event-id", "")
    known = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if known else None
