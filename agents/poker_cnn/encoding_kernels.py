"""What a player sees, as planes; what they show is told in `planes`.

planes  (PLANES, SIDE, SIDE) float32
suits   (4,) int64   row of each suit (clubs, diamonds, hearts, spades, as cards count them)
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.poker_cnn import planes as p
from agents.poker_cnn.history_kernels import (
    CALLED,
    CHECKED,
    FOLDED,
    KIND,
    RAISED,
    SIZE,
    STREET,
    WHO,
    estimate_of,
)
from engine.compiled.jit import inlined_kernel, kernel
from engine.play.spot import Spot

SUITS: Final = 4
ROWS_OF_SUITS: Final = (3, 2, 1, 0)
"""Spades first."""
_ONE: Any = np.float32(1.0)


@kernel
def encode_planes(
    spot: Spot,
    history: NDArray[np.float64],
    count: int,
    suits: NDArray[np.int64],
    planes: NDArray[np.float32],
) -> None:
    """Write the planes of a decision.

    Args:
        spot: of the player that is to act, hole cards and p known.
        history: of the hand, see `history_kernels`.
        suits: the row of each suit.
    """
    planes[:] = 0.0
    _show_cards(spot, suits, planes)
    planes[p.STREET, : spot.street + 1] = 1.0
    planes[p.STREET, p.HALF :] = spot.button
    whole = math.log1p(2.0 * min(spot.stack / spot.big_blind, p.DEEPEST))
    left = spot.stack - spot.spent
    planes[p.POT, : p.HALF] = math.log1p(spot.pot / spot.big_blind) / whole
    planes[p.POT, p.HALF :] = left / (left + spot.pot)
    planes[p.TO_CALL, : p.HALF] = spot.to_call / (spot.to_call + spot.pot)
    planes[p.TO_CALL, p.HALF :] = math.log1p(spot.to_call / spot.big_blind) / whole
    _show_actions(spot.street, history, count, planes)
    planes[p.STRENGTH] = spot.p
    planes[p.ESTIMATE] = estimate_of(history, count)


@inlined_kernel
def _show_cards(spot: Spot, suits: NDArray[np.int64], planes: NDArray[np.float32]) -> None:
    _show_in_order(spot.hole[:2], suits, planes, p.HOLE)
    if spot.street > 0:
        _show_in_order(spot.board[:3], suits, planes, p.FLOP)
    for i in range(spot.street - 1):
        _show(spot.board[3 + i], suits, planes, p.TURN + i)


@kernel
def hide_hand(
    hole: NDArray[np.int64], suits: NDArray[np.int64], planes: NDArray[np.float32]
) -> None:
    """Take the hole cards and the strength out of the planes of a decision."""
    planes[p.HOLE : p.HOLE + 2] = 0.0
    planes[p.STRENGTH] = 0.0
    for card in hole:
        planes[p.KNOWN, suits[card & 3], card >> 2] = 0.0


@inlined_kernel
def _show_in_order(
    cards: NDArray[np.int64], suits: NDArray[np.int64], planes: NDArray[np.float32], first: int
) -> None:
    """Show cards in planes from `first` on, the highest first; equal ranks by row."""
    for i in range(len(cards)):
        own = 4 * (cards[i] >> 2) - suits[cards[i] & 3]
        place = first
        for j in range(len(cards)):
            place += own < 4 * (cards[j] >> 2) - suits[cards[j] & 3]
        _show(cards[i], suits, planes, place)


@inlined_kernel
def _show(card: int, suits: NDArray[np.int64], planes: NDArray[np.float32], plane: int) -> None:
    row, column = suits[card & 3], card >> 2
    planes[plane, row, column] = _ONE
    planes[p.KNOWN, row, column] = _ONE


@inlined_kernel
def _show_actions(
    street: int, history: NDArray[np.float64], count: int, planes: NDArray[np.float32]
) -> None:
    own = others = earlier = 0
    before = -1
    for i in range(count):
        taken_on, mine = int(history[i, STREET]), history[i, WHO] == 0
        if taken_on == street:
            column = own if mine else others
            plane = p.OWN if mine else p.OTHERS
            _show_action(history, i, planes[plane, :, min(column, p.SIDE - 1)], 1)
            own += mine
            others += not mine
        else:
            earlier = earlier + 1 if taken_on == before else 0
            before = taken_on
            column = p.PER_STREET * taken_on + min(earlier, p.PER_STREET - 1)
            first = 0 if mine else p.HALF
            last = p.HALF if mine else p.SIDE
            planes[p.EARLIER, :, column] = 0.0
            _show_action(history, i, planes[p.EARLIER, first:last, column], 2)


@inlined_kernel
def _show_action(
    history: NDArray[np.float64], i: int, column: NDArray[np.float32], rows_a_step: int
) -> None:
    """Light the rows of an action; a raise lights a row for every `rows_a_step` steps."""
    kind = history[i, KIND]
    column[:] = 0.0
    if kind == FOLDED:
        return
    column[0] = _ONE
    if kind == CHECKED:
        return
    column[1] = _ONE
    if kind == CALLED:
        return
    if kind == RAISED:
        steps = round(4.0 * math.log2(1.0 + history[i, SIZE]))
        steps = min(max(steps, 1), p.MOST_STEPS)
        lit = (steps + rows_a_step - 1) // rows_a_step
        column[2 : 2 + min(lit, len(column) - 2)] = 1.0
