"""An evolved player as a compiled policy: it follows the hand, runs its network and draws an
action.

Parameters, float64: the row of sizes, its bits as they are; which stacks begin each hand anew; the
genome, two float32 to a number.  For the first two see `agents.recurrent.shape`.  The memory is
that of `memory`; `observe` and `finish` are those of `senses_kernels`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.astar.play.nets_kernels import ask_nets, asked_anew, drawn_move, write_chances
from agents.astar.play.player_memory import NETS, SEEN
from agents.astar.play.senses_kernels import look
from agents.patterns.raise_classes import MOVES, action_of_move, legal_moves
from agents.recurrent.shape import GENOME_AT, RESETS_AT, SIZES
from engine.compiled.jit import pointer_kernel
from engine.play.spot import Spot


@pointer_kernel
def decide(
    spot: Spot, params: NDArray[np.float64], memory: NDArray[np.float64], draws: NDArray[np.float64]
) -> tuple[int, int]:
    """Return the kind of action and, where it is a raise, the raise-to."""
    look(spot, memory)
    genomes = params[GENOME_AT:].view(np.float32).reshape(1, -1)
    scores = np.empty((1, MOVES), np.float32)
    ask_nets(
        memory[SEEN:NETS],
        params[:SIZES].view(np.int64),
        int(params[RESETS_AT]),
        genomes,
        asked_anew(spot, memory),
        memory[NETS:].view(np.float32),
        scores,
    )
    legal, chances = np.empty(MOVES, np.bool_), np.empty(MOVES)
    legal_moves(spot, legal)
    write_chances(scores[0], legal, chances)
    return action_of_move(spot, drawn_move(chances, draws[0]), draws[1])
