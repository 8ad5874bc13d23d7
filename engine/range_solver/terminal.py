"""Values of folds and showdowns against whole ranges: every combo against every other at once.

N ranges are valued together; R is the reach of the player whose ranges they are, any weights:

    fold       sum of R over the combos that share no card with the own one
    showdown   sum of R over such combos that the own one beats, less those that beat it

both per chip at stake and for all 1326 own combos.  A showdown takes one pass over the combos in
order of strength, with running sums in total and per card, for sixteen ranges at a time.  Compare
Johanson, Waugh, Bowling, Zinkevich, "Accelerating best response calculation in large extensive
games", IJCAI 2011.  Combos that the board blocks are taken out of the reach; their values are 0.

Sums are float64, results float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.compiled.lanes import LANES, aligned_zeros
from engine.hands.cards import CARDS, COMBO_CARDS, COMBOS, card_bits, live_combos
from engine.range_solver.terminal_kernels import LaneHands, LaneWork, value_rows
from engine.showdown.board_ranks import board_ranks

BOARD_CARDS: Final = 5
_PADDED_COMBOS: Final = COMBOS // LANES * LANES + LANES
"""Whole vectors need at least one to spare."""


def fold_values(reach: ArrayLike, board: Sequence[int] = ()) -> NDArray[np.float32]:
    """Return how much reach is compatible with each combo.

    Args:
        reach: (N, 1326) or (1326,), not negative.
        board: cards that nobody can hold.

    Returns:
        float32 of the same shape.

    Raises:
        ValueError: another shape, a number that is negative or not finite, or bad cards.
    """
    order = np.flatnonzero(live_combos(card_bits(board)))
    return _values(_checked(reach), order, np.zeros(0, np.int32))


def showdown_values(reach: ArrayLike, board: Sequence[int]) -> NDArray[np.float32]:
    """Return the compatible reach that each combo beats, less what beats it.

    Args:
        reach: (N, 1326) or (1326,), not negative.
        board: all five cards.

    Returns:
        float32 of the same shape.

    Raises:
        ValueError: another shape, a number that is negative or not finite, or bad cards.
    """
    if len(board) != BOARD_CARDS:
        raise ValueError(f"a showdown needs {BOARD_CARDS} board cards, not {len(board)}")
    ranks = board_ranks(board)
    order = np.argsort(ranks, kind="stable")[np.count_nonzero(ranks == 0) :]
    sorted_ranks = ranks[order]
    ends = np.append(np.flatnonzero(np.diff(sorted_ranks)) + 1, len(order))
    return _values(_checked(reach), order, ends.astype(np.int32))


def _checked(reach: ArrayLike) -> NDArray[np.float32]:
    checked = np.asarray(reach, np.float32)
    if checked.ndim not in (1, 2) or checked.shape[-1] != COMBOS:
        raise ValueError(f"reach: want (N, {COMBOS}) or ({COMBOS},), got {checked.shape}")
    if not np.isfinite(checked).all() or (checked < 0).any():
        raise ValueError("reach has a number that is negative or not finite")
    return checked


def _values(
    reach: NDArray[np.float32], order: NDArray[np.int64], group_end: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Value ranges with the combos in `order`; without groups of equal strength it is a fold."""
    rows = reach.reshape(-1, COMBOS)
    count = len(rows)
    lanes = -(-count // LANES) * LANES
    source = aligned_zeros((count + 1, _PADDED_COMBOS), np.float32)
    source[:count, : len(order)] = rows[:, order]
    target = aligned_zeros((count + 1, _PADDED_COMBOS), np.float32)
    named = np.minimum(np.arange(lanes), count).astype(np.int32)
    cards = np.zeros((_PADDED_COMBOS, 2), np.uint8)
    cards[: len(order)] = COMBO_CARDS[order]
    hands = LaneHands(cards, len(order), np.arange(_PADDED_COMBOS, dtype=np.int32), group_end)
    work = LaneWork(
        aligned_zeros((CARDS, LANES), np.float64),
        aligned_zeros((_PADDED_COMBOS, LANES), np.float64),
        aligned_zeros((_PADDED_COMBOS, LANES), np.float32),
    )
    ones = np.ones(max(_PADDED_COMBOS, lanes), np.float32)
    value_rows(
        source,
        named,
        hands,
        ones,
        aligned_zeros((2, _PADDED_COMBOS, LANES), np.float32),
        work,
        target,
    )
    values = np.zeros_like(rows)
    values[:, order] = target[:count, : len(order)]
    return values.reshape(reach.shape)
