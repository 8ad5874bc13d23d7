"""What an evolved player remembers, as the memory row of a compiled policy.

    trace        where the hand being played stands in the trees, see `features.trees_kernels`
    hand         chips raised by each player in the hand, and the share of made hands on its board
    trees        (NODES, WIDTH) of the opponent
    net          state of the stacks, scratch, inputs and scores: float32, two to a number

The first three have their places for all players; the last is as long as the network asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.astar.features.raise_classes import MOVES
from agents.astar.features.trees_kernels import LONGEST_TRACE, STATE, VECTOR, WIDTH

if TYPE_CHECKING:
    from agents.recurrent.shape import NetShape

NODES: Final = 2048
"""Most nodes of the trees; what does not fit any more is told by the node above it."""
GAME_INPUTS: Final = 6

# Where parts begin.
TRACE: Final = 0
TRACE_NODES: Final = TRACE + STATE
TRACE_MOVES: Final = TRACE_NODES + LONGEST_TRACE
MINE: Final = TRACE_MOVES + LONGEST_TRACE
"""Chips of own raises in the hand, beside what they called."""
THEIRS: Final = MINE + 1
MADE_ON: Final = THEIRS + 1
"""Street of the next number, counted from 1, and the share of straights and flushes."""
MADE: Final = MADE_ON + 1
ASKED_IN: Final = MADE + 1
"""Hand in which the network was asked last, counted from 1."""
SAID: Final = ASKED_IN + 1
"""(VECTOR,) what the trees tell."""
TREES: Final = SAID + VECTOR
NET: Final = TREES + NODES * WIDTH


def memory_size(shape: NetShape) -> int:
    """Return the numbers that a player with a network remembers."""
    floats = shape.state + shape.work + VECTOR + GAME_INPUTS + MOVES
    return NET + (floats + 1) // 2
