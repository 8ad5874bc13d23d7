"""When a bot was asked in a leg and when its answer came: what its owner, and nobody else, is told.

It follows from the transaction file, which has the times of all actions, and the log, which has
who acted.  Chips and cards are those of the log; what was wrong with answers stands behind, as the
dealer has told it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.rules.view import state_of_betting
from protocol.errors import ProtocolError
from protocol.gamedef import GameDef
from protocol.handlog import HandRecord, parse_log_line
from protocol.transcript import Transaction, parse_transaction

HEAD: Final = "hand,decision,asked,answered,seconds,action"


def decision_lines(log: Path, game: GameDef, name: str) -> Iterator[str]:
    """Yield lines of CSV for the decisions of one player in the hands of a leg that are over.

    Args:
        log: of the leg; the transaction file lies beside it.
        name: of the player in the log.

    Raises:
        OSError: a file cannot be read.
    """
    yield HEAD
    transactions = _transactions(log.with_suffix(".tlog"))
    decision = 0
    for record in _records(log):
        for state, action, _ in state_of_betting(game, record.betting).steps():
            line = next(transactions, None)
            if line is None or line.hand_id != record.hand_id:
                return
            if record.names[state.actor] == name:
                decision += 1
                seconds = float(line.received) - float(line.sent)
                yield (
                    f"{record.hand_id},{decision},{line.sent},{line.received},{seconds:.6f},"
                    f"{action.text}"
                )


def _records(log: Path) -> Iterator[HandRecord]:
    with log.open(encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        for line in file:
            try:
                record = parse_log_line(line.removesuffix("\n"))
            except ProtocolError:
                return
            if isinstance(record, HandRecord):
                yield record


def _transactions(path: Path) -> Iterator[Transaction]:
    with path.open(encoding="ascii", errors="replace", newline="\n") as file:
        for line in file:
            try:
                yield parse_transaction(line.removesuffix("\n"))
            except ProtocolError:
                return
