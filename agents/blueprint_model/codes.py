"""Probabilities in one, two or four bytes a row: the number of the nearest point of a grid.

A row of A probabilities is rounded to shares k / n with whole k that add to n.  The grid has
C(n + A - 1, A - 1) points; n is the largest that the bits can number.  It is 20 at most (65535 with
32 bits): finer steps than 5 % are lost in the noise of sampling, and pack badly.

    A         2      3      4     5    6    7    8
    8 bits    20     20     9     6    5    4    3
    16 bits   20     20     20    20   20   15   12
    32 bits   65535  65535  2951  564  217  117  76

Points are numbered in lexicographic order of (k1, ..., kA).
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache, partial
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

BITS: Final = (8, 16, 32)
_DTYPES: Final[dict[int, Any]] = {8: np.uint8, 16: np.uint16, 32: np.uint32}
_FINEST: Final = {8: 20, 16: 20, 32: 65535}


@cache
def grid_size(actions: int, bits: int) -> int:
    """Return n: shares of the grid are multiples of 1 / n.

    Raises:
        ValueError: fewer than 2 actions, or bits that are none of 8, 16 and 32.
    """
    if actions < 2 or bits not in BITS:
        raise ValueError(f"a grid of {bits} bits for {actions} actions")
    return bisect_right(range(1, _FINEST[bits] + 1), 1 << bits, key=partial(_points, actions - 1))


def nearest_codes(rows: NDArray[np.float32], bits: int) -> NDArray[Any]:
    """Return the numbers of the nearest grid points.

    Args:
        rows: (N, A) float32, each adding to 1.
        bits: 8, 16 or 32.

    Returns:
        (N,) uint8, uint16 or uint32.

    Raises:
        ValueError: rows are negative or do not add to 1.
    """
    actions = rows.shape[1]
    whole = grid_size(actions, bits)
    sums = rows.sum(axis=1, dtype=np.float64, keepdims=True)
    if not (rows >= 0).all() or not (np.abs(sums - 1) < 1e-3).all():
        raise ValueError("probabilities are negative or do not add to 1")
    exact = rows / sums * whole
    parts = np.floor(exact).astype(np.int64)
    short = whole - parts.sum(axis=1)
    # What is left goes to the largest remainders, one each: the nearest point in any p-norm.
    order = np.argsort(parts - exact, axis=1, kind="stable")
    np.put_along_axis(
        parts,
        order,
        np.take_along_axis(parts, order, axis=1) + (np.arange(actions) < short[:, None]),
        axis=1,
    )
    return numbers_of(parts, bits)


def numbers_of(shares: NDArray[np.int64], bits: int) -> NDArray[Any]:
    """Return (N,) uint8, uint16 or uint32, the numbers of points (N, A) of a grid.

    With m still to give and k columns left, the points before a share c are those with smaller
    ones: C(m + k, k) - C(m - c + k, k).
    """
    begin = ways(shares.shape[1], bits)
    remainder = np.full(len(shares), begin.shape[1] - 1)
    numbers = np.zeros(len(shares), np.int64)
    for column in range(len(begin)):
        after = remainder - shares[:, column]
        numbers += begin[column, remainder] - begin[column, after]
        remainder = after
    return numbers.astype(_DTYPES[bits])


def shares_of(numbers: NDArray[Any], actions: int, bits: int) -> NDArray[np.int64]:
    """Return (N, A) int64, the points of a grid that some numbers (N,) stand for."""
    begin = ways(actions, bits)
    rest = numbers.astype(np.int64)
    remainder = np.full(len(rest), begin.shape[1] - 1)
    shares = np.empty((len(rest), actions), np.int64)
    for column, points in enumerate(begin):
        after = np.searchsorted(points, points[remainder] - rest)
        rest -= points[remainder] - points[after]
        shares[:, column] = remainder - after
        remainder = after
    shares[:, -1] = remainder
    return shares


def decode(numbers: NDArray[Any], actions: int, bits: int) -> NDArray[np.float32]:
    """Return (N, A) float32, the probabilities that some numbers (N,) stand for."""
    shares = shares_of(numbers, actions, bits)
    return (shares / grid_size(actions, bits)).astype(np.float32)


def check_numbers(numbers: NDArray[Any], actions: int, bits: int) -> None:
    """Raise ValueError where one of (N,) numbers is that of no grid point."""
    points = _points(actions - 1, grid_size(actions, bits))
    if len(numbers) and int(numbers.max()) >= points:
        raise ValueError(f"a row of {actions} actions has number {numbers.max()} of {points}")


@cache
def decoding(actions: int, bits: int) -> NDArray[np.float32]:
    """Return (points, A) float32, the probabilities of every number; read-only.

    For 8 and 16 bits; for 32 it would take gigabytes.
    """
    points = _points(actions - 1, grid_size(actions, bits))
    table = decode(np.arange(points), actions, bits)
    table.flags.writeable = False
    return table


@cache
def ways(actions: int, bits: int) -> NDArray[np.int64]:
    """Return (A - 1, n + 1) the points that begin when m is left, for each share but the last."""
    tables = [np.ones(grid_size(actions, bits) + 1, np.int64)]
    for _ in range(actions - 1):
        tables.append(np.cumsum(tables[-1]))
    return np.array(tables[:0:-1])


def _points(columns: int, whole: int) -> int:
    """Return how many points of `columns` + 1 shares of a whole there are."""
    return comb(whole + columns, columns)
