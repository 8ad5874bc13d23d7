"""Columns of the row of sizes that the kernels of a network take.

OPPONENT, GAME    four numbers of each stack: inputs, layers, blocks, cells
HEAD              how many hidden layers there are, their widths, and then the outputs
ACTIVATION        of the hidden layers
"""

from __future__ import annotations

from typing import Final

OPPONENT: Final = 0
GAME: Final = 4
HEAD: Final = 8
MOST_HIDDEN: Final = 4
OUTPUTS: Final = HEAD + 1 + MOST_HIDDEN
ACTIVATION: Final = OUTPUTS + 1
SIZES: Final = ACTIVATION + 1
INPUTS: Final = 0
LAYERS: Final = 1
BLOCKS: Final = 2
CELLS: Final = 3

RECTIFIED: Final = 0
TANH: Final = 1
ACTIVATIONS: Final = {"rectified": RECTIFIED, "tanh": TANH}
OPPONENT_ANEW: Final = 1
"""Of resets: the opponent stack begins each hand anew, not each match only."""
GAME_ANEW: Final = 2
"""So does the game stack."""
RESETS: Final = {"opponent": OPPONENT_ANEW, "game": GAME_ANEW}
