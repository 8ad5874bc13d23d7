"""Match logs, in all dialects."""

import pytest

from protocol.errors import MalformedLogLine
from protocol.handlog import (
    Blank,
    Comment,
    HandRecord,
    Header,
    Score,
    Stakes,
    Started,
    TimeLimit,
    find_hands,
    format_chips,
    format_hand,
    format_log_line,
    format_score,
    parse_log_line,
)

# (line, record): both directions are checked from one table.
EXAMPLES = [
    ("# name/game/hands/seed m kuhn.game 1000 42", Header("m", "kuhn.game", 1000, 42)),
    (
        "# name/game/hands/seed 2p.h10 /home/some one/acpc server/holdem.game 10 0",
        Header("2p.h10", "/home/some one/acpc server/holdem.game", 10, 0),
    ),
    ("# name/game/hands/seed my match /g 1 2", Header("my match", "/g", 1, 2)),
    ("# name/game/hands/seed m a b.game 1 2", Header("m", "a b.game", 1, 2)),
    ("#--t_response 600000", TimeLimit("t_response", 600000)),
    ("#--t_per_hand 18446744073709550", TimeLimit("t_per_hand", 18446744073709550)),
    ("# reconnect seat 1 hand 3", Comment("# reconnect seat 1 hand 3")),
    ("#--t_other 5", Comment("#--t_other 5")),
    ("", Blank()),
    ("STARTED at 7.5", Started("7.5")),
    (
        "STATE:0:cc/cc:7s|8s/As:1|-1:Alice|Bob",
        HandRecord(0, "cc/cc", "7s|8s/As", ("1", "-1"), ("Alice", "Bob")),
    ),
    (
        "STATE:7:r300f:AcJs|3d2d:-50.5|50.5:b\u00e6s.alex\\ander.1|Deep Stack # 1478520223.88075",
        HandRecord(
            7,
            "r300f",
            "AcJs|3d2d",
            ("-50.5", "50.5"),
            ("b\u00e6s.alex\\ander.1", "Deep Stack"),
            "1478520223.88075",
        ),
    ),
    (
        "STATE:0:f:7d3d|2hAc:50|-50:A:B|C|D E",
        HandRecord(0, "f", "7d3d|2hAc", ("50", "-50"), ("A:B|C", "D E")),
    ),
    (
        "STATE:0:f:7d3d|2hAc:50|-50:A # 1|B # x",
        HandRecord(0, "f", "7d3d|2hAc", ("50", "-50"), ("A # 1", "B # x")),
    ),
    (
        "STATE:1001:20150|19850:300|150:r600f:7d3d|2hAc:-300|300:A|B # 7.5",
        HandRecord(
            1001,
            "r600f",
            "7d3d|2hAc",
            ("-300", "300"),
            ("A", "B"),
            "7.5",
            Stakes((20150, 19850), (300, 150)),
        ),
    ),
    ("STATE:1:f:7s|8s:1|-1:|", HandRecord(1, "f", "7s|8s", ("1", "-1"), ("", ""))),
    ("SCORE:455|-455:p1|p2", Score(("455", "-455"), ("p1", "p2"))),
    ("SCORE:50|-50:A:B|C|D E", Score(("50", "-50"), ("A:B|C", "D E"))),
    ("SCORE:2.5|0|-2.5:a|b|c", Score(("2.5", "0", "-2.5"), ("a", "b", "c"))),
]


@pytest.mark.parametrize(("line", "record"), EXAMPLES)
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_parses_and_formats(line, record, end):
    """Line and record say the same, whatever the line ends with."""
    assert parse_log_line(line + end) == record
    assert format_log_line(record) == line


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("SCORE:455|-455p1|p2", Score(("455", "-455"), ("p1", "p2"))),
        ("SCORE:1.5|2|-3.5x:y|z|w", Score(("1.5", "2", "-3.5"), ("x:y", "z", "w"))),
        ("SCORE:1.13686837721616e-13|-7a|b", Score(("1.13686837721616e-13", "-7"), ("a", "b"))),
    ],
)
def test_reads_the_summing_scripts_output(line, score):
    """It leaves out the ":" before the names."""
    assert parse_log_line(line) == score


def test_foreign_bytes_in_names_survive():
    """A log is no UTF-8 file for certain."""
    line = b"STATE:0:f:7s|8s:1|-1:b\xe6s|Bob".decode("utf-8", "surrogateescape")
    record = parse_log_line(line)
    assert isinstance(record, HandRecord)
    assert format_hand(record).encode("utf-8", "surrogateescape").endswith(b":b\xe6s|Bob")


