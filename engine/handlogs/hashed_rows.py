"""Tables by hash, open addressing: which row belongs to a name or to a pair of players.

keys    (K,) uint64  hashes, 0 where free; K = 2**m, at least twice as many as are filed
owners  (K,) int64   the row filed under each
"""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel

# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


@kernel
def hash_name(data: NDArray[np.uint8], at: int, size: int) -> np.uint64:
    """Return the 64-bit FNV-1a hash of data[at : at + size]; never 0.

    Source: Fowler, Noll and Vo, the FNV hash (draft-eastlake-fnv), 64-bit parameters.
    """
    number = np.uint64(14695981039346656037)
    for i in range(at, at + size):
        number = (number ^ np.uint64(data[i])) * np.uint64(1099511628211)
    return number if number != np.uint64(0) else np.uint64(1)


@kernel
def owner_of(keys: NDArray[np.uint64], owners: NDArray[np.int64], key: np.uint64) -> int:
    """Return the player index filed under `key`, -1 where there is none."""
    mask = np.uint64(keys.size - 1)
    place = key & mask
    while keys[place] != np.uint64(0):
        if keys[place] == key:
            return int(owners[place])
        place = (place + np.uint64(1)) & mask
    return -1


@kernel
def file_owner(
    key: np.uint64, owner: int, keys: NDArray[np.uint64], owners: NDArray[np.int64]
) -> None:
    """File a player index under `key`; there must be a free place."""
    mask = np.uint64(keys.size - 1)
    place = key & mask
    while keys[place] != np.uint64(0):
        place = (place + np.uint64(1)) & mask
    keys[place] = key
    owners[place] = owner
