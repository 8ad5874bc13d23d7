"""What an evolved player remembers, as the memory row of a compiled policy.

    path         where the hand being played stands in the trees, see `features.trees_kernels`
    hand         chips raised by each player in the hand, and the share of made hands on its board
    inputs       of the networks, as they were seen last
    trees        (NODES, WIDTH) of the opponent
    nets         inputs of the networks, the state of each one's stacks, scratch for all; float32,
                 two to a number

All but the last have their places for all players; the last is as long as the networks ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.astar.features.trees_kernels import LONGEST_TRACE, STATE, VECTOR, WIDTH

if TYPE_CHECKING:
    from agents.recurrent.shape import NetShape

NODES: Final = 2048
"""Most nodes of the trees; what does not fit any more is told by the node above it."""
GAME_INPUTS: Final = 6
INPUTS: Final = VECTOR + GAME_INPUTS

# Where parts begin.
PATH: Final = 0
PATH_NODES: Final = PATH + STATE
PATH_MOVES: Final = PATH_NODES + LONGEST_TRACE
MINE: Final = PATH_MOVES + LONGEST_TRACE
"""Chips of own raises in the hand, beside what they called."""
THEIRS: Final = MINE + 1
MADE_ON: Final = THEIRS + 1
"""Street of the next number, counted from 1, and the share of straights and flushes."""
MADE: Final = MADE_ON + 1
ASKED_IN: Final = MADE + 1
"""Hand in which the networks were asked last, counted from 1."""
FORGOT_AT: Final = ASKED_IN + 1
"""Hand, counted from 0, up to which the trees have faded."""
SEEN: Final = FORGOT_AT + 1
"""(INPUTS,) the opponent's first."""
TREES: Final = SEEN + INPUTS
NETS: Final = TREES + NODES * WIDTH


def memory_size(shape: NetShape, nets: int = 1) -> int:
    """Return the numbers that a player with some networks remembers."""
    floats = INPUTS + nets * shape.state + shape.work
    return NETS + (floats + 1) // 2
