"""Requests out of bytes: what is taken, and what is refused with which status."""

import pytest

from dealer.web.http_requests import (
    MAX_BODY_BYTES,
    MAX_FIELDS,
    MAX_HEAD_BYTES,
    MAX_LINE_BYTES,
    Refusal,
    Request,
    RequestReader,
)

HOST = b"Host: 127.0.0.1:8000\r\n"
GET = b"GET / HTTP/1.1\r\n" + HOST
POST = b"POST / HTTP/1.1\r\n" + HOST


def reading(data):
    """A reader that was given some bytes."""
    reader = RequestReader()
    reader.feed(data)
    return reader


def test_a_request_is_told_as_it_was_sent():
    """Names in small letters, values without blanks, nothing unescaped; or the target says it."""
    absolute = reading(b"GET HTTP://other:1/a HTTP/1.1\r\n" + HOST + b"\r\n").next_request()
    assert (absolute.host, absolute.path) == ("other:1", "/a")
    request = reading(b"GET /a%2fb?c=%20d HTTP/1.1\r\n" + HOST + b"X-Y: \t1 \r\nx-y:2\r\n\r\n")
    fields = {"host": "127.0.0.1:8000", "x-y": "1, 2"}
    assert request.next_request() == Request(
        "GET", "/a%2fb", "c=%20d", "127.0.0.1:8000", fields, b"", 1
    )


def test_requests_may_follow_without_waiting():
    """Each is taken in turn."""
    reader = reading(GET + b"\r\n" + POST + b"Content-Length: 3\r\n\r\nabc" + GET + b"\r\n")
    reader.finish()
    taken = [reader.next_request() for _ in range(4)]
    assert [one and (one.method, one.body) for one in taken] == [
        *(("GET", b""), ("POST", b"abc"), ("GET", b"")),
        None,
    ]
    assert reader.over


def test_the_reader_knows_whether_a_request_has_begun():
    """From its first byte to its last."""
    reader = RequestReader()
    said = []
    for byte in (POST + b"Content-Length: 1\r\n\r\n!").decode():
        reader.feed(byte.encode())
        said.append((reader.next_request() is None, reader.begun))
    assert set(said[:-1]) == {(True, True)}
    assert said[-1] == (False, False)
    assert not reader.over


def test_a_body_comes_in_chunks():
    """Extensions and trailers mean nothing."""
    lines = (
        b"Transfer-Encoding: CHUNKED\r\n\r\n3;x=y\r\nabc\r\n0A\r\n0123456789\r\n0\r\nX: y\r\n\r\n"
    )
    request = reading(POST + lines).next_request()
    assert request.body == b"abc0123456789"
    assert "x" not in request.fields


@pytest.mark.parametrize("body", [b"Content-Length: 3", b"Transfer-Encoding: chunked"])
def test_who_waits_for_a_word_gets_it_once(body):
    """Before a body, unless that has begun to come or there is none."""
    reader = reading(GET + b"Expect: 100-continue\r\n\r\n")
    assert (reader.next_request() is None, reader.reply_due()) == (False, b"")
    head = POST + b"Expect: 100-Continue\r\n" + body + b"\r\n\r\n"
    reader = reading(head)
    assert reader.next_request() is None
    assert [reader.reply_due() for _ in range(2)] == [b"HTTP/1.1 100 Continue\r\n\r\n", b""]
    reader = reading(head + b"1")
    assert reader.next_request() is None
    assert reader.reply_due() == b""


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (b"HTTP/1.1\r\n" + HOST, True),
        (b"HTTP/1.2\r\n" + HOST, True),
        (b"HTTP/1.1\r\nConnection: x, Close\r\n" + HOST, False),
        (b"HTTP/1.1\r\nConnection: closed\r\n" + HOST, True),
        (b"HTTP/1.0\r\n", False),
        (b"HTTP/1.0\r\nConnection: keep-alive\r\n", False),
    ],
)
def test_a_connection_is_kept_but_for_old_versions_and_on_demand(lines, kept):
    """Which of them read chunks goes by the version alone."""
    assert reading(b"GET / " + lines + b"\r\n").next_request().keep_alive is kept


