"""Resuming an interrupted match: its transaction file is played again, silently.

A transaction file has one line per applied action, `<action> <hand> <sent> <received>`, times in
seconds.  With the same seed it leads back to the state the match was left in.
"""

from collections.abc import Callable
from pathlib import Path

from dealer.server.endings import Ending, stopped
from dealer.server.table import Table
from dealer.server.time_limits import TimeAccounts
from engine.errors import IllegalAction
from protocol.errors import MalformedLogLine
from protocol.transcript import parse_transaction


def replay_transactions(
    path: Path,
    table: Table,
    accounts: TimeAccounts,
    log: Callable[[str], None] | None,
    logged: int | None,
) -> None:
    """Bring a fresh table to where its transaction file ends, even beyond the match's length.

    Args:
        path: the transaction file.
        table: at hand 0.
        accounts: charged with the times in the file.
        log: gets the lines of hands that were finished but not logged when the match broke off.
        logged: hands the match log holds, see `hands_logged`; None: log nothing again.

    Raises:
        MatchStopped: a line cannot be read, is illegal, or is out of time.
    """

    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        for raw in file:
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
            if not accounts.charge(seat, float(transaction.received) - float(transaction.sent)):
                words = f"seat {seat + 1} ran out of time in transaction file"
                raise stopped(Ending.TIMEOUT, words, seat)
            while table.state.over:
                line = table.result()
                if log is not None and logged is not None and table.hand_id >= logged:
                    log(line)
                table.settle()
                table.next_hand()
                accounts.new_hand()


def hands_logged(path: Path, header: str) -> int | None:
    """Return how many hands of an unfinished match its log holds.

    Args:
        path: the match log.
        header: first header line of the match; its hands and seed say which match it is.

    Returns:
        The number of the last hand plus one; None when the log's last match is another one, is
        already scored, or there is no log.
    """
    wanted = header.encode("utf-8", "surrogateescape").split()[-2:]
    logged: int | None = None
    try:
        with path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break  # torn by a crash; it does not count
                if line.startswith(b"# name/game/hands/seed"):
                    same = line.split()[-2:] == wanted
                    logged = (logged or 0) if same else None
                elif line.startswith(b"SCORE:"):
                    logged = None
                elif logged is not None and line.startswith(b"STATE:"):
                    hand = line[6:17].partition(b":")[0]
                    logged = int(hand) + 1 if hand.isdigit() else logged
    except OSError:
        return None
    return logged
