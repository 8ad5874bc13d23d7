"""Settling a hand: from its betting and cards to what each position won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rules.pots import payoffs
from engine.showdown.evaluator import strength

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules.state import HandState


def hand_values(
    state: HandState, holes: Sequence[Sequence[int]], board: Sequence[int]
) -> tuple[float, ...]:
    """Return the chips won (or, negative, lost) per position of a finished hand.

    Args:
        holes: hole cards per position; those of positions that folded are not looked at, and after
            a hand without a showdown no cards are.
        board: the whole board.

    Raises:
        ValueError: the hand is not over.
    """
    if not state.over:
        raise ValueError(f"position {state.actor} is still to act")
    if not state.showdown:
        return payoffs(state.spent, state.folded, None)
    strengths = [
        0 if folded else strength((*hole, *board))
        for hole, folded in zip(holes, state.folded, strict=True)
    ]
    return payoffs(state.spent, state.folded, strengths)
