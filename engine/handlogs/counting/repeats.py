"""Finding hands that stand in logs more than once, line for line; 8 bytes a hand."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel

_NEWLINE: Final = ord("\n")
_RETURN: Final = ord("\r")
_WORD: Final = 8
_BASIS: Final = np.uint64(14695981039346656037)
_PRIME: Final = np.uint64(1099511628211)
_HAND: Final = np.frombuffer(b"STATE:", np.uint8)
_HEADER: Final = np.frombuffer(b"# name/", np.uint8)


class RepeatedHands:
    """Hashes of the hands met so far."""

    def __init__(self) -> None:
        """Start without a hand."""
        self._session = 0
        self._hashes: list[NDArray[np.uint64]] = []

    def begin(self) -> None:
        """Begin another log."""
        self._session += 1

    def add(self, block: bytes, *, alike: bool = False) -> None:
        """Take some lines of a log; `block` ends in a newline.

        Args:
            alike: whether equal hands of different matches are chance, as in games of few cards.
        """
        data = np.frombuffer(block, np.uint8)
        hashes = np.zeros(block.count(b"\nSTATE:") + 1, np.uint64)
        count, self._session = hash_hands(data, _HAND, _HEADER, self._session, alike, hashes)
        self._hashes.append(hashes[:count])

    @property
    def count(self) -> int:
        """Hands that are line for line one before them."""
        hashes = np.sort(np.concatenate([np.zeros(0, np.uint64), *self._hashes]))
        return int(np.count_nonzero(hashes[1:] == hashes[:-1]))

    def warnings(self) -> list[str]:
        """Return what the user must know."""
        count = self.count
        return [f"{count:,} hands stand in the logs more than once, all are counted"] * (count > 0)


@kernel
def hash_hands(
    data: NDArray[np.uint8],
    hand: NDArray[np.uint8],
    header: NDArray[np.uint8],
    session: int,
    alike: bool,
    hashes: NDArray[np.uint64],
) -> tuple[int, int]:
    """Write a 64-bit hash of each line that begins with `hand`, without its end.

    FNV-1a over words of eight bytes, then over the bytes left.

    Lines that begin with `header` begin another session; with `alike` its number is hashed too.

    Returns:
        How many hands there were, and the session of the last line.
    """
    count = 0
    at = 0
    while at < data.size:
        end = at
        while data[end] != _NEWLINE:
            end += 1
        if _begins(data, at, header):
            session += 1
        elif _begins(data, at, hand):
            number = _BASIS ^ np.uint64(session if alike else 0)
            last = end - (data[end - 1] == _RETURN)
            while last - at >= _WORD:
                word = np.uint64(0)
                for i in range(_WORD):
                    word |= np.uint64(data[at + i]) << np.uint64(8 * i)
                number = (number ^ word) * _PRIME
                number ^= number >> np.uint64(32)
                at += _WORD
            while at < last:
                number = (number ^ np.uint64(data[at])) * _PRIME
                at += 1
            hashes[count] = number
            count += 1
        at = end + 1
    return count, session


@kernel
def _begins(data: NDArray[np.uint8], at: int, word: NDArray[np.uint8]) -> bool:
    """Return whether a line begins with a word, which has no newline."""
    same = 0
    while same < word.size and data[at + same] == word[same]:
        same += 1
    return same == word.size
