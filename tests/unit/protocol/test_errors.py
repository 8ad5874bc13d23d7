"""What the exceptions say."""

import pytest

from protocol.errors import (
    GameDefError,
    MalformedBetting,
    MalformedCard,
    MalformedLine,
    MalformedLogLine,
)


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
