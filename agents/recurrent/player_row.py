"""A network as the parameters of a compiled policy, in float64.

SIZES numbers, the bits of the row of sizes (`sizes`); RESETS_AT, which stacks begin each hand anew;
from GENOME_AT on the genome, two float32 to a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.recurrent.sizes import SIZES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.recurrent.shape import NetShape

RESETS_AT: Final = SIZES
GENOME_AT: Final = RESETS_AT + 1


def row_size(shape: NetShape) -> int:
    """Return the numbers of such a row."""
    return GENOME_AT + (shape.genome + 1) // 2


def player_row(shape: NetShape, genome: NDArray[np.float32], resets: int) -> NDArray[np.float64]:
    """Return the row.

    Args:
        shape: of the network.
        genome: (G,) float32, all weights.
        resets: which stacks begin each hand anew, see `sizes`.

    Raises:
        ValueError: the genome is of another length, or not finite.
    """
    if genome.shape != (shape.genome,):
        raise ValueError(f"a genome of {genome.shape}: want ({shape.genome},)")
    if not np.isfinite(genome).all():
        raise ValueError("a genome with numbers that are none")
    row = np.zeros(row_size(shape))
    row[:SIZES] = shape.sizes.view(np.float64)
    row[RESETS_AT] = resets
    row[GENOME_AT:].view(np.float32)[: shape.genome] = genome
    return row
