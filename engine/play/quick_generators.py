"""Generators of decisions for bots that have compiled code loaded anyway: a quarter of the time.

The twin of `engine.play.generators`, and the same numbers to the bit.  They cannot be spawned from.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.random.bit_generator import ISeedSequence

from engine.compiled.seed_words import entropy_words, seed_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.rules.view import PlayerView

_PCG64_SEED_WORDS: Final = 4


def quick_decision_generator(seed: int, view: PlayerView) -> np.random.Generator:
    """Return what `engine.play.generators.decision_generator` returns.

    Raises:
        ValueError: the seed is negative.
    """
    # Any: NumPy's types know only its own class.
    seeds: Any = _Seeds((seed, view.hand_id, view.decision))
    return np.random.Generator(np.random.PCG64(seeds))


def quick_draw(shares: Sequence[float], seed: int, view: PlayerView) -> int:
    """Return a number drawn in proportion to shares, by the generator of this decision."""
    upto = list(accumulate(shares))
    drawn = bisect_right(upto, quick_decision_generator(seed, view).random() * upto[-1])
    return min(drawn, len(upto) - 1)


def warm_up() -> None:
    """Compile the seeding, or load it from the cache."""
    seed_words(entropy_words((0,)))


class _Seeds(ISeedSequence):
    def __init__(self, numbers: tuple[int, ...]) -> None:
        self._numbers = numbers

    def generate_state(self, n_words: int, dtype: Any = np.uint64) -> NDArray[np.uint64]:
        """Return what PCG64 is seeded with."""
        if n_words != _PCG64_SEED_WORDS or dtype != np.uint64:
            raise ValueError(f"want {_PCG64_SEED_WORDS} words of 64 bits")
        return seed_words(entropy_words(self._numbers))
