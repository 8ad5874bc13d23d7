"""Raises by size: seven classes by the share of the pot, the same for watching and for playing.

The share is that of what is added to a call, beside the pot after that call: `raise_to - to_match`
over `pot + to_call`, chips as in `Spot`.  Classes end at 1/8, 3/8, 3/4, 5/4, 2 and 4 pots, the last
one at all-in.  Source: Zhang et al., named in `agents.astar`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel
from engine.play.spot import Spot
from engine.rules.fast_state import CALL, FOLD, RAISE

RAISE_CLASSES: Final = 7
UPPER_BOUNDS: Final = (0.125, 0.375, 0.75, 1.25, 2.0, 4.0)
"""Of all classes but the last, which none bounds; what lies on one belongs to the class below."""
MOVES: Final = 2 + RAISE_CLASSES
"""Fold, call or check, and the classes of raises, in this order."""
FIRST_RAISE: Final = 2

_BOUNDS: Any = np.array([0.0, *UPPER_BOUNDS, np.inf])


@inlined_kernel
def raise_share(spot: Spot, raise_to: int) -> float:
    """Return the share of the pot that a raise adds to a call."""
    return (raise_to - spot.to_match) / (spot.pot + spot.to_call)


@inlined_kernel
def move_of(spot: Spot, kind: int, raise_to: int) -> int:
    """Return the number of an action among MOVES."""
    if kind == FOLD:
        return 0
    if kind != RAISE:
        return 1
    share = raise_share(spot, raise_to)
    move = FIRST_RAISE
    while share > _BOUNDS[move - FIRST_RAISE + 1]:
        move += 1
    return move


@inlined_kernel
def legal_moves(spot: Spot, legal: NDArray[np.bool_]) -> None:
    """Write (MOVES,) whether a move is legal: of raises, whether a legal one is of the class."""
    legal[0] = spot.to_call > 0
    legal[1] = True
    legal[FIRST_RAISE:] = False
    if spot.low > 0:
        first, last = move_of(spot, RAISE, spot.low), move_of(spot, RAISE, spot.high)
        legal[first : last + 1] = True


@inlined_kernel
def action_of_move(spot: Spot, move: int, draw: float) -> tuple[int, int]:
    """Return the kind and the raise-to of a legal move.

    A raise is drawn from those of its class that are legal, evenly by the logarithm of what it adds
    to a call, as the classes are cut; `draw` is from [0, 1).
    """
    if move == 0:
        return FOLD, 0
    if move == 1:
        return CALL, 0
    pot = spot.pot + spot.to_call
    low, high = spot.low, spot.high
    if move > FIRST_RAISE:
        low = max(low, spot.to_match + int(_BOUNDS[move - FIRST_RAISE] * pot) + 1)
    if move < MOVES - 1:
        high = min(high, spot.to_match + int(_BOUNDS[move - FIRST_RAISE + 1] * pot))
    least = low - spot.to_match
    most = max(high - spot.to_match, least)
    return RAISE, spot.to_match + min(int(least * ((most + 1.0) / least) ** draw), most)
