"""Compiled half of `engine.abstraction.buckets`: one street of many deals, or of all combos.

    deals      (N, 2 P + 5) uint8   hole cards of player 0, of player 1, ..., the board as dealt
    column     (N, P) int32         what is written for deals: the players' buckets on one street
    buckets    (1326,) int32        what is written for a board; blocked combos are left as they are
    table      (C,) uint16          bucket by class of (hole, board)
    centres    (8, K) float32       OCHS centres, one in each column, and `keys` (K,) their sums
    distances  (K,) int32           scratch

One small kernel per street and way compiles in half the time of one that does all of them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.clustering import scale_of
from engine.abstraction.clustering_kernels import (
    Centres,
    first_not_below,
    key_of,
    nearest,
    shares_above,
)
from engine.abstraction.ochs_kernels import (
    CLUSTERS,
    ClusterTables,
    OchsScratch,
    fill_ochs,
    ochs_of_combo,
    ochs_point,
    sort_strengths,
)
from engine.compiled.jit import as_int, inlined_kernel, kernel
from engine.equity.river_rows_kernels import BLOCKED, HIGH, LOW, BoardScratch, fill_halves
from engine.hands.cards import CARDS, COMBOS
from engine.hands.combo_kernels import MASKS, card_set, combo_at
from engine.hands.isomorphism_kernels import IndexTables, class_of_cards
from engine.showdown.board_kernels import fill_ranks

_OCHS_SCALE = scale_of(CLUSTERS, squared=True)
_FIRST_LOOK = 32
"""Centres measured first, to rule out others."""
_BOARD_BLOCKS = COMBOS - (CARDS - 5) * (CARDS - 6) // 2
"""Combos that a complete board blocks."""

# Kernels: arguments are trusted, results go to the last argument.


@kernel
def first_bad_deal(deals: NDArray[np.uint8]) -> int:
    """Return the first row with a repeated or invalid card; -1 if there is none."""
    for n in range(len(deals)):
        seen = 0
        for i in range(deals.shape[1]):
            card = as_int(deals[n, i])
            if card >= CARDS or seen >> card & 1:
                return n
            seen |= 1 << card
    return -1


@inlined_kernel
def _combo(deals: NDArray[np.uint8], n: int, player: int) -> Any:
    return combo_at(deals[n, 2 * player], deals[n, 2 * player + 1])


@kernel
def preflop_of_deals(
    deals: NDArray[np.uint8], of_combo: NDArray[np.uint8], column: NDArray[np.int32]
) -> None:
    """Write the starting hands of deals."""
    for n in range(len(deals)):
        for player in range(column.shape[1]):
            column[n, player] = of_combo[_combo(deals, n, player)]


@kernel
def look_up_deals(
    deals: NDArray[np.uint8],
    index: IndexTables,
    table: NDArray[np.uint16],
    suits: NDArray[np.int64],
    cards: NDArray[np.uint8],
    column: NDArray[np.int32],
) -> None:
    """Look up the buckets of deals; `cards` is scratch for a hand with the street's board."""
    players = column.shape[1]
    for n in range(len(deals)):
        for i in range(2, len(cards)):
            cards[i] = deals[n, 2 * players + i - 2]
        for player in range(players):
            cards[0] = deals[n, 2 * player]
            cards[1] = deals[n, 2 * player + 1]
            column[n, player] = table[class_of_cards(index, suits, cards)]


@kernel
def ochs_of_deals(
    deals: NDArray[np.uint8],
    clusters: ClusterTables,
    scratch: OchsScratch,
    centres: NDArray[np.float32],
    keys: NDArray[np.float32],
    distances: NDArray[np.int32],
    column: NDArray[np.int32],
) -> None:
    """Find the river buckets of deals by OCHS."""
    players = column.shape[1]
    strengths, point = scratch.board.strengths, scratch.point
    for n in range(len(deals)):
        board = deals[n, 2 * players :]
        fill_ranks(board, strengths)
        sort_strengths(strengths, clusters.by_cluster, scratch.sorted)
        for player in range(players):
            ochs_of_combo(_combo(deals, n, player), board, clusters, scratch)
            ochs_point(scratch.won, scratch.met, _OCHS_SCALE, point)
            column[n, player] = nearest_column(point, centres, keys, distances)


@kernel
def shares_of_deals(
    deals: NDArray[np.uint8],
    holding: NDArray[np.int64],
    strengths: NDArray[np.uint16],
    shares: NDArray[np.uint16],
    column: NDArray[np.int32],
) -> None:
    """Find the river buckets of deals by equity: shares (1981,) by halves."""
    players = column.shape[1]
    for n in range(len(deals)):
        fill_ranks(deals[n, 2 * players :], strengths)
        for player in range(players):
            column[n, player] = shares[
                halves_of_combo(_combo(deals, n, player), strengths, holding)
            ]


@inlined_kernel
def halves_of_combo(combo: int, strengths: NDArray[np.uint16], holding: NDArray[np.int64]) -> int:
    """Return the halves of one combo; `strengths` are those of the complete board."""
    mine = np.int16(strengths[combo])
    beaten = np.int32(0)
    for other in range(COMBOS):
        strength = np.int16(strengths[other])
        beaten += np.int32(strength < mine) + np.int32(strength <= mine)
    halves: int = as_int(beaten) - 2 * _BOARD_BLOCKS
    for own in (HIGH[combo], LOW[combo]):
        for i in range(CARDS - 1):
            strength = np.int16(strengths[holding[own, i]])
            if strength > 0:
                halves -= as_int(strength < mine) + as_int(strength <= mine)
    return halves + 1  # itself, tied with once and taken away twice


