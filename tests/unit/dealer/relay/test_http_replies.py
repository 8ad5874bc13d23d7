"""Responses and events out of bytes, however these are cut, and whatever is wrong with them."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.relay.http_replies import (
    EventReader,
    ReplyError,
    ReplyReader,
    ServerEvent,
    format_request,
)
from dealer.web.http_requests import RequestReader
from dealer.web.http_responses import OutgoingResponse, Response
from tests.helpers.http_bytes import cuts


def read(pieces):
    """Status, fields and body of a stream of bytes that ends."""
    reader, head, body = ReplyReader(), None, b""
    for piece in (*filter(None, pieces), b""):
        reader.feed(piece)
        head = head or reader.read_head()
        if head is not None:
            body += reader.read_body()
    assert reader.over
    return head, body


async def made():
    """A body that is made on the way."""
    yield b""


@st.composite
def responses(draw):
    """A body, and bytes with it as our server sends them."""
    body = draw(st.binary(max_size=60))
    way = draw(st.sampled_from(["length", "chunks", "end"]))
    request = RequestReader()
    version = "1.0" if way == "end" else "1.1"
    request.feed(f"GET / HTTP/{version}\r\nHost: a\r\n\r\n".encode())
    response = Response(body if way == "length" else made(), status=200)
    outgoing = OutgoingResponse(response, request.next_request(), {"X-Name": "value"})
    data = outgoing.start
    if way != "length":
        rest = body
        while rest:
            size = draw(st.integers(1, len(rest)))
            data, rest = data + outgoing.piece(rest[:size]), rest[size:]
        data += outgoing.end
    early = draw(st.sampled_from([b"", b"HTTP/1.1 100 Continue\r\n\r\n"]))
    return body, early + data


@given(st.data())
def test_what_our_server_sends_is_read(data):
    """With a length, in chunks and up to the end of the stream, cut anywhere."""
    body, sent = data.draw(responses())
    head, got = read(data.draw(cuts(sent)))
    assert (head.status, head.fields["x-name"], got) == (200, "value", body)


@given(st.data())
def test_a_response_that_stops_short_is_an_error(data):
    """It is never taken for a shorter one, where its end is known."""
    body, sent = data.draw(responses().filter(lambda one: b"HTTP/1.0" not in one[1]))
    if b"Content-Length" not in sent and b"chunked" not in sent:
        return
    whole = len(sent) - 2 * (b"chunked" in sent)  # its last empty line is not of the body
    end = data.draw(st.integers(0, whole - 1))
    with pytest.raises(ReplyError):
        read([sent[:end]])
    assert read([sent])[1] == body


@given(st.binary(max_size=300), st.booleans())
def test_garbage_is_an_error_and_nothing_else(noise, begun):
    """Also behind a head."""
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" if begun else b""
    with contextlib.suppress(ReplyError):
        assert read([head + noise])[0].status < 600


@pytest.mark.parametrize(
    "sent",
    [
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno field\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9" + b"9" * 40 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 9000,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"0" * 2000,
        b"",
    ],
)
def test_what_is_no_response_is_told(sent):
    """Before the stream ends, where that can be."""
    with pytest.raises(ReplyError):
        read([sent])


def test_a_switch_leaves_what_follows():
    """It is of the other protocol."""
    reader = ReplyReader()
    reader.feed(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: acpc\r\n\r\nMATCHSTATE:0")
    assert reader.read_head().status == 101
    assert reader.over
    assert reader.take_rest() == b"MATCHSTATE:0"


def test_a_request_is_read_by_our_server():
    """As it was meant."""
    body = json.dumps({"a": 1}).encode()
    reader = RequestReader()
    reader.feed(format_request("POST", "/api/x?y=1", {"Host": "a", "Connection": "close"}, body))
    request = reader.next_request()
    assert (request.method, request.path, request.query) == ("POST", "/api/x", "y=1")
    assert (request.body, request.fields["content-type"]) == (body, "application/json")
    assert not request.keep_alive


@pytest.mark.parametrize("value", ["two\r\nlines", "caf\xe9", "\0"])
def test_a_request_of_other_bytes_is_not_made(value):
    """Nobody can put a field of his own in."""
    with pytest.raises(ValueError, match="printable ASCII"):
        format_request("GET", "/", {"Host": "a", "Authorization": value}, b"")


STREAM = b"""\
: a comment

event: seat
data: {"seat": "k"}

id: 7
data: one
data:two

retry: 5

event: empty

"""
EVENTS = [ServerEvent("seat", '{"seat": "k"}'), ServerEvent("message", "one\ntwo")]


@given(st.data(), st.booleans())
def test_events_are_read(data, crlf):
    """However the bytes are cut, whichever line ends they have."""
    stream = STREAM.replace(b"\n", b"\r\n") if crlf else STREAM
    reader = EventReader()
    found = [event for piece in data.draw(cuts(stream)) for event in reader.read(piece)]
    assert found == EVENTS


def test_an_event_without_an_end_is_an_error():
    """It would fill the memory."""
    reader = EventReader()
    assert list(reader.read(b"data: " + b"x" * 250_000 + b"\n")) == []
    with pytest.raises(ReplyError):
        list(reader.read(b"data: " + b"x" * 50_000 + b"\n"))
