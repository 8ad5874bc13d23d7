"""Resuming a match that was broken off: its files are compared, mended and played again.

A transaction file has one line per applied action, `<action> <hand> <sent> <received>`, times in
seconds.  With the same seed it leads back to the state the match was left in.

A killed dealer may have written the last actions and not their hand.  A machine that lost power may
keep the end of either file and not of the other, and a file may be deleted.  Finished hands are in
both: in the log as a line, in the transaction file action by action.  What one lacks is taken from
the other, and files that contradict each other are refused before anything is written.
"""

import zlib
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dealer.server.endings import Ending, MatchStopped, error_ending
from dealer.server.record_file import record_lines
from dealer.server.table import Table
from dealer.server.time_limits import TimeAccounts
from engine.errors import IllegalAction
from engine.rules.view import state_of_betting
from engine.storage.atomic import replacing
from protocol.deals import DealsCommitment, DealsOrigin, parse_deals_note
from protocol.errors import MalformedLogLine, ProtocolError
from protocol.handlog import HandRecord, format_hand, parse_log_line
from protocol.transcript import Transaction, format_transaction, parse_transaction

_UNKNOWN_TIME: Final = "0.000000"
"""A seat is charged the difference of two of them, nothing."""
_HEADER: Final = b"# name/game/hands/seed"


@dataclass(frozen=True, slots=True)
class Missing:
    """What the files of a match lack."""

    hands: frozenset[int] = frozenset()
    """Finished hands that are not in the log and come after all that are."""
    within: tuple[tuple[int, str], ...] = ()
    """Number and line of those that a later hand of the log follows."""
    transactions: str = ""
    """Lines of logged hands that are not in the transaction file."""


def compare_records(
    log: Path,
    transactions: Path,
    seed: int,
    hands: int,
    table: Table,
    note: DealsOrigin | None = None,
) -> Missing:
    """Return what a log and a transaction file lack of each other; both are only read.

    A transaction file that goes wrong before its first hand ends counts as an empty one;
    `replay_transactions` tells what is wrong with it.  Of a file that goes beyond the match nothing
    is missed, as by the original: it was made for a longer one.

    Args:
        log: the match log; it may be missing.
        transactions: the transaction file; it may be missing.
        seed: of the deals; it says which of the matches in the log this is.
        table: at hand 0; it plays along.
        note: what the log should say about its deals.

    Raises:
        MatchStopped: a file cannot be read; a hand is in the log twice, is another one than in the
            transaction file, or does not follow on what is there; no lines of a dealer are; or the
            hands were dealt from another deals file.
    """
    logged = _logged_hands(log, seed)
    if logged:
        _check_deals(log, seed, note)
    last = max(logged, default=-1)
    lost: dict[int, str] = {}
    unusable: MatchStopped | None = None
    for hand in _finished_hands(transactions, table):
        if isinstance(hand, MatchStopped):
            unusable = hand
            break
        hand_id, line = hand
        digest = logged.pop(hand_id, None)
        if digest is None:
            lost[hand_id] = line if hand_id < last else ""
        elif digest != _digest(line.encode("utf-8", "surrogateescape")):
            raise _refused(f"hand {hand_id} in {log} is not the one in {transactions}")
    if unusable is not None and logged:
        raise _refused(f"{transactions} has an unusable line before hand {min(logged)} of {log}")
    if unusable is not None and table.finished_hands:
        raise unusable
    if table.finished_hands > hands:
        lost.clear()
    added = _transactions_of(log, seed, logged, table) if logged else ""
    within = tuple((hand_id, line) for hand_id, line in lost.items() if line)
    return Missing(frozenset(hand for hand, line in lost.items() if not line), within, added)


def put_back(log: Path, seed: int, within: Iterable[tuple[int, str]]) -> None:
    """Put lost hands into a log, each before the first later hand of its match, in one piece.

    Raises:
        MatchStopped: the log cannot be read or written.
    """
    pending = deque(sorted(within))
    ours = False
    try:
        with replacing(log) as file:
            for line in record_lines(log):
                if line.startswith(_HEADER):
                    ours = line.split()[-1] == b"%d" % seed
                elif ours and line.startswith(b"STATE:"):
                    while pending and pending[0][0] < int(line[6:17].partition(b":")[0]):
                        file.write(pending.popleft()[1].encode("utf-8", "surrogateescape") + b"\n")
                file.write(line + b"\n")
    except OSError as error:
        message = f"could not write log file {log}: {error.strerror}"
        raise error_ending(Ending.ERROR, message) from error


def _refused(why: str) -> MatchStopped:
    message = f"{why}; put back the files as they were, or begin anew without -a"
    return error_ending(Ending.ERROR, f"cannot resume: {message}")


def _check_deals(path: Path, seed: int, note: DealsOrigin | None) -> None:
    """Refuse a log of other deals than those of `note`; None are those of the seed.

    Raises:
        MatchStopped: the deals differ.
    """
    ours = False
    log_note: DealsOrigin | None = None
    for line in record_lines(path):
        if line.startswith(_HEADER):
            ours = line.split()[-1] == b"%d" % seed
            log_note = None
        elif ours and line.startswith(b"#"):
            log_note = parse_deals_note(line.decode("utf-8", "surrogateescape")) or log_note
        elif ours and _deals_of(log_note) != _deals_of(note):
            if isinstance(log_note, DealsCommitment):
                source = f"a secret of SHA-256 {log_note.sha256}"
            else:
                source = "the seed" if log_note is None else f"{log_note.file} as it was then"
            raise _refused(f"the hands in {path} were dealt from {source}")


