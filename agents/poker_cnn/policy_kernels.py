"""The player as a compiled policy.

Parameters, float64: GREEDY, 1 for the likeliest action, 0 to draw one; SIZED, 1 to take the size of
raises from the network, 0 for raises of the pot; SHARPNESS, by which scores of actions are
multiplied before one is drawn; from WEIGHTS_AT on the weights, two float32 to a number.

Memory: HAND, the hand that is played, counted from 1; ROWS, how many actions it has had; from
HISTORY on its history, then, as float32, planes and scratch.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.poker_cnn.encoding_kernels import ROWS_OF_SUITS, encode_planes
from agents.poker_cnn.forward_kernels import run_cnn
from agents.poker_cnn.hand_kernels import CODE_CALL, CODE_FOLD, CODE_RAISE
from agents.poker_cnn.history_kernels import MOST_ROWS, ROW, note_action
from agents.poker_cnn.planes import PLANES, SIDE
from agents.poker_cnn.shape import (
    ACTIONS,
    ALL_IN,
    RAISE_POTS,
    SCRATCH_SIZE,
    SIZES,
    SMALLEST,
    WEIGHTS,
)
from engine.compiled.jit import inlined_kernel, kernel, pointer_kernel
from engine.play.spot import Spot
from engine.rules.fast_state import CALL, FOLD, RAISE

GREEDY: Final = 0
SIZED: Final = 1
SHARPNESS: Final = 2
WEIGHTS_AT: Final = 3
PARAMS: Final = WEIGHTS_AT + (WEIGHTS + 1) // 2

HAND: Final = 0
ROWS: Final = 1
HISTORY: Final = 2
_FLOATS: Final = HISTORY + MOST_ROWS * ROW
_CELLS: Final = PLANES * SIDE * SIDE
MEMORY: Final = _FLOATS + (_CELLS + SCRATCH_SIZE + ACTIONS + SIZES + 1) // 2

_SUITS: Any = np.array(ROWS_OF_SUITS, np.int64)
_POTS: Any = np.array(RAISE_POTS)
POT: Final = 1 + RAISE_POTS.index(1.0)
"""The size of a raise of the pot."""


@pointer_kernel
def decide(
    spot: Spot, params: NDArray[np.float64], memory: NDArray[np.float64], draws: NDArray[np.float64]
) -> tuple[int, int]:
    """Return the kind of action and, where it is a raise, the raise-to."""
    _begin(spot, memory)
    floats = memory[_FLOATS:].view(np.float32)
    planes = floats[:_CELLS].reshape((PLANES, SIDE, SIDE))
    work = floats[_CELLS : _CELLS + SCRATCH_SIZE]
    actions = floats[_CELLS + SCRATCH_SIZE : _CELLS + SCRATCH_SIZE + ACTIONS]
    sizes = floats[_CELLS + SCRATCH_SIZE + ACTIONS : _CELLS + SCRATCH_SIZE + ACTIONS + SIZES]
    encode_planes(spot, _history(memory), int(memory[ROWS]), _SUITS, planes)
    weights = params[WEIGHTS_AT:].view(np.float32)[:WEIGHTS]
    run_cnn(weights, floats[:_CELLS], work, actions, sizes)
    if spot.to_call == 0:
        actions[CODE_FOLD] = -np.inf
    if spot.low == 0:
        actions[CODE_RAISE] = -np.inf
    greedy = params[GREEDY] > 0
    action = _choose(actions, greedy, params[SHARPNESS], draws[0])
    if action == CODE_FOLD:
        return FOLD, 0
    if action == CODE_CALL:
        return CALL, 0
    if params[SIZED] == 0:
        return RAISE, raise_of_size(spot, POT)
    return RAISE, raise_of_size(spot, _choose(sizes, greedy, 1.0, draws[1]))


@kernel
def raise_of_size(spot: Spot, size: int) -> int:
    """Return the raise-to of one of the sizes."""
    if size == SMALLEST:
        return spot.low
    if size == ALL_IN:
        return spot.high
    total: int = spot.to_match + round(_POTS[size - 1] * (spot.pot + spot.to_call))
    return total


def last_scores(memory: NDArray[np.float64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the scores of actions and of sizes that the last decision left in the memory.

    An action that is not legal there has minus infinity.
    """
    scores = memory[_FLOATS:].view(np.float32)[_CELLS + SCRATCH_SIZE :][: ACTIONS + SIZES]
    return scores[:ACTIONS], scores[ACTIONS:]


@inlined_kernel
def _choose(scores: NDArray[np.float32], greedy: bool, sharpness: float, draw: float) -> int:
    """Return the best, or one drawn by the softmax of the scores times the sharpness."""
    best = 0
    for i in range(len(scores)):
        if scores[i] > scores[best]:
            best = i
    if greedy:
        return best
    total = 0.0
    for i in range(len(scores)):
        total += math.exp(sharpness * (scores[i] - scores[best]))
    left = draw * total
    for i in range(len(scores)):
        left -= math.exp(sharpness * (scores[i] - scores[best]))
        if left < 0.0:
            return i
    return best


@inlined_kernel
def _history(memory: NDArray[np.float64]) -> NDArray[np.float64]:
    return memory[HISTORY:_FLOATS].reshape((MOST_ROWS, ROW))


@inlined_kernel
def _begin(spot: Spot, memory: NDArray[np.float64]) -> None:
    if memory[HAND] != spot.hand + 1:
        memory[HAND] = spot.hand + 1
        memory[ROWS] = 0


@pointer_kernel
def observe(spot: Spot, kind: int, raise_to: int, mine: bool, memory: NDArray[np.float64]) -> None:
    """Add an action to the history of the hand."""
    _begin(spot, memory)
    who = 0 if mine else 1
    memory[ROWS] = note_action(_history(memory), int(memory[ROWS]), spot, who, kind, raise_to)


@pointer_kernel
def finish(memory: NDArray[np.float64], shown_p: float, won: float) -> None:
    """Take note of nothing: opponents are not remembered."""
