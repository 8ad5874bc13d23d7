"""The arrays of `dealer.lane.layout` as kernels pass them on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # a dealer has no numpy
    import numpy as np
    from numpy.typing import NDArray


class LaneArrays(NamedTuple):
    """All that a match in the lane has, see `dealer.lane.layout`."""

    state: NDArray[np.int64]
    seats: NDArray[np.int64]
    game: NDArray[np.int64]
    hand: NDArray[np.int64]
    outputs: NDArray[np.uint32]
    cards: NDArray[np.uint8]
    fresh: NDArray[np.uint8]
    deck: NDArray[np.uint8]
    limits: NDArray[np.float64]
    used: NDArray[np.float64]
    clock: NDArray[np.float64]
    totals: NDArray[np.float64]
    values: NDArray[np.float64]
    inbox: NDArray[np.uint8]
    outbox: NDArray[np.uint8]
    betting: NDArray[np.uint8]
    line: NDArray[np.uint8]
    names: NDArray[np.uint8]
    moment: NDArray[np.int64]
    hand_texts: NDArray[np.uint8]
