"""Made-up HTTP requests as bytes, right ones and damaged ones; and what h11 reads in bytes."""

import h11
from hypothesis import strategies as st

HOST = "127.0.0.1:8000"
TOKENS = st.text("!#$%&'*+-.^_`|~09AZaz", min_size=1, max_size=8)
VALUES = st.text('!az,;=" \t\xe9', max_size=12).map(lambda text: text.strip(" \t"))
TARGETS = st.text("/.%az09-_~:@&=+$,;", max_size=12).map(lambda text: f"/{text}")
OWN = {"host", "connection", "content-length", "transfer-encoding", "expect", "upgrade", "te"}
"""Names of fields that mean something to one of the two readers."""
DAMAGE = (
    b"\r\n",
    b"\n",
    b"\r",
    b" ",
    b"\t",
    b"\0",
    b":",
    b",",
    b"0",
    b"5\r\n",
    b"chunked",
    b"\xff",
)


@st.composite
def requests(draw):
    """One request: (method, target, fields, body, its bytes)."""
    method = draw(st.sampled_from(["GET", "HEAD", "POST", "PUT", "DELETE"]))
    target = draw(TARGETS) + draw(st.sampled_from(["", "?", "?from=17"]))
    fields = [
        (name, value)
        for name, value in draw(st.lists(st.tuples(TOKENS, VALUES), max_size=4))
        if name.lower() not in OWN
    ]
    body = draw(st.binary(max_size=40))
    framing = draw(st.sampled_from(["none", "length", "chunks"]))
    fields.append(("Host", HOST))
    lines = b""
    if framing == "none":
        body = b""
    elif framing == "length":
        fields.append(("Content-Length", str(len(body))))
        lines = body
    else:
        fields.append(("Transfer-Encoding", draw(st.sampled_from(["chunked", "Chunked"]))))
        lines = draw(chunked(body))
    fields = draw(st.permutations(fields))
    space = draw(st.sampled_from(["", " ", " \t "]))
    head = [f"{method} {target} HTTP/1.1", *(f"{name}:{space}{value}" for name, value in fields)]
    data = "".join(f"{line}\r\n" for line in [*head, ""]).encode("latin-1") + lines
    return method, target, [(name.lower(), value) for name, value in fields], body, data


@st.composite
def chunked(draw, body):
    """A body in chunks of any sizes, with extensions and trailers here and there."""
    pieces = []
    while body:
        size = draw(st.integers(1, len(body)))
        extension = draw(st.sampled_from([b"", b";x", b";name=value"]))
        pieces.append(b"%x%b\r\n%b\r\n" % (size, extension, body[:size]))
        body = body[size:]
    trailer = draw(st.sampled_from([b"", b"X: y\r\n"]))
    return b"".join([*pieces, b"0\r\n", trailer, b"\r\n"])


@st.composite
def cuts(draw, data):
    """Bytes as the pieces of a stream."""
    places = sorted(draw(st.sets(st.integers(0, len(data)), max_size=12)))
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]


@st.composite
def damaged(draw):
    """Some requests one after the other, with bytes put in, taken out and doubled."""
    data = b"".join(one[-1] for one in draw(st.lists(requests(), min_size=1, max_size=3)))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 6)))
        kept = data[start:end] * draw(st.integers(0, 2))
        data = data[:start] + draw(st.sampled_from([b"", *DAMAGE])) + kept + data[end:]
    return data


def read_by_h11(data):
    """Return what h11 reads in a whole stream up to its first error: as `requests` has it."""
    found = []
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    connection.receive_data(b"")
    try:
        while isinstance(event := connection.next_event(), h11.Request):
            body = b""
            while not isinstance(part := connection.next_event(), h11.EndOfMessage):
                body += part.data
            fields = [(name.decode(), value.decode("latin-1")) for name, value in event.headers]
            found.append((event.method.decode(), event.target.decode(), fields, body))
            connection.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
            connection.send(h11.EndOfMessage())
            if connection.our_state is not h11.DONE:
                break
            connection.start_next_cycle()
    except h11.RemoteProtocolError:
        pass
    return found


def joined(fields):
    """Fields as `Request` has them: those of one name together."""
    found = {}
    for name, value in fields:
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found
