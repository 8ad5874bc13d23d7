"""Make the counts behind `engine.equity.preflop` anew: about 15 s on one core.

    python -m tests.studies.preflop_counts OUT

Suits aside there are only 134 459 boards.  On each of them every combo gets its rank and is
compared with every other, weighted by the deals the board stands for:

    won    (1326, 1326) int64  weighted boards on which the first combo beats the second

A board stands for others in which suits are renamed, so a single entry means nothing yet.  The
mean over all entries that are the same matchup with suits renamed is the true count.  What neither
combo wins is tied.  There are no checkpoints: an interrupted run starts again.
"""

from __future__ import annotations

import base64
import hashlib
import platform
import sys
import textwrap
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.equity.preflop import BOARDS_FOR_TWO_HANDS, SCHEMA, SHAPE, matchup_keys
from engine.hands.cards import COMBO_MASKS, COMBOS
from engine.hands.isomorphism import CanonicalIndex
from engine.showdown.board_kernels import fill_ranks
from engine.storage.atomic import write_whole

REBUILD: Final = "python -m tests.studies.preflop_counts"

_BLOCK: Final = 256
"""Boards looked at together: their ranks stay in the cache."""


def main(arguments: Sequence[str]) -> int:
    """Write the file named by the only argument; progress goes to standard error."""
    if len(arguments) != 1:
        sys.stderr.write(f"usage: {REBUILD} OUT\n")
        return 2
    path = Path(arguments[0])
    if not path.parent.is_dir():
        sys.stderr.write(f"{path.parent} is no folder\n")
        return 1
    start = time.perf_counter()
    counts = build_counts(lambda share: sys.stderr.write(f"\r{share:4.0%} of the boards "))
    seconds = time.perf_counter() - start
    about = {
        "what": f"hold'em hand against hand before the flop, counts over all "
        f"{BOARDS_FOR_TWO_HANDS} boards",
        "made by": f"{REBUILD} OUT, in {seconds:.0f} s on one core",
        "made on": f"{platform.machine()}, Python {platform.python_version()}, "
        f"numpy {np.__version__}",
    }
    write_counts(path, counts, about)
    sys.stderr.write(f"\r{path} written after {seconds:.0f} s\n")
    return 0


def build_counts(progress: Callable[[float], object]) -> NDArray[np.int32]:
    """Return (3, 47008) int32: key of each matchup, boards won by its first hand, boards tied.

    Args:
        progress: called now and then with the share of the work that is done, 0 to 1.
    """
    index = CanonicalIndex((5,))
    classes = np.arange(index.size)
    boards, weights = index.cards(classes), index.deals(classes)
    won = np.zeros((COMBOS, COMBOS), np.int64)
    own, other = np.empty((2, _BLOCK, COMBOS), np.uint16)
    sums = np.empty(COMBOS, np.uint16)
    done = 0
    for weight in np.unique(weights):
        alike = boards[weights == weight]
        for first in range(0, len(alike), _BLOCK):
            block = alike[first : first + _BLOCK]
            _add_wins(block, int(weight), own, other, sums, won)
            done += len(block)
            progress(done / len(boards))
    return _means(won)


def write_counts(path: Path, counts: NDArray[np.int32], about: Mapping[str, str]) -> None:
    """Write the file, or leave an existing one as it was.

    Args:
        counts: (3, 47008) int32: keys, boards won, boards tied.
        about: lines for the reader, by name: how the numbers were made.

    Raises:
        ValueError: shape or dtype differ.
        OSError: the file cannot be written.
    """
    if counts.shape != SHAPE or counts.dtype != np.int32:
        raise ValueError(f"counts: want {SHAPE} int32, got {counts.shape} {counts.dtype}")
    stream = _pack(counts)
    head = {**about, "schema": str(SCHEMA), "sha256": hashlib.sha256(stream).hexdigest()}
    text = base64.b64encode(zlib.compress(stream, 9)).decode()
    lines = [*(f"{name}: {value}" for name, value in head.items()), "", *textwrap.wrap(text, 100)]
    write_whole(path, "\n".join(lines) + "\n")


def _pack(counts: NDArray[np.int32]) -> bytes:
    steps: NDArray[np.int32] = np.diff(counts, axis=1, prepend=np.int32(0))
    folded = (steps << 1 ^ steps >> 31).astype("<u4")  # 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
    return bytes(folded.view(np.uint8).reshape(-1, 4).T.tobytes())


def _means(won: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the counts of each matchup, given weighted wins that differ with the suits."""
    first, second = np.nonzero((COMBO_MASKS[:, None] & COMBO_MASKS) == 0)
    keys, swapped = matchup_keys(first, second)
    first, second, keys = first[~swapped], second[~swapped], keys[~swapped]
    names, row, deals = np.unique(keys, return_inverse=True, return_counts=True)
    counts = np.zeros((3, len(names)), np.int64)
    np.add.at(counts[1], row, won[first, second])
    np.add.at(counts[2], row, won[second, first])
    if (counts[1:] % deals).any():
        raise AssertionError("boards were left out")
    counts[1:] //= deals
    counts[2] = BOARDS_FOR_TWO_HANDS - counts[1] - counts[2]
    counts[0] = names
    return counts.astype(np.int32)


# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@kernel
def _add_wins(
    boards: NDArray[np.uint8],
    weight: int,
    own: NDArray[np.uint16],
    other: NDArray[np.uint16],
    sums: NDArray[np.uint16],
    won: NDArray[np.int64],
) -> None:
    """Add the boards (B, 5), each `weight` times, to won (1326, 1326); the others are scratch."""
    for board in range(len(boards)):
        fill_ranks(boards[board], own[board])
        for combo in range(COMBOS):  # a combo the board blocks beats nobody, nor does it lose
            rank = own[board, combo]
            other[board, combo] = rank if rank > 0 else np.uint16(0xFFFF)
    for first in range(COMBOS):
        for second in range(COMBOS):
            sums[second] = 0
        for board in range(len(boards)):
            rank = own[board, first]
            for second in range(COMBOS):
                sums[second] += rank > other[board, second]
        for second in range(COMBOS):
            won[first, second] += weight * sums[second]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
