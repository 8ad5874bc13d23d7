"""Random numbers that depend on a key and a number alone: the outputs of SplitMix64.

Output n = 1, 2, ... of the generator seeded `key`; any other integer n gives a number too, as if
the generator ran on, or backwards.  `random_word` is for kernels, `plain_word` for the rest.

Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from engine.compiled.jit import RUNS_AS_PYTHON, inlined_raw_kernel

_ALL_BITS: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15
_MIX1: Final = 0xBF58476D1CE4E5B9
_MIX2: Final = 0x94D049BB133111EB

_word: Any = np.uint64
_GOLDEN_WORD: Any = np.uint64(_GOLDEN)
_MIX1_WORD: Any = np.uint64(_MIX1)
_MIX2_WORD: Any = np.uint64(_MIX2)


def plain_word(key: int, number: int) -> int:
    """Return output `number` of the generator seeded `key`, 0 to 2**64 - 1."""
    word = key + number * _GOLDEN & _ALL_BITS
    word = (word ^ word >> 30) * _MIX1 & _ALL_BITS
    word = (word ^ word >> 27) * _MIX2 & _ALL_BITS
    return word ^ word >> 31


@inlined_raw_kernel
def _compiled_word(key: int, number: int) -> int:
    word = key + _word(number) * _GOLDEN_WORD
    word = (word ^ (word >> _word(30))) * _MIX1_WORD
    word = (word ^ (word >> _word(27))) * _MIX2_WORD
    return word ^ (word >> _word(31))  # type: ignore[no-any-return]


def _uncompiled_word(key: int, number: int) -> Any:
    """Do the same where nothing is compiled: NumPy's scalars warn when they overflow."""
    return _word(plain_word(int(key), int(number)))


random_word: Any = _uncompiled_word if RUNS_AS_PYTHON else _compiled_word
"""random_word(key, number): `plain_word` of a uint64 key and any integer, a uint64."""