@inlined_kernel
def _measure(
    point: NDArray[np.float32],
    centres: NDArray[np.float32],
    first: int,
    end: int,
    distances: NDArray[np.int32],
) -> Any:
    """Write the squared distances to centres to distances[first:end]; return the smallest.

    Unsigned places need no check for negative ones, which would keep LLVM from vectorising.
    """
    places = range(np.uint64(first), np.uint64(end))
    for k in places:
        total = np.float32(0)
        for i in range(CLUSTERS):
            apart = point[i] - centres[i, k]
            total += apart * apart
        distances[k] = np.int32(total)
    best = distances[first]
    for k in places:
        best = min(best, distances[k])
    return best


@kernel
def nearest_column(
    point: NDArray[np.float32],
    centres: NDArray[np.float32],
    keys: NDArray[np.float32],
    distances: NDArray[np.int32],
) -> int:
    """Return what `clustering_kernels.nearest` would, computing distances side by side.

    A few centres around the point's own sum bound how far off the sum of any nearer one can be.
    Walking from centre to centre takes three times as long in eight dimensions.
    """
    key = key_of(point)
    here = first_not_below(keys, key)
    first = max(0, min(here - _FIRST_LOOK // 2, len(keys) - _FIRST_LOOK))
    best = _measure(point, centres, first, min(first + _FIRST_LOOK, len(keys)), distances)
    reach = np.float32(np.ceil(np.sqrt(np.float64(CLUSTERS) * best)))
    first = first_not_below(keys, key - reach)
    end = first_not_below(keys, key + reach + np.float32(1))
    best = _measure(point, centres, first, end, distances)
    bucket = first
    while distances[bucket] != best:
        bucket += 1
    return bucket


@kernel
def look_up_board(
    board: NDArray[np.uint8],
    index: IndexTables,
    table: NDArray[np.uint16],
    suits: NDArray[np.int64],
    cards: NDArray[np.uint8],
    buckets: NDArray[np.int32],
) -> None:
    """Look up the buckets of all combos; `cards` is scratch for a hand with the board."""
    dead = card_set(board)
    cards[2:] = board
    for combo in range(COMBOS):
        if not dead & MASKS[combo]:
            cards[0] = HIGH[combo]
            cards[1] = LOW[combo]
            buckets[combo] = table[class_of_cards(index, suits, cards)]


@kernel
def tabulate_board(
    board: NDArray[np.uint8],
    index: IndexTables,
    buckets: NDArray[np.int32],
    suits: NDArray[np.int64],
    cards: NDArray[np.uint8],
    table: NDArray[np.uint16],
) -> None:
    """Write the buckets of all combos, -1 where blocked, to a table."""
    cards[2:] = board
    for combo in range(COMBOS):
        if buckets[combo] >= 0:
            cards[0] = HIGH[combo]
            cards[1] = LOW[combo]
            table[class_of_cards(index, suits, cards)] = buckets[combo]


@kernel
def turn_of_board(
    board: NDArray[np.uint8],
    counts: NDArray[np.uint16],
    centres: Centres,
    scale: int,
    share: NDArray[np.float32],
    buckets: NDArray[np.int32],
) -> None:
    """Find the turn buckets of all combos from their histograms (1326, B + 1)."""
    dead = card_set(board)
    guess = 0
    for combo in range(COMBOS):
        if not dead & MASKS[combo]:
            shares_above(counts[combo, :-1], scale, share)
            guess, _ = nearest(share, key_of(share), centres, guess)
            buckets[combo] = guess


@kernel
def turn_of_combo(
    combo: int,
    board: NDArray[np.uint8],
    holding: NDArray[np.int64],
    strengths: NDArray[np.uint16],
    bin_of: NDArray[np.uint16],
    counts: NDArray[np.uint16],
    centres: Centres,
    scale: int,
    share: NDArray[np.float32],
) -> int:
    """Return the turn bucket of one combo; strengths (1326,), counts (B + 1,), share: scratch."""
    dead = card_set(board) | MASKS[combo]
    cards = np.empty(5, np.uint8)
    cards[:4] = board
    counts[:] = 0
    for river in range(CARDS):
        if not dead >> river & 1:
            cards[4] = river
            fill_ranks(cards, strengths)
            counts[bin_of[halves_of_combo(combo, strengths, holding)]] += np.uint16(1)
    shares_above(counts[:-1], scale, share)
    bucket, _ = nearest(share, key_of(share), centres, 0)
    found: int = as_int(bucket)
    return found


@kernel
def ochs_of_board(
    board: NDArray[np.uint8],
    clusters: ClusterTables,
    scratch: OchsScratch,
    centres: NDArray[np.float32],
    keys: NDArray[np.float32],
    distances: NDArray[np.int32],
    won: NDArray[np.int16],
    met: NDArray[np.int16],
    buckets: NDArray[np.int32],
) -> None:
    """Find the river buckets of all combos by OCHS; won and met (1326, 8) are scratch."""
    order, point = scratch.board.order, scratch.point
    live = fill_ochs(board, clusters, scratch, won, met)
    for i in range(live):
        combo = order[i]
        ochs_point(won[combo], met[combo], _OCHS_SCALE, point)
        buckets[combo] = nearest_column(point, centres, keys, distances)


@kernel
def shares_of_board(
    board: NDArray[np.uint8],
    scratch: BoardScratch,
    shares: NDArray[np.uint16],
    buckets: NDArray[np.int32],
) -> None:
    """Find the river buckets of all combos by equity: shares (1981,) by halves."""
    halves = scratch.halves
    fill_halves(board, scratch, halves)
    for combo in range(COMBOS):
        if halves[combo] != BLOCKED:
            buckets[combo] = shares[halves[combo]]
