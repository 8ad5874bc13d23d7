"""Rows of a decision as bits, each row predicted from those before it: the kernels.

Buckets are numbered by strength, so neighbours often play alike.  A stream holds a row, then how
many buckets after it have the same, then the next row, and so on.  A row is its shares k1, k2, ...
of a whole n, one by one: whether it is none, else whether it is all that is left, else the number.
The coder is an adaptive binary range coder: the likelier a bit in its context, the less room it
takes, and contexts learn how likely ones are.  Source: Martin, "Range encoding: an algorithm for
removing redundancy from a digitised message", 1979; chances adapt as in the LZMA specification, but
faster at first.

    shares    (B, A) uint8     k1 ... kA of each bucket, that add to n, which is below 32
    contexts  (C, 2) uint16    chance of a one, of 65536, and how often the context was met
    rates     (R,) int64       of 65536: how far a chance moves when it has been met so often
    last      (2, A) int64     the last row, and the one before it

A coder is at place `at` of its stream.  Writing it has the interval of `width` from `low` on;
reading, the number `code` below `width`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import as_int, inlined_raw_kernel, raw_kernel

_ALL: Any = np.int64(0xFFFFFFFF)
_LEAST_WIDTH: Any = np.int64(1 << 24)
_EVEN: Any = np.uint16(1 << 15)

_LENGTHS = 16
"""Binary digits that the length of a run has, at most."""
_LONGEST_RUN = (1 << _LENGTHS) - 1
"""Of more buckets alike, the row is told again."""
_RUN_CONTEXTS = 8 * _LENGTHS + _LENGTHS * _LENGTHS
"""Of more digits, by those of the last run; then of each digit, by how many there are."""
_KINDS = 9
"""Of a share in the last two rows: each none, some or the whole."""
_SHARE_DIGITS = 5
_SHARE_CONTEXTS = 2 * _KINDS + (1 << _SHARE_DIGITS)
"""Of none and of all that is left, by the kind; then of the digits, by those before."""


def context_count(actions: int) -> int:
    """Return C: contexts of rows of so many actions."""
    return _RUN_CONTEXTS + (actions - 1) * _SHARE_CONTEXTS


@raw_kernel
def encode_rows(
    shares: NDArray[np.uint8],
    whole: int,
    rates: NDArray[np.int64],
    contexts: NDArray[np.uint16],
    last: NDArray[np.int64],
    stream: NDArray[np.uint8],
) -> int:
    """Write rows as a stream; return its bytes.

    Args:
        shares: (B, A) the rows, B at least 1.
        rates: see the module's table.
        contexts, last: scratch.
        stream: gets the bytes; has room for 64 a share, and for as many more.
    """
    _begin(contexts, last)
    coder = (as_int(0), _ALL, 0)
    buckets, actions = shares.shape
    bucket = digits = 0
    while bucket < buckets:
        left = whole
        for action in range(actions - 1):
            if left:
                share = as_int(shares[bucket, action])
                coder = _put_share(share, left, action, whole, last, rates, contexts, coder, stream)
                left -= share
        for action in range(actions):
            last[1, action] = last[0, action]
            last[0, action] = shares[bucket, action]
        first = bucket
        bucket += 1
        end = min(buckets, first + _LONGEST_RUN)
        while bucket < end and _alike(shares, first, bucket):
            bucket += 1
        digits, coder = _put_run(bucket - first, digits, rates, contexts, coder, stream)
    low, _, at = coder
    low += _LEAST_WIDTH - 1
    if low > _ALL:
        _carry(at, stream)
    stream[at] = low >> 24 & 255
    return at + 1


@raw_kernel
def decode_rows(
    stream: NDArray[np.uint8],
    whole: int,
    rates: NDArray[np.int64],
    ways: NDArray[np.int64],
    contexts: NDArray[np.uint16],
    last: NDArray[np.int64],
    numbers: NDArray[Any],
) -> int:
    """Read the rows that a stream holds; any bytes hold some.

    Args:
        rates: see the module's table.
        ways: (A - 1, n + 1) the points of the grid that begin when so much is left, by action.
        contexts, last: scratch.
        numbers: (B,) gets the numbers of the rows.

    Returns:
        The bytes read; those beyond the stream's end are zeros.
    """
    _begin(contexts, last)
    code = as_int(0)
    for at in range(4):
        code = code << 8 | _byte(at, stream)
    coder = (code, _ALL, 4)
    actions = ways.shape[0] + 1
    bucket = digits = 0
    while bucket < len(numbers):
        left = whole
        number = 0
        for action in range(actions - 1):
            share = 0
            if left:
                share, coder = _get_share(left, action, whole, last, rates, contexts, coder, stream)
            number += ways[action, left] - ways[action, left - share]
            last[1, action] = last[0, action]
            last[0, action] = share
            left -= share
        length, digits, coder = _get_run(digits, rates, contexts, coder, stream)
        end = min(bucket + length, len(numbers))
        while bucket < end:
            numbers[bucket] = number
            bucket += 1
    return coder[2]


@inlined_raw_kernel
def _begin(contexts: NDArray[np.uint16], last: NDArray[np.int64]) -> None:
    for context in range(contexts.shape[0]):
        contexts[context, 0] = _EVEN
        contexts[context, 1] = 0
    for action in range(last.shape[1]):
        last[0, action] = last[1, action] = 0


@inlined_raw_kernel
def _alike(shares: NDArray[np.uint8], one: int, other: int) -> bool:
    alike = True
    for action in range(shares.shape[1]):
        alike = alike and shares[one, action] == shares[other, action]
    return alike


@inlined_raw_kernel
def _share_context(action: int, whole: int, last: NDArray[np.int64]) -> int:
    """Return the context of "none of it"; the next one is that of "all that is left"."""
    kind = 0
    for row in range(2):
        share = last[row, action]
        kind = 3 * kind + (share > 0) + (share == whole)
    return _RUN_CONTEXTS + action * _SHARE_CONTEXTS + 2 * kind


@inlined_raw_kernel
def _put_share(
    share: int,
    left: int,
    action: int,
    whole: int,
    last: NDArray[np.int64],
    rates: NDArray[np.int64],
    contexts: NDArray[np.uint16],
    coder: tuple[int, int, int],
    stream: NDArray[np.uint8],
) -> tuple[int, int, int]:
    first = _share_context(action, whole, last)
    coder = _put(share == 0, first, rates, contexts, coder, stream)
    if share and left > 1:
        coder = _put(share == left, first + 1, rates, contexts, coder, stream)
        if share < left:
            tree = _RUN_CONTEXTS + action * _SHARE_CONTEXTS + 2 * _KINDS
            node = 1
            for place in range(_SHARE_DIGITS - 1, -1, -1):
                digit = share >> place & 1
                coder = _put(digit == 1, tree + node, rates, contexts, coder, stream)
                node = 2 * node + digit
    return coder


@inlined_raw_kernel
def _get_share(
    left: int,
    action: int,
    whole: int,
    last: NDArray[np.int64],
    rates: NDArray[np.int64],
    contexts: NDArray[np.uint16],
    coder: tuple[int, int, int],
    stream: NDArray[np.uint8],
) -> tuple[int, tuple[int, int, int]]:
    first = _share_context(action, whole, last)
    bit, coder = _get(first, rates, contexts, coder, stream)
    if bit:
        return 0, coder
    if left > 1:
        bit, coder = _get(first + 1, rates, contexts, coder, stream)
        if not bit:
            tree = _RUN_CONTEXTS + action * _SHARE_CONTEXTS + 2 * _KINDS
            node = 1
            for _ in range(_SHARE_DIGITS):
                bit, coder = _get(tree + node, rates, contexts, coder, stream)
                node = 2 * node + bit
            return min(node - (1 << _SHARE_DIGITS), left), coder
    return left, coder


@inlined_raw_kernel
def _put_run(
    length: int,
    before: int,
    rates: NDArray[np.int64],
    contexts: NDArray[np.uint16],
    coder: tuple[int, int, int],
    stream: NDArray[np.uint8],
) -> tuple[int, tuple[int, int, int]]:
    """Write how many digits a length has after its first, and these digits."""
    digits = 0
    while length >> digits > 1:
        digits += 1
    first = min(before, 7) * _LENGTHS
    for more in range(digits):
        coder = _put(True, first + more, rates, contexts, coder, stream)
    coder = _put(False, first + digits, rates, contexts, coder, stream)
    for place in range(digits - 1, -1, -1):
        context = 8 * _LENGTHS + digits * _LENGTHS + place
        coder = _put(length >> place & 1 == 1, context, rates, contexts, coder, stream)
    return digits, coder


@inlined_raw_kernel
def _get_run(
    before: int,
    rates: NDArray[np.int64],
    contexts: NDArray[np.uint16],
    coder: tuple[int, int, int],
    stream: NDArray[np.uint8],
) -> tuple[int, int, tuple[int, int, int]]:
    first = min(before, 7) * _LENGTHS
    digits = 0
    more, coder = _get(first, rates, contexts, coder, stream)
    while more and digits < _LENGTHS - 1:
        digits += 1
        more, coder = _get(first + digits, rates, contexts, coder, stream)
    length = 1
    for place in range(digits - 1, -1, -1):
        context = 8 * _LENGTHS + digits * _LENGTHS + place
        bit, coder = _get(context, rates, contexts, coder, stream)
        length = 2 * length + bit
    return length, digits, coder


@inlined_raw_kernel
def _put(
    bit: bool,
    context: int,
    rates: NDArray[np.int64],
    contexts: NDArray[np.uint16],
    coder: tuple[int, int, int],
    stream: NDArray[np.uint8],
) -> tuple[int, int, int]:
    low, width, at = coder
    part = (width >> 12) * _learned(bit, context, rates, contexts)
    if bit:
        width = part
    else:
        low, width = low + part, width - part
        if low > _ALL:
            _carry(at, stream)
            low &= _ALL
    while width < _LEAST_WIDTH:
        stream[at] = low >> 24
        low, width, at = low << 8 & _ALL, width << 8, at + 1
    return low, width, at


@inlined_raw_kernel
def _carry(at: int, stream: NDArray[np.uint8]) -> None:
    """Add one to what has been written (the range coder's carry)."""
    at -= 1
    while stream[at] == 255:
        stream[at] = 0
        at -= 1
    stream[at] += 1


@inlined_raw_kernel
def _get(
    context: int,
    rates: NDArray[np.int64],
    contexts: NDArray[np.uint16],
    coder: tuple[int, int, int],
    stream: NDArray[np.uint8],
) -> tuple[int, tuple[int, int, int]]:
    code, width, at = coder
    part = (width >> 12) * (as_int(contexts[context, 0]) >> 4)
    bit = code < part
    _learned(bit, context, rates, contexts)
    if bit:
        width = part
    else:
        code, width = code - part, width - part
    while width < _LEAST_WIDTH:
        code, width, at = code << 8 | _byte(at, stream), width << 8, at + 1
    return as_int(bit), (code, width, at)


@inlined_raw_kernel
def _byte(at: int, stream: NDArray[np.uint8]) -> int:
    byte: int = as_int(stream[at]) if at < len(stream) else as_int(0)
    return byte


@inlined_raw_kernel
def _learned(
    bit: bool, context: int, rates: NDArray[np.int64], contexts: NDArray[np.uint16]
) -> int:
    """Return the chance of a one, of 4096, as it was, and move it towards the bit."""
    chance: int = as_int(contexts[context, 0])
    met: int = as_int(contexts[context, 1])
    if bit:
        contexts[context, 0] = chance + ((65536 - chance) * rates[met] >> 16)
    else:
        contexts[context, 0] = chance - (chance * rates[met] >> 16)
    if met + 1 < len(rates):
        contexts[context, 1] = met + 1
    return chance >> 4
