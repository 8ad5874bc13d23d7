"""Where the trees lie in the memory row of a compiled policy that watches its opponent.

    path         where the hand being played stands in the trees, see `trees_kernels`
    trees        (NODES, WIDTH) of the opponent

What else a player remembers follows from END on.
"""

from __future__ import annotations

from typing import Final

from agents.patterns.trees_kernels import LONGEST_TRACE, STATE, WIDTH

MOST_NODES: Final = 2048
"""The node above tells what does not fit any more."""

# Where parts begin.
PATH: Final = 0
PATH_NODES: Final = PATH + STATE
PATH_MOVES: Final = PATH_NODES + LONGEST_TRACE
TREES: Final = PATH_MOVES + LONGEST_TRACE
END: Final = TREES + MOST_NODES * WIDTH