@pytest.mark.parametrize(
    "line",
    [
        "STATE:", "STATE:0:f:7s|8s:1|-1", "STATE:0:f:7s|8s:1|-1:Alice",
        "STATE:0:f:7s|8s:1|-1|0:a|b|c", "STATE:0:f:7s|8:1|-1:a|b", "STATE:0:x:7s|8s:1|-1:a|b",
        "STATE:-1:f:7s|8s:1|-1:a|b", "STATE:12345678901:f:7s|8s:1|-1:a|b",
        "STATE:0:r12345678901f:7s|8s:1|-1:a|b", "STATE:0:f:7s|8s:1.|-1:a|b",
        "STATE:0:200|200:f:7s|8s:1|-1:a|b", "STATE:0:200|x:2|1:f:7s|8s:1|-1:a|b",
        "STATE:0:200|-1:2|1:f:7s|8s:1|-1:a|b", "STATE:0:200:2|1:f:7s|8s:1|-1:a|b",
        "STATE:0:f:7s|8s:+1|-1:a|b", "STATE:0:f:7s|8s:nan|-1:a|b",
        "STATE:0:f:7s|8s:1|-1:a|b\nSTATE", " STATE:0:f:7s|8s:1|-1:a|b", "MATCHSTATE:0:0::7s|",
        "SCORE:", "SCORE:1|-1", "SCORE:1|-1:a", "SCORE:1|xa|b", "SCORE:x|1a|b",
        "# name/game/hands/seed m", "# name/game/hands/seed m g 1 x",
        "# name/game/hands/seed m 1 2", "# name/game/hands/seed m g 99999999999 1",
        "STATE:0:f:7s|8s:1|-1:a|bSTATE:1:f:7s|8s:1|-1:b|a",
        "STATE:0:f:7s|8s:1|-1:a|bTE:1:f:7s|8s:1|-1:b|a", "STATE:0:f:7s|8s:1|-1:a|bSCORE:1|-1:a|b",
        "STATE:0:f:7s|8s:1|-1:a|bSCORE:1|-1a|b",
        "STATE:0:f:7s|8s:1|-1:a|b# name/game/hands/seed m g 1 2",
        "STATE:0:f:7s|8s:1|-1:a|b#--t_response 100", "SCORE:1|-1:a|bSTATE:0:f:7s|8s:1|-1:a|b",
        "SCORE:1|-1a|b# name/game/hands/seed m g 1 2", "SCORE:1|-1a|b#--t_response 100", "nonsense",
        "\x00",
    ],
)  # fmt: skip
def test_refuses_other_lines(line):
    """What belongs to no dialect is malformed, and the reason says why."""
    with pytest.raises(MalformedLogLine) as caught:
        parse_log_line(line)
    assert caught.value.reason
    assert caught.value.line.startswith(line[:5])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (100.0, "100"), (-16.666666666666668, "-16.666667"), (2.5, "2.5"), (1e-9, "0"),
        (-1e-9, "0"), (-0.0, "0"), (0.1 + 0.2, "0.3"), (-20000, "-20000"),
        (2147483647 * 10.0, "21474836470"),
    ],
)  # fmt: skip
def test_chips_have_six_decimals_without_trailing_zeros(value, text):
    """And a total that is all but zero has no sign."""
    assert format_chips(value) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number_of_chips_is_refused(value):
    """Better no line than a wrong one."""
    with pytest.raises(ValueError, match="chips"):
        format_chips(value)


def test_the_score_line_is_written_with_its_colon():
    """In the dealer's dialect, whatever was read."""
    score = parse_log_line("SCORE:1|-1a|b")
    assert isinstance(score, Score)
    assert format_score(score) == "SCORE:1|-1:a|b"


def test_finds_hands_in_notes():
    """Behind other text, and wrapped at 80 columns as mail programs do."""
    hand = "STATE:24:r200r882r2400r6098r20000c///:QhQs|AsKd/6d6c7s/Qd/Th:20000|-20000:"
    names = "Intermission_2pn_2017|Slumbot_2pn_2017"
    cut = 80 - len(hand)
    text = [
        "Big hands:\n",
        hand + names[:cut] + "\n",
        names[cut:] + "\n",
        "  Race preflop\n",
        "MATCHSTATE:0:0::7s|\n",
        "match.log:17:STATE:1:f:7s|8s:1|-1:a|b\r\n",
        "STATE:what is this\n",
        "x" * 80 + "\n",
        "STATE:2:f:7s|8s:1|-1:a|b",
    ]
    found = list(find_hands(text))
    assert [hand.hand_id for hand in found] == [24, 1, 2]
    assert found[0].names == ("Intermission_2pn_2017", "Slumbot_2pn_2017")
    assert found[1].names == ("a", "b")


def test_a_hand_of_exactly_80_columns_need_not_be_wrapped():
    """The next line is only taken if it can be a continuation."""
    hand = "STATE:1:f:7s|8s:1|-1:a|"
    hand += "b" * (80 - len(hand))
    other = "STATE:2:f:7s|8s:1|-1:a|b"
    assert [len(h.names[1]) for h in find_hands([hand, other])] == [len(hand) - 23, 1]
    assert [len(h.names[1]) for h in find_hands([hand, "", "x"])] == [len(hand) - 23]
    assert len(list(find_hands([hand]))) == 1
