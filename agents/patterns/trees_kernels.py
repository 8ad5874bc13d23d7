"""Pattern trees: how an opponent plays, by what was done on the street so far.

There are eight, one for each street that the opponent plays on the button and one for each without
it.  A node is what both have done on the street up to there, raises by their class; nodes are made
when they are first seen.  Numbers of a node, all counts over hands:

    VISITS      hands that came through it
    FOLDS       of these, ended by the opponent's fold, here or later
    SHOWDOWNS   of these, shown down
    STRENGTH    sum of the equities against a random hand, on the river, that the opponent showed
    SQUARES     sum of their squares
    ACTIONS     (9,) what the opponent did here, where it acts, by `MOVES`
    CHILDREN    (9,) number of the node after each move; 0: none yet

    nodes       (N, WIDTH) float64, zeros for an opponent who is unknown; node 4 * button + street
                is the root of a tree, `button` being the opponent's, and the others follow
    trace       (LONGEST_TRACE,) int64 numbers of the nodes that a hand has come through

Sources: Zhang et al. and Li, Miikkulainen, named in `agents.evolution`; what a node counts is that
of ASHE's public program, its raises are in the classes of A*.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.patterns.raise_classes import MOVES
from engine.compiled.jit import inlined_kernel

STREETS: Final = 4
ROOTS: Final = 2 * STREETS

VISITS: Final = 0
FOLDS: Final = 1
SHOWDOWNS: Final = 2
STRENGTH: Final = 3
SQUARES: Final = 4
ACTIONS: Final = 5
CHILDREN: Final = ACTIONS + MOVES
WIDTH: Final = CHILDREN + MOVES

VECTOR: Final = 4
"""Numbers that a node tells of the opponent."""
FEATURES: Final = 2 + MOVES
"""Numbers by which nodes of two opponents are compared."""

TRUST: Final = 10.0
"""Hands after which a node is believed half; the node above it tells the rest.  ASHE's program
trusts a node altogether from ten on."""
UNKNOWN: Final = (1.0 / 3, 1.0 / 3, 0.5)
"""Fold rate, showdown rate and strength shown of an opponent of whom nothing is known."""
LONGEST_TRACE: Final = 64
"""Nodes that are followed in a hand; what is done after that many actions is left out."""
NOWHERE: Final = -1


class TreePath(NamedTuple):
    """Where the hand being played has come through the trees."""

    state: NDArray[np.float64]
    """(STATE,)"""
    nodes: NDArray[np.float64]
    """(LONGEST_TRACE,) nodes come through."""
    moves: NDArray[np.float64]
    """(LONGEST_TRACE,) the opponent's move at each, -1 where the other acted."""


# Columns of TreePath.state.
HAND: Final = 0
"""Number of the hand, counted from 1."""
STREET: Final = 1
LENGTH: Final = 2
"""Nodes come through."""
BEGIN: Final = 3
"""Where those of this street begin."""
NODE: Final = 4
"""Where the hand stands; NOWHERE where there was no room for the node."""
MOVE: Final = 5
"""Made there since, -1 none."""
FOLDED: Final = 6
"""1 if the opponent has folded."""
MADE: Final = 7
"""Nodes made of this opponent, beside the roots."""
STATE: Final = 8


@inlined_kernel
def arrive(
    nodes: NDArray[np.float64], trace: TreePath, hand: int, street: int, opponent_button: int
) -> None:
    """Come to where somebody is to act: make the node if there is room."""
    state = trace.state
    if state[HAND] != hand + 1:
        state[HAND] = hand + 1
        state[STREET] = NOWHERE
        state[LENGTH] = state[FOLDED] = 0
    if state[STREET] != street:
        state[STREET] = street
        state[BEGIN] = state[LENGTH]
        node = 4 * opponent_button + street
    elif state[MOVE] < 0:
        return  # it is the one who was asked before
    else:
        node = _child(nodes, state)
    if state[LENGTH] == LONGEST_TRACE:
        node = NOWHERE
    state[NODE] = node
    state[MOVE] = NOWHERE
    if node == NOWHERE:
        return
    at = int(state[LENGTH])
    trace.nodes[at] = node
    trace.moves[at] = NOWHERE
    state[LENGTH] = at + 1


