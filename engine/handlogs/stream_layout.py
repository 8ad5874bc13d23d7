"""Arrays that describe the tables met in a log; shared by compiled and readable code.

A stream is one table: hands with the same players, whose ids rise and whose names move one
position per hand (or stay, where the seats are fixed).

Names field r < P of a stream is the one expected in hands with id % P == r if names rotate; field
P is the one expected in every hand if seats are fixed.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
