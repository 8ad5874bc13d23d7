"""HTTP as h11 reads and writes it, in any bytes and however they are cut."""

import h11
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.web.events import format_event
from dealer.web.http_requests import Refusal, RequestReader
from dealer.web.http_responses import OutgoingResponse, Response
from tests.helpers.http_bytes import HOST, TOKENS, cuts, damaged, joined, read_by_h11, requests


def read(pieces):
    """Return the requests in the pieces of a stream, and the refusal at its end if there is one."""
    reader = RequestReader()
    found = []
    for piece in [*pieces, None]:
        if piece is None:
            reader.finish()
        else:
            reader.feed(piece)
        try:
            while (request := reader.next_request()) is not None:
                found.append(request)
        except Refusal as refusal:
            return found, refusal
    assert reader.over
    return found, None


def as_h11(request):
    """A request as `read_by_h11` has it, fields joined."""
    query = f"?{request.query}" if request.query else ""
    return request.method, request.path + query, dict(request.fields), request.body


@given(st.data(), st.lists(requests(), max_size=4))
def test_requests_are_read_however_they_are_cut(data, wanted):
    """Several on one connection, each with all that was sent; as h11 reads them."""
    stream = b"".join(one[-1] for one in wanted)
    found, refusal = read(data.draw(cuts(stream)))
    assert refusal is None
    assert [as_h11(one) for one in found] == [
        (method, target.removesuffix("?"), joined(fields), body)
        for method, target, fields, body, _ in wanted
    ]
    assert [one[:2] for one in read_by_h11(stream)] == [one[:2] for one in wanted]


@given(st.data())
def test_what_is_taken_is_read_by_h11_in_the_same_way(data):
    """Of damaged streams, too: no bytes are one request here and another one elsewhere."""
    stream = data.draw(damaged())
    found, _ = read(data.draw(cuts(stream)))
    others = read_by_h11(stream)
    for ours, (method, target, fields, body) in zip(found, others, strict=False):
        fields = joined(fields)
        if "content-length" in fields:
            fields["content-length"] = ours.fields["content-length"]
        if "transfer-encoding" in fields:
            fields["transfer-encoding"] = ours.fields["transfer-encoding"]
        assert as_h11(ours) == (method, target.removesuffix("?"), fields, body)
    if len(found) > len(others):  # h11 ends with the connection
        assert others
        assert not found[len(others) - 1].keep_alive


@given(st.data(), st.binary(max_size=300))
def test_any_bytes_are_requests_or_refused(data, stream):
    """Nothing else is raised; the same comes out however they are cut."""
    stream = data.draw(st.sampled_from([stream, data.draw(damaged())]))
    whole, refusal = read([stream])
    found, other = read(data.draw(cuts(stream)))
    assert found == whole
    assert getattr(refusal, "status", None) == getattr(other, "status", None)


@given(
    st.sampled_from(["GET", "HEAD"]),
    st.sampled_from([200, 204, 303, 304, 404, 413]),
    st.dictionaries(st.text("azAZ09-", min_size=1), st.text('!az,;=" ').map(lambda v: f"x{v}x")),
    st.lists(st.binary(max_size=50), max_size=4),
    st.booleans(),
)
def test_responses_are_read_by_h11(method, status, fields, pieces, made):
    """Heads and bodies, known before or made on the way."""
    reader = RequestReader()
    reader.feed(f"{method} / HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())

    async def body():
        yield b""

    bodiless = status in (204, 304)
    pieces = [] if bodiless else pieces
    response = Response(
        body() if made and not bodiless else b"".join(pieces), status=status, fields=fields
    )
    outgoing = OutgoingResponse(response, reader.next_request(), {})
    stream = outgoing.start
    if outgoing.streamed:
        stream += b"".join(map(outgoing.piece, pieces)) + outgoing.end
    client = h11.Connection(h11.CLIENT)
    client.send(h11.Request(method=method, target="/", headers=[("Host", HOST)]))
    client.send(h11.EndOfMessage())
    client.receive_data(stream)
    head = client.next_event()
    assert head.status_code == status
    told = joined((name.decode(), value.decode()) for name, value in head.headers)
    assert told.items() >= joined((name.lower(), value) for name, value in fields.items()).items()
    received = b""
    while isinstance(part := client.next_event(), h11.Data):
        received += part.data
    assert isinstance(part, h11.EndOfMessage)
    assert received == (b"" if method == "HEAD" else b"".join(pieces))
    client.start_next_cycle()
    assert client.trailing_data == (b"", False)


@given(TOKENS, st.sampled_from(["\r", "\n", "\r\nX: y", "\0", "\xe9", ""]))
def test_a_field_that_is_not_one_line_is_never_sent(name, value):
    """So no log's name or client's word can put another field into a response."""
    with pytest.raises(ValueError):
        OutgoingResponse(Response(fields={name: f"a{value}" if value else ""}), None, {})


def browser_reads(stream):
    """Return (id, event, data) of events, as browsers do: a line ends with CR, LF or both."""
    lines = stream.decode().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found, event = [], {"data": []}
    for line in lines:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line and event["data"]:
            found.append((event.get("id"), event.get("event"), "\n".join(event["data"])))
        if not line:
            event = {"data": []}
        elif name == "data":
            event["data"].append(value)
        else:
            event[name] = value
    return found


@given(st.lists(st.text("aé: \rSTATE", max_size=10), min_size=1, max_size=4), st.booleans())
def test_events_hold_the_lines_that_were_put_in(lines, crlf):
    """Whatever stands in them they are as many lines, in one event."""
    lines = [line.rstrip("\r") for line in lines]
    data = "".join(line + ("\r\n" if crlf else "\n") for line in lines).encode()
    stream = format_event("lines", data, 17)
    shown = "\n".join(line.replace("\r", "\ufffd") for line in lines)
    assert browser_reads(stream) == [("17", "lines", shown)]