@inlined_kernel
def _child(nodes: NDArray[np.float64], state: NDArray[np.float64]) -> int:
    """Return the node after the move, a new one if there is room, else NOWHERE."""
    node = int(state[NODE])
    if node == NOWHERE:
        return NOWHERE
    column = CHILDREN + int(state[MOVE])
    child = int(nodes[node, column])
    if child == 0:
        child = ROOTS + int(state[MADE])
        if child >= len(nodes):
            return NOWHERE
        state[MADE] += 1
        nodes[node, column] = child
    return child


@inlined_kernel
def move_on(trace: TreePath, move: int, mine: bool) -> None:
    """Take note of the action of whoever was to act."""
    state = trace.state
    state[MOVE] = move
    if mine:
        return
    state[FOLDED] = int(move == 0)
    if state[NODE] != NOWHERE:
        trace.moves[int(state[LENGTH]) - 1] = move


@inlined_kernel
def learn(nodes: NDArray[np.float64], trace: TreePath, shown_p: float) -> None:
    """Count a hand that is over: on every node that it came through, the last one first.

    Args:
        shown_p: equity that the opponent showed, below 0 for none.
    """
    state = trace.state
    for at in range(int(state[LENGTH]) - 1, -1, -1):
        row = nodes[int(trace.nodes[at])]
        row[VISITS] += 1
        row[FOLDS] += state[FOLDED]
        if shown_p >= 0:
            row[SHOWDOWNS] += 1
            row[STRENGTH] += shown_p
            row[SQUARES] += shown_p * shown_p
        move = int(trace.moves[at])
        if move >= 0:
            row[ACTIONS + move] += 1
    state[LENGTH] = state[BEGIN] = 0


@inlined_kernel
def move_to(nodes: NDArray[np.float64], path: TreePath, at: int, end: int) -> int:
    """Return the move that leads from a node of the path to the next, -1 from the last."""
    if at + 1 < end:
        row, child = nodes[int(path.nodes[at])], path.nodes[at + 1]
        for move in range(MOVES):
            if row[CHILDREN + move] == child:
                return move
    return -1


@inlined_kernel
def write_node_vector(
    nodes: NDArray[np.float64], trace: TreePath, vector: NDArray[np.float64]
) -> None:
    """Write (VECTOR,) what the node where the hand stands tells of the opponent.

    That is how often hands that reach the street come here, how often it folds and how often cards
    are shown from here on, and the mean equity that it shows, all 0 to 1.  The rates are drawn to
    those of the node above by TRUST hands, the root's to UNKNOWN.
    """
    state = trace.state
    begin, end = int(state[BEGIN]), int(state[LENGTH])
    vector[0] = 0.0
    vector[1], vector[2], vector[3] = UNKNOWN
    for at in range(begin, end):
        row = nodes[int(trace.nodes[at])]
        vector[0] = row[VISITS] / max(nodes[int(trace.nodes[begin]), VISITS], 1.0)
        settle(row, vector)
    if state[NODE] == NOWHERE:
        vector[0] = 0.0


@inlined_kernel
def settle(row: NDArray[np.float64], vector: NDArray[np.float64]) -> None:
    """Change (VECTOR,) numbers, but for the first, from those of the node above to a node's own."""
    vector[1] = (row[FOLDS] + TRUST * vector[1]) / (row[VISITS] + TRUST)
    vector[2] = (row[SHOWDOWNS] + TRUST * vector[2]) / (row[VISITS] + TRUST)
    vector[3] = (row[STRENGTH] + TRUST * vector[3]) / (row[SHOWDOWNS] + TRUST)
