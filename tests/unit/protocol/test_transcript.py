"""What a dealer writes to stderr and into the transaction file."""

import pytest

from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.errors import MalformedLogLine
from protocol.transcript import (
    Diagnostic,
    Finished,
    Received,
    Sent,
    Started,
    TimeSpent,
    Transaction,
    Waited,
    format_transcript_line,
    parse_transaction,
    parse_transcript_line,
)

# (line, record): both directions are checked from one table.
EXAMPLES = [
    (
        "TO 1 at 1341695999.222281 MATCHSTATE:0:0::5d5c|",
        Sent(0, "1341695999.222281", "MATCHSTATE:0:0::5d5c|"),
    ),
    (
        "FROM 2 at 1341695999.222410 MATCHSTATE:1:0::|9hQd:c",
        Received(1, "1341695999.222410", "MATCHSTATE:1:0::|9hQd:c"),
    ),
    ("FROM 10 at 7.5 # thinking", Received(9, "7.5", "# thinking")),
    ("FROM 1 at 7.5 ", Received(0, "7.5", "")),
    ("STARTED at 1341695999.222081", Started("1341695999.222081")),
    ("FINISHED at 1341696000.058664", Finished("1341696000.058664")),
    ("Seconds cumulatively spent in match for seat 0: 17", TimeSpent(0, 17)),
    ("0.6 seconds spent waiting; timeout 0.6", Waited("0.6", "0.6")),
    (
        "WARNING: bad state format in response",
        Diagnostic("WARNING", "bad state format in response"),
    ),
    ("ERROR: seat 2 ran out of time", Diagnostic("ERROR", "seat 2 ran out of time")),
    ("f 3 17.000001 17.000002", Transaction(FOLD, 3, "17.000001", "17.000002")),
    ("c 0 17.000001 17.000002", Transaction(CALL, 0, "17.000001", "17.000002")),
    ("r 0 17.000001 17.000002", Transaction(RAISE, 0, "17.000001", "17.000002")),
    ("r200 0 17.000001 17.000002", Transaction(raise_to(200), 0, "17.000001", "17.000002")),
]


@pytest.mark.parametrize(("line", "record"), EXAMPLES)
def test_parses_and_formats(line, record):
    """Line and record say the same."""
    assert parse_transcript_line(line) == record
    assert format_transcript_line(record) == line


@pytest.mark.parametrize(
    "line",
    [
        "", "TO 0 at 7.5 MATCHSTATE:0:0::|", "TO 1 at 7.5 hello", "TO 1 at x MATCHSTATE:0:0::|",
        "FROM 1 at 7.5", "STARTED at", "STARTED at 7.5 MATCHSTATE:0:0::|", "WARNING:",
        "something else", "7.5 seconds",
    ],
)  # fmt: skip
def test_refuses_other_lines(line):
    """What no dealer writes is malformed."""
    with pytest.raises(MalformedLogLine):
        parse_transcript_line(line)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("x 0 1.0 2.0", "could not parse transaction action"),
        ("", "could not parse transaction action"),
        ("cc 0 1.0 2.0", "could not parse transaction action"),
        ("c/ 0 1.0 2.0", "could not parse transaction action"),
        ("r99999999999 0 1.0 2.0", "could not parse transaction action"),
        ("c 0 1795000000", "could not parse transaction stamp"),
        ("c 0 1.0 2.0 ", "could not parse transaction stamp"),
        ("c -1 1.0 2.0", "could not parse transaction stamp"),
    ],
)
def test_a_bad_transaction_says_which_part_is_bad(line, reason):
    """The original distinguishes the action from the stamp."""
    with pytest.raises(MalformedLogLine) as caught:
        parse_transaction(line)
    assert caught.value.reason == reason
