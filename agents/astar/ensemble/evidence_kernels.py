"""How well each known opponent explains this one's actions: the third form of likeness.

The distance is the mean excess surprise of the opponent's actions, in nats: minus the logarithm of
their probability by the known opponent's counts at the same node, less the same by the opponent's
own counts.  So it is about 0 for an opponent like the known one, a divergence for others.  Unlike
shares of showdowns and strengths shown, these probabilities hardly depend on the opponent's
opponent.

    nodes      (NODES, WIDTH) of the opponent, see `agents.patterns.trees_kernels`
    library    (L, N, WIDTH) of each known opponent, the same
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from agents.astar.ensemble.likeness_kernels import PRIOR
from agents.patterns.raise_classes import MOVES
from agents.patterns.trees_kernels import ACTIONS, CHILDREN, NOWHERE, ROOTS
from engine.compiled.jit import inlined_kernel, kernel


@kernel
def log_loss(
    nodes: NDArray[np.float64],
    made: int,
    library: NDArray[np.float64],
    distances: NDArray[np.float64],
) -> float:
    """Write (L,) the excess surprise by each known opponent, nats an action; return their number.

    Args:
        made: nodes in use beside the roots; a node has a larger number than the one above it.
    """
    places = np.full((len(library), ROOTS + made), NOWHERE, np.int64)
    for root in range(ROOTS):
        places[:, root] = root
    distances[:] = 0.0
    actions = own = 0.0
    for node in range(ROOTS + made):
        row = nodes[node]
        seen = row[ACTIONS:CHILDREN].sum()
        actions += seen
        own += _surprise(row, row, True)
        for one in range(len(library)):
            place = places[one, node]
            known = library[one, max(place, 0)]
            if seen > 0:
                distances[one] += _surprise(row, known, place != NOWHERE)
            if place != NOWHERE:
                for move in range(MOVES):
                    child, theirs = int(row[CHILDREN + move]), int(known[CHILDREN + move])
                    if child > 0 and theirs > 0:
                        places[one, child] = theirs
    if actions > 0:
        for one in range(len(library)):
            distances[one] = (distances[one] - own) / actions
    return float(actions)


@inlined_kernel
def _surprise(row: NDArray[np.float64], known: NDArray[np.float64], there: bool) -> float:
    """Return the surprise of all actions at a node, uniform where it was never visited."""
    total, count = 0.0, MOVES * PRIOR
    if there:
        count += known[ACTIONS:CHILDREN].sum()
    for move in range(MOVES):
        if row[ACTIONS + move] > 0:
            theirs = PRIOR + (known[ACTIONS + move] if there else 0.0)
            total += row[ACTIONS + move] * math.log(count / theirs)
    return total
