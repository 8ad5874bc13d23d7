"""Lines and files of the pokerbots competitions."""

import pytest

from protocol.errors import MalformedCommands, WrongAnswer
from protocol.pokerbots import (
    BotCommands,
    BotReply,
    cards_clause,
    parse_commands,
    parse_reply,
    query_line,
)


def test_a_query_begins_with_the_clock():
    """With thousandths; clauses follow, one blank before each."""
    assert query_line(59.98765, ("P0", "HAh,Kd")) == b"T59.988 P0 HAh,Kd\n"
    assert query_line(0.25, ()) == b"T0.250\n"


def test_cards_are_parted_by_commas():
    """As they were dealt."""
    assert cards_clause("B", (51, 0, 25)) == "BAs,2c,8d"


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (b"F", BotReply("F", 0)),
        (b"K\r", BotReply("K", 0)),
        (b" C ", BotReply("C", 0)),
        (b"Check", BotReply("C", 0)),  # the first letter counts
        (b"R12", BotReply("R", 12)),
        (b"R +12 ", BotReply("R", 12)),
    ],
)
def test_replies_are_read_as_engines_read_them(line, reply):
    """Blanks around them do not matter."""
    assert parse_reply(line) == reply


@pytest.mark.parametrize("line", [b"", b" ", b"X", b"r12", b"R", b"R1.5", b"R-2", b"R" + b"9" * 50])
def test_wrong_replies_are_refused_with_what_was_wanted(line):
    """And quoted."""
    with pytest.raises(WrongAnswer, match="want"):
        parse_reply(line)


def test_commands_say_how_a_bot_is_built_and_run():
    """An empty list is no build."""
    text = b'{"build": [], "run": ["python3", "player.py"], "more": 1}'
    assert parse_commands(text) == BotCommands((), ("python3", "player.py"))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (b"", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"\xff", "no JSON"),
        (b"[]", "object"),
        (b'{"run": ["x"]}', '"build"'),
        (b'{"build": []}', '"run"'),
        (b'{"build": [], "run": []}', "empty"),
        (b'{"build": "make", "run": ["x"]}', '"build"'),
        (b'{"build": [], "run": ["x", 4000]}', '"run"'),
        (b'{"build": [], "run": ["x\\u0000"]}', '"run"'),
    ],
)
def test_wrong_commands_are_refused_with_the_fault(text, fact):
    """In a line."""
    with pytest.raises(MalformedCommands, match=fact):
        parse_commands(text)
