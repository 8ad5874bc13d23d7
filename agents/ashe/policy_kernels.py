"""ASHE as a compiled policy.

Parameters, float64: the row of sizes, its bits as they are; which stacks begin each hand anew; the
genome, two float32 to a number.  For the first two see `agents.recurrent.shape`.  Memory: the hand
in which the network was asked last, counted from 1; the rest as float32: inputs, the state of both
stacks, scratch.

Both stacks see the same eight inputs: the street, one of four; the equity p against a random hand,
4 p - 2; the chips that the opponent has put in, and the player itself, as shares of the stack,
2 x - 1; the pot odds, to_call / (pot + to_call), 4 x - 1.  The output's tanh, taken from -1..1 to
0..1, is the share of what is left of the stack that the player is ready to put in.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.compiled.bid_kernels import bid
from agents.recurrent.forward_kernels import run_net
from agents.recurrent.shape import (
    BLOCKS,
    CELLS,
    GAME,
    GAME_ANEW,
    GENOME_AT,
    LAYERS,
    OPPONENT,
    OPPONENT_ANEW,
    RESETS_AT,
    SIZES,
)
from engine.compiled.jit import inlined_kernel, pointer_kernel
from engine.play.spot import Spot

STREETS: Final = 4
INPUTS: Final = STREETS + 4
ASKED_IN: Final = 0
NET: Final = 1


@pointer_kernel
def decide(
    spot: Spot, params: NDArray[np.float64], memory: NDArray[np.float64], draws: NDArray[np.float64]
) -> tuple[int, int]:
    """Return the kind of action and, where it is a raise, the raise-to; the draws are not used."""
    sizes = params[:SIZES].view(np.int64)
    first = 2 * sizes[OPPONENT + LAYERS] * sizes[OPPONENT + BLOCKS] * sizes[OPPONENT + CELLS]
    second = 2 * sizes[GAME + LAYERS] * sizes[GAME + BLOCKS] * sizes[GAME + CELLS]
    floats = memory[NET:].view(np.float32)
    seen, state = floats[:INPUTS], floats[INPUTS : INPUTS + first + second]
    if memory[ASKED_IN] != spot.hand + 1:
        memory[ASKED_IN] = spot.hand + 1
        resets = int(params[RESETS_AT])
        if resets & OPPONENT_ANEW:
            state[:first] = 0
        if resets & GAME_ANEW:
            state[first:] = 0
    _see(spot, seen)
    genome = params[GENOME_AT:].view(np.float32)
    score = np.empty(1, np.float32)
    run_net(sizes, genome, seen, seen, state, floats[INPUTS + first + second :], score)
    return bid(spot, (math.tanh(score[0]) + 1.0) / 2.0 * (spot.stack - spot.spent))


@inlined_kernel
def _see(spot: Spot, seen: NDArray[np.float32]) -> None:
    """Write (INPUTS,) what the network is told."""
    for street in range(STREETS):
        seen[street] = 1.0 if street == spot.street else 0.0
    seen[STREETS] = 4.0 * spot.p - 2.0
    seen[STREETS + 1] = 2.0 * (spot.pot - spot.spent) / spot.stack - 1.0
    seen[STREETS + 2] = 2.0 * spot.spent / spot.stack - 1.0
    seen[STREETS + 3] = 4.0 * spot.to_call / (spot.pot + spot.to_call) - 1.0


@pointer_kernel
def observe(spot: Spot, kind: int, raise_to: int, mine: bool, memory: NDArray[np.float64]) -> None:
    """Take note of nothing: the network sees what has changed when it is asked again."""


@pointer_kernel
def finish(memory: NDArray[np.float64], shown_p: float, won: float) -> None:
    """Take note of nothing."""
