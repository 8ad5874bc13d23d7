"""The seeds that NumPy makes of a few numbers, compiled: a quarter of the time or less.

`seed_words(entropy)` is `np.random.SeedSequence(entropy).generate_state(4, np.uint64)`, to the bit.

Source: M. E. O'Neill, "Developing a seed_seq alternative", 2015, whose constants NumPy took over.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel

_LOW: Final = 0xFFFFFFFF
_POOL: Final = 4
_FIRST_IN: Final = 0x43B0D7E5
_NEXT_IN: Final = 0x931E8875
_FIRST_OUT: Final = 0x8B51F9DD
_NEXT_OUT: Final = 0x58F38DED
_MIX_LEFT: Final = 0xCA01F9DD
_MIX_RIGHT: Final = 0x4973F715


def entropy_words(numbers: tuple[int, ...]) -> NDArray[np.int64]:
    """Return (N,) int64 with the 32-bit words of some numbers, the lowest of each first.

    Raises:
        ValueError: a number is negative.
    """
    words: list[int] = []
    for number in numbers:
        if number < 0:
            raise ValueError(f"{number} is negative")
        words.append(number & _LOW)
        while number := number >> 32:
            words.append(number & _LOW)
    return np.array(words, np.int64)


# Kernels: arguments are trusted.  Words of 32 bits lie in integers of 64, whose products may wrap.


@inlined_kernel
def _hashed(word: int, key: int, next_key: int) -> int:
    word = (word ^ key) * next_key & _LOW
    return word ^ word >> 16


@inlined_kernel
def _mixed(word: int, other: int) -> int:
    word = word * _MIX_LEFT - other * _MIX_RIGHT & _LOW
    return word ^ word >> 16


@kernel
def seed_words(entropy: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return (4,) uint64 made of (N,) words, see the module's text."""
    pool = np.zeros(_POOL, np.int64)
    key = _FIRST_IN
    for source in range(-1, max(_POOL, entropy.size)):  # -1: each place takes a word of its own
        for place in range(_POOL):
            if source == place:
                continue
            if source < 0:
                word = int(entropy[place]) if place < entropy.size else 0
            else:
                word = int(pool[source] if source < _POOL else entropy[source])
            next_key = key * _NEXT_IN & _LOW
            hashed = _hashed(word, key, next_key)
            pool[place] = hashed if source < 0 else _mixed(int(pool[place]), hashed)
            key = next_key

    seeds = np.zeros(_POOL, np.uint64)
    key = _FIRST_OUT
    for number in range(2 * _POOL):
        next_key = key * _NEXT_OUT & _LOW
        word = _hashed(int(pool[number % _POOL]), key, next_key)
        seeds[number // 2] |= np.uint64(word) << np.uint64(32 * (number % 2))
        key = next_key
    return seeds
