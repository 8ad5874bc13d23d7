"""Columns of the row of sizes that the kernels of a network take.

OPPONENT, GAME    four numbers of each stack: inputs, layers, blocks, cells
HEAD              how many hidden layers there are, their widths, and last the outputs
"""

from __future__ import annotations

from typing import Final

OPPONENT: Final = 0
GAME: Final = 4
HEAD: Final = 8
MOST_HIDDEN: Final = 4
SIZES: Final = HEAD + 1 + MOST_HIDDEN + 1
INPUTS: Final = 0
LAYERS: Final = 1
BLOCKS: Final = 2
CELLS: Final = 3
