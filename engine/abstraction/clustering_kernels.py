"""Compiled half of `engine.abstraction.clustering`: distances and nearest centres.

    points    (N, D) float32   whole numbers
    keys      (N,)   float32   the sum of each point
    Centres                    K points in ascending order of key

Every distance is a whole number below 2**24, exact in float32 in whatever order it is summed.  So
a result depends neither on the machine nor on how work is cut into blocks.

The absolute sum of a difference is at most the sum of its absolute parts.  Centres whose keys are
too far away are therefore skipped: `nearest` starts at the point's own key and walks outwards.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import any_order_kernel, as_int, inlined_kernel, kernel


class Centres(NamedTuple):
    """The centres of buckets; `clustering.make_centres` makes them."""

    points: NDArray[np.float32]
    """(K, D) whole numbers, ascending in their keys."""
    keys: NDArray[np.float32]
    """(K,) sums of the points."""
    squared: bool
    """Whether the distance is the sum of squares instead of the sum of absolute values."""


# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


@any_order_kernel
def key_of(point: NDArray[np.float32]) -> np.float32:
    """Return the sum of a point."""
    total = np.float32(0)
    for i in range(len(point)):
        total += point[i]
    return total


@any_order_kernel
def _manhattan(a: NDArray[np.float32], b: NDArray[np.float32]) -> np.float32:
    total = np.float32(0)
    for i in range(len(a)):
        total += abs(a[i] - b[i])
    return total


@any_order_kernel
def _square(a: NDArray[np.float32], b: NDArray[np.float32]) -> np.float32:
    total = np.float32(0)
    for i in range(len(a)):
        total += (a[i] - b[i]) * (a[i] - b[i])
    return total


@inlined_kernel
def distance(a: NDArray[np.float32], b: NDArray[np.float32], squared: bool) -> np.float32:
    """Return the distance of two points."""
    if squared:
        return _square(a, b)
    return _manhattan(a, b)


@inlined_kernel
def _too_far(gap: Any, best: Any, squared: bool, width: int) -> Any:
    """Return whether points whose keys differ by `gap` are farther apart than `best`.

    A sum of `width` squares is at least the square of the sum divided by `width`.
    """
    if squared:
        return np.float64(gap) * np.float64(gap) > np.float64(best) * width
    return gap > best


@inlined_kernel
def first_not_below(ascending: NDArray[np.float32], value: np.float32) -> int:
    """Return the first place with at least `value`, the length if there is none."""
    low = 0
    high = len(ascending)
    while low < high:
        middle = (low + high) // 2
        if ascending[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@inlined_kernel
def step_outwards(keys: NDArray[np.float32], key: np.float32, below: int, above: int) -> Any:
    """Take one step of a walk away from a key, to the next nearest of ascending keys.

    The walk has seen the places between `below` and `above`, and there is at least one more.

    Returns:
        The place, how far its key is off, and the new `below` and `above`.
    """
    if above == len(keys) or (below >= 0 and key - keys[below] < keys[above] - key):
        return below, key - keys[below], below - 1, above
    return above, keys[above] - key, below, above + 1


@kernel
def nearest(
    point: NDArray[np.float32], key: np.float32, centres: Centres, guess: int
) -> tuple[int, np.float32]:
    """Return the nearest centre, the lowest of those equally near, and its distance.

    Args:
        point: (D,)
        key: the point's sum.
        guess: a centre that is likely to be near.
    """
    points, keys, squared = centres
    width = len(point)
    best = distance(point, points[guess], squared)
    bucket = guess
    above = first_not_below(keys, key)
    below = above - 1
    while below >= 0 or above < len(keys):
        k, gap, below, above = step_outwards(keys, key, below, above)
        if _too_far(gap, best, squared, width):
            break
        found = distance(point, points[k], squared)
        if found < best or (found == best and k < bucket):
            best = found
            bucket = k
    return bucket, best


@kernel
def assign_points(
    points: NDArray[np.float32],
    keys: NDArray[np.float32],
    centres: Centres,
    buckets: NDArray[np.int32],
    distances: NDArray[np.float32],
) -> None:
    """Write the nearest centre of each point to buckets (N,), which hold guesses, and how far."""
    for n in range(len(points)):
        bucket, found = nearest(points[n], keys[n], centres, as_int(buckets[n]))
        buckets[n] = bucket
        distances[n] = found


@kernel
def approach(
    points: NDArray[np.float32],
    keys: NDArray[np.float32],
    centre: NDArray[np.float32],
    squared: bool,
    distances: NDArray[np.float32],
) -> None:
    """Lower distances (N,) to that from one more centre, where it is nearer."""
    key = key_of(centre)
    width = len(centre)
    for n in range(len(points)):
        if not _too_far(abs(key - keys[n]), distances[n], squared, width):
            distances[n] = min(distances[n], distance(points[n], centre, squared))


@kernel
def add_points(
    points: NDArray[np.float32],
    weights: NDArray[np.float64],
    buckets: NDArray[np.int32],
    sums: NDArray[np.float64],
    masses: NDArray[np.float64],
) -> None:
    """Add weighted points to the sums (K, D) and weights to the masses (K,) of their buckets."""
    for n in range(len(points)):
        bucket = buckets[n]
        masses[bucket] += weights[n]
        for i in range(points.shape[1]):
            sums[bucket, i] += weights[n] * points[n, i]


@kernel
def sum_points(points: NDArray[np.float32], keys: NDArray[np.float32]) -> None:
    """Write the key of each point."""
    for n in range(len(points)):
        keys[n] = key_of(points[n])


@inlined_kernel
def shares_above(row: NDArray[np.uint16], scale: int, point: NDArray[np.float32]) -> None:
    """Turn a histogram (B,) into a point (B - 1,): what lies above each bin, 0..scale, rounded."""
    total = 0
    for i in range(len(row)):
        total += as_int(row[i])
    above = total
    for i in range(len(point)):
        above -= as_int(row[i])
        point[i] = (2 * above * scale + total) // (2 * total)


@kernel
def shares_of_rows(rows: NDArray[np.uint16], scale: int, points: NDArray[np.float32]) -> None:
    """Turn histograms (N, B) into points (N, B - 1)."""
    for n in range(len(rows)):
        shares_above(rows[n], scale, points[n])


@kernel
def place_points(
    classes: NDArray[np.int64],
    points: NDArray[np.float32],
    centres: Centres,
    table: NDArray[np.uint16],
) -> None:
    """Write the bucket of each point (n, D) to the place of its class in a table."""
    guess = 0
    for n in range(len(classes)):
        guess, _ = nearest(points[n], key_of(points[n]), centres, guess)
        table[classes[n]] = guess
