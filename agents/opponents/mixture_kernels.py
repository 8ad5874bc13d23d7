"""Several bots of the pool that take turns, each for a number of hands, over and over.

Parameters, float64: how many bots there are, the hands that each plays, and MOST_PARTS rows of
`laws`.  The memory is theirs: without wanderers, nothing in it outlasts a hand.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.opponents import laws
from agents.roster.mixtures import MOST_PARTS
from engine.compiled.jit import pointer_kernel
from engine.play.spot import Spot

PARTS: Final = 0
HANDS: Final = 1
ROWS: Final = 2
PARAMS: Final = ROWS + MOST_PARTS * laws.PARAMS


@pointer_kernel
def decide(
    spot: Spot, params: NDArray[np.float64], memory: NDArray[np.float64], draws: NDArray[np.float64]
) -> tuple[int, int]:
    """Return what the bot whose turn it is does."""
    part = spot.hand // int(params[HANDS]) % int(params[PARTS])
    begin = ROWS + part * laws.PARAMS
    return laws.decide(spot, params[begin : begin + laws.PARAMS], memory, draws)
