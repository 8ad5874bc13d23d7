"""How much an opponent plays like each of those in a library, by the nodes of a street's path.

Only nodes at which the opponent has acted count.  Each has eleven numbers: the share of its hands
that are shown down, the equity shown, and the shares of fold, call and the seven raises.  The
distance of two opponents is the mean over the nodes of the Euclidean distance of these numbers; a
likeness falls with it.

    nodes      (NODES, WIDTH) of the opponent, see `agents.patterns.trees_kernels`
    library    (L, N, WIDTH) of each known opponent, the same
    distances  (L,)

Source: Zhang et al., named in `agents.astar`; its formula is lost, so there are two, see `FORMS`.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.patterns.raise_classes import MOVES
from agents.patterns.trees_kernels import (
    ACTIONS,
    BEGIN,
    CHILDREN,
    FEATURES,
    LENGTH,
    NOWHERE,
    UNKNOWN,
    VECTOR,
    TreePath,
    move_to,
    settle,
)
from engine.compiled.jit import inlined_kernel, kernel

INVERSE: Final = 0
"""1 / (sharpness + distance)"""
EXPONENTIAL: Final = 1
"""exp(-distance / sharpness)"""
EVIDENCE: Final = 2
"""exp(-surprise / sharpness), see `evidence_kernels`"""
FORMS: Final = {"inverse": INVERSE, "exponential": EXPONENTIAL, "evidence": EVIDENCE}
PRIOR: Final = 1.0
"""Times that each move counts as seen at a node before any hand was played."""


@kernel
def measure_distances(
    nodes: NDArray[np.float64],
    library: NDArray[np.float64],
    path: TreePath,
    distances: NDArray[np.float64],
) -> int:
    """Write the mean distance to each known opponent; return over how many nodes, 0 for none."""
    known = len(library)
    own, settled = np.empty(FEATURES), np.empty(VECTOR)
    settled[1:] = np.array(UNKNOWN)
    theirs, theirs_settled = np.empty((known, FEATURES)), np.empty((known, VECTOR))
    theirs_settled[:, 1:] = np.array(UNKNOWN)
    theirs[:, :] = 1.0 / MOVES
    places = np.full(known, int(path.nodes[int(path.state[BEGIN])]))
    distances[:] = 0.0
    told = 0
    begin, end = int(path.state[BEGIN]), int(path.state[LENGTH])
    for at in range(begin, end):
        node = int(path.nodes[at])
        acts = path.moves[at] >= 0
        if acts:
            told += 1
        _describe(nodes[node], acts, settled, own)
        move = move_to(nodes, path, at, end)
        for one in range(known):
            if places[one] != NOWHERE:
                row = library[one, places[one]]
                _describe(row, acts, theirs_settled[one], theirs[one])
                child = int(row[CHILDREN + move]) if move >= 0 else 0
                places[one] = child if child > 0 else NOWHERE
            if acts:
                distances[one] += _distance(own, theirs[one])
    if told > 0:
        distances /= told
    return told


@inlined_kernel
def _describe(
    row: NDArray[np.float64],
    acts: bool,
    settled: NDArray[np.float64],
    features: NDArray[np.float64],
) -> None:
    """Write (FEATURES,) of a node; where the other acts, the moves of the node above are kept."""
    settle(row, settled)
    features[0] = settled[2]
    features[1] = settled[3]
    if acts:
        seen = 0.0
        for move in range(MOVES):
            seen += row[ACTIONS + move]
        for move in range(MOVES):
            features[2 + move] = (row[ACTIONS + move] + PRIOR) / (seen + MOVES * PRIOR)


@inlined_kernel
def _distance(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    total = 0.0
    for i in range(FEATURES):
        total += (one[i] - other[i]) ** 2
    return math.sqrt(total)


@inlined_kernel
def write_likeness(
    distances: NDArray[np.float64], form: int, sharpness: float, weights: NDArray[np.float64]
) -> None:
    """Write (L,) the likeness to each known opponent, 1 in all."""
    nearest = distances.min()
    total = 0.0
    for one in range(len(distances)):
        if form == INVERSE:
            weights[one] = 1.0 / (sharpness + distances[one])
        else:
            weights[one] = math.exp((nearest - distances[one]) / sharpness)
        total += weights[one]
    for one in range(len(distances)):
        weights[one] /= total
