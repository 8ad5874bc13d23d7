"""What two hole cards make of a board, and the straights among ranks: plain, or in kernels.

Only what the hole cards add counts: three of a kind on the board is no made hand of theirs.  Bots
that run compiled wrap these functions in kernels of their own; they need nothing but integers.
Cards are 4 * rank + suit; in a set of ranks bit r stands for rank r, 0 the deuce.
"""

from typing import Final

from engine.showdown import evaluator

NOTHING: Final = 0
LOW_PAIR: Final = 1
"""A pair below the highest board card."""
TOP_PAIR: Final = 2
"""A pair of the highest board card."""
OVERPAIR: Final = 3
"""A pocket pair above the board."""
TWO_PAIR: Final = 4
TRIPS: Final = 5
STRAIGHT: Final = 6
FLUSH: Final = 7
FULL_HOUSE: Final = 8
"""A full house or better."""

_ACE: Final = 12
_CATEGORY_SHIFT: Final = 20


def made_class(first: int, second: int, on_board: int, strength: int, alone: int) -> int:
    """Return the class of the made hand, `NOTHING` to `FULL_HOUSE`.

    Args:
        first: a hole card, as is `second`.
        on_board: the ranks of the board.
        strength: of hole cards and board together (`evaluator`).
        alone: of the board.
    """
    with_hole = strength >> _CATEGORY_SHIFT
    by_itself = alone >> _CATEGORY_SHIFT
    if with_hole == evaluator.HIGH_CARD:
        return NOTHING
    if with_hole == by_itself and (with_hole < evaluator.STRAIGHT or strength == alone):
        return NOTHING  # better kickers are nothing, a higher straight is something
    if with_hole >= evaluator.FULL_HOUSE:
        return FULL_HOUSE
    if with_hole >= evaluator.TRIPS:
        return with_hole - evaluator.TRIPS + TRIPS
    if with_hole == evaluator.TWO_PAIR and by_itself != evaluator.PAIR:
        return TWO_PAIR
    paired = 1 << (first >> 2)
    if first >> 2 == second >> 2:
        return OVERPAIR if paired > on_board else LOW_PAIR
    if on_board & paired == 0 or 2 * paired <= on_board:
        paired = 1 << (second >> 2)
    return TOP_PAIR if on_board & paired and 2 * paired > on_board else LOW_PAIR


def straights(ranks: int) -> int:
    """Return the straights among ranks: bit 0 the wheel, bit r + 1 the one from rank r up."""
    row = ranks << 1 | ranks >> _ACE & 1
    return row & row >> 1 & row >> 2 & row >> 3 & row >> 4
