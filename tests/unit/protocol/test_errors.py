"""What the exceptions say."""

import pytest

from protocol.errors import (
    GameDefError,
    LineTooLong,
    MalformedBetting,
    MalformedCard,
    MalformedLine,
    MalformedLogLine,
    ProtocolError,
    UnsupportedVersion,
    WrongState,
)


@pytest.mark.parametrize(
    "kind",
    [
        GameDefError,
        LineTooLong,
        MalformedBetting,
        MalformedCard,
        MalformedLine,
        MalformedLogLine,
        UnsupportedVersion,
    ],
)
def test_a_peers_fault_is_a_protocol_error(kind):
    """One except clause catches whatever a peer or a file does wrong."""
    assert issubclass(kind, ProtocolError)


def test_our_own_fault_is_no_protocol_error():
    """A handler for bad peers must not hide our bugs."""
    assert not issubclass(WrongState, ProtocolError)


def test_a_game_definition_error_names_the_line_if_one_is_at_fault():
    """The bare text stays available, for it is the original dealer's."""
    with_line = GameDefError("invalid number of players: 1", 3)
    assert str(with_line) == "line 3: invalid number of players: 1"
    assert with_line.message == "invalid number of players: 1"
    assert str(GameDefError("only read 0 blinds, need 2")) == "only read 0 blinds, need 2"


@pytest.mark.parametrize(
    "error",
    [
        MalformedLine(b"x" * 10**6),
        MalformedCard("x" * 10**6),
        MalformedBetting("x" * 10**6),
        MalformedLogLine("x" * 10**6, "no"),
    ],
)
def test_messages_stay_short(error):
    """A peer cannot fill our log with one long line."""
    assert len(str(error)) < 200
