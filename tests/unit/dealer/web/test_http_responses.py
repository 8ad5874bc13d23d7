"""Responses as bytes."""

import pytest

from dealer.web.http_requests import Refusal, RequestReader
from dealer.web.http_responses import (
    OutgoingResponse,
    Response,
    json_response_to,
    response_to,
    switching,
)


def asked(line):
    """The request of one line."""
    reader = RequestReader()
    reader.feed(f"{line}\r\nHost: a\r\n\r\n".encode())
    return reader.next_request()


async def made():
    """A body that is made on the way."""
    yield b""


def fields(outgoing):
    """The lines of a head, without the first."""
    return outgoing.start.partition(b"\r\n\r\n")[0].decode().split("\r\n")[1:]


def test_a_known_body_is_sent_with_its_length():
    """In one piece with its head; fields of the server and of the response."""
    outgoing = OutgoingResponse(
        Response(b"abc", "text/css", fields={"Allow": "GET"}),
        asked("GET / HTTP/1.1"),
        {"Date": "now"},
    )
    assert outgoing.start == (
        b"HTTP/1.1 200 OK\r\nDate: now\r\nAllow: GET\r\nContent-Type: text/css\r\n"
        b"Content-Length: 3\r\n\r\nabc"
    )
    assert (outgoing.keep_alive, outgoing.streamed) == (True, False)


def test_a_body_that_is_made_goes_in_chunks():
    """An empty piece is none, it would be the last one; for old clients the connection ends."""
    old = OutgoingResponse(Response(made()), asked("GET / HTTP/1.0"), {})
    assert fields(old) == ["Content-Type: text/plain; charset=utf-8", "Connection: close"]
    assert (old.piece(b"abc"), old.end, old.keep_alive) == (b"abc", b"", False)
    outgoing = OutgoingResponse(Response(made()), asked("GET / HTTP/1.1"), {})
    assert "Transfer-Encoding: chunked" in fields(outgoing)
    assert outgoing.streamed
    assert outgoing.piece(b"x" * 17) == b"11\r\n" + b"x" * 17 + b"\r\n"
    assert outgoing.piece(b"") == b""
    assert outgoing.end == b"0\r\n\r\n"


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_head_gets_the_head_of_get(version):
    """And no byte more, known body or not."""
    for response in (Response(b"abc"), Response(made())):
        got = OutgoingResponse(response, asked(f"GET / HTTP/{version}"), {})
        head = OutgoingResponse(response, asked(f"HEAD / HTTP/{version}"), {})
        assert head.start == got.start.removesuffix(b"abc")
        assert not head.streamed


def test_who_cannot_be_understood_is_told_and_left():
    """In one line, as far as names are text."""
    assert response_to(Refusal(404, "g\udcff.game")).body == b"g?.game\n"
    outgoing = OutgoingResponse(response_to(Refusal(431, "too much")), None, {})
    assert outgoing.start.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n")
    assert outgoing.start.endswith(b"\r\n\r\ntoo much\n")
    assert "Connection: close" in fields(outgoing)


def test_a_response_without_content_says_nothing_of_it():
    """Neither length nor type."""
    outgoing = OutgoingResponse(Response(status=204), asked("GET / HTTP/1.1"), {})
    assert outgoing.start == b"HTTP/1.1 204 No Content\r\n\r\n"


def test_a_refusal_may_have_fields():
    """They come with the response, which is a line of text or a document."""
    refusal = Refusal(429, "too many", {"Retry-After": "7"})
    for response in (response_to(refusal), json_response_to(refusal)):
        outgoing = OutgoingResponse(response, asked("GET / HTTP/1.1"), {})
        assert "Retry-After: 7" in fields(outgoing)
    assert outgoing.start.endswith(b'{"error": "too_many_requests", "message": "too many"}')


def test_a_refusal_may_have_a_word_of_its_own():
    """In the place of that of its status."""
    refusal = Refusal(409, "bot is away", code="away")
    assert json_response_to(refusal).body == b'{"error": "away", "message": "bot is away"}'


def test_another_protocol_begins_behind_the_head():
    """It has no body, and nothing says that the connection will be closed."""
    words = "GET / HTTP/1.1\r\nConnection: close, UPGRADE\r\nUpgrade: y, X"
    outgoing = OutgoingResponse(switching(asked(words), "x", print), asked(words), {})
    assert outgoing.switches
    assert outgoing.start == (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"
    )
