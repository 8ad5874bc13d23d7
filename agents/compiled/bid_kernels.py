"""A decision by one number: the chips that a player is ready to put into the pot.

Source: Li, Miikkulainen, "Evolving adaptive LSTM poker players for effective opponent
exploitation", AAAI workshop 2017.
"""

from __future__ import annotations

from engine.compiled.jit import inlined_kernel
from engine.play.spot import Spot
from engine.rules.fast_state import CALL, FOLD, RAISE


@inlined_kernel
def bid(spot: Spot, ready: float) -> tuple[int, int]:
    """Return the kind of action and the raise-to of a player who is ready to add so many chips.

    With less than a call it folds, with less than a smallest raise it calls; else it adds as many
    big blinds as come nearest.
    """
    if ready < spot.to_call:
        return FOLD, 0
    if spot.low == 0 or ready < spot.low - spot.spent:
        return CALL, 0
    return RAISE, spot.spent + round(ready / spot.big_blind) * spot.big_blind
