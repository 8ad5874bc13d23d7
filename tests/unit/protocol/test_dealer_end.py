"""The dealer's end of a connection."""

import pytest

from protocol.dealer_end import TRANSITIONS, DealerEnd, DealerState
from protocol.errors import WrongState
from protocol.events import CommentLine, EndOfStream, OtherLine, Reply, VersionLine
from protocol.handshake import Version

STATE = b"MATCHSTATE:0:7::TdAs|"


@pytest.fixture
def end():
    """An end past its version line."""
    end = DealerEnd()
    end.receive(b"VERSION:2.0.0\r\n")
    assert isinstance(end.next_event(), VersionLine)
    return end


def test_the_first_line_is_the_version():
    """It may come in pieces, and the reply right behind it."""
    end = DealerEnd()
    assert end.state is DealerState.AWAITING_VERSION
    end.receive(b"VERSI")
    assert end.next_event() is None
    end.receive(b"ON:2.0.0\r\n" + STATE + b":c\r\n")
    assert end.next_event() == VersionLine(b"VERSION:2.0.0\r\n", Version(2, 0, 0), None)
    assert end.state is DealerState.IDLE
    assert end.next_event() is None
    end.ask(STATE)
    assert end.next_event() == Reply(STATE + b":c\r\n", b"c\r\n")


def test_another_version_is_reported_as_it_is():
    """Whether to go on is for the owner to decide."""
    end = DealerEnd()
    end.receive(b"VERSION:3.1.4\n")
    assert end.next_event() == VersionLine(b"VERSION:3.1.4\n", Version(3, 1, 4), None)
    assert end.state is DealerState.IDLE


@pytest.mark.parametrize("line", [b"# hello\n", b"hello\n", b"\n", STATE + b":c\r\n"])
def test_anything_else_closes(line):
    """No comments are allowed before the version."""
    end = DealerEnd()
    end.receive(line + b"VERSION:2.0.0\n")
    event = end.next_event()
    assert isinstance(event, VersionLine)
    assert event.version is None
    assert event.error
    assert event.raw == line
    assert end.state is DealerState.CLOSED
    assert end.next_event() is None


def test_a_version_without_line_end_counts_at_the_end_of_the_stream():
    """So it did for the original."""
    end = DealerEnd()
    end.receive(b"VERSION:2.0.0")
    assert end.next_event() is None
    end.eof()
    assert end.next_event() == VersionLine(b"VERSION:2.0.0", Version(2, 0, 0), None)


def test_no_version_at_all():
    """A peer that hangs up at once."""
    end = DealerEnd()
    end.eof()
    assert end.next_event() == EndOfStream()
    assert end.next_event() is None
    assert end.state is DealerState.CLOSED


def test_ask_and_tell_make_whole_lines(end):
    """With CRLF, which the owner need not know about."""
    assert end.tell(STATE) == STATE + b"\r\n"
    assert end.state is DealerState.IDLE
    assert end.ask(STATE) == STATE + b"\r\n"
    assert end.state is DealerState.ASKED


REPLIES = {
    b":c\r\n": b"c\r\n",
    b":r300\n": b"r300\n",
    b":\r\n": b"\r\n",
    b"::c\n": b":c\n",
    b":c\0r300\r\n": b"c",
    b":\0\r\n": b"",
}
"""What follows an exact echo; it is handed on from the colon up to the first NUL."""
OTHERS = [
    *(STATE + b"\r\n", STATE + b" :c\r\n", b" " + STATE + b":c\r\n", STATE.lower() + b":c\r\n"),
    *(b"MATCHSTATE:0:6::TdAs|:c\r\n", b"\r\n", b"\xff\n"),
]
"""They may mean the same, which takes knowing the game."""
COMMENTS = [b"# thinking\r\n", b";\n", b"#" + STATE + b":c\n"]


