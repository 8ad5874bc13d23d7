"""The tables met in a log: who sits where, which hand comes next, what each seat has won.

A stream is one table: hands with the same players, whose ids rise and whose names move one
position per hand (or stay, where the seats are fixed).

The numbers live in the arrays that `verify_block` works on, so that the compiled walk and the
readable checks share one state and either may take the next line.  Names field r < P of a stream
is the one expected in hands with id % P == r if names rotate; field P is the one expected in every
hand if seats are fixed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from protocol.transcript import TIME_PATTERN

if TYPE_CHECKING:
    from collections.abc import Sequence

NEXT_ID: Final = 0
"""Id after the last hand met."""
POSSIBLE: Final = 1
"""Bits ROTATING and FIXED: what the names met so far allow."""
HANDS: Final = 2
"""Hands met."""
GAPS: Final = 3
"""Ids missing before the last hand met, from 0 on."""
STREAM_SIZE: Final = 4

ROTATING: Final = 1
FIXED: Final = 2


class StreamArrays(NamedTuple):
    """What is known of S streams of P positions."""

    texts: NDArray[np.uint8]
    """(N,) names fields as they stand in the log, "Ann|Bob"."""
    text_at: NDArray[np.int64]
    """(S, P + 1) where an expected names field begins in `texts`."""
    text_size: NDArray[np.int64]
    """(S, P + 1) its length in bytes."""
    order: NDArray[np.int64]
    """(S,) streams, the one met last first."""
    rows: NDArray[np.int64]
    """(S, STREAM_SIZE) the entries named above."""
    totals: NDArray[np.float64]
    """(S, 2, P) chips won by seat; row 0 if names rotate, row 1 if fixed."""


_AMBIGUOUS_NAME: Final = re.compile(rf"\||(?:\r| # {TIME_PATTERN})\Z")
"""`protocol.handlog` reads such names as others where they stand elsewhere on a line."""
MAX_STREAMS: Final = 1024
"""A log with more forgets all tables and meets them anew."""


class Streams:
    """Streams by number, 0-based; see `engine.handlogs.verifying.streams` for the arrays."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._by_names: dict[tuple[str, ...], int] = {}
        self._text = bytearray()
        self._regions: dict[int, int] = {}  # where the fields of a stream begin in the text
        self.plain = True
        """Whether equal bytes in the names of a hand always mean equal names."""
        self._allocate(8)

    def clear(self) -> None:
        """Forget every stream."""
        self._by_names.clear()
        self._text.clear()
        self._regions.clear()
        self._allocate(8)

    def arrays(self) -> StreamArrays:
        """Return them as the compiled walk takes them."""
        return StreamArrays(
            self.texts, self.text_at, self.text_size, self.order, self.rows, self.totals
        )

    @property
    def count(self) -> int:
        """Streams in use."""
        return len(self._by_names)

    def find(self, names: Sequence[str]) -> int:
        """Return the stream with these players in whatever order, -1 where there is none."""
        return self._by_names.get(tuple(sorted(names)), -1)

    def open(self, hand_id: int, names: Sequence[str]) -> int:
        """Start a stream with its first hand; return its number."""
        if self.count == MAX_STREAMS:
            self.clear()
        stream = self.count
        if stream == len(self.rows):
            self._grow()
        self._by_names[tuple(sorted(names))] = stream
        self.order[stream] = stream
        self.seat(stream, hand_id, names)
        return stream

    def seat(self, stream: int, hand_id: int, names: Sequence[str]) -> None:
        """(Re)start a stream: `names` by position in `hand_id` say who sits where."""
        self.plain = self.plain and not any(map(_AMBIGUOUS_NAME.search, names))
        players = self._players
        shift = hand_id % players
        seats = [names[(seat - shift) % players] for seat in range(players)]
        fields = [
            "|".join([seats[(position + turn) % players] for position in range(players)])
            for turn in range(players)
        ]
        # All fields hold the same names, so they are equally long and share one region.
        raw = [field.encode("utf-8", "surrogateescape") for field in (*fields, "|".join(names))]
        size = len(raw[0])
        begin = self._regions.get(stream, -1)
        if begin < 0 or size != self.text_size[stream, 0]:
            begin = len(self._text)
            self._regions[stream] = begin
        self._text[begin : begin + len(raw) * size] = b"".join(raw)
        self.text_at[stream] = np.arange(begin, begin + len(raw) * size, size)
        self.text_size[stream] = size
        self.texts = np.frombuffer(bytes(self._text), np.uint8)
        self.rows[stream, NEXT_ID] = hand_id
        self.rows[stream, POSSIBLE] = ROTATING | FIXED
        self.rows[stream, GAPS] = hand_id
        self.totals[stream] = 0.0

    def field(self, stream: int, hand_id: int, mode: int) -> str:
        """Return the names field expected in a hand if the seats behave as `mode` says."""
        turn = hand_id % self._players if mode == ROTATING else self._players
        begin = int(self.text_at[stream, turn])
        raw = self._text[begin : begin + int(self.text_size[stream, turn])]
        return raw.decode("utf-8", "surrogateescape")

    def modes(self, stream: int) -> list[int]:
        """Return which of ROTATING and FIXED the names met so far allow."""
        possible = int(self.rows[stream, POSSIBLE])
        return [mode for mode in (ROTATING, FIXED) if possible & mode]

    def match_names(self, stream: int, hand_id: int, names: Sequence[str]) -> int:
        """Return the still possible modes that expect `names` in this hand, 0 where none does."""
        field = "|".join(names)
        return sum(
            mode for mode in self.modes(stream) if self.field(stream, hand_id, mode) == field
        )

    def totals_by_seat(self, stream: int, mode: int) -> list[float]:
        """Return the chips won in each seat since the stream (re)started."""
        return [float(total) for total in self.totals[stream, 0 if mode == ROTATING else 1]]

    def advance(
        self, stream: int, hand_id: int, possible: int, values: Sequence[float] | None
    ) -> None:
        """Go past one hand: ids, names and, if given, the values by position."""
        row = self.rows[stream]
        row[GAPS] += max(0, hand_id - row[NEXT_ID])
        row[NEXT_ID] = hand_id + 1
        row[HANDS] += 1
        if possible:
            row[POSSIBLE] = possible
        if values is not None:
            for position, value in enumerate(values):
                self.totals[stream, 0, (position + hand_id) % self._players] += value
                self.totals[stream, 1, position] += value

    def _allocate(self, size: int) -> None:
        players = self._players
        self.rows: NDArray[np.int64] = np.zeros((size, STREAM_SIZE), np.int64)
        self.text_at: NDArray[np.int64] = np.zeros((size, players + 1), np.int64)
        self.text_size: NDArray[np.int64] = np.zeros((size, players + 1), np.int64)
        self.totals: NDArray[np.float64] = np.zeros((size, 2, players), np.float64)
        self.order: NDArray[np.int64] = np.zeros(size, np.int64)
        self.texts = np.zeros(0, np.uint8)

    def _grow(self) -> None:
        used = self.count
        old = (self.rows, self.text_at, self.text_size, self.totals, self.order)
        self._allocate(2 * len(self.rows))
        new = (self.rows, self.text_at, self.text_size, self.totals, self.order)
        for source, target in zip(old, new, strict=True):
            target[:used] = source
