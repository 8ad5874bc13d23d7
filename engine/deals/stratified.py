"""Flops that are spread evenly over all there are, for matches of few hands.

Flops that turn into each other by renaming suits form 1755 classes; a class of w flops has the
share w / 22100 of all.  N flops are taken at the places (i + u) / N, i = 0..N-1, of these shares in
the order of the classes.  One u for all is drawn from [0, 1).  So a class comes up floor or ceil
of N w / 22100 times, and each of the N flops by itself is as likely as any other one: win rates
over such deals have the mean of random deals, and less spread from the flops.

Source: systematic sampling with probabilities proportional to size: Madow, "On the theory of
systematic sampling, II", Annals of Mathematical Statistics 20, 1949.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from engine.hands.isomorphism import CanonicalIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FLOP: Final = 3
_SUITS: Final = 4


def stratified_flops(count: int, seed: int) -> NDArray[np.uint8]:
    """Return (N, 3) uint8 cards: `count` = N flops in random order.

    Raises:
        ValueError: `count` is below 1 or the seed is negative.
    """
    if count < 1:
        raise ValueError(f"{count} flops: want one or more")
    rng = np.random.default_rng(seed)
    index = CanonicalIndex((_FLOP,))
    classes = np.arange(index.size)
    ends = np.cumsum(index.deals(classes), dtype=np.int64)
    places = (np.arange(count) + rng.random()) * (float(ends[-1]) / count)
    chosen = np.minimum(np.searchsorted(ends, places, side="right"), index.size - 1)
    cards = index.cards(rng.permutation(chosen))
    suits = rng.permuted(np.tile(np.arange(_SUITS, dtype=np.uint8), (count, 1)), axis=1)
    renamed = cards // _SUITS * _SUITS + np.take_along_axis(suits, cards % _SUITS, axis=1)
    flops: NDArray[np.uint8] = rng.permuted(renamed.astype(np.uint8), axis=1)
    return flops
