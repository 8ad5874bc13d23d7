"""Views of a memory row: the path of the hand, and the trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.patterns.tree_memory import END, MOST_NODES, PATH, PATH_MOVES, PATH_NODES, TREES
from agents.patterns.trees_kernels import LONGEST_TRACE, STATE, WIDTH, TreePath
from engine.compiled.jit import inlined_kernel


@inlined_kernel
def path_of(memory: NDArray[np.float64]) -> TreePath:
    """Return the views of a memory that follow a hand through the trees."""
    return TreePath(
        memory[PATH : PATH + STATE],
        memory[PATH_NODES : PATH_NODES + LONGEST_TRACE],
        memory[PATH_MOVES : PATH_MOVES + LONGEST_TRACE],
    )


@inlined_kernel
def nodes_of(memory: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (NODES, WIDTH) the trees of a memory."""
    return memory[TREES:END].reshape(MOST_NODES, WIDTH)
