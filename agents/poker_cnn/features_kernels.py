"""A decision as a short row of numbers, for the baselines that use no planes.

Four numbers for each street, 0 on the others: 1, p, p^2, whether there is a bet to be called.  Then
the button, pot odds, logs of the pot and of what is to be called, stack to pot, raises on this
street and before, own and others', the size of the last one, the estimate of the opponent's hand.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.poker_cnn.hand_kernels import (
    CODE_CALL,
    CODE_FOLD,
    CODE_RAISE,
    HandRows,
    Replay,
    StateRows,
    spot_of,
)
from agents.poker_cnn.history_kernels import KIND, RAISED, SIZE, STREET, WHO, estimate_of
from agents.poker_cnn.planes import DEEPEST
from engine.compiled.jit import inlined_kernel, kernel
from engine.play.spot import Spot

STREETS: Final = 4
FEATURES: Final = 4 * STREETS + 11
_int: Any = np.int64


@inlined_kernel
def _features(
    spot: Spot, history: NDArray[np.float64], count: int, row: NDArray[np.float32]
) -> None:
    row[:] = 0.0
    street = spot.street
    row[street] = 1.0
    row[STREETS + street] = spot.p
    row[2 * STREETS + street] = spot.p * spot.p
    row[3 * STREETS + street] = spot.to_call > 0
    at = 4 * STREETS
    whole = math.log1p(2.0 * min(spot.stack / spot.big_blind, DEEPEST))
    left = spot.stack - spot.spent
    row[at] = spot.button
    row[at + 1] = spot.to_call / (spot.to_call + spot.pot)
    row[at + 2] = math.log1p(spot.pot / spot.big_blind) / whole
    row[at + 3] = math.log1p(spot.to_call / spot.big_blind) / whole
    row[at + 4] = left / (left + spot.pot)
    for i in range(count):
        if history[i, KIND] == RAISED:
            now, mine = history[i, STREET] == street, history[i, WHO] == 0
            row[at + 5 + (not mine) + 2 * (not now)] += 0.5
            row[at + 9] = math.log2(1.0 + history[i, SIZE]) / 4.0
    row[at + 10] = estimate_of(history, count)


@kernel
def features_of_states(
    game: NDArray[np.int64],
    played: HandRows,
    states: StateRows,
    replay: Replay,
    rows: NDArray[np.float32],
    legal: NDArray[np.float32],
    taken: NDArray[np.int64],
) -> None:
    """Write (N, FEATURES) rows, (N, 3) what is legal, 0 or 1, and (N,) codes of what was done."""
    cards, actions, ends = played
    hands, places, levels = states
    for i in range(len(hands)):
        number = _int(hands[i])
        first = ends[number - 1] if number > 0 else 0
        at = first + _int(places[i])
        spot, count = spot_of(game, cards[number], actions[first:at], _int(levels[i]), replay)
        _features(spot, replay.history, count, rows[i])
        legal[i, CODE_FOLD] = spot.to_call > 0
        legal[i, CODE_CALL] = 1.0
        legal[i, CODE_RAISE] = spot.low > 0
        taken[i] = _int(actions[at]) & 3
