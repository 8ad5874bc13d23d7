"""The benchmark server's line protocol, without a network."""

import pytest

from dealer.hub.acpc_config import LOCAL, read_acpc_config
from dealer.hub.acpc_session import (
    MOST_LINE_BYTES,
    AcpcSession,
    LoggedOn,
    MatchesAsked,
    QueueAsked,
    SessionReply,
)
from tests.helpers.acpc_line import GAME, TEXT, written

OKAY = SessionReply(b"LOGON OKAY - type help for commands\n")
BAD = SessionReply(b"BAD RUNMATCHES COMMAND\n")
UNKNOWN = SessionReply(b"UNKNOWN\n")
NO_LIMIT = "holdem.nolimit.2p.reverse_blinds.game"


@pytest.fixture
def session(tmp_path):
    """A session that nobody has logged on to."""
    config = read_acpc_config(written(tmp_path, f"{TEXT}game {NO_LIMIT} {{\n}}\n"))
    return AcpcSession(
        config, {GAME: ["rule"]}, lambda name, password: config.users.get(name) == password
    )


def asked(session, line):
    """The order of a line after the logon."""
    session.receive(b"neil test\n")
    (event,) = session.receive(f"RUNMATCHES {line}\n".encode())
    return event.order


def one_line(session, line):
    """What the one-line form leads to, behind the logon."""
    first, *events = session.receive(f"neil test {line}\n".encode())
    assert first == LoggedOn("neil")
    assert session.over
    return events


@pytest.mark.parametrize(
    "line", [b"neil test\n", b"  neil\ttest \r\n", b"neil test and more words\n"]
)
def test_a_user_logs_on(session, line):
    """Name and password, with any blanks; more words are ignored."""
    assert session.receive(line) == [LoggedOn("neil"), OKAY]
    assert session.receive(b"foo") == []
    assert session.receive(b"\n") == [UNKNOWN]


@pytest.mark.parametrize(
    "line", [b"\n", b"neil\n", b"neil wrong\n", b"NEIL test\n", b"a b\n", b"\0\xff \xff\n"]
)
def test_nobody_else_logs_on(session, line):
    """It is said, and nothing is read any more."""
    assert session.receive(line + b"HELP\n") == [SessionReply(b"BAD LOGON\n")]
    assert session.over
    assert session.receive(b"neil test\n") == []


def test_commands_are_answered(session):
    """In any case, several at a time, and where a line only begins so."""
    session.receive(b"neil test\n")
    help_text, again, games, queue = session.receive(b"HELP\nhelpful\nGAMES\r\nqstat now\n")
    assert help_text == again
    assert help_text.data.count(b"\n") == 6
    assert b"\0" not in help_text.data
    assert games.data.decode() == f"\n{NO_LIMIT}\n\n{GAME}\n otherBot\n testBot\n rule\n"
    assert isinstance(queue, QueueAsked)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nogame 1 t 5 LOCAL testBot",
        f"{GAME} 4 t 5 LOCAL testBot",
        f"{GAME} -1 t 5 LOCAL testBot",
        f"{GAME} x t 5 LOCAL testBot",
        f"{GAME} 1 a/b 5 LOCAL testBot",
        f"{GAME} 1 {'t' * 101} 5 LOCAL testBot",
        f"{GAME} 1 t\x1b 5 LOCAL testBot",
        f"{GAME} 1 t 4294967296 LOCAL testBot",
        f"{GAME} 1 t -5 LOCAL testBot",
        f"{GAME} 1 t 5 LOCAL",
        f"{GAME} 1 t 5 local testBot",
        f"{GAME} 1 t 5 LOCAL TESTBOT",
        f"{NO_LIMIT} 1 t 5 LOCAL testBot",
    ],
)
def test_a_request_that_makes_no_sense_is_refused(session, line):
    """And the next one is taken."""
    session.receive(b"neil test\n")
    assert session.receive(f"RUNMATCHES {line}\n".encode()) == [BAD]
    (event,) = session.receive(f"runmatches {GAME} 1 t 5 LOCAL rule extra\n".encode())
    assert event.order.players == (LOCAL, "rule")


@pytest.mark.parametrize(
    ("runs", "seed", "seeds"),
    [
        (1, 12345, [12345]),
        (2, 12345, [3992670690, 3823185381]),
        (0, 12345, []),
        (1, 0, [3992670690]),
        (2, 0, [3992670690, 3823185381]),
    ],
)
def test_seeds_are_those_of_the_original(session, runs, seed, seeds):
    """One run has the seed itself, more have MT19937's outputs; 0 is a generator nobody knows."""
    order = asked(session, f"{GAME} {runs} t {seed} LOCAL LOCAL")
    assert list(order.seeds(12345)) == seeds


def test_all_may_be_said_in_one_line(session):
    """Here LOCAL is written in any case, and the script, which is the client's, may have blanks."""
    (event,) = one_line(session, "run 2pl ./my bot.sh 2 tag 12345 local testBot")
    assert isinstance(event, MatchesAsked)
    assert event.last
    order = event.order
    assert (order.game.file, order.runs, order.tag) == (GAME, 2, "tag")
    assert order.players == (LOCAL, "testBot")
    assert list(order.seeds(1)) == [3992670690, 3823185381]
    assert session.receive(b"HELP\n") == []


def test_a_match_of_a_set_is_run_again(session):
    """Its index from 0 says which output its seed is; 0 is a seed as any other."""
    (event,) = one_line(session, "rerun 2pl ./bot.sh 1 tag 12345 testBot LOCAL")
    assert (event.order.runs, list(event.order.seeds(7))) == (1, [3823185381])


def test_seed_zero_of_the_one_line_form_can_be_run_again(session):
    """The client's help says so."""
    (event,) = one_line(session, "rerun 2pn ./bot.sh 0 tag 0 LOCAL LOCAL")
    assert event.order.game.file == NO_LIMIT
    assert list(event.order.seeds(1)) == list(event.order.seeds(2)) == [2357136044]


@pytest.mark.parametrize(
    "line",
    [
        "run",
        "run 3pl ./bot.sh 1 tag 5 LOCAL testBot testBot",
        "run 2pl 1 tag 5 LOCAL testBot",
        "run 2pl ./bot.sh 1 tag 5 LOCAL nobody",
        "rerun 2pl ./bot.sh x tag 5 LOCAL testBot",
        "rerun 2pl ./bot.sh 65536 tag 5 LOCAL testBot",
        "rerun 2pl ./bot.sh 1 tag x LOCAL testBot",
    ],
)
def test_one_line_that_makes_no_sense_is_refused(session, line):
    """And the connection ends."""
    assert one_line(session, line) == [BAD]


def test_games_are_listed_in_one_line(session):
    """The end of the connection is the end of the list."""
    (games,) = one_line(session, "games")
    assert games.data.endswith(b" testBot\n rule\n")


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("logged_on", [True, False])
def test_no_line_is_longer_than_a_buffer(session, logged_on, end):
    """It ends the session, as nobody needs it."""
    if logged_on:
        session.receive(b"neil test\n")
    (event,) = session.receive(b"x" * MOST_LINE_BYTES + end)
    assert event == (UNKNOWN if logged_on else SessionReply(b"BAD LOGON\n"))
    assert session.over