def _deals_of(note: DealsOrigin | None) -> tuple[str, int] | None:
    """Return what tells deals apart: a deals file may have been moved."""
    if note is None:
        return None
    return note.sha256, -1 if isinstance(note, DealsCommitment) else note.first


def _logged_hands(path: Path, seed: int) -> dict[int, int]:
    """Return {hand: digest of its line} of one match in a log.

    Raises:
        MatchStopped: a hand is there twice.
    """
    logged: dict[int, int] = {}
    for hand_id, line in _hand_lines(path, seed):
        if hand_id in logged:
            raise _refused(f"hand {hand_id} is in {path} twice")
        logged[hand_id] = _digest(line)
    return logged


def _hand_lines(path: Path, seed: int) -> Iterator[tuple[int, bytes]]:
    """Yield number and line of the hands of one match in a log, which may hold others too.

    It may have been begun with other limits, or to play fewer hands.

    Raises:
        MatchStopped: a line of this match is none that a dealer writes.
    """
    ours: bool | None = None
    for number, line in enumerate(record_lines(path), 1):
        if b"\0" in line:
            raise _refused(f"line {number} of {path} cannot be read")
        if line.startswith(_HEADER):
            ours = line.split()[-1] == b"%d" % seed
        elif ours is not False and line and not line.startswith((b"#", b"SCORE:")):
            hand_id = line[6:17].partition(b":")[0]
            if not (line.startswith(b"STATE:") and hand_id.isdigit()):
                raise _refused(f"line {number} of {path} cannot be read")
            if ours is None:
                raise _refused(f"line {number} of {path} has no header before it")
            yield int(hand_id), line


def _digest(line: bytes) -> int:
    """Return a digest of a hand's line without the names, which may have changed."""
    return zlib.crc32(line.rpartition(b":")[0])


def _finished_hands(path: Path, table: Table) -> Iterator[tuple[int, str] | MatchStopped]:
    """Yield number and log line of each hand that a file finishes, and what is wrong with it."""
    try:
        for _ in applied_transactions(path, table):
            yield from finished_hands(table)
    except MatchStopped as stop:
        yield stop


def _transactions_of(log: Path, seed: int, wanted: Collection[int], table: Table) -> str:
    """Return the transactions of logged hands that follow on what was played at a table.

    Raises:
        MatchStopped: they do not follow, or are no hands of these cards.
    """
    lines = {hand: line for hand, line in _hand_lines(log, seed) if hand in wanted}
    added: list[str] = []
    played: dict[int, str] = {}
    for hand_id in sorted(wanted):
        if hand_id not in played:
            if hand_id != table.hand_id:
                raise _refused(f"hand {hand_id} is in {log}, but not what comes before it")
            try:
                text = lines[hand_id].decode("utf-8", "surrogateescape")
                added += _play_on(table, parse_log_line(text))
            except (ProtocolError, IllegalAction, ValueError) as error:
                raise _refused(f"hand {hand_id} in {log} cannot be played: {error}") from error
            played.update(finished_hands(table))
        line = played.get(hand_id, "").encode("utf-8", "surrogateescape")
        if _digest(line) != _digest(lines[hand_id]):
            raise _refused(f"hand {hand_id} in {log} is not one of these cards")
    return "".join(f"{line}\n" for line in added)


def _play_on(table: Table, record: object) -> Iterator[str]:
    """Play the rest of a logged hand and yield its transactions.

    Raises:
        IllegalAction, ProtocolError, ValueError: it does not go on from what was played.
    """
    if not isinstance(record, HandRecord):
        raise ValueError("no hand")
    actions = [action for _, action in state_of_betting(table.game, record.betting).history]
    done = [action for _, action in table.state.history]
    if actions[: len(done)] != done:
        raise ValueError("it begins otherwise than in the transaction file")
    for action in actions[len(done) :]:
        table.apply(action)
        unknown = Transaction(action, table.hand_id, _UNKNOWN_TIME, _UNKNOWN_TIME)
        yield format_transaction(unknown)


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
        lost: finished hands that the match log lacks, see `compare_records`.

    Raises:
        MatchStopped: a line cannot be read, is illegal, or is out of time.
    """
    for seat, transaction in applied_transactions(path, table):
        if not accounts.charge(seat, float(transaction.received) - float(transaction.sent)):
            message = f"seat {seat + 1} ran out of time in transaction file"
            raise error_ending(Ending.TIMEOUT, message, seat)
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
            message = f"invalid action in transaction log: {line}"
            raise error_ending(Ending.ERROR, message) from error
        yield seat, transaction


def finished_hands(table: Table) -> Iterator[tuple[int, str]]:
    """Yield number and log line of each hand that is over, and go on to the next."""
    while table.state.over:
        yield table.hand_id, format_hand(table.result())
        table.settle()
        table.next_hand()
