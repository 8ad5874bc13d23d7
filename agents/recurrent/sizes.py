"""Columns of the row of sizes that the kernels of a network take.

OPPONENT, GAME    four numbers of each stack: inputs, layers, blocks, cells
HEAD              the sizes of the head, see `engine.networks.dense`
"""

from __future__ import annotations

from typing import Final

from engine.networks.dense import DENSE_SIZES

OPPONENT: Final = 0
GAME: Final = 4
HEAD: Final = 8
SIZES: Final = HEAD + DENSE_SIZES
INPUTS: Final = 0
LAYERS: Final = 1
BLOCKS: Final = 2
CELLS: Final = 3

OPPONENT_ANEW: Final = 1
"""Of resets: the opponent stack begins each hand anew, not each match only."""
GAME_ANEW: Final = 2
"""So does the game stack."""
RESETS: Final = {"opponent": OPPONENT_ANEW, "game": GAME_ANEW}
