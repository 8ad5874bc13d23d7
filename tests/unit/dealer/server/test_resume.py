"""Resuming from a transaction file."""

import math
from contextlib import closing
from pathlib import Path

import pytest

from dealer.server.endings import Ending, MatchStopped
from dealer.server.record_file import RecordFile
from dealer.server.recorder import MatchLog
from dealer.server.resume import lost_hands, replay_transactions
from dealer.server.table import Table
from dealer.server.time_limits import TimeAccounts, TimeLimits
from protocol.gamedefs import load_builtin

T = "1795000000.000000 1795000000.100000"
FREE = TimeLimits(math.inf, math.inf, math.inf)
HEADER = "# name/game/hands/seed m g 3 42"
FOLDS = f"f 0 {T}\nf 1 {T}\n"


HANDS = ("STATE:0:f:7d3d|2hAc:50|-50:Alice|Bob\n", "STATE:1:f:9h6s|3d3h:50|-50:Bob|Alice\n")
"""What folding at once makes of the first deals."""
OTHERS = "# name/game/hands/seed m g 3 43\n"
"""Header of another match."""


def fresh_table():
    return Table(load_builtin("hunl"), 42, ["Alice", "Bob"])


def replayed(tmp_path, text, *, limits=FREE, lost=(), log=None):
    path = tmp_path / "m.tlog"
    path.write_text(text)
    table = fresh_table()
    replay_transactions(path, table, TimeAccounts(limits, 2), log, lost)
    return table


def lost(tmp_path, log, transactions, hands=3):
    """Return the hands that a log lacks; None: there is no such file."""
    paths = tmp_path / "m.log", tmp_path / "m.tlog"
    for path, text in zip(paths, (log, transactions), strict=True):
        if text is not None:
            path.write_text(text)
    return lost_hands(*paths, 42, hands, fresh_table())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x 0 1.0 2.0\n", "could not parse transaction action x 0 1.0 2.0"),
        ("\n", "could not parse transaction action "),
        ("c 0 1795000000\n", "could not parse transaction stamp c 0 1795000000"),
        (f"r0 0 {T}\n", f"invalid action in transaction log: r0 0 {T}"),
        (f"r 0 {T}\n", f"invalid action in transaction log: r 0 {T}"),
        (f"c 1 {T}\n", f"handId mismatch in transaction log: c 1 {T}"),
        (f"r150 0 {T}\n", f"invalid action in transaction log: r150 0 {T}"),
    ],
)
def test_unusable_lines_stop_the_match(tmp_path, text, words):
    """With the original's words, and no repair."""
    with pytest.raises(MatchStopped) as caught:
        replayed(tmp_path, text)
    assert caught.value.end.ending is Ending.ERROR
    assert caught.value.lines == (f"ERROR: {words}",)


def test_time_limits_hold_for_the_past_too(tmp_path):
    """A seat that was too slow is still too slow."""
    with pytest.raises(MatchStopped, match="seat 2 ran out of time in transaction file"):
        replayed(tmp_path, f"c 0 {T}\n", limits=TimeLimits(0.05, 1, 1))


def test_the_table_stands_where_the_file_ends(tmp_path):
    """Finished hands are counted, the open one goes on."""
    table = replayed(tmp_path, f"f 0 {T}\nr300 1 {T}\n")
    assert (table.hand_id, table.finished_hands, table.state.betting) == (1, 1, "r300")
    assert table.totals == [50.0, -50.0]


def test_surplus_hands_count_too(tmp_path):
    """A file longer than the match is played to its end."""
    table = replayed(tmp_path, "".join(f"f {hand} {T}\n" for hand in range(5)))
    assert table.finished_hands == 5


def test_hands_the_log_missed_are_logged_now(tmp_path):
    """A dealer killed between the two files loses no finished hand."""
    log = tmp_path / "m.log"
    log.write_text(f"{HEADER}\n{HANDS[0]}")
    with closing(RecordFile(log, "log", append=True)) as record:
        replayed(tmp_path, FOLDS, lost={1}, log=MatchLog(record).write)
    assert log.read_text() == f"{HEADER}\n{HANDS[0]}{HANDS[1]}"


