"""Going on with an interrupted match: its transaction file is played again, silently.

A transaction file has one line per applied action, `<action> <hand> <sent> <received>`, times in
seconds.  With the same seed it leads back to the state the match was left in.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dealer.clock import TimeAccounts
from dealer.endings import Ending, stopped
from dealer.recorder import Recorder
from dealer.table import Table
from engine.errors import IllegalAction
from protocol.actions import CALL, FOLD, RAISE, Action, raise_to

_ACTION: Final = re.compile(r"(?:([fF])|([cCkK])|([rRbB])\s*([+-]?[0-9]{1,18})?)")
_STAMP: Final = re.compile(
    r"\s*([0-9]{1,10})\s+([0-9]{1,18}\.[0-9]{1,6})\s+([0-9]{1,18}\.[0-9]{1,6})\s*$"
)


@dataclass(frozen=True, slots=True)
class Transaction:
    """One applied action of a match."""

    action: Action
    hand_id: int
    seconds: float
    """From sending the state to receiving the answer."""


def parse_transaction(line: str, *, no_limit: bool) -> Transaction:
    """Parse a line of a transaction file.

    Raises:
        MatchStopped: the action or its stamp cannot be read.
    """
    match = _ACTION.match(line)
    if match is None or (no_limit and match[3] and not match[4]):
        raise stopped(Ending.ERROR, f"could not parse transaction action {line}")
    if match[1]:
        action = FOLD
    elif match[2]:
        action = CALL
    else:
        action = raise_to(int(match[4])) if no_limit else RAISE
    # In limit games a number behind "r" is the hand, not a size.
    stamp = _STAMP.match(line, match.end() if no_limit or not match[3] else match.end(3))
    if stamp is None:
        raise stopped(Ending.ERROR, f"could not parse transaction stamp {line}")
    return Transaction(action, int(stamp[1]), float(stamp[3]) - float(stamp[2]))


def replay_transactions(
    path: Path,
    table: Table,
    accounts: TimeAccounts,
    recorder: Recorder,
    hands: int,
    logged: int | None,
) -> None:
    """Bring a fresh table to where its transaction file ends.

    Args:
        path: the transaction file.
        table: at hand 0.
        accounts: charged with the times in the file.
        recorder: gets the hands that were finished but not logged when the match broke off.
        hands: length of the match; a file that goes beyond it is played to its end all the same.
        logged: hands the match log holds, see `hands_logged`; None: log nothing again.

    Raises:
        MatchStopped: a line cannot be read, is illegal, or is out of time.
    """

    def finish_hands() -> None:
        while table.state.over and (table.finished_hands < hands or more):
            line = table.settle()
            if logged is not None and table.hand_id >= logged:
                recorder.log(line)
            table.next_hand()
            accounts.new_hand()

    more = False
    finish_hands()
    more = True
    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        for raw in file:
            line = raw.rstrip("\n")
            transaction = parse_transaction(line, no_limit=table.game.no_limit)
            if transaction.hand_id != table.hand_id:
                raise stopped(Ending.ERROR, f"handId mismatch in transaction log: {line}")
            seat = table.acting_seat
            try:
                table.apply(transaction.action)
            except IllegalAction as error:
                words = f"invalid action in transaction log: {line}"
                raise stopped(Ending.ERROR, words) from error
            if not accounts.allows(seat, transaction.seconds):
                words = f"seat {seat + 1} ran out of time in transaction file"
                raise stopped(Ending.TIMEOUT, words, seat)
            accounts.charge(seat, transaction.seconds)
            finish_hands()


def hands_logged(path: Path, header: str) -> int | None:
    """Return how many hands of an unfinished match its log holds.

    Args:
        path: the match log.
        header: first header line of the match.

    Returns:
        The number of the last hand plus one; None when the log's last match is another one, is
        already scored, or there is no log.
    """
    wanted = header.encode("utf-8", "surrogateescape")
    logged: int | None = None
    try:
        with path.open("rb") as file:
            for line in file:
                if line.startswith(b"# name/game/hands/seed"):
                    same = line.rstrip(b"\r\n") == wanted
                    logged = (logged or 0) if same else None
                elif line.startswith(b"SCORE:"):
                    logged = None
                elif logged is not None and line.startswith(b"STATE:"):
                    hand = line[6:17].partition(b":")[0]
                    logged = int(hand) + 1 if hand.isdigit() else logged
    except OSError:
        return None
    return logged
