"""The same network in PyTorch, for many decisions at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch

from agents.recurrent.shape import GATES, PEEPHOLES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agents.recurrent.shape import NetShape, Stack


class _Block(NamedTuple):
    weights: torch.Tensor
    biases: torch.Tensor
    peepholes: torch.Tensor


class TorchNet:
    """A genome as tensors; B decisions, of as many hands, are taken at once."""

    def __init__(
        self, shape: NetShape, genome: NDArray[np.float32], dtype: torch.dtype = torch.float32
    ) -> None:
        """Cut the genome into its parts.

        Raises:
            ValueError: it is not as long as the shape says.
        """
        if genome.shape != (shape.genome,):
            raise ValueError(f"a genome of {genome.shape}: want ({shape.genome},)")
        self.shape = shape
        row, at = torch.tensor(genome, dtype=dtype), 0
        parts: list[torch.Tensor] = []
        for count, length in shape.rows():
            parts.append(row[at : at + count * length].reshape(count, length))
            at += count * length
        taken = iter(parts)

        def blocks_of(stack: Stack) -> list[list[_Block]]:
            return [
                [_Block(*(next(taken) for _ in range(3))) for _ in range(stack.blocks)]
                for _ in range(stack.layers)
            ]

        self._opponent = blocks_of(shape.opponent)
        self._game = blocks_of(shape.game)
        rest = list(taken)
        self._head = list(zip(rest[::2], rest[1::2], strict=True))

    def forward(
        self, opponent: torch.Tensor, game: torch.Tensor, state: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (B, outputs) the scores and (B, state) the new state.

        Args:
            opponent: (B, opponent_inputs).
            game: (B, game_inputs).
            state: (B, state) of both stacks, the opponent's first.
        """
        kept = self.shape.opponent.state
        first, state_of_first = _step(self._opponent, opponent, state[:, :kept])
        second, state_of_second = _step(self._game, game, state[:, kept:])
        seen = torch.cat((first, second), dim=1)
        tanh = self.shape.activation == "tanh"
        for number, (weights, biases) in enumerate(self._head):
            seen = seen @ weights + biases
            if number < len(self._head) - 1:
                seen = torch.tanh(seen) if tanh else torch.relu(seen)
        return seen, torch.cat((state_of_first, state_of_second), dim=1)


def _step(
    layers: list[list[_Block]], x: torch.Tensor, state: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the outputs of a stack and its new state."""
    new: list[torch.Tensor] = []
    for blocks, (h, c) in zip(layers, _pairs(state, len(layers)), strict=True):
        cells = c.shape[1] // len(blocks)
        outputs, written = [], []
        for number, block in enumerate(blocks):
            own = slice(number * cells, (number + 1) * cells)
            given, kept = _block(block, x, h[:, own], c[:, own])
            outputs.append(given)
            written.append(kept)
        x = torch.cat(outputs, dim=1)
        new += [x, torch.cat(written, dim=1)]
    return x, torch.cat(new, dim=1)


def _pairs(state: torch.Tensor, layers: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
    parts = torch.chunk(state, 2 * layers, dim=1)
    return list(zip(parts[::2], parts[1::2], strict=True))


def _block(
    block: _Block, x: torch.Tensor, h: torch.Tensor, c: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    gates = torch.cat((x, h), dim=1) @ block.weights + block.biases
    let_in, keep, let_out, written = torch.chunk(gates, GATES, dim=1)
    of_in, of_keep, of_out = torch.chunk(block.peepholes, PEEPHOLES, dim=1)
    kept = torch.sigmoid(keep + of_keep * c) * c + torch.sigmoid(let_in + of_in * c) * torch.tanh(
        written
    )
    return torch.sigmoid(let_out + of_out * kept) * torch.tanh(kept), kept
