"""Solved situations as networks see them: by the buckets of their boards.

Read from the files of `agents.deepstack.data`, file by file, on several processes.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.deepstack.data import SolvedData, read_block
from engine.abstraction.board_buckets import BoardBuckets
from engine.parallel.processes import in_order
from engine.range_solver.terminal import fold_values

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

TESTED_FILES: Final = 10
"""Where situations of one search have different boards, one file in so many is tested on."""


class Bucketed(NamedTuple):
    """N situations; values in pots."""

    shares: NDArray[np.float32]
    """(N, 2, B) of both ranges by bucket, each summing to 1."""
    mass: NDArray[np.float32]
    """(N, 2, B) the same, times what the hands can meet of the other range; each sums to 1."""
    equity: NDArray[np.float32]
    """(N, 2, B) what buckets win when nobody bets any more."""
    values: NDArray[np.float32]
    """(N, 2, B) what they win: means of their hands."""
    hands: NDArray[np.float32]
    """(N, B)"""
    moments: NDArray[np.float32]
    """(N, 2, B), see `BoardBuckets`."""
    stacks: NDArray[np.float32]
    """(N,) that each player has left, in pots."""
    source: NDArray[np.uint8]
    """(N,)"""

    def rows(self, numbers: NDArray[np.integer] | slice) -> Bucketed:
        """Return some of them."""
        return Bucketed._make(array[numbers] for array in self)


class Tested(NamedTuple):
    """N situations by which a network is judged, hand by hand."""

    bucketed: Bucketed
    bucket: NDArray[np.int16]
    """(N, 1326) of each hand; -1 where the board blocks it."""
    weights: NDArray[np.float32]
    """(N, 2, 1326) by range and by what the other range has beside a hand; each sums to 1."""
    values: NDArray[np.float32]
    """(N, 2, 1326)"""

    def by_hand(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return (N, 2, 1326) the value of each hand's bucket; 0 where the board blocks it."""
        at = np.repeat(np.maximum(self.bucket, 0).astype(np.intp)[:, None], 2, axis=1)
        return np.where(self.bucket[:, None] >= 0, np.take_along_axis(values, at, axis=2), 0)

    def errors(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return (N, 2) mean distance of values (N, 2, B) by hand and by range."""
        away = np.abs(self.by_hand(values).astype(np.float64) - self.values)
        live = (self.bucket >= 0).sum(axis=1)
        by_hand = away.sum(axis=(1, 2)) / (2 * live)
        return np.stack((by_hand, (away * self.weights).sum(axis=(1, 2)) / 2), axis=1)


def bucketed_data(
    folders: Sequence[Path], jobs: int, on_file: Callable[[int, int], None]
) -> tuple[Bucketed, Tested, str]:
    """Return what is learnt from, what is tested on, and the digest of all files.

    Args:
        on_file: is told how many files are read, of how many.

    Raises:
        ArtifactMismatch: a file is damaged, or of other situations than the first one.
        OSError: a folder cannot be read.
    """
    every = [SolvedData(folder) for folder in folders]
    files = [path for data in every for path in data.files]
    digest = hashlib.sha256()
    learnt, tested = [], []
    for number, (train, test, said) in enumerate(in_order(_start, (), files, jobs), 1):
        digest.update(said.encode())
        learnt.append(train)
        tested.append(test)
        on_file(number, len(files))
    judged = Tested(
        _joined([test.bucketed for test in tested]),
        *(np.concatenate([test[place] for test in tested]) for place in (1, 2, 3)),
    )
    return _joined(learnt), judged, digest.hexdigest()


def _joined(parts: Sequence[Bucketed]) -> Bucketed:
    return Bucketed._make(np.concatenate(arrays) for arrays in zip(*parts, strict=True))


def _start() -> Callable[[Path], tuple[Bucketed, Tested, str]]:
    return _read_file


def _read_file(path: Path) -> tuple[Bucketed, Tested, str]:
    """Return what a file holds to learn from and to test on, and the digest of its values."""
    configuration, block, arrays = read_block(path, verify=True)
    held_out = np.asarray(arrays["held_out"])
    is_tested, is_learnt = held_out, ~held_out
    if not configuration.over:  # situations of one search differ by a card
        is_tests_file = block % TESTED_FILES == 0
        is_tested, is_learnt = held_out & is_tests_file, ~held_out & (not is_tests_file)
    columns = [arrays[name] for name in ("board", "ranges", "values")]
    rows = [by_bucket(*row) for row in zip(*columns, strict=True)]
    *sides, bucket, weights = (np.stack(array) for array in zip(*rows, strict=True))
    stacks = (arrays["stack"] / arrays["pot"]).astype(np.float32)
    whole = Bucketed._make((*sides, stacks, np.asarray(arrays["source"])))
    hands = bucket, weights, arrays["values"].astype(np.float32)
    tested = Tested(whole.rows(is_tested), *(array[is_tested] for array in hands))
    digest = hashlib.sha256(np.ascontiguousarray(arrays["values"]).data).hexdigest()
    return whole.rows(is_learnt), tested, digest


def by_bucket(
    board: NDArray[np.uint8], ranges: NDArray[np.float16], values: NDArray[np.float16]
) -> tuple[NDArray[Any], ...]:
    """Return the first six arrays of a `Bucketed` for one situation, and what hands are in.

    That is the bucket of each hand and its weights, as in a `Tested`.
    """
    cards = tuple(board.tolist())
    buckets = BoardBuckets.of(cards)
    live = buckets.bucket >= 0
    numbers = buckets.bucket[live]

    def pooled(sides: NDArray[Any]) -> NDArray[np.float32]:
        sums = [np.bincount(numbers, side[live], len(buckets.hands)) for side in sides]
        return np.array(sums, np.float32)

    weights = ranges.astype(np.float64) * fold_values(ranges[::-1].astype(np.float32), cards)
    weights /= weights.sum(axis=1, keepdims=True)
    shares = pooled(ranges.astype(np.float64))
    shares /= shares.sum(axis=1, keepdims=True)
    equity = buckets.equity_values(shares[None], buckets.met(shares[None]))[0]
    means = pooled(values.astype(np.float64)) / np.maximum(buckets.hands, 1)
    return (
        shares, pooled(weights), equity, means, buckets.hands, buckets.moments,
        buckets.bucket, weights.astype(np.float32),
    )  # fmt: skip
