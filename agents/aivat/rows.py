"""Estimates of hands as CSV: what `arena aivat` writes and `arena rate` and `arena match` read.

# values DIGEST                 of the value function,
# NAME is BOT                   and for each player whose strategy is known
place,hand,position0,...        see `COLUMNS`; chips are those of position 0
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents.aivat.estimating import EstimatedHand

COLUMNS: Final = (
    *("place", "hand", "position0", "position1", "big_blind"),
    *("won", "allin", "aivat", "end", "deal", "board", "actions"),
)


def head_text(digest: str, bots: Mapping[str, str], *more: str) -> str:
    """Return the lines before the rows.

    Args:
        more: what else the rows depend on, a line each.
    """
    notes = (f"values {digest}", *(f"{name} is {bot}" for name, bot in bots.items()), *more)
    return "".join(f"# {note}\n" for note in notes) + ",".join(COLUMNS) + "\n"


def row_text(hand: EstimatedHand) -> str:
    """Return the line of a hand."""
    estimate = hand.estimate
    numbers = (
        hand.won,
        hand.allin,
        estimate.value,
        estimate.end,
        estimate.deal,
        estimate.board,
        estimate.actions,
    )
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(
        (hand.where, hand.hand_id, *hand.names, hand.big_blind, *map(chips_text, numbers))
    )
    return line.getvalue()


def chips_text(chips: float) -> str:
    """Return chips as rows have them."""
    return f"{chips:.6f}"
