"""What the files of a match lack of each other, and playing the transaction file again."""

import math
import os

import pytest

from dealer.server.endings import Ending, MatchStopped
from dealer.server.record_file import LONGEST_LINE_BYTES
from dealer.server.recovery import Missing, compare_records, put_back, replay_transactions
from dealer.server.table import Table
from dealer.server.time_limits import TimeAccounts, TimeLimits
from protocol.gamedefs import load_builtin
from tests.helpers.said import refused

T = "1795000000.000000 1795000000.100000"
FREE = TimeLimits(math.inf, math.inf, math.inf)
NEVER = "0.000000 0.000000"
HEADER = "# name/game/hands/seed m g 3 42"
FOLDS = f"f 0 {T}\nf 1 {T}\n"
HANDS = ("STATE:0:f:7d3d|2hAc:50|-50:Alice|Bob\n", "STATE:1:f:9h6s|3d3h:50|-50:Bob|Alice\n")
"""What folding at once makes of the first deals."""
LONG = "STATE:0:r300c/cr600f:7d3d|2hAc/5sKs7s:-300|300:Alice|Bob\n"
"""A longer first hand."""
OTHERS = "# name/game/hands/seed m g 3 43\n"
"""Header of another match."""


def compared(tmp_path, log, transactions, hands=3):
    """Compare a log and a transaction file; None: there is no such file."""
    paths = tmp_path / "m.log", tmp_path / "m.tlog"
    for path, text in zip(paths, (log, transactions), strict=True):
        if text is not None:
            path.write_text(text)
    table = Table(load_builtin("hunl"), 42, ["Alice", "Bob"])
    return compare_records(*paths, 42, hands, table)


