"""Bytes from a peer: any cutting gives the same, and no bytes do harm."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.agent_end import AgentEnd
from protocol.betting import parse_betting
from protocol.cards import parse_card, parse_cards
from protocol.dealer_end import DealerEnd, DealerState
from protocol.errors import ProtocolError
from protocol.events import CommentLine, EndOfStream, OtherLine, Reply, VersionLine
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin
from protocol.handlog import find_hands, parse_log_line
from protocol.handshake import parse_version
from protocol.lines import LineBuffer
from protocol.matchstate import parse_card_text, parse_match_state

STATE = b"MATCHSTATE:1:30:cc/r250:|9hQd/8dAs8s"
GAME = load_builtin("hunl")

pieces = st.one_of(
    st.binary(max_size=30),
    st.sampled_from(
        [
            b"VERSION:2.0.0\r\n",
            STATE + b"\r\n",
            STATE + b":r500\r\n",
            STATE + b":c\0\n",
            STATE,
            b"MATCHSTATE:",
            b"# comment\r\n",
            b";",
            b"\r\n",
            b"\n",
            b"\0",
            b"x" * 5000,
            b"9" * 300,
        ]
    ),
)
streams = st.lists(pieces, max_size=12).map(b"".join)


def cut(stream, data):
    """The stream in pieces of random sizes."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    return [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]


def split_lines(stream, limit):
    """Lines of a whole stream, the obvious way."""
    lines = []
    while stream:
        end = stream.find(b"\n") + 1 or len(stream)
        end = min(end, limit)
        lines.append(stream[:end])
        stream = stream[end:]
    return lines


@given(streams, st.integers(1, 60) | st.just(4095), st.data())
def test_lines_do_not_depend_on_how_bytes_were_cut(stream, limit, data):
    """And taking lines early or late does not matter either."""
    buffer = LineBuffer(limit)
    lines = []
    fed = 0
    for chunk in cut(stream, data):
        buffer.feed(chunk)
        fed += len(chunk)
        for _ in range(data.draw(st.integers(0, 4))):
            line = buffer.next_line()
            if line is not None:
                lines.append(line)
        assert buffer.pending == fed - sum(map(len, lines))
    buffer.finish()
    while (line := buffer.next_line()) is not None:
        lines.append(line)
    assert lines == split_lines(stream, limit)
    assert buffer.pending == 0


def dealer_events(chunks):
    """Everything a dealer's end reports when each reply is accepted and the next one asked."""
    end = DealerEnd()
    events = []

    def drain():
        while True:
            if end.state is DealerState.IDLE:
                end.ask(STATE)
            event = end.next_event()
            if event is None:
                return
            events.append(event)
            if isinstance(event, Reply):
                end.answered()

    for chunk in chunks:
        end.receive(chunk)
        drain()
    end.eof()
    drain()
    assert end.pending == 0 or end.state is DealerState.CLOSED
    return events


@given(st.sampled_from([b"", b"VERSION:2.0.0\n"]), streams, st.data())
def test_the_dealers_end_takes_any_bytes(start, stream, data):
    """Events only, the same for any cutting, and together they hold every byte."""
    stream = start + stream
    events = dealer_events(cut(stream, data))
    assert events == dealer_events([stream])
    if isinstance(events[-1], EndOfStream):
        assert b"".join(event.raw for event in events) == stream
    else:
        assert isinstance(events[-1], VersionLine)
        assert events[-1].version is None
    for event in events[1:-1]:
        assert isinstance(event, Reply | CommentLine | OtherLine)


def agent_events(chunks):
    """Everything an agent's end reports, the error included."""
    end = AgentEnd()
    end.start()
    events = []
    try:
        for chunk in chunks:
            events += end.receive(chunk)
        events += end.eof()
    except ProtocolError as error:
        events.append((type(error), str(error)))
    return events


@given(streams, st.data())
def test_the_agents_end_takes_any_bytes(stream, data):
    """Events, then at most one ProtocolError, the same for any cutting."""
    assert agent_events(cut(stream, data)) == agent_events([stream])


@given(st.binary(max_size=300) | streams)
def test_garbage_raises_only_protocol_errors(data):
    """No byte sequence from a peer may escape as another exception."""
    text = data.decode("utf-8", "surrogateescape")
    for parser, argument in (
        (parse_match_state, data),
        (parse_version, data),
        (parse_gamedef, data),
        (parse_gamedef, text),
        (parse_betting, text),
        (parse_card, text),
        (parse_cards, text),
        (lambda t: parse_card_text(t, GAME), text),
        (parse_log_line, text),
    ):
        with contextlib.suppress(ProtocolError):
            parser(argument)
    list(find_hands(text.splitlines()))


near_misses = st.text("STATEMCHOR:0123456789rfc/|TdAs-. #atn", max_size=60).flatmap(
    lambda tail: st.sampled_from(
        ["STATE:", "SCORE:", "MATCHSTATE:", "# name/game/hands/seed ", "TO ", "FROM 1 at 1 ", "r"]
    ).map(lambda head: head + tail)
)


@given(near_misses)
def test_near_misses_raise_only_protocol_errors(text):
    """Lines that begin well."""
    for parser, argument in ((parse_log_line, text), (parse_match_state, text.encode())):
        with contextlib.suppress(ProtocolError):
            parser(argument)


HUGE = "9" * 1_000_000
TOWER = "r1" * 500_000


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("parser", "argument"),
    [
        (parse_match_state, f"MATCHSTATE:0:{HUGE}::|".encode()),
        (parse_match_state, f"MATCHSTATE:0:0:{TOWER}x:|".encode()),
        (parse_match_state, ("MATCHSTATE:0:0::" + "Td" * 500_000 + "x").encode()),
        (parse_version, f"VERSION:{HUGE}.x".encode()),
        (parse_betting, TOWER + HUGE),
        (parse_gamedef, f"numPlayers = {HUGE}"),
        (parse_gamedef, "stack = " + "1 " * 500_000),
        (parse_gamedef, "blind = 1\n" * 100_000),
        (parse_log_line, f"STATE:{HUGE}:f:|:1|-1:a|b"),
        (parse_log_line, f"STATE:0:{TOWER}:{HUGE}"),
        (parse_log_line, "STATE:0:f:|:" + "1|" * 500_000 + ":a"),
        (parse_log_line, "STATE:0:f:|:" + HUGE + "|1:a|b"),
        (parse_log_line, "SCORE:" + "1|" * 500_000 + "x"),
        (parse_log_line, "# name/game/hands/seed " + "1 " * 500_000),
        (parse_log_line, "FROM 1 at " + HUGE),
        (parse_log_line, f"c {HUGE} 1.0 1.0"),
        (parse_log_line, HUGE + " seconds spent waiting; timeout 1.0"),
    ],
)
def test_huge_inputs_are_refused_in_linear_time(parser, argument):
    """Digits are bounded and matching is linear: a megabyte costs milliseconds, not minutes."""
    with pytest.raises(ProtocolError):
        parser(argument)
