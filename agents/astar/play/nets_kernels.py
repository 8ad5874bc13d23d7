"""Networks in the memory of a player: each takes a step at every decision, and scores the moves.

chances   (MOVES,) of each move, 0 for those that are not legal
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.astar.play.player_memory import ASKED_IN, INPUTS
from agents.patterns.raise_classes import FIRST_RAISE, MOVES, RAISE_CLASSES
from agents.patterns.trees_kernels import VECTOR
from agents.recurrent.forward_kernels import run_net
from agents.recurrent.shape import BLOCKS, CELLS, GAME, GAME_ANEW, LAYERS, OPPONENT, OPPONENT_ANEW
from engine.compiled.jit import inlined_kernel, kernel
from engine.play.spot import Spot

RAISES_ALIKE: Final = math.log(RAISE_CLASSES)
"""Taken off the scores of raises: with equal scores fold, call and all raises are as likely."""


@inlined_kernel
def asked_anew(spot: Spot, memory: NDArray[np.float64]) -> bool:
    """Return whether networks are asked for the first time in this hand, and take note of it."""
    anew = memory[ASKED_IN] != spot.hand + 1
    memory[ASKED_IN] = spot.hand + 1
    return bool(anew)


@kernel
def ask_nets(
    inputs: NDArray[np.float64],
    sizes: NDArray[np.int64],
    resets: int,
    genomes: NDArray[np.float32],
    anew: bool,
    floats: NDArray[np.float32],
    scores: NDArray[np.float32],
) -> None:
    """Let networks of one shape take a step, and write their scores.

    Args:
        inputs: (INPUTS,) the opponent's first; `look` has written them.
        sizes: of each network.
        resets: which stacks begin each hand anew: OPPONENT_ANEW, GAME_ANEW, both or 0.
        genomes: (K, G), or more to a row.
        anew: whether the hand is new to them.
        floats: inputs, the state of each one's stacks, changed, and scratch.
        scores: (K, MOVES), gets the result.
    """
    first = 2 * sizes[OPPONENT + LAYERS] * sizes[OPPONENT + BLOCKS] * sizes[OPPONENT + CELLS]
    second = 2 * sizes[GAME + LAYERS] * sizes[GAME + BLOCKS] * sizes[GAME + CELLS]
    for i in range(INPUTS):
        floats[i] = inputs[i]
    opponent, game = floats[:VECTOR], floats[VECTOR:INPUTS]
    work = floats[INPUTS + len(genomes) * (first + second) :]
    for net in range(len(genomes)):
        begin = INPUTS + net * (first + second)
        state = floats[begin : begin + first + second]
        if anew and resets & OPPONENT_ANEW:
            state[:first] = 0
        if anew and resets & GAME_ANEW:
            state[first:] = 0
        run_net(sizes, genomes[net], opponent, game, state, work, scores[net])


@inlined_kernel
def write_chances(
    scores: NDArray[np.float32], legal: NDArray[np.bool_], chances: NDArray[np.float64]
) -> None:
    """Write the softmax of the scores among legal moves, those of raises less RAISES_ALIKE."""
    highest = -np.inf
    for move in range(MOVES):
        chances[move] = scores[move]
        if move >= FIRST_RAISE:
            chances[move] -= RAISES_ALIKE
        if legal[move]:
            highest = max(highest, chances[move])
    total = 0.0
    for move in range(MOVES):
        chances[move] = math.exp(chances[move] - highest) if legal[move] else 0.0
        total += chances[move]
    for move in range(MOVES):
        chances[move] /= total


@inlined_kernel
def drawn_move(chances: NDArray[np.float64], draw: float) -> int:
    """Return a move by the chances; `draw` is from [0, 1)."""
    found = 1
    for move in range(MOVES):
        if chances[move] > 0:
            found = move
            draw -= chances[move]
            if draw < 0:
                break
    return found