@pytest.mark.parametrize(
    ("log", "missing"),
    [
        (None, {0, 1}),
        ("", {0, 1}),
        (f"{HEADER}\n", {0, 1}),
        (f"{HEADER}\n{HANDS[0]}", {1}),
        (f"{HEADER}\n{HANDS[1]}", {0}),
        (f"{HEADER}\n{HANDS[0]}{HANDS[1]}", set()),
        (f"{HEADER}\n{HANDS[0]}{HEADER}\n{HANDS[1]}", set()),
        (f"{HEADER}\n{HANDS[0]}{HANDS[1]}SCORE:0|0:Alice|Bob\n{HEADER}\n", set()),
        (f"{HEADER}\n{HANDS[0]}{HANDS[1][:-5]}", {1}),
        (f"{HEADER.replace(' m ', ' ./m ')}\n{HANDS[0]}", {1}),
        (f"{HEADER}\n{HANDS[0].replace('Bob', 'Bobby')}", {1}),
        (f"{HEADER.replace(' 3 ', ' 1 ')}\n{HANDS[0]}SCORE:50|-50:Alice|Bob\n{HEADER}\n", {1}),
        (f"{OTHERS}STATE:0:f::1|-1:A|B\n", {0, 1}),
        (f"{HEADER}\n{HANDS[0]}{OTHERS}STATE:0:f::1|-1:A|B\n", {1}),
    ],
)
def test_lost_hands_are_those_of_the_transactions_that_the_log_lacks(tmp_path, log, missing):
    """Whatever else there is: scores, other matches, half a line, other names."""
    assert lost(tmp_path, log, FOLDS) == missing


def test_transactions_beyond_the_match_are_not_logged(tmp_path):
    """As by the original."""
    assert lost(tmp_path, None, FOLDS, hands=2) == {0, 1}
    assert lost(tmp_path, None, FOLDS, hands=1) == set()


@pytest.mark.parametrize(
    ("log", "transactions", "words"),
    [
        (HANDS[0] + HANDS[1], f"f 0 {T}\n", "hand 1 is in .*m.log, but not in .*m.tlog"),
        (HANDS[0], None, "hand 0 is in .*m.log, but not in"),
        (HANDS[0], "", "hand 0 is in .*m.log, but not in"),
        (HANDS[0], f"f 0 {T}"[:-3], "hand 0 is in .*m.log, but not in"),
        (HANDS[0], f"x 0 {T}\n", "hand 0 is in .*m.log, but not in"),
        (HANDS[0] + HANDS[0], FOLDS, "hand 0 is in .*m.log twice"),
        (HANDS[0].replace("2hAc", "2hAd"), FOLDS, "hand 0 in .*m.log is not the one in"),
        (HANDS[0], f"c 0 {T}\nf 0 {T}\n", "hand 0 is in .*m.log, but not in"),
        (HANDS[0], f"r300 0 {T}\nf 0 {T}\n", "hand 0 in .*m.log is not the one in"),
    ],
)
def test_files_that_contradict_each_other_are_refused(tmp_path, log, transactions, words):
    """Before anything is written to them."""
    with pytest.raises(MatchStopped, match=f"cannot resume: {words}") as caught:
        lost(tmp_path, f"{HEADER}\n{log}", transactions)
    assert caught.value.end.ending is Ending.ERROR
    assert (tmp_path / "m.log").read_text() == f"{HEADER}\n{log}"


def test_a_torn_last_line_is_dropped_or_ended(tmp_path):
    """A crash may leave half a line; nothing is ever glued to it."""
    path = tmp_path / "m.log"
    path.write_text("whole\nhal")
    with closing(RecordFile(path, "log", append=True, drop_torn=True)) as record:
        record.write("next\n")
    assert path.read_text() == "whole\nnext\n"
    path.write_text("whole\nhal")
    with closing(RecordFile(path, "log", append=True)) as record:
        record.write("next\n")
    assert path.read_text() == "whole\nhal\nnext\n"


@pytest.mark.parametrize("zeros", [10, 65_536, 200_000])
def test_zeros_that_a_loss_of_power_left_behind_are_dropped(tmp_path, zeros):
    """Any number of them, and all of a file that has no whole line."""
    path = tmp_path / "m.log"
    for whole in (b"", b"whole\n"):
        path.write_bytes(whole + b"ha" + bytes(zeros))
        with closing(RecordFile(path, "log", append=True, drop_torn=True)) as record:
            record.write("next\n")
        assert path.read_bytes() == whole + b"next\n"


def test_a_full_disk_is_an_ending_with_words():
    """The dealer says what it could not write."""
    words = "could not write log file /dev/full: No space left"
    full = RecordFile(Path("/dev/full"), "log", append=False)
    with closing(full), pytest.raises(MatchStopped, match=words):
        full.write("x" * 10000)
