"""Resuming an interrupted match: its transaction file is played again, silently.

A transaction file has one line per applied action, `<action> <hand> <sent> <received>`, times in
seconds.  With the same seed it leads back to the state the match was left in.
"""

import contextlib
import zlib
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from dealer.server.endings import Ending, MatchStopped, stopped
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
        path: the transaction file.
        table: at hand 0.
        accounts: charged with the times in the file.
        log: gets the lines of lost hands.
        lost: finished hands that the match log lacks, see `lost_hands`.

    Raises:
        MatchStopped: a line cannot be read, is illegal, or is out of time.
    """
    for seat, transaction in _applied(path, table):
        if not accounts.charge(seat, float(transaction.received) - float(transaction.sent)):
            words = f"seat {seat + 1} ran out of time in transaction file"
            raise stopped(Ending.TIMEOUT, words, seat)
        for hand_id, line in _finished(table):
            if log is not None and hand_id in lost:
                log(line)
            accounts.new_hand()


def lost_hands(log: Path, transactions: Path, seed: int, hands: int, table: Table) -> set[int]:
    """Return the finished hands that a match log lacks; both files are only read.

    What a transaction file says up to its first unusable line counts; `replay_transactions`
    tells what is wrong with that line.  Of a file that goes beyond the match nothing is missed, as
    by the original: it was made for a longer one.

    Args:
        log: the match log; it may be missing.
        transactions: the transaction file; it may be missing.
        seed: of the deals; it says which of the matches in the log this is.
        hands: of the match.
        table: at hand 0; it plays along.

    Raises:
        MatchStopped: a hand is in the log twice, is not in the transaction file, or is another one
            there.  Nothing that could be added would put that right.
    """
    logged = _logged_hands(log, seed)
    lost = set()
    for hand_id, line in _finished_hands(transactions, table):
        found = logged.pop(hand_id, None)
        if found is None:
            lost.add(hand_id)
        elif found != _digest(line.encode("utf-8", "surrogateescape")):
            raise _refused(f"hand {hand_id} in {log} is not the one in {transactions}")
    if logged:
        raise _refused(f"hand {min(logged)} is in {log}, but not in {transactions}")
    return lost if table.finished_hands <= hands else set()


def _refused(why: str) -> MatchStopped:
    words = f"{why}; put back the files as they were, or begin anew without -a"
    return stopped(Ending.ERROR, f"cannot resume: {words}")


def _logged_hands(path: Path, seed: int) -> dict[int, int]:
    """Return {hand: digest of its line} of one match in a log, which may hold others too.

    It may have been begun with other limits, or to play fewer hands.

    Raises:
        MatchStopped: a hand is there twice.
    """
    ours = False
    logged: dict[int, int] = {}
    try:
        with path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break  # torn by a crash; it does not count
                if line.startswith(b"# name/game/hands/seed"):
                    ours = line.split()[-1] == b"%d" % seed
                elif ours and line.startswith(b"STATE:"):
                    number = line[6:17].partition(b":")[0]
                    if not number.isdigit():
                        continue
                    if int(number) in logged:
                        raise _refused(f"hand {int(number)} is in {path} twice")
                    logged[int(number)] = _digest(line.rstrip(b"\n"))
    except OSError:
        return {}
    return logged


def _digest(line: bytes) -> int:
    """Return a digest of a hand's line, names left out: they may be others by now."""
    return zlib.crc32(line.rpartition(b":")[0])


def _finished_hands(path: Path, table: Table) -> Iterator[tuple[int, str]]:
    """Yield number and log line of each hand that a transaction file finishes."""
    with contextlib.suppress(MatchStopped, OSError):
        for _ in _applied(path, table):
            yield from _finished(table)


def _applied(path: Path, table: Table) -> Iterator[tuple[int, Transaction]]:
    """Apply a file's lines one by one; yield each with the seat that acted.

    Raises:
        MatchStopped: a line cannot be read or is illegal.
    """
    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        for raw in file:
            if not raw.endswith("\n"):
                return  # torn by a crash, and cut off when the file is opened for writing
            line = raw.rstrip("\n")
            try:
                transaction = parse_transaction(line)
            except MalformedLogLine as error:
                raise stopped(Ending.ERROR, f"{error.reason} {line}") from error
            if transaction.hand_id != table.hand_id:
                raise stopped(Ending.ERROR, f"handId mismatch in transaction log: {line}")
            seat = table.acting_seat
            try:
                table.apply(transaction.action)
            except IllegalAction as error:
                words = f"invalid action in transaction log: {line}"
                raise stopped(Ending.ERROR, words) from error
            yield seat, transaction


def _finished(table: Table) -> Iterator[tuple[int, str]]:
    """Yield number and log line of each hand that is over, and go on to the next."""
    while table.state.over:
        yield table.hand_id, table.result()
        table.settle()
        table.next_hand()
