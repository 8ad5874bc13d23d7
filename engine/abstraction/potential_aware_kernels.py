"""Compiled half of `engine.abstraction.potential_aware`.

    row      (M,) uint16     a point: the turn buckets of its M turn cards, ascending
    masses   (T,) float32    a centre: turn cards in each of T turn buckets, M in all
    shares   (D,) float32    of a point or a centre: mean of its turn centres, whole numbers

Distances are in the whole numbers of `clustering` times M.  They are summed in float64 in one fixed
order, so that a result does not depend on the machine.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.clustering_kernels import (
    Centres,
    distance,
    first_not_below,
    key_of,
    step_outwards,
)
from engine.compiled.jit import as_int, kernel
from engine.equity.river_rows_kernels import HIGH, LOW
from engine.hands.cards import CARDS, COMBOS
from engine.hands.combo_kernels import MASKS, card_set
from engine.hands.isomorphism_kernels import SCRATCH, IndexTables, class_of_cards


class Ground(NamedTuple):
    """Distances of the T turn buckets from each other."""

    order: NDArray[np.uint16]
    """(T, T) for each bucket all of them, nearest first, beginning with itself."""
    distances: NDArray[np.float32]
    """(T, T) their distances, ascending."""
    shares: NDArray[np.float32]
    """(T, D) the turn centres."""


class FlopCentres(NamedTuple):
    """The centres of K flop buckets."""

    mean: Centres
    """The shares of each, which bound distances from below."""
    masses: NDArray[np.float32]
    """(K, T)"""


class FlopScratch(NamedTuple):
    """Scratch of one thread."""

    left: NDArray[np.float32]
    """(T,) mass of the centre that is not taken yet"""
    bucket: NDArray[np.int64]
    """(M,) the different turn buckets of a point with mass still to place"""
    need: NDArray[np.float32]
    """(M,) the mass still to place"""
    point: NDArray[np.float32]
    """(D,) shares of the point"""
    sums: NDArray[np.float64]
    """(D,) sums whose means are `point`"""


# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


@kernel
def greedy_distance(
    row: NDArray[np.uint16],
    masses: NDArray[np.float32],
    ground: Ground,
    limit: float,
    scratch: FlopScratch,
) -> float:
    """Return the approximate earth mover's distance of a point and a centre, float64.

    Round by round every part of the point takes what is left of the centre's mass in the nearest
    bucket it has not tried yet.  The result is never below the exact distance.  It is infinite if
    it would exceed `limit`.
    """
    left, bucket, need = scratch.left, scratch.bucket, scratch.need
    left[:] = masses
    active = 0
    for i in range(len(row)):
        if i > 0 and row[i] == row[i - 1]:
            need[active - 1] += np.float32(1)
        else:
            bucket[active] = row[i]
            need[active] = 1
            active += 1
    cost = 0.0
    for step in range(len(masses)):
        kept = 0
        to_come = 0.0
        for i in range(active):
            own = bucket[i]
            there = ground.order[own, step]
            cell = left[there]
            if cell > 0:
                moved = min(cell, need[i])
                left[there] = cell - moved
                need[i] -= moved
                cost += np.float64(moved) * np.float64(ground.distances[own, step])
            if need[i] > 0:
                to_come += np.float64(need[i]) * np.float64(ground.distances[own, step])
                bucket[kept] = own
                need[kept] = need[i]
                kept += 1
        active = kept
        if cost + to_come > limit:
            return np.inf
        if active == 0:
            break
    return cost


@kernel
def mean_shares(
    row: NDArray[np.uint16],
    shares: NDArray[np.float32],
    sums: NDArray[np.float64],
    point: NDArray[np.float32],
) -> None:
    """Write the sum of a point's turn centres, and their mean, rounded half up.

    With few bins SCALE is so large that float32 would not hold the sums.
    """
    sums[:] = 0
    for i in range(len(row)):
        for d in range(len(point)):
            sums[d] += np.float64(shares[row[i], d])
    parts = len(row)
    for d in range(len(point)):
        point[d] = (2 * as_int(sums[d]) + parts) // (2 * parts)


@kernel
def nearest_flop(
    row: NDArray[np.uint16],
    ground: Ground,
    centres: FlopCentres,
    guess: int,
    scratch: FlopScratch,
) -> tuple[int, float]:
    """Return the nearest centre by `greedy_distance`, the lowest on a tie, and how far it is.

    The distance of the means is a lower bound of that of the distributions, because moving mass
    costs at least as much as it shifts the mean.  So most centres are not compared in full.
    """
    point = scratch.point
    mean_shares(row, ground.shares, scratch.sums, point)
    key = key_of(point)
    points, keys, _ = centres.mean
    size = np.float64(len(row))
    slack = np.float64(len(point))  # every share is rounded by at most a half, on both sides
    bucket = guess
    best = greedy_distance(row, centres.masses[guess], ground, np.inf, scratch)
    above = first_not_below(keys, key)
    below = above - 1
    while below >= 0 or above < len(keys):
        k, gap, below, above = step_outwards(keys, key, below, above)
        if (np.float64(gap) - slack) * size > best:
            break
        if k == guess or (np.float64(distance(point, points[k], False)) - slack) * size > best:
            continue
        found = greedy_distance(row, centres.masses[k], ground, best, scratch)
        if found < best or (found == best and k < bucket):
            best = found
            bucket = k
    return bucket, best


@kernel
def assign_flops(
    rows: NDArray[np.uint16],
    ground: Ground,
    centres: FlopCentres,
    scratch: FlopScratch,
    buckets: NDArray[np.int32],
    distances: NDArray[np.float64],
) -> None:
    """Write the nearest centre of each point to buckets (N,), which hold guesses, and how far."""
    for n in range(len(rows)):
        bucket, found = nearest_flop(rows[n], ground, centres, as_int(buckets[n]), scratch)
        buckets[n] = bucket
        distances[n] = found


@kernel
def shares_of_flops(
    rows: NDArray[np.uint16],
    shares: NDArray[np.float32],
    sums: NDArray[np.float64],
    points: NDArray[np.float32],
) -> None:
    """Write the shares (N, D) of points (N, M); sums (D,) is scratch."""
    for n in range(len(rows)):
        mean_shares(rows[n], shares, sums, points[n])


@kernel
def add_flops(
    rows: NDArray[np.uint16],
    weights: NDArray[np.float64],
    buckets: NDArray[np.int32],
    masses: NDArray[np.float64],
) -> None:
    """Add weighted points to the masses (K, T) of their buckets."""
    for n in range(len(rows)):
        for i in range(rows.shape[1]):
            masses[buckets[n], rows[n, i]] += weights[n]


@kernel
def turn_buckets_of_flop(
    board: NDArray[np.uint8],
    flop_tables: IndexTables,
    turn_tables: IndexTables,
    turn_buckets: NDArray[np.uint16],
    wanted: NDArray[np.uint8],
    classes: NDArray[np.int64],
    rows: NDArray[np.uint16],
) -> int:
    """Collect the points of a flop's classes of hands that are wanted; return how many.

    Args:
        board: (3,) uint8.
        flop_tables: of the grouping (2, 3); turn_tables of (2, 4).
        turn_buckets: (13960050,) by class.
        wanted: (1286792,) 1 for those that are wanted, set to 0 when they are picked.
        classes: (1326,) the classes picked.
        rows: (1326, 47) their turn buckets, ascending.
    """
    suits = np.empty(SCRATCH, np.int64)
    cards = np.empty(6, np.uint8)
    cards[2:5] = board
    dead = card_set(board)
    picked = 0
    for combo in range(COMBOS):
        if dead & MASKS[combo]:
            continue
        cards[0] = HIGH[combo]
        cards[1] = LOW[combo]
        index = class_of_cards(flop_tables, suits, cards[:5])
        if not wanted[index]:
            continue
        wanted[index] = 0
        classes[picked] = index
        count = 0
        for card in range(CARDS):
            if (dead | MASKS[combo]) >> card & 1:
                continue
            cards[5] = card
            bucket = turn_buckets[class_of_cards(turn_tables, suits, cards)]
            place = count
            while place > 0 and rows[picked, place - 1] > bucket:
                rows[picked, place] = rows[picked, place - 1]
                place -= 1
            rows[picked, place] = bucket
            count += 1
        picked += 1
    return picked
