"""The dealer's command line."""

from pathlib import Path

import pytest

from dealer.plan.command_line import command_words, environment_of, plan_from
from dealer.plan.match_plan import DealerPlan, LaneMode, MatchLimits
from dealer.plan.options import UsageError
from tests.helpers.said import refused

FOUR = ["m", "g.game", "10", "7", "A", "B"]


def parsed(*argv: str, **environment: str) -> DealerPlan:
    plan = plan_from(list(argv), environment, lambda game: 2)
    assert plan is not None
    return plan


def test_options_may_stand_anywhere():
    """GNU getopt order: before, between and after the positional arguments."""
    expected = parsed("-q", "--t_hand", "5", *FOUR)
    assert parsed("m", "-q", "g.game", "10", "--t_hand=5", "7", "A", "B") == expected
    assert parsed(*FOUR, "--t_hand", "5", "-q") == expected
    assert not expected.match.records.transcript
    assert expected.match.limits.t_hand == 5


def test_short_options_cluster_and_the_last_one_wins():
    """-qTf is three options; -l -L logs again."""
    match = parsed(*FOUR, "-qTfl", "-L").match
    records = match.records
    assert (records.transcript, records.transactions, match.fixed_seats) == (False, "m.tlog", True)
    assert records.log == "m.log"


@pytest.mark.parametrize(
    "argv", [[], ["m", "g", "1"], ["m", "g", "1", "2"], ["m", "g", "1", "2", "A"]]
)
def test_missing_words_ask_for_the_usage_text(argv):
    """Too few arguments or names print the usage text, and no error line."""
    with pytest.raises(UsageError) as caught:
        parsed(*argv)
    assert caught.value.usage
    assert not caught.value.lines


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("m g abc 7 A B", ["ERROR: invalid number of hands abc"]),
        ("m g 0 7 A B", ["ERROR: invalid number of hands 0"]),
        ("m g 4294967296 7 A B", ["ERROR: invalid number of hands 4294967296"]),
        (f"m g {'9' * 5000} 7 A B", [f"ERROR: invalid number of hands {'9' * 5000}"]),
        ("-- m g -1 7 A B", ["ERROR: invalid number of hands -1"]),
        ("m g 3 x A B", ["ERROR: invalid random number seed x"]),
        ("m g 3 env:SEED A B", ["ERROR: invalid random number seed env:SEED"]),
        ("m g 3 4294967296 A B", ["ERROR: invalid random number seed 4294967296"]),
        *((f"m g 3 7 A B -p {ports}", [f"ERROR: bad port string {ports}"])
          for ports in ("1,", "1;2", "x", "65536", "-1", "1,,2", "99999999999")),
        ("m g 3 7 A B --no", ["dealer: unrecognized option '--no'", "ERROR: unknown option ?"]),
        ("m g 3 7 A B -x", ["dealer: invalid option -- 'x'", "ERROR: unknown option ?"]),
        ("m g 3 7 A B --t_hand",
         ["dealer: option '--t_hand' requires an argument", "ERROR: unknown option ?"]),
        ("m g 3 7 A B -p",
         ["dealer: option requires an argument -- 'p'", "ERROR: unknown option ?"]),
        ("m g 3 7 A B --ending-codes=1",
         ["dealer: option '--ending-codes' doesn't allow an argument", "ERROR: unknown option ?"]),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_the_originals_words(words, lines):
    """Numbers and ports never wrap (mend 6); of options getopt's own line comes first."""
    with pytest.raises(UsageError) as caught:
        parsed(*words.split())
    assert caught.value.lines == (*lines,)


@pytest.mark.parametrize(
    ("words", "bad"),
    [
        (("m\nm", "A", "B"), r"'m\nm'"),
        (("m", "A\nB", "B"), r"'A\nB'"),
        (("m", "A", "B\r"), r"'B\r'"),
    ],
)
def test_names_that_break_a_line_are_refused(words, bad):
    """They would leave a log that nobody can read; nor may there be more names than seats."""
    with refused(UsageError, "4 names", "2 players", "A, B, C, D"):
        parsed(*FOUR, "C", "D")
    match, *names = words
    with refused(UsageError, "invalid name", bad):
        parsed(match, "g", "3", "7", *names)
    assert parsed("m", "g", "3", "7", "A b", "B").match.names == ("A b", "B")
    with refused(UsageError, "--deals", r"'a\nb'"):
        parsed(*FOUR, "--deals", "a\nb")


def test_text_behind_a_number_is_ignored():
    """The original scans numbers as scanf does."""
    match = parsed("m", "g", " 10abc", "+7.9", "A", "B").match
    assert (match.hands, match.seed) == (10, 7)
    assert parsed("m", "g", "0" * 5000 + "3", "0" * 5000, "A", "B").match.hands == 3


@pytest.mark.parametrize(
    ("text", "ports"),
    [
        ("1,2", (1, 2)),
        ("+1,00080", (1, 80)),
        ("1, 2", (1, 2)),
        ("", ()),
        ("0", (0,)),
        (",".join(["9"] * 12), (9,) * 10),
    ],
)
def test_port_lists(text, ports):
    """Comma separated, blanks after a comma, ten at the most."""
    assert parsed(*FOUR, "-p", text).ports == ports


