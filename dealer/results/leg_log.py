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
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dealer.errors import MatchError
from protocol.errors import MalformedLogLine
from protocol.handlog import HAND_LINE, HandRecord, Score, parse_log_line

_CHUNK_BYTES: Final = 1 << 20


class LegLog:
    """Reads what was added to a log since the last time."""

    def __init__(self, path: Path, labels: Sequence[str], hands: int) -> None:
        self.path = path
        self.chips: NDArray[np.float64] = np.zeros((hands, len(labels)))
        self.played: NDArray[np.bool_] = np.zeros(hands, np.bool_)
        self.hands = 0
        """Hands read so far."""
        self._total = [0.0] * len(labels)
        self._squares = [0.0] * len(labels)
        self.scored = False
        """True once the SCORE line was read: the leg is complete."""
        self._labels = list(labels)
        self._columns: dict[tuple[str, ...], list[int]] = {}
        self._known: dict[bytes, list[int]] = {}
        """The same by the end of a line, for lines in the usual form."""
        self._offset = 0
        self._run_outs = array("q")

    @property
    def total(self) -> NDArray[np.float64]:
        """(B,) chips won over the hands read so far; a copy."""
        return np.array(self._total)

    @property
    def squares(self) -> NDArray[np.float64]:
        """(B,) sum over hands of chips squared; a copy."""
        return np.array(self._squares)

    @property
    def run_outs(self) -> NDArray[np.int64]:
        """Hands with cards run out after an all-in, see above; a copy."""
        return np.array(self._run_outs, np.int64).reshape(-1, 2)

    def read_new(self) -> int:
        """Read the complete lines added since the last call; return how many hands they held.

        Raises:
            MatchError: it cannot be read, or a line belongs to no hand of this leg.
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
        except OSError as error:
            raise MatchError(f"{self.path}: {error.strerror or error}") from error
        return self.hands - before

    def columns(self, names: tuple[str, ...]) -> list[int]:
        """Return the column in `chips` of each position's bot, empty for foreign names."""
        return self._columns.get(names) or self._learn(names)

    def _line(self, line: bytes) -> None:
        found = HAND_LINE.fullmatch(line)
        if found is not None and (columns := self._known.get(found[5])) is not None:
            values = found[4].split(b"|")
            if len(values) == len(columns) == found[3].count(b"|") + 1:
                self._count(int(found[1]), columns, values, line, closed=found[2].endswith(b"/"))
                return
        try:
            record = parse_log_line(line.decode("utf-8", "surrogateescape"))
        except MalformedLogLine as exc:
            raise self._stranger(line) from exc
        if isinstance(record, HandRecord):
            self._hand(record, line)
        elif isinstance(record, Score):
            self.scored = True

    def _hand(self, record: HandRecord, line: bytes) -> None:
        columns = self.columns(record.names)
        if len(columns) != len(record.names):
            raise self._stranger(line)
        closed = record.betting.endswith("/")
        self._count(record.hand_id, columns, record.values, line, closed=closed)
        if record.stamp is None:
            self._known["|".join(record.names).encode()] = columns

    def _count(
        self,
        hand: int,
        columns: list[int],
        values: Iterable[str | bytes],
        line: bytes,
        *,
        closed: bool,
    ) -> None:
        if hand >= len(self.played):
            raise self._stranger(line)
        if self.played[hand]:
            raise MatchError(f"{self.path}: hand {hand} is in the log twice")
        for column, text in zip(columns, values, strict=True):
            value = float(text)
            self.chips[hand, column] = value
            self._total[column] += value
            self._squares[column] += value * value
        self.played[hand] = True
        self.hands += 1
        if closed:
            self._run_outs.extend((hand, self._offset))

    def _learn(self, names: tuple[str, ...]) -> list[int]:
        if sorted(names) != sorted(self._labels):
            return []
        self._columns[names] = [self._labels.index(name) for name in names]
        return self._columns[names]

    def _stranger(self, line: bytes) -> MatchError:
        text = line[:120].decode("utf-8", "backslashreplace")
        return MatchError(f"{self.path}: not a line of this match: {text}")
