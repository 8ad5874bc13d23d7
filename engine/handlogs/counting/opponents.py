"""What is counted by player and opponent: a row for each pair that met.

A hand counts for each of the others at the table, once where one of them holds several seats.
Rows belong to names and to pairs of players by hash, with open addressing:

    keys    (K,) uint64  hashes, 0 where free; K = 2**m, at least twice as many as are filed
    owners  (K,) int64   the row filed under each
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.compiled.splitmix import random_word

_FIRST_ROWS = 32


class PairArrays(NamedTuple):
    """R rows of W counts and their sums."""

    keys: NDArray[np.uint64]
    """(K,) and the next as above; K = 0: nothing is counted by opponent."""
    rows: NDArray[np.int64]
    counts: NDArray[np.int64]
    """(R, W) columns as in `engine.handlogs.counting.hand_counts`."""
    sums: NDArray[np.float64]
    """(R, S) columns as in `engine.handlogs.counting.tally_block`."""


class PairLine(NamedTuple):
    """The numbers of one player over the hands in which an opponent sat."""

    player: str
    opponent: str
    counts: NDArray[np.int64]
    sums: NDArray[np.float64]


class PairTable:
    """The rows of all pairs that met."""

    def __init__(self, width: int, sums: int, *, wanted: bool) -> None:
        """Start without a pair, of so many counts and sums each."""
        rows = _FIRST_ROWS * wanted
        self._pairs: dict[tuple[int, int], int] = {}
        self.arrays = PairArrays(
            np.zeros(2 * rows, np.uint64),
            np.zeros(2 * rows, np.int64),
            np.zeros((rows, width), np.int64),
            np.zeros((rows, sums), np.float64),
        )

    def add(self, player: int, opponent: int) -> None:
        """Make a row for a pair that has none."""
        table = self.arrays
        row = self._pairs[player, opponent] = len(self._pairs)
        new = {(player, opponent): row}
        if len(self._pairs) == len(table.counts):
            keys = np.zeros(2 * len(table.keys), np.uint64)
            counts = np.concatenate([table.counts, np.zeros_like(table.counts)])
            sums = np.concatenate([table.sums, np.zeros_like(table.sums)])
            table = self.arrays = PairArrays(keys, np.zeros(len(keys), np.int64), counts, sums)
            new = self._pairs
        for pair, place in new.items():
            file_owner(np.uint64(_pair_key(*pair)), place, table.keys, table.rows)

    def lines(self, names: list[str]) -> list[PairLine]:
        """Return all rows; `names` are those of players by index."""
        _, _, counts, sums = self.arrays
        return [
            PairLine(names[player], names[opponent], counts[row], sums[row])
            for (player, opponent), row in self._pairs.items()
        ]


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


@kernel
def _pair_key(player: int, opponent: int) -> np.uint64:
    number: np.uint64 = random_word(np.uint64(player), opponent + 1)
    return number if number != np.uint64(0) else np.uint64(1)


@kernel
def _is_first_seat(seated: NDArray[np.int64], position: int, other: int) -> bool:
    """Return whether `other` is the first position besides `position` where its player sits."""
    for before in range(other):
        if before != position and seated[before] == seated[other]:
            return False
    return position != other


@kernel
def _pair_row(seated: NDArray[np.int64], position: int, other: int, pairs: PairArrays) -> int:
    """Return the row of a position with another one; -1 where there is none, or none is due."""
    if len(pairs.keys) == 0 or not _is_first_seat(seated, position, other):
        return -1
    return owner_of(pairs.keys, pairs.rows, _pair_key(seated[position], seated[other]))


@kernel
def new_pair(players: int, seated: NDArray[np.int64], pairs: PairArrays) -> tuple[int, int]:
    """Return two positions whose players have no row yet; (-1, -1) where all have."""
    for position in range(players):
        for other in range(players):
            first = _is_first_seat(seated, position, other)
            if first and _pair_row(seated, position, other, pairs) < 0:
                return position, other
    return -1, -1


@kernel
def add_pairs(
    players: int,
    seated: NDArray[np.int64],
    lines: NDArray[np.int64],
    won: NDArray[np.float64],
    pairs: PairArrays,
) -> None:
    """Add (P, W) counts and (P, S) sums of a hand to the rows of all its pairs."""
    for position in range(players):
        for other in range(players):
            row = _pair_row(seated, position, other, pairs)
            if row < 0:
                continue
            for i in range(lines.shape[1]):
                pairs.counts[row, i] += lines[position, i]
            for i in range(won.shape[1]):
                pairs.sums[row, i] += won[position, i]


@kernel
def add_expectation(
    owners: NDArray[np.int64],
    expected: NDArray[np.float64],
    column: int,
    pairs: PairArrays,
) -> None:
    """Add (N, P) big blinds and their squares, of players `owners`, to two columns of the sums."""
    hands, players = owners.shape
    for hand in range(hands):
        for position in range(players):
            won = expected[hand, position]
            for other in range(players):
                row = _pair_row(owners[hand], position, other, pairs)
                if row >= 0:
                    pairs.sums[row, column] += won
                    pairs.sums[row, column + 1] += won * won
