"""Resuming an interrupted match: its transaction file is replayed, without output.

A transaction file has one line per applied action, `<action> <hand> <sent> <received>`, times in
seconds.  With the same seed it leads back to the state the match was left in.
"""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from dealer.server.endings import Ending, error_ending
from dealer.server.record_lines import record_lines
from dealer.server.table import Table
from dealer.server.time_limits import TimeAccounts
from engine.errors import IllegalAction
from protocol.errors import MalformedLogLine
from protocol.transcript import Transaction, parse_transaction


def replay_transactions(
    path: Path,
    table: Table,
    accounts: TimeAccounts,
    log: Callable[[str], None] | None,
    lost: Collection[int],
) -> None:
    """Bring a fresh table to where its transaction file ends, even beyond the match's length.

    Args:
        table: at hand 0.
        accounts: charged with the times in the file.
        log: gets the lines of lost hands.
        lost: finished hands that the match log lacks, see `recovery.compare_records`.

    Raises:
        MatchStopped: a line cannot be read, is illegal, or is out of time.
    """
    for seat, transaction in applied_transactions(path, table):
        if not accounts.charge(seat, float(transaction.received) - float(transaction.sent)):
            words = f"seat {seat + 1} ran out of time in transaction file"
            raise error_ending(Ending.TIMEOUT, words, seat)
        for hand_id, line in finished_hands(table):
            if log is not None and hand_id in lost:
                log(line)
            accounts.new_hand()


def applied_transactions(path: Path, table: Table) -> Iterator[tuple[int, Transaction]]:
    """Apply a file's lines one by one; yield each with the seat that acted.

    Raises:
        MatchStopped: a line cannot be read or is illegal.
    """
    for raw in record_lines(path):
        line = raw.decode("utf-8", "surrogateescape").removesuffix("\r")
        try:
            transaction = parse_transaction(line)
        except MalformedLogLine as error:
            raise error_ending(Ending.ERROR, f"{error.reason} {line}") from error
        if transaction.hand_id != table.hand_id:
            raise error_ending(Ending.ERROR, f"handId mismatch in transaction log: {line}")
        seat = table.acting_seat
        try:
            table.apply(transaction.action)
        except IllegalAction as error:
            words = f"invalid action in transaction log: {line}"
            raise error_ending(Ending.ERROR, words) from error
        yield seat, transaction


def finished_hands(table: Table) -> Iterator[tuple[int, str]]:
    """Yield number and log line of each hand that is over, and go on to the next."""
    while table.state.over:
        yield table.hand_id, table.result()
        table.settle()
        table.next_hand()
