"""Forgetting: what was seen of an opponent counts less as hands go by, for it may have changed."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.patterns.trees_kernels import CHILDREN, ROOTS, VISITS
from engine.compiled.jit import inlined_kernel

EVERY: Final = 25
"""Hands after which the counts of the trees are made smaller, all at once."""


@inlined_kernel
def forget(nodes: NDArray[np.float64], made: int, hands: float, half_life: float) -> None:
    """Decay all counts for `hands` hands at a half-life in hands, more than 0.

    Args:
        nodes: of the opponent; `made` of them beside the roots are in use, see
            `agents.patterns.trees_kernels.MADE`.
    """
    factor = 0.5 ** (hands / half_life)
    for node in range(ROOTS + made):
        for column in range(VISITS, CHILDREN):
            nodes[node, column] *= factor
