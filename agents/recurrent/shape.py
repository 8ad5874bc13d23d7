"""Sizes of a network, and where its numbers lie in a genome.

A genome is all weights in one row of float32, in this order:

    opponent stack, game stack     layer by layer, block by block:
        weights   (inputs + cells, 4 * cells)   from the inputs and the block's last output
        biases    (4 * cells,)
        peepholes (3 * cells,)                  from the block's own cells to three gates
    head                           layer by layer:
        weights   (inputs, outputs)
        biases    (outputs,)

The gates are input, forget, output and what is to be written, `cells` numbers each.  All blocks of
a layer see all outputs of the layer below; the head sees those of both stacks, the opponent's
first.
A row of weights, all that goes out from one number, is a segment of the genome, and so is a row of
biases or peepholes: evolution passes on and changes whole segments.

Kernels take a row of sizes, int64:

    OPPONENT, GAME    four numbers of each stack: inputs, layers, blocks, cells
    HEAD              the sizes of the head, see `engine.networks.dense`

and a compiled policy a row of parameters, float64: SIZES numbers, the bits of the row of sizes;
RESETS_AT, which stacks begin each hand anew; from GENOME_AT on the genome, two float32 to a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.networks.dense import DENSE_SIZES, dense_sizes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

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

RESETS_AT: Final = SIZES
GENOME_AT: Final = RESETS_AT + 1

GATES: Final = 4
PEEPHOLES: Final = 3
MOST_OF_A_STACK: Final = 256
MOST_WEIGHTS: Final = 10**7
"""Of a network, far more than any that evolves."""
GAINS: Final = {"stacks": (3.0, 0.5), "hidden": (2.0, 0.1), "outputs": (4.0, 0.1)}
"""Gain of weights and spread of biases at the beginning."""


@dataclass(frozen=True)
class Stack:
    """Layers of LSTM blocks, one on top of the other."""

    layers: int = 1
    blocks: int = 1
    """Side by side in each layer."""
    cells: int = 10
    """Of a block."""

    def __post_init__(self) -> None:
        """Refuse what is no stack."""
        if min(self.layers, self.blocks, self.cells) < 1:
            raise ValueError(f"{self}: want 1 or more of each")
        if max(self.layers, self.blocks, self.cells) > MOST_OF_A_STACK:
            raise ValueError(f"a stack of more than {MOST_OF_A_STACK} layers, blocks or cells")

    @property
    def outputs(self) -> int:
        """Numbers that it gives: those of its last layer."""
        return self.blocks * self.cells

    @property
    def state(self) -> int:
        """Numbers that it keeps: an output and a cell for each cell of each layer."""
        return 2 * self.layers * self.outputs

    def rows(self, inputs: int) -> Iterator[tuple[int, int]]:
        """Yield (how many rows, how long) of each part, in the order of the genome."""
        for layer in range(self.layers):
            width = self.outputs if layer else inputs
            for _ in range(self.blocks):
                yield width + self.cells, GATES * self.cells
                yield 1, GATES * self.cells
                yield 1, PEEPHOLES * self.cells


@dataclass(frozen=True)
class NetShape:
    """Sizes of all parts."""

    opponent: Stack
    game: Stack
    head: tuple[int, ...]
    """Widths of the hidden layers."""
    opponent_inputs: int
    game_inputs: int
    outputs: int
    activation: str = "rectified"
    """Of the hidden layers, one of `engine.networks.dense.ACTIVATIONS`."""

    def __post_init__(self) -> None:
        """Refuse sizes that are none."""
        if not self.head or min(self.head) < 1:
            raise ValueError(f"a head of {self.head}: want one hidden layer or more, none empty")
        if min(self.opponent_inputs, self.game_inputs, self.outputs) < 1:
            raise ValueError("want one input of each kind and one output, or more")
        if sum(count * length for count, length in self.rows()) > MOST_WEIGHTS:
            raise ValueError(f"a network of more than {MOST_WEIGHTS:,} weights")
        dense_sizes(self.head, self.outputs, self.activation)

    def rows(self) -> Iterator[tuple[int, int]]:
        """Yield (how many rows, how long) of each part, in the order of the genome."""
        yield from self.opponent.rows(self.opponent_inputs)
        yield from self.game.rows(self.game_inputs)
        widths = (self.opponent.outputs + self.game.outputs, *self.head, self.outputs)
        for width, given in pairwise(widths):
            yield width, given
            yield 1, given

    @cached_property
    def segments(self) -> NDArray[np.int64]:
        """(S + 1,) where segments begin, and the end of the last."""
        lengths = [length for count, length in self.rows() for _ in range(count)]
        return np.concatenate(([0], np.cumsum(lengths)))

    @property
    def genome(self) -> int:
        """Numbers of a genome."""
        return int(self.segments[-1])

    @property
    def state(self) -> int:
        """Numbers that both stacks keep."""
        return self.opponent.state + self.game.state

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(SIZES,) of all parts, for `kernels`."""
        sizes = np.zeros(SIZES, np.int64)
        for at, stack, inputs in (
            (OPPONENT, self.opponent, self.opponent_inputs),
            (GAME, self.game, self.game_inputs),
        ):
            sizes[at : at + 4] = inputs, stack.layers, stack.blocks, stack.cells
        sizes[HEAD:] = dense_sizes(self.head, self.outputs, self.activation)
        return sizes

    @property
    def work(self) -> int:
        """Numbers of scratch that a forward pass takes."""
        gates = GATES * max(self.opponent.cells, self.game.cells)
        return self.opponent.outputs + self.game.outputs + max(sum(self.head), gates)


def spread_of(shape: NetShape) -> NDArray[np.float32]:
    """Return (S,) the standard deviation with which the numbers of each segment begin.

    Of weights it is a gain by the root of how many numbers are added up, of biases and peepholes a
    number, all as in GAINS: so that networks differ as much in what they make of their inputs as in
    what they do whatever they see.
    """
    parts = list(shape.rows())
    behind = len(parts) - 2 * (len(shape.head) + 1)
    spreads: list[NDArray[np.float64]] = []
    for number, (count, _) in enumerate(parts):
        gain, bias = GAINS["stacks"]
        if number >= behind:
            gain, bias = GAINS["outputs" if number >= len(parts) - 2 else "hidden"]
        spreads.append(np.full(count, bias if count == 1 else gain / count**0.5))
    return np.concatenate(spreads).astype(np.float32)


def random_genome(shape: NetShape, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a genome to begin with: normal numbers, see `spread_of`."""
    lengths = np.diff(shape.segments)
    noise = rng.standard_normal(shape.genome, np.float32)
    return noise * np.repeat(spread_of(shape), lengths)


def row_size(shape: NetShape) -> int:
    """Return the numbers of such a row."""
    return GENOME_AT + (shape.genome + 1) // 2


def player_row(shape: NetShape, genome: NDArray[np.float32], resets: int) -> NDArray[np.float64]:
    """Return the row.

    Args:
        shape: of the network.
        genome: (G,) float32, all weights.
        resets: which stacks begin each hand anew, of `RESETS`.

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