@pytest.mark.parametrize(
    ("log", "missing"),
    [
        (None, {0, 1}),
        ("", {0, 1}),
        (f"{HEADER}\n", {0, 1}),
        (f"{HEADER}\n{HANDS[0]}", {1}),
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
    assert compared(tmp_path, log, FOLDS) == Missing(frozenset(missing))


def test_hands_lost_in_the_middle_go_to_their_places(tmp_path):
    """Among the hands of their match, whatever stands before and behind them."""
    log = tmp_path / "m.log"
    for before, behind in (
        (f"{HEADER}\n", ""),
        (f"{OTHERS}STATE:0:f::1|-1:A|B\nSCORE:1|-1:A|B\n{HEADER}\n# of them\n", "SCORE:0|0:A|B\n"),
        (f"{HEADER}\n{OTHERS}STATE:3:f::1|-1:A|B\n{HEADER}\n", HEADER),
    ):
        missing = compared(tmp_path, f"{before}{HANDS[1]}{behind}", FOLDS)
        assert missing == Missing(within=((0, HANDS[0][:-1]),))
        put_back(log, 42, missing.within)
        whole = behind if behind.endswith("\n") else ""  # half a line is dropped
        assert log.read_text() == f"{before}{HANDS[0]}{HANDS[1]}{whole}"
        assert compared(tmp_path, log.read_text(), FOLDS) == Missing()


def test_transactions_beyond_the_match_are_not_logged(tmp_path):
    """As by the original."""
    assert compared(tmp_path, None, FOLDS, hands=2).hands == {0, 1}
    assert compared(tmp_path, None, FOLDS, hands=1).hands == set()


@pytest.mark.parametrize(
    ("transactions", "added"),
    [
        (None, f"r300 0 {NEVER}\nc 0 {NEVER}\nc 0 {NEVER}\nr600 0 {NEVER}\nf 0 {NEVER}\n"),
        ("", f"r300 0 {NEVER}\nc 0 {NEVER}\nc 0 {NEVER}\nr600 0 {NEVER}\nf 0 {NEVER}\n"),
        (f"r300 0 {T}\nc 0 {T}\nc 0 {T}\n", f"r600 0 {NEVER}\nf 0 {NEVER}\n"),
        (f"r300 0 {T}\nc 0 {T}\nc 0 {T}\nr600 0 179", f"r600 0 {NEVER}\nf 0 {NEVER}\n"),
        (f"r300 0 {T}\nc 0 {T}\nc 0 {T}\nr600 0 {T}\n", f"f 0 {NEVER}\n"),
    ],
)
def test_transactions_that_are_missing_are_those_of_the_log(tmp_path, transactions, added):
    """From where the file ends, be it in mid-hand, to the last logged hand; nobody pays time."""
    log = f"{HEADER}\n{LONG}{HANDS[1]}"
    assert compared(tmp_path, log, transactions) == Missing(transactions=f"{added}f 1 {NEVER}\n")


@pytest.mark.parametrize(
    ("log", "transactions", "facts"),
    [
        (HANDS[1], None, ["hand 1", "before"]),
        (HANDS[0], f"x 0 {T}\n", ["hand 0", "m.tlog", "unusable line"]),
        (HANDS[0], f"c 0 {T}\nf 0 {T}\n", ["hand 0", "m.tlog", "unusable line"]),
        (HANDS[0] + HANDS[0], FOLDS, ["hand 0", "twice"]),
        (HANDS[0].replace("2hAc", "2hAd"), FOLDS, ["hand 0", "not the one", "m.tlog"]),
        (HANDS[0].replace("2hAc", "2hAd"), None, ["hand 0", "cards"]),
        (HANDS[0].replace(":f:", ":r1:"), None, ["hand 0", "cannot be played"]),
        (HANDS[0].replace(":f:", ":x:"), None, ["hand 0", "cannot be played"]),
        (HANDS[0].replace(":f:", ":ff:"), None, ["hand 0", "cannot be played"]),
        (HANDS[0].replace(":f:", ":c:"), None, ["hand 0", "cards"]),
        (HANDS[0].replace(":50|-50:", ":1|-1:"), None, ["hand 0", "not one of"]),
        (HANDS[0], f"r300 0 {T}\n", ["hand 0", "cannot be played", "begins otherwise"]),
        (HANDS[0], f"r300 0 {T}\nf 0 {T}\n", ["hand 0", "not the one", "m.tlog"]),
        ("STATE:x:f:7d3d|2hAc:50|-50:A|B\n", FOLDS, ["line 2", "read"]),
        ("STA\0E:0:f:7d3d|2hAc:50|-50:A|B\n", FOLDS, ["line 2", "read"]),
    ],
)
def test_files_that_contradict_each_other_are_refused(tmp_path, log, transactions, facts):
    """Before anything is written to them."""
    with refused(MatchStopped, "cannot resume", tmp_path / "m.log", *facts) as caught:
        compared(tmp_path, f"{HEADER}\n{log}", transactions)
    assert caught.value.end.ending is Ending.ERROR
    assert (tmp_path / "m.log").read_text() == f"{HEADER}\n{log}"


@pytest.mark.parametrize("first", ["", "# name/gXme/hands/seed m g 3 42\n", "#--t_hand 7\n"])
def test_hands_without_a_header_are_refused(tmp_path, first):
    """Nobody can tell whose they are; ours would be written once more."""
    with refused(MatchStopped, f"line {first.count(chr(10)) + 1}", tmp_path / "m.log", "no header"):
        compared(tmp_path, f"{first}{HANDS[0]}{HEADER}\n{HANDS[1]}", FOLDS)


def test_transactions_that_go_bad_are_refused_before_anything_is_written(tmp_path):
    """With the words of the reader; hands that they finish are not logged for nothing."""
    with pytest.raises(MatchStopped) as caught:
        compared(tmp_path, None, f"{FOLDS}x 2 {T}\n")
    assert caught.value.lines == (f"ERROR: could not parse transaction action x 2 {T}",)
    assert compared(tmp_path, None, f"x 0 {T}\n") == Missing()


@pytest.mark.timeout(10)
@pytest.mark.parametrize("name", ["m.log", "m.tlog"])
@pytest.mark.parametrize("kind", ["pipe", "endless", "folder"])
def test_what_is_no_plain_file_has_no_lines(tmp_path, name, kind):
    """A pipe is not waited for, and a device without end not read to it."""
    path = tmp_path / name
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    log_is_it = name == "m.log"
    missing = compared(tmp_path, None, FOLDS if log_is_it else None)
    assert missing.hands == ({0, 1} if log_is_it else set())


def test_lines_too_long_for_a_dealer_are_refused_and_torn_ones_left_out(tmp_path):
    """However long they are: zeros that a disk without power leaves may be gigabytes."""
    zeros = "\0" * (LONGEST_LINE_BYTES * 3)
    assert compared(tmp_path, f"{HEADER}\n{HANDS[0]}{zeros}", FOLDS).hands == {1}
    with pytest.raises(MatchStopped, match=r"cannot resume: line 3 of .*m.log cannot be read"):
        compared(tmp_path, f"{HEADER}\n{HANDS[0]}{'x' * len(zeros)}\n{HANDS[1]}", FOLDS)


def test_a_log_that_cannot_be_read_is_not_taken_for_an_empty_one(tmp_path):
    """Its hands would be written once more."""
    (tmp_path / "m.log").symlink_to("m.log")
    with pytest.raises(MatchStopped, match=r"could not read .*m\.log"):
        compared(tmp_path, None, FOLDS)


def replayed(tmp_path, text, *, limits=FREE):
    path = tmp_path / "m.tlog"
    path.write_text(text)
    table = Table(load_builtin("hunl"), 42, ["Alice", "Bob"])
    replay_transactions(path, table, TimeAccounts([limits] * 2), None, ())
    return table


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
    """A seat that was too slow is still too slow; else the table stands where the file ends."""
    table = replayed(tmp_path, f"f 0 {T}\nr300 1 {T}\n")
    assert (table.hand_id, table.finished_hands, table.state.betting) == (1, 1, "r300")
    assert table.totals == [50.0, -50.0]
    with pytest.raises(MatchStopped, match="seat 2 ran out of time in transaction file"):
        replayed(tmp_path, f"c 0 {T}\n", limits=TimeLimits(0.05, 1, 1))