@pytest.mark.parametrize(
    "event",
    [
        *(Reply(STATE + after, action) for after, action in REPLIES.items()),
        *(OtherLine(line, line) for line in OTHERS),
        *(CommentLine(line) for line in COMMENTS),
    ],
)
def test_lines_are_told_apart(end, event):
    """Replies, lines that are left to the engine, and comments, which are not timed."""
    end.ask(STATE)
    end.receive(event.raw)
    assert end.next_event() == event
    assert end.state is DealerState.ASKED


def test_a_line_ends_at_its_first_nul_byte(end):
    """The text does, but the whole line is used up."""
    end.ask(STATE)
    end.receive(b"ab\0cd\n" + STATE[:5] + b"\0" + STATE[5:] + b":c\n\0\n")
    assert end.next_event() == OtherLine(b"ab\0cd\n", b"ab")
    assert end.next_event() == OtherLine(STATE[:5] + b"\0" + STATE[5:] + b":c\n", STATE[:5])
    assert end.next_event() == OtherLine(b"\0\n", b"")


def test_lines_stay_unread_while_nothing_is_asked(end):
    """A reply that came early is judged against the state asked for later."""
    early = b"MATCHSTATE:0:7:c:TdAs|"
    end.receive(early + b":c\r\n" + b"rest")
    assert end.next_event() is None
    assert end.pending == len(early) + 8
    end.tell(STATE)
    assert end.next_event() is None
    end.ask(early)
    assert end.next_event() == Reply(early + b":c\r\n", b"c\r\n")
    end.answered()
    assert end.next_event() is None
    assert end.pending == 4


def test_a_refused_line_leaves_the_question_open(end):
    """Until the owner accepts a reply."""
    end.ask(STATE)
    end.receive(b"junk\n" + STATE + b":c\n")
    assert isinstance(end.next_event(), OtherLine)
    assert isinstance(end.next_event(), Reply)
    end.answered()
    assert end.state is DealerState.IDLE


def test_an_overlong_line_comes_in_pieces(end):
    """4095 bytes make a line; what follows is the next one."""
    end.ask(STATE)
    reply = STATE + b":c" + b" " * 4095
    end.receive(reply + b"\n")
    assert end.next_event() == Reply(reply[:4095], reply[len(STATE) + 1 : 4095])
    assert end.next_event() == OtherLine(reply[4095:] + b"\n", reply[4095:] + b"\n")


def test_the_end_of_the_stream_comes_after_the_last_line(end):
    """And only when a line is wanted: a waiting seat may hang up unnoticed."""
    end.receive(STATE + b":c")
    end.eof()
    end.eof()
    assert end.next_event() is None
    end.tell(STATE)
    end.ask(STATE)
    assert end.next_event() == Reply(STATE + b":c", b"c")
    end.answered()
    end.ask(STATE)
    assert end.next_event() == EndOfStream()
    assert end.state is DealerState.CLOSED
    assert end.next_event() is None


def test_bytes_after_the_end_are_a_bug(end):
    """No transport delivers them."""
    end.eof()
    with pytest.raises(WrongState):
        end.receive(b"x")


def brought_to(state):
    """An end in the given state."""
    end = DealerEnd()
    if state is not DealerState.AWAITING_VERSION:
        end.receive(b"bad\n" if state is DealerState.CLOSED else b"VERSION:2.0.0\n")
        end.next_event()
    if state is DealerState.ASKED:
        end.ask(STATE)
    assert end.state is state
    return end


CALLS = {
    "ask": lambda end: end.ask(STATE),
    "tell": lambda end: end.tell(STATE),
    "answered": lambda end: end.answered(),
}


@pytest.mark.parametrize("what", CALLS)
@pytest.mark.parametrize("state", DealerState)
def test_methods_work_only_where_the_table_says(state, what):
    """A call out of turn is our own mistake and changes nothing."""
    end = brought_to(state)
    if what in TRANSITIONS[state]:
        CALLS[what](end)
        assert end.state is TRANSITIONS[state][what]
    else:
        with pytest.raises(WrongState, match=what):
            CALLS[what](end)
        assert end.state is state
