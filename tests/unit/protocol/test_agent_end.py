"""The agent's end of a connection."""

import pytest

from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.agent_end import AgentEnd, AgentState
from protocol.errors import LineTooLong, MalformedLine, WrongState
from protocol.events import CommentLine, EndOfStream, StateReceived
from protocol.handshake import Version
from protocol.matchstate import MatchState

TEXT = b"MATCHSTATE:0:7::TdAs|"
RECEIVED = StateReceived(TEXT + b"\r\n", MatchState(0, 7, "", "TdAs|"), TEXT)


@pytest.fixture
def end():
    """An end that has sent its version."""
    end = AgentEnd()
    end.start()
    return end


def test_starts_with_the_version():
    """Once."""
    end = AgentEnd()
    assert end.start() == b"VERSION:2.0.0\r\n"
    with pytest.raises(WrongState):
        end.start()
    assert AgentEnd().start(Version(1, 2, 3)) == b"VERSION:1.2.3\r\n"


def test_states_come_with_the_text_to_answer(end):
    """CRLF or LF, whole or in pieces."""
    assert end.receive(TEXT + b"\r\n" + TEXT[:9]) == [RECEIVED]
    assert end.receive(TEXT[9:]) == []
    assert end.receive(b"\n") == [RECEIVED._replace(raw=TEXT + b"\n")]


@pytest.mark.parametrize("line", [b"#\n", b"# GAMEOVER\r\n", b"; \xff\0\n"])
def test_comments_are_reported_and_harmless(end, line):
    """Whatever they hold."""
    assert end.receive(line + TEXT + b"\r\n") == [CommentLine(line), RECEIVED]


@pytest.mark.parametrize(
    ("action", "text"), [(FOLD, b"f"), (CALL, b"c"), (RAISE, b"r"), (raise_to(300), b"r300")]
)
def test_a_reply_repeats_the_state(end, action, text):
    """The dealer compares it with what it sent."""
    assert end.reply(TEXT, action) == TEXT + b":" + text + b"\r\n"


@pytest.mark.parametrize("line", [b"\r\n", b"hello\r\n", TEXT + b" \r\n", TEXT + b"\r\r\n"])
def test_garbage_is_an_error_for_good(end, line):
    """The stream cannot be trusted after it."""
    for _ in range(2):
        with pytest.raises(MalformedLine):
            end.receive(line)
        assert end.state is AgentState.BROKEN


def test_a_line_without_end_is_an_error_for_good(end):
    """4095 bytes are enough."""
    assert end.receive(b"#" * 4094) == []
    with pytest.raises(LineTooLong):
        end.receive(b"#")
    with pytest.raises(LineTooLong):
        end.eof()


def test_good_lines_before_a_bad_one_are_not_lost(end):
    """They are returned first, however the stream was cut."""
    assert end.receive(TEXT + b"\r\nhello\r\n") == [RECEIVED]
    assert end.reply(TEXT, CALL)
    with pytest.raises(MalformedLine):
        end.receive(TEXT + b"\r\n")
    assert end.reply(TEXT, CALL)


def test_an_error_also_comes_out_at_the_end_of_the_stream(end):
    """If nothing more was received after it."""
    end.receive(TEXT + b"\r\nhello\r\n")
    with pytest.raises(MalformedLine):
        end.eof()


def test_the_end_of_the_stream(end):
    """Events noticed late may still be answered; nothing more is received."""
    end.receive(TEXT + b"\r\n")
    assert end.eof() == [EndOfStream()]
    assert end.state is AgentState.CLOSED
    assert end.reply(TEXT, CALL)
    with pytest.raises(WrongState):
        end.receive(b"")
    with pytest.raises(WrongState):
        end.eof()


def test_half_a_state_is_not_acted_upon(end):
    """It may look like a whole one with fewer cards."""
    assert end.receive(TEXT) == []
    assert end.eof() == [EndOfStream(TEXT)]


@pytest.mark.parametrize(
    "call", [lambda e: e.receive(b""), lambda e: e.eof(), lambda e: e.reply(TEXT, CALL)]
)
def test_nothing_works_before_the_start(call):
    """The version must be the first thing sent."""
    with pytest.raises(WrongState, match="new"):
        call(AgentEnd())
