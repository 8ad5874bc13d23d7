"""Every action of logged hands, in the order of the logs, and where the betting of each closed.

Compiled code leaves codes, for each hand one for each action and one for its end:

    codes  (C,) uint16   position | kind << 4 | street << 8, the kind a TRACE_ code of
                         `engine.rules.fast_state`; an end is ENDS | shown << 4 | street << 8
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.rules import fast_state as fast

if TYPE_CHECKING:
    from collections.abc import Sequence

ENDS: Final = 1 << 15
"""Marks the code of a hand's end."""
MOST_CODES: Final = fast.MAX_TRACE + 1
"""Of one hand."""


@dataclass(frozen=True, slots=True, eq=False)
class HandActions:
    """A actions of N hands of one game."""

    hand: NDArray[np.int64]
    """(A,) index of the hand, ascending."""
    position: NDArray[np.uint8]
    """(A,) who acted."""
    kind: NDArray[np.uint8]
    """(A,) a TRACE_ code."""
    street: NDArray[np.uint8]
    """(A,) from 0."""
    closed: NDArray[np.uint8]
    """(N,) street of the last action, 0 in a hand without any."""
    shown: NDArray[np.bool_]
    """(N,) whether the hand went to a showdown."""

    def part(self, first: int, behind: int) -> HandActions:
        """Return the actions of the hands from one up to another, which count from 0 there."""
        begin, end = np.searchsorted(self.hand, (first, behind))
        return HandActions(
            self.hand[begin:end] - first,
            self.position[begin:end],
            self.kind[begin:end],
            self.street[begin:end],
            self.closed[first:behind],
            self.shown[first:behind],
        )


def hand_actions(blocks: Sequence[NDArray[np.uint16]]) -> HandActions:
    """Return the columns of codes."""
    codes = np.concatenate([np.zeros(0, np.uint16), *blocks])
    ends = codes >= ENDS
    closing, taken = codes[ends], codes[~ends]
    return HandActions(
        hand=np.cumsum(ends, dtype=np.int64)[~ends],
        position=(taken & 15).astype(np.uint8),
        kind=(taken >> 4 & 15).astype(np.uint8),
        street=(taken >> 8).astype(np.uint8),
        closed=(closing >> 8 & 15).astype(np.uint8),
        shown=(closing >> 4 & 1).astype(np.bool_),
    )


@kernel
def note_actions(
    hand: NDArray[np.int64], trace: NDArray[np.int64], codes: NDArray[np.uint16], at: int
) -> int:
    """Write the codes of one hand from codes[at] on; return the index behind them."""
    for i in range(hand[fast.TAKEN]):
        codes[at + i] = trace[i]
    at += hand[fast.TAKEN]
    codes[at] = ENDS | int(fast.is_showdown(hand)) << 4 | hand[fast.ACTED_ON] << 8
    return at + 1