def test_long_options_of_the_original_can_be_cut_short():
    """Our own options do not make the old abbreviations ambiguous."""
    limits = parsed(*FOUR, "--t", "5", "--s", "6", "--t_h", "7", "--t_p=8").match.limits
    assert limits == MatchLimits(t_response=5, start_timeout=6, t_hand=7, t_per_hand=8)


def test_a_seat_may_have_limits_of_its_own():
    """What is not said of it is as for all."""
    words = ("--t_hand", "9", "--seat-limit", "2:t_response=5", "--seat-limit=2:t_per_hand=-1")
    match = parsed(*FOUR, *words).match
    assert match.limits_of(0) == MatchLimits(600_000, 9, 7_000)
    assert match.limits_of(1) == MatchLimits(5, 9, -1)


@pytest.mark.parametrize("text", ["3:t_response=1", "0:t_hand=1", "1:t_x=1", "1:t_hand=x", "2"])
def test_bad_limits_of_a_seat_are_refused(text):
    """A seat that is not there, another option, no number."""
    with pytest.raises(UsageError, match="--seat-limit"):
        parsed(*FOUR, "--seat-limit", text)


def test_negative_time_limits_mean_none():
    """Old scripts switch a limit off with -1."""
    limits = parsed(*FOUR, "--t_response", "-1", "--start_timeout=-5").match.limits
    assert (limits.t_response, limits.start_timeout) == (-1, -5)
    assert parsed(*FOUR, "--t_response", "-0").match.limits.t_response == 0
    assert parsed(*FOUR, "--t_response", "-" + "9" * 5000).match.limits.t_response == -1


@pytest.mark.parametrize(
    "argv",
    [
        ["--reconnect", "soon"],
        ["--reconnect", "-1"],
        ["--reconnect", "nan"],
        ["--invalid", "maybe"],
        ["--t_response", "abc"],
        ["--t_response", "99999999999999999999"],
        ["--start_timeout", ""],
        ["--first-deal", "x"],
        ["--listen", ""],
        ["--summary", ""],
        ["--summary", "no/such/folder/s.json"],
        ["--summary", "/"],
    ],
)
def test_bad_values_give_one_clear_line(argv):
    """Each names the value it cannot use."""
    with pytest.raises(UsageError) as caught:
        parsed(*FOUR, *argv)
    (line,) = caught.value.lines
    assert line.startswith("ERROR: ")
    assert argv[1] in line


@pytest.mark.parametrize("tokens", ["a,b,c", "a b", "ä", "x" * 101, "a\nb"])
def test_tokens_that_cannot_be_said_are_refused(tokens):
    """More than seats, blanks, other letters, too long."""
    with pytest.raises(UsageError, match="ARENA_SEAT_TOKENS"):
        parsed(*FOUR, ARENA_SEAT_TOKENS=tokens)


@pytest.mark.parametrize("name", ["m.log", "./m.tlog"])
def test_two_things_are_not_written_to_one_file(name):
    """A summary would take the place of the log.  What a device gets is no file."""
    for option in ("--summary", "--events"):
        with refused(UsageError, "two things", Path(name).absolute()):
            parsed("m", "g", "3", "7", "A", "B", option, name)
    both = ["--summary", "/dev/null", "--events", "/dev/null"]
    assert parsed("m", "g", "3", "7", "A", "B", *both).match.records.events == "/dev/null"


def test_a_lane_that_cannot_be_had_is_refused():
    """Asked for by option; a mode in the environment is for all dealers, as far as they can."""
    with refused(UsageError, "--lane", "auto, off, on, mixed", "fast"):
        parsed("--lane", "fast", *FOUR)
    with refused(UsageError, "ARENA_LANE", "auto, off, on, mixed", "not 1"):
        parsed(*FOUR, ARENA_LANE="1")
    cannot = (
        ("--events", "e.jsonl"),
        ("--serve", "2"),
        ("--t_response", "199"),
        ("--seat-limit", "2:t_response=50"),
    )
    for words in cannot:
        with refused(UsageError, "--lane on", words[0].replace("seat-limit", "t_response")):
            parsed("--lane", "on", *words, *FOUR)
    can = (
        ("--serve", "2", "-q"),
        ("--t_response", "200"),
        ("--t_response", "-1"),
        ("--t_response", "50", *(f"--seat-limit={seat}:t_response=300" for seat in (1, 2))),
    )
    for words in can:
        assert parsed("--lane", "on", *words, *FOUR).match.lane is LaneMode.ON
    assert parsed("--events", "e.jsonl", *FOUR, ARENA_LANE="on").match.lane is LaneMode.OFF


def test_a_command_line_shows_no_secrets():
    """Seed and tokens are said in the environment."""
    plan = parsed(*FOUR, ARENA_SEAT_TOKENS=", b2")
    assert [seat.token for seat in plan.match.seats] == ["", "b2"]
    assert "b2" not in repr(plan)
    assert command_words(plan) == ["m", "g.game", "10", "env:ARENA_DEAL_SEED", "A", "B"]
    said = {"ARENA_DEAL_SEED": "7", "ARENA_SEAT_TOKENS": ",b2"}
    assert environment_of(plan) == said
