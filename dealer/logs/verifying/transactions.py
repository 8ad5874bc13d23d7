"""What the transaction file beside a log proves: which actions were applied, and which hands ended.

The dealer writes a line for every action that it applied, `<action> <hand> <sent> <received>`, in a
file of its own and before the hand is over.  So a log whose hands are right in themselves can be
told from the match that was played: by another betting, a hand too many, a hand that is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from dealer.logs.verifying.findings import Finding
from engine.console.output import tell_once
from engine.errors import IllegalAction
from engine.handlogs.source.opening import log_blocks
from engine.rules.state import HandState
from protocol.transcript import TIME_PATTERN, parse_transaction

if TYPE_CHECKING:
    from pathlib import Path

    from protocol.gamedef import GameDef

_LINE: Final = re.compile(
    rf"([fc]|r[0-9]{{0,10}}) ([0-9]{{1,10}}) {TIME_PATTERN} {TIME_PATTERN}".encode()
)
_ACTION: Final = re.compile("[fc]|r[0-9]*")
_HAND: Final = re.compile(rb"STATE:([0-9]{1,10}):([^:]*):")
_MOST_FAULTS_KEPT: Final = 1000


@dataclass(slots=True)
class TransactionReport:
    """What came of comparing a log with its transaction file."""

    path: str
    hands: int = 0
    """Hands whose actions were compared."""
    agreed: int = 0
    fault_count: int = 0
    faults: list[Finding] = field(default_factory=list)
    """About lines of the log, 0 for the log as a whole; the first `_MOST_FAULTS_KEPT`."""
    note: str = ""
    """Why the file could not be used, or not to its end; "" where it could."""

    def add(self, line: int, text: str) -> None:
        """Note a fault."""
        self.fault_count += 1
        if len(self.faults) < _MOST_FAULTS_KEPT:
            self.faults.append(Finding(line, text))


class _Applied(NamedTuple):
    hand_id: int
    actions: bytes
    """Their texts, one behind the other."""
    line: int
    """Of the last one."""


def compare_with_transactions(log: Path, path: Path, game: GameDef) -> TransactionReport:
    """Compare the hands of a log that holds one match with its transaction file.

    Raises:
        LogError: one of them cannot be read.
    """
    report = TransactionReport(str(path))
    hands = _TransactionFile(path, report)
    applied = iter(hands)
    now = next(applied, None)
    last = -1
    for line, hand_id, betting in _logged(log):
        if hand_id <= last:
            continue  # out of order, which is a fault of its own
        last = hand_id
        missing = []
        while now is not None and now.hand_id < hand_id:
            missing.append(now)
            now = next(applied, None)
        _miss(report, path, missing, line)
        if now is not None and now.hand_id == hand_id:
            _compare_hand(report, path, line, betting, now)
            now = next(applied, None)
        elif betting and not (now is None and report.note):
            report.add(line, f"hand {hand_id} is not in {path.name}")
    rest = [hand for hand in (now, *applied) if hand is not None]
    _miss(report, path, [hand for hand in rest if _is_whole(game, hand.actions)], 0)
    if report.hands and 2 * report.agreed < report.hands:
        differ = report.hands - report.agreed
        note = f"not used: {differ:,} of {report.hands:,} hands differ, so it is of another match"
        return TransactionReport(str(path), note=note)
    return report


def _compare_hand(
    report: TransactionReport, path: Path, line: int, betting: bytes, applied: _Applied
) -> None:
    report.hands += 1
    if betting == applied.actions:
        report.agreed += 1
        return
    report.add(
        line,
        f"hand {applied.hand_id} has the actions {betting.decode('ascii', 'replace')}, "
        f"{path.name}:{applied.line} ends {applied.actions.decode()}",
    )


def _miss(report: TransactionReport, path: Path, missing: list[_Applied], line: int) -> None:
    if not missing:
        return
    first, last = missing[0], missing[-1]
    hands = f"hand {first.hand_id} was"
    if first is not last:
        hands = f"hands {first.hand_id} to {last.hand_id} were"
    where = f"{path.name}:{last.line}"
    if line:
        report.add(line, f"{hands} played ({where}) and should stand before this line")
    else:
        report.add(0, f"{hands} played to the end ({where}), but not logged")


def _is_whole(game: GameDef, actions: bytes) -> bool:
    """Return whether actions are a hand from its beginning to its end."""
    state = HandState.start(game)
    try:
        for text in _ACTION.findall(actions.decode()):
            state = state.apply(parse_transaction(f"{text} 0 0 0").action)
    except IllegalAction:
        return False
    return state.over


def _logged(log: Path) -> Iterator[tuple[int, int, bytes]]:
    """Yield line, number and actions of the hands of a log."""
    for block in log_blocks(log, warn=tell_once):
        for line, raw in enumerate(block.data[:-1].split(b"\n"), block.line):
            match = _HAND.match(raw)
            if match is not None:
                yield line, int(match[1]), match[2].replace(b"/", b"")


class _TransactionFile:
    """The hands of a transaction file, up to the first line that cannot be used."""

    def __init__(self, path: Path, report: TransactionReport) -> None:
        self._path = path
        self._report = report

    def __iter__(self) -> Iterator[_Applied]:
        hand_id = -1
        actions: list[bytes] = []
        line = 0
        for number, match in self._lines():
            if match is None:
                break
            if int(match[2]) != hand_id:
                if int(match[2]) < hand_id:
                    self._stop(number, f"hand {int(match[2])} after hand {hand_id}")
                    return
                if actions:
                    yield _Applied(hand_id, b"".join(actions), line)
                hand_id = int(match[2])
                actions = []
            actions.append(match[1])
            line = number
        if actions and not self._report.note:
            yield _Applied(hand_id, b"".join(actions), line)

    def _lines(self) -> Iterator[tuple[int, re.Match[bytes] | None]]:
        for block in log_blocks(self._path, warn=tell_once):
            rows = block.data[:-1].split(b"\n")
            for number, raw in enumerate(rows, block.line):
                match = _LINE.fullmatch(raw)
                if block.cut_off and number == block.line + len(rows) - 1:
                    self._stop(number, "the file ends in the middle of a line")
                    match = None
                elif match is None:
                    self._stop(number, "not a transaction")
                yield number, match
                if match is None:
                    return

    def _stop(self, line: int, why: str) -> None:
        self._report.note = f"used up to line {line - 1}: {why}"
