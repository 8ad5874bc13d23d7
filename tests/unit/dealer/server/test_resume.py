"""Resuming from a transaction file."""

import math

import pytest

from dealer.server.endings import Ending, MatchStopped
from dealer.server.resume import replay_transactions
from dealer.server.table import Table
from dealer.server.time_limits import TimeAccounts, TimeLimits
from protocol.gamedefs import load_builtin

T = "1795000000.000000 1795000000.100000"
FREE = TimeLimits(math.inf, math.inf, math.inf)


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
