"""The match log of one leg, read as it grows: every number that the runner shows comes from here.

H hands of the leg, B bots:

    chips    (H, B) float64  chips won per hand, columns by bot, not by seat or position
    played   (H,)   bool     which hands are in the log
    run_outs (N, 2) int64    hand, and offset of its line in the file, of each hand whose betting
                             closed before the last street

The arrays are as long as the leg from the start (untouched pages cost nothing), so memory is
bounded by the number of hands, 8 * B + 1 bytes each.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dealer.matches.errors import MatchError
from protocol.errors import MalformedLogLine
from protocol.handlog import HandRecord, Score, parse_log_line

_CHUNK_BYTES: Final = 1 << 20


class LegLog:
    """Reads what was added to a log since the last time."""

    def __init__(self, path: Path, labels: Sequence[str], hands: int) -> None:
        self.path = path
        self.chips: NDArray[np.float64] = np.zeros((hands, len(labels)))
        self.played: NDArray[np.bool_] = np.zeros(hands, np.bool_)
        self.hands = 0
        """Hands read so far."""
        self.total: NDArray[np.float64] = np.zeros(len(labels))
        """(B,) chips won over the hands read so far."""
        self.squares: NDArray[np.float64] = np.zeros(len(labels))
        """(B,) sum over hands of chips squared."""
        self.scored = False
        """True once the SCORE line was read: the leg is complete."""
        self._labels = list(labels)
        self._columns: dict[tuple[str, ...], list[int]] = {}
        self._offset = 0
        self._run_outs = array("q")

    @property
    def run_outs(self) -> NDArray[np.int64]:
        """Hands with cards run out after an all-in, see above; a copy."""
        return np.array(self._run_outs, np.int64).reshape(-1, 2)

    def read_new(self) -> int:
        """Read the complete lines added since the last call; return how many hands they held.

        Raises:
            MatchError: a line belongs to no hand of this leg.
        """
        before = self.hands
        try:
            with self.path.open("rb") as file:
                file.seek(self._offset)
                rest = b""
                while chunk := file.read(_CHUNK_BYTES):
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in lines:
                        self._line(line)
                        self._offset += len(line) + 1
        except FileNotFoundError:
            return 0
        return self.hands - before

    def columns(self, names: tuple[str, ...]) -> list[int]:
        """Return the column in `chips` of each position's bot, empty for foreign names."""
        return self._columns.get(names) or self._learn(names)

    def _line(self, line: bytes) -> None:
        try:
            record = parse_log_line(line.decode("utf-8", "surrogateescape"))
        except MalformedLogLine as exc:
            raise self._stranger(line) from exc
        if isinstance(record, HandRecord):
            self._hand(record, line)
        elif isinstance(record, Score):
            self.scored = True

    def _hand(self, record: HandRecord, line: bytes) -> None:
        hand = record.hand_id
        columns = self.columns(record.names)
        if hand >= len(self.played) or len(columns) != len(record.names):
            raise self._stranger(line)
        if self.played[hand]:
            raise MatchError(f"{self.path}: hand {hand} is in the log twice")
        for column, text in zip(columns, record.values, strict=True):
            value = float(text)
            self.chips[hand, column] = value
            self.total[column] += value
            self.squares[column] += value * value
        self.played[hand] = True
        self.hands += 1
        if record.betting.endswith("/"):
            self._run_outs.extend((hand, self._offset))

    def _learn(self, names: tuple[str, ...]) -> list[int]:
        if sorted(names) != sorted(self._labels):
            return []
        self._columns[names] = [self._labels.index(name) for name in names]
        return self._columns[names]

    def _stranger(self, line: bytes) -> MatchError:
        text = line[:120].decode("utf-8", "backslashreplace")
        return MatchError(f"{self.path}: not a line of this match: {text}")
