"""The observers that write: log, transaction file, stderr, counts."""

from contextlib import closing
from pathlib import Path

from dealer.server.endings import Ending, MatchEnd, MatchStopped
from dealer.server.event_log import EventLog
from dealer.server.observers import AgentLine, FaultOutcome, MatchObserver, ReplyFault
from dealer.server.record_file import RecordFile
from dealer.server.recorder import (
    MOST_IGNORED_TOLD,
    MatchLog,
    SeatCounts,
    TransactionFile,
    Transcript,
    Warnings,
)
from protocol.handshake import Version
from tests.helpers.fake_clock import FakeClock
from tests.helpers.fake_match import fake_match
from tests.helpers.said import refused, says, says_in_a_line


async def test_the_log_and_the_transactions_of_a_match(tmp_path):
    """A line for each hand, a line for each action, a comment for a seat that came back."""
    with (
        closing(RecordFile(tmp_path / "log", "log", append=False)) as log,
        closing(RecordFile(tmp_path / "tlog", "transaction", append=False)) as transactions,
    ):
        writers = MatchLog(log), TransactionFile(transactions)
        async with fake_match(*writers, hands=2, reconnect_s=30) as m:
            m.clock.advance(0.25)
            m.act(b"r300")
            m.come_back(0)
            m.act(b"f", b"f")
            await m.ending()
        writers[0].match_scored("SCORE:0|0:Alice|Bob")
    assert (tmp_path / "log").read_text().splitlines() == [
        "# reconnect seat 1 hand 0",
        "STATE:0:r300f:7d3d|2hAc:-100|100:Alice|Bob",
        "STATE:1:f:9h6s|3d3h:50|-50:Bob|Alice",
        "SCORE:0|0:Alice|Bob",
    ]
    assert (tmp_path / "tlog").read_text().splitlines() == [
        "r300 0 1800000000.000000 1800000000.250000",
        "f 0 1800000000.250000 1800000000.250000",
        "f 1 1800000000.250000 1800000000.250000",
    ]


async def test_what_stderr_gets_of_a_match(capfd):
    """Every message both ways, a line ending at its NUL, and the time used now and then."""
    async with fake_match(Transcript(), hands=1) as m:
        m.clock.advance(3.0)
        m.agents[1].say(b"MATCHSTATE:1:0::|2hAc:f\0junk\r\n")
        await m.ending()
    assert capfd.readouterr().err.replace("\r\n", "\n").splitlines() == [
        "TO 1 at 1800000000.000000 MATCHSTATE:0:0::7d3d|",
        "TO 2 at 1800000000.000000 MATCHSTATE:1:0::|2hAc",
        "FROM 2 at 1800000003.000000 MATCHSTATE:1:0::|2hAc:fTO 1 at 1800000003.000000 "
        "MATCHSTATE:0:0:f:7d3d|",
        "TO 2 at 1800000003.000000 MATCHSTATE:1:0:f:|2hAc",
        "Seconds cumulatively spent in match for seat 0: 0",
        "Seconds cumulatively spent in match for seat 1: 3",
        "FINISHED at 1800000003.000000",
    ]


async def test_warnings_are_said_even_when_all_else_is_quiet(capfd):
    """What was put right, another version, an observer that is gone."""

    class Fragile(MatchObserver):
        def action_applied(self, applied):
            raise ValueError("oops")

    warnings = Warnings()
    async with fake_match(warnings, Fragile()) as m:
        m.actor.say(b"nonsense\r\n")
        m.act(b"r150")
    warnings.version_unsupported(0, Version(3, 0, 0))
    ignored, put_right, observer, version = capfd.readouterr().err.splitlines()
    assert ignored == "WARNING: bad state format in response"
    assert put_right == "WARNING: raise of 150 increased to 200"
    says(observer, "WARNING: Fragile", "ValueError('oops')")
    assert version == "ERROR: this server is currently using version 2.0.0"


def test_events_carry_the_time_of_the_matchs_clock(tmp_path):
    """As ISO 8601 in UTC."""
    clock = FakeClock()
    clock.advance(1.5)
    with closing(EventLog(tmp_path / "e", clock)) as events:
        events.seat_connected(0)
    assert (tmp_path / "e").read_text() == (
        '{"seat": 1, "event": "connected", "timestamp": "2027-01-15T08:00:01.500000Z"}\n'
    )


def test_lines_that_are_no_answers_do_not_fill_the_disk(tmp_path, capfd):
    """Of each seat's the first ten thousand are told of one by one; the counts stay exact."""
    counts, warnings = SeatCounts(2), Warnings()
    with closing(EventLog(tmp_path / "e", FakeClock())) as events:
        for seat, times in ((0, MOST_IGNORED_TOLD + 500), (1, 3)):
            line = AgentLine(seat, "Bob", 0, b"x", 0.0)
            fault = ReplyFault(line, FaultOutcome.IGNORED, "junk", warnings=("bad state",))
            for _ in range(times):
                for observer in (counts, warnings, events):
                    observer.reply_faulted(fault)
    said = capfd.readouterr().err.splitlines()
    assert len(said) == MOST_IGNORED_TOLD + 3
    says(said[MOST_IGNORED_TOLD - 1], "WARNING: seat 1", "10,000 lines", "ignored")
    written = (tmp_path / "e").read_text().splitlines()
    assert len(written) == MOST_IGNORED_TOLD + 3
    assert '"event": "not_shown"' in written[MOST_IGNORED_TOLD - 1]
    assert [dict(seat) for seat in counts.faults] == [
        {"ignored: junk": MOST_IGNORED_TOLD + 500},
        {"ignored: junk": 3},
    ]


def test_a_transcript_shows_little_of_what_nobody_asked_for(capfd):
    """Answers are shown always; of other lines a mebibyte more than the seat was sent."""
    transcript = Transcript()
    junk = b"x" * 4093 + b"\r\n"
    for _ in range(400):
        transcript.line_received(1, 1.0, junk)
    shown = capfd.readouterr().err
    assert 0.9 * (1 << 20) < len(shown) < 1.1 * (1 << 20)
    says_in_a_line(shown[shown.rindex("# ") :], "seat 2", "not all")
    for _ in range(400):
        transcript.state_sent(1, 2.0, junk)
    capfd.readouterr()
    transcript.line_received(1, 3.0, b"MATCHSTATE...:c\r\n")
    assert capfd.readouterr().err == "FROM 2 at 3.000000 MATCHSTATE...:c\r\n"


def test_a_full_disk_ends_the_match_with_its_name():
    """For each file that a match must not continue without."""
    full = Path("/dev/full")
    with (
        closing(EventLog(full, FakeClock())) as events,
        refused(MatchStopped, "event file", "No space"),
    ):
        events.match_over(MatchEnd(Ending.FINISHED))
    with (
        closing(RecordFile(full, "log", append=False)) as file,
        refused(MatchStopped, "log file", full, "No space"),
    ):
        MatchLog(file).write("STATE")
