"""Hands of any format as the lines of a log."""

import io
from dataclasses import replace

import pytest

from engine.histories.as_log import LineStream, TextLines, bytes_as_log, lines_as_log
from engine.histories.formats import FORMATS, HistoryFormat, format_named, format_of
from engine.histories.hand import LeftOut
from protocol.errors import MalformedLogLine
from protocol.gamedefs import load_builtin
from protocol.handlog import Header, format_hand, parse_log_line
from protocol.spelled_games import spelled_game
from tests.helpers.histories import hands_in, written

HUNL = load_builtin("hunl")
LINE = "STATE:3:r300f:AcKd|AdKs:-100|100:a|b\n"


def test_each_hand_stands_on_its_line():
    """Behind a header that spells its game; other stacks are in the line, other games have one."""
    deep = replace(HUNL, stacks=(30000, 40000))
    hands = [
        *hands_in(LINE, "log", HUNL),
        *hands_in(LINE, "log", deep),
        *hands_in(
            "STATE:4:fr300ff:AcKd|AdKs|2c2d:-50|-100|150:a|b|c\n".replace("fr300ff", "r300ff"),
            "log",
            load_builtin("nolimit3"),
        ),
    ]
    text = written(hands, "phhs")
    again = hands_in(text, "phhs")
    lines = "".join(lines_as_log(again, "x.phhs")).split("\n")
    phh = text.split("\n")
    states = [number for number, line in enumerate(lines) if line.startswith("STATE:")]
    assert [phh[number].startswith("variant") for number in states] == [True] * 3
    assert lines[states[0]] == LINE.strip()
    assert ":30000|40000:100|50:" in lines[states[1]]
    headers = [parse_log_line(line) for line in lines if line.startswith("#")]
    assert [type(one) for one in headers] == [Header, Header]
    assert [spelled_game(one.game) for one in headers] == [HUNL, load_builtin("nolimit3")]
    assert headers[0].seed is None


def test_what_cannot_be_read_is_a_line_that_says_why():
    """Readers of logs refuse and tell it."""
    assert list(lines_as_log([LeftOut(3, "an ante")], "x")) == ["\n\nSTATE:!an ante\n"]
    with pytest.raises(MalformedLogLine, match=r"^an ante$"):
        parse_log_line("STATE:!an ante")
    only_written = HistoryFormat("w", "a table", None, None, None)
    (line,) = bytes_as_log(only_written, io.BytesIO(b""), "x")
    assert line.startswith(b"STATE:!w is written, not read; name the logs")


def test_streams_give_pieces_of_any_size():
    """And close their file."""
    source = io.BytesIO(b"")
    stream = io.BufferedReader(LineStream(source, iter([b"abc\n", b"de\n"])), 2)
    assert stream.read(1) + stream.read() == b"abc\nde\n"
    stream.close()
    assert source.closed
    lines = TextLines(io.BytesIO(b"a\r\n\xff"))
    assert list(lines) == ["a\r\n", "\udcff"]
    assert lines.read == 4


def test_a_format_is_told_by_how_a_file_begins():
    """The name counts where nothing is in it."""
    text = written(hands_in(LINE, "log", HUNL), "phhs").encode()
    assert format_of(text, "a.log").name == "phhs"
    assert format_of(LINE.encode(), "a.phhs").name == "log"
    assert format_of(b"# phh: variant = 1\n" + LINE.encode(), "x").name == "log"
    assert format_of(b"", "a.PHHS.gz").name == "phhs"
    assert format_of(b"", "a.txt").name == "log"
    assert [format_named(one.name) for one in FORMATS] == list(FORMATS)
    assert format_hand(hands_in(LINE, "log", HUNL)[0].record) + "\n" == LINE
