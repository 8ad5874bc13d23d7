"""Arrays that describe the tables met in a log; shared by compiled and readable code.

A stream is one table: hands with the same players, whose ids rise and whose names move one
position per hand (or stay, where the seats are fixed).  S streams, P positions:

    rows      (S, STREAM_SIZE) int64   the entries named below
    text_at   (S, P + 1) int64         where an expected names field begins in `texts`
    text_size (S, P + 1) int64         its length in bytes
    texts     (N,) uint8               names fields as they stand in the log, "Ann|Bob"
    totals    (S, 2, P) float64        chips won by seat; row 0 if names rotate, row 1 if fixed
    order     (S,) int64               streams, the one met last first

Names field r < P of a stream is the one expected in hands with id % P == r if names rotate; field
P is the one expected in every hand if seats are fixed.
"""

from typing import Final

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
