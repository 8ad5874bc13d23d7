"""Whether the strategy of a branch has converged: how much learning on still changes it.

The average strategy is compared with that of two thirds of the iterations:

    change = sum over rows of w |p - q| / 2 / sum of w

p and q are a row's probabilities now and then.  The weight w is how often learning came to the
row while its own player held to its strategy and the other tried everything: rows of hands that
fold earlier hardly count.  So it is the probability with which a decision is another one.

Iterations weigh by their number, so the last third of them has more than half of the weight of the
average.  Had the strategies of that third another mean than those before, the change would show
more than half of the difference.  Regrets do not tell as much: their positive part is mostly the
noise of sampled values, and never goes away.  A best response would tell more, and takes as long as
the learning itself.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.mccfr.external_sampling import Mccfr

GROWTH: Final = 1.5
"""A strategy is compared with that of so many times fewer iterations."""


def strategy_change(earlier: Mccfr, later: Mccfr, first: int = 0) -> float:
    """Return how much probability moved from action to action, 0 to 1.

    Args:
        earlier, later: of the same game.
        first: node from which on decisions count.
    """
    moved = total = 0.0
    tree = later.info_sets.tree
    for node in tree.decisions.tolist():
        if node < first or tree.child_count[node] == 1:
            continue
        apart = np.abs(earlier.average(node) - later.average(node)).sum(axis=1) / 2
        weight = _visits(later, node)
        moved += float(weight @ apart)
        total += float(weight.sum())
    return moved / total if total else 1.0


def _visits(solver: Mccfr, node: int) -> NDArray[np.float64]:
    """Return (B,) the sums of a decision's strategy sums."""
    actions = int(solver.info_sets.tree.child_count[node])
    sums = solver.info_sets.rows_of(solver.cells, node)[:, actions:]
    visits: NDArray[np.float64] = sums.sum(axis=1, dtype=np.float64)
    return visits