REFUSED = [
    (400, b"\r\n"),
    (400, b"GET / HTTP/1.1\n" + HOST + b"\r\n"),
    (400, b"GET / HTTP/1.1\r\r\n" + HOST + b"\r\n"),
    (400, b"GET  / HTTP/1.1\r\n" + HOST + b"\r\n"),
    (400, b"GET /\xff HTTP/1.1\r\n" + HOST + b"\r\n"),
    (400, b"GET /#x HTTP/1.1\r\n" + HOST + b"\r\n"),
    (400, b"GET x HTTP/1.1\r\n" + HOST + b"\r\n"),
    (400, b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n"),
    (400, b"GET http://u@a/ HTTP/1.1\r\n" + HOST + b"\r\n"),
    (400, b"GET / http/1.1\r\n" + HOST + b"\r\n"),
    (501, b"get / HTTP/1.1\r\n" + HOST + b"\r\n"),
    (505, b"GET / HTTP/2.0\r\n" + HOST + b"\r\n"),
    (400, b"GET / HTTP/1.1\r\n\r\n"),
    (400, GET + b"Host: b\r\n\r\n"),
    (400, b"GET / HTTP/1.1\r\nHost:\r\n\r\n"),
    (400, b"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
    (400, b"GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"),
    (400, GET + b"X : y\r\n\r\n"),
    (400, GET + b"X: y\r\n z\r\n\r\n"),
    (400, GET + b": y\r\n\r\n"),
    (400, GET + b"X\r\n\r\n"),
    (400, GET + b"X: a\0b\r\n\r\n"),
    (400, GET + b"X: a\rb\r\n\r\n"),
    (400, POST + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    (400, POST + b"Content-Length: 1\r\nContent-Length: 1\r\n\r\na"),
    (400, POST + b"Content-Length: +1\r\n\r\na"),
    (400, POST + b"Content-Length: 0x1\r\n\r\na"),
    (400, POST + b"Content-Length: \xb2\r\n\r\n"),
    (400, POST + b"Content-Length:\r\n\r\n"),
    (400, b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    (501, POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    (501, POST + b"Transfer-Encoding:\r\n\r\n"),
    (417, GET + b"Expect: tea\r\n\r\n"),
]


@pytest.mark.parametrize(("status", "data"), REFUSED)
def test_what_could_be_read_in_two_ways_is_refused(status, data):
    """And nothing behind it is read."""
    reader = reading(data + GET + b"\r\n")
    with pytest.raises(Refusal) as refusal:
        reader.next_request()
    assert refusal.value.status == status
    assert "\n" not in str(refusal.value)
    assert reader.next_request() is None
    assert reader.over


CHUNKS = [
    (400, b"\r\n"),
    (400, b"g\r\n"),
    (400, b"0x1\r\na\r\n"),
    (400, b"1;\0\r\na\r\n"),
    (400, b"1\r\nab\r\n0\r\n\r\n"),
    (400, b"1\r\na\n0\r\n\r\n"),
    (400, b"123456789\r\n"),
    (413, b"10001\r\n"),
    (413, b"1\r\na\r\n10000\r\n"),
    (400, b"0\r\nX\r\n\r\n"),
    (431, b"1;" + bytes([120]) * MAX_LINE_BYTES),
    (431, (b"1;" + b"x" * 4000 + b"\r\na\r\n") * 9),
]


@pytest.mark.parametrize(("status", "data"), CHUNKS)
def test_chunks_have_one_reading(status, data):
    """Sizes are bare hexadecimal digits, and what they say is what comes."""
    with pytest.raises(Refusal) as refusal:
        reading(POST + b"Transfer-Encoding: chunked\r\n\r\n" + data).next_request()
    assert refusal.value.status == status


def field_of(size):
    """A line of so many bytes."""
    return b"X: " + b"y" * (size - 5) + b"\r\n"


def of_lines(total):
    """A request whose head has so many bytes."""
    rest = total - len(GET) - 2
    lines = [field_of(MAX_LINE_BYTES)] * (rest // MAX_LINE_BYTES)
    return b"".join([GET, *lines, field_of(rest % MAX_LINE_BYTES), b"\r\n"])


@pytest.mark.parametrize(
    ("status", "most", "more"),
    [
        (
            414,
            b"GET /" + b"x" * (MAX_LINE_BYTES - 16) + b" HTTP/1.1\r\n" + HOST + b"\r\n",
            b"GET /" + b"x" * (MAX_LINE_BYTES - 15) + b" HTTP/1.1\r\n",
        ),
        (431, GET + field_of(MAX_LINE_BYTES) + b"\r\n", GET + field_of(MAX_LINE_BYTES + 1)),
        (431, of_lines(MAX_HEAD_BYTES), of_lines(MAX_HEAD_BYTES + 1)),
        (431, GET + b"X: y\r\n" * (MAX_FIELDS - 1) + b"\r\n", GET + b"X: y\r\n" * MAX_FIELDS),
        (
            413,
            POST + b"Content-Length: %d\r\n\r\n" % MAX_BODY_BYTES + bytes(MAX_BODY_BYTES),
            POST + b"Content-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1),
        ),
        (
            413,
            POST + b"Content-Length: 00000000000000000001\r\n\r\na",
            POST + b"Content-Length: 1" + b"0" * 5000 + b"\r\n\r\n",
        ),
    ],
    ids=["request line", "field", "head", "fields", "body", "long number"],
)
def test_limits_are_kept_to_the_byte(status, most, more):
    """One more is refused, before more of it is wanted."""
    assert reading(most).next_request() is not None
    with pytest.raises(Refusal) as refusal:
        reading(more).next_request()
    assert refusal.value.status == status


@pytest.mark.parametrize("length", [MAX_LINE_BYTES, 10 * MAX_LINE_BYTES])
@pytest.mark.parametrize(("status", "before"), [(414, b""), (431, GET)])
def test_a_line_without_an_end_is_not_waited_for(status, before, length):
    """As soon as it is too long."""
    reader = reading(before + b"x" * (MAX_LINE_BYTES - 1))
    assert reader.next_request() is None
    reader.feed(b"x" * (length - MAX_LINE_BYTES + 1))
    with pytest.raises(Refusal) as refusal:
        reader.next_request()
    assert refusal.value.status == status


@pytest.mark.parametrize("cut", [1, 15, 20, len(POST) + 5, len(POST) + 25])
def test_a_stream_that_ends_within_a_request_is_told(cut):
    """In its line, its fields or its body."""
    reader = reading((POST + b"Content-Length: 9\r\n\r\n12345")[:cut])
    reader.finish()
    with pytest.raises(Refusal) as refusal:
        reader.next_request()
    assert refusal.value.status == 400


def test_many_small_chunks_take_no_long_time():
    """Reading goes by the bytes that come, not by those that wait."""
    chunks = b"1\r\na\r\n" * 10_000
    reader = reading(POST + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n")
    assert reader.next_request().body == b"a" * 10_000
