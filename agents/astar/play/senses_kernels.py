"""The inputs of an evolved player's networks, from the hand that it follows.

The ten inputs are all within -1 to 1 or thereabouts, 0 in the middle of what is usual:

- the opponent's record at the node of the hand (`trees_kernels.write_node_vector`), each 2 x - 1;
- the share of hands with a straight or a flush on this board, 2 x - 1;
- the pairs on the board, less one; the street, from -1 to 1;
- the equity p against a random hand, 4 p - 2;
- the chips that the opponent has raised by in the hand, and the player itself, as shares of the
  pot, 4 x - 1.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.astar.play.made_hands_kernels import straight_or_flush
from agents.astar.play.player_memory import (
    COUNTERED,
    INPUTS,
    MADE,
    MADE_ON,
    MINE,
    RESULTS,
    SEEN,
    THEIRS,
)
from agents.patterns.memory_kernels import nodes_of, path_of
from agents.patterns.raise_classes import move_of
from agents.patterns.trees_kernels import (
    HAND,
    VECTOR,
    TreePath,
    arrive,
    learn,
    move_on,
    write_node_vector,
)
from engine.compiled.jit import inlined_kernel, kernel, pointer_kernel
from engine.play.spot import Spot
from engine.rules.fast_state import RAISE

_SUITS: Final = 4


@kernel
def look(spot: Spot, memory: NDArray[np.float64]) -> None:
    """Come to a decision of one's own, and write (INPUTS,) what the networks are to see of it."""
    path, nodes = path_of(memory), nodes_of(memory)
    _follow_hand(spot, path, memory)
    arrive(nodes, path, spot.hand, spot.street, 1 - spot.button)
    seen = memory[SEEN : SEEN + INPUTS]
    write_node_vector(nodes, path, seen[:VECTOR])
    for i in range(VECTOR):
        seen[i] = 2.0 * seen[i] - 1.0
    if memory[MADE_ON] != spot.street + 1:
        memory[MADE_ON] = spot.street + 1
        memory[MADE] = straight_or_flush(spot.hole, spot.board)
    game = seen[VECTOR:]
    game[0] = 2.0 * memory[MADE] - 1.0
    game[1] = pairs_on(spot.board) - 1.0
    game[2] = spot.street / 1.5 - 1.0
    game[3] = 4.0 * spot.p - 2.0
    game[4] = 4.0 * memory[THEIRS] / spot.pot - 1.0
    game[5] = 4.0 * memory[MINE] / spot.pot - 1.0


@inlined_kernel
def _follow_hand(spot: Spot, path: TreePath, memory: NDArray[np.float64]) -> None:
    """Begin the sums of a hand anew where a spot is the first of it."""
    if path.state[HAND] != spot.hand + 1:
        memory[MINE] = memory[THEIRS] = memory[MADE_ON] = 0.0


@inlined_kernel
def pairs_on(board: NDArray[np.int64]) -> int:
    """Return how many ranks are on a board twice or more often; cards below 0 are to come."""
    once = twice = 0
    for card in board:
        if card >= 0:
            bit = 1 << (card // _SUITS)
            twice |= once & bit
            once |= bit
    pairs = 0
    while twice:
        twice &= twice - 1
        pairs += 1
    return pairs


@pointer_kernel
def observe(spot: Spot, kind: int, raise_to: int, mine: bool, memory: NDArray[np.float64]) -> None:
    """Follow an action through the trees, and count the chips of raises."""
    path = path_of(memory)
    _follow_hand(spot, path, memory)
    button = 1 - spot.button if mine else spot.button
    arrive(nodes_of(memory), path, spot.hand, spot.street, button)
    move_on(path, move_of(spot, kind, raise_to), mine)
    if kind == RAISE:
        memory[MINE if mine else THEIRS] += raise_to - spot.to_match


@pointer_kernel
def finish(memory: NDArray[np.float64], shown_p: float, won: float) -> None:
    """Learn from a hand that is over, and keep count of what counter-strategies win."""
    learn(nodes_of(memory), path_of(memory), shown_p)
    if memory[COUNTERED] > 0:
        memory[COUNTERED] = 0.0
        memory[RESULTS] += 1.0
        memory[RESULTS + 1] += won
        memory[RESULTS + 2] += won * won
