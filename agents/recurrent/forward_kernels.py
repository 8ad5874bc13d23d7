"""A network's forward pass, one decision at a time, in float32.

    sizes    (SIZES,) int64    of the stacks and the head, see `shape`
    weights  (G,) float32      the genome, see `shape`
    state    (S,) float32      of each layer of a stack its outputs, then its cells
    work     (W,) float32      scratch, see `shape.NetShape.work`

A block with inputs x, its last output h and cells c, all products elementwise but for W:

    i = sigma([x, h] W_i + b_i + p_i c)       f = sigma([x, h] W_f + b_f + p_f c)
    c <- f c + i tanh([x, h] W_g + b_g)       o = sigma([x, h] W_o + b_o + p_o c)
    h <- o tanh(c)

Source: Gers, Schraudolph, Schmidhuber, "Learning precise timing with LSTM recurrent networks", JMLR
3, 2002, for the peepholes p.  Hidden layers of the head are rectified, or tanh; outputs are scores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.recurrent.shape import BLOCKS, CELLS, GAME, HEAD, INPUTS, LAYERS, OPPONENT
from engine.compiled.jit import inlined_kernel, kernel
from engine.networks.activation_kernels import sigma_of, tanh_of
from engine.networks.dense_kernels import add_product, run_dense


@kernel
def step_block(
    weights: NDArray[np.float32],
    at: int,
    x: NDArray[np.float32],
    h: NDArray[np.float32],
    c: NDArray[np.float32],
    gates: NDArray[np.float32],
) -> int:
    """Let a block of len(c) cells take one step, h and c in place; return where its weights end.

    gates: (4 len(c),) scratch.
    """
    cells = len(c)
    biases = at + (len(x) + cells) * len(gates)
    for i in range(len(gates)):
        gates[i] = weights[biases + i]
    add_product(weights, add_product(weights, at, x, gates), h, gates)
    peepholes = biases + len(gates)
    for i in range(cells):
        kept = sigma_of(gates[cells + i] + weights[peepholes + cells + i] * c[i])
        let_in = sigma_of(gates[i] + weights[peepholes + i] * c[i])
        c[i] = kept * c[i] + let_in * tanh_of(gates[3 * cells + i])
        let_out = sigma_of(gates[2 * cells + i] + weights[peepholes + 2 * cells + i] * c[i])
        h[i] = let_out * tanh_of(c[i])
    return peepholes + 3 * cells


@kernel
def step_stack(
    sizes: NDArray[np.int64],
    weights: NDArray[np.float32],
    at: int,
    x: NDArray[np.float32],
    state: NDArray[np.float32],
    work: NDArray[np.float32],
) -> int:
    """Let all layers of a stack take one step; return where its weights end.

    Args:
        at: where the stack's weights begin.
        state: of the stack, changed.
        work: (4 cells,) scratch or more.
    """
    layers, blocks, cells = sizes[LAYERS], sizes[BLOCKS], sizes[CELLS]
    wide = blocks * cells
    seen = x
    for layer in range(layers):
        h = state[2 * layer * wide : (2 * layer + 1) * wide]
        c = state[(2 * layer + 1) * wide : (2 * layer + 2) * wide]
        for block in range(blocks):
            first, end = block * cells, (block + 1) * cells
            at = step_block(weights, at, seen, h[first:end], c[first:end], work[: 4 * cells])
        seen = h
    return at


@inlined_kernel
def weights_of_stack(sizes: NDArray[np.int64]) -> int:
    """Return how many numbers of a genome are a stack's."""
    layers, blocks, cells = sizes[LAYERS], sizes[BLOCKS], sizes[CELLS]
    total = 0
    for layer in range(layers):
        seen = sizes[INPUTS] if layer == 0 else blocks * cells
        total += blocks * (4 * cells * (seen + cells + 1) + 3 * cells)
    return total


@kernel
def run_net(
    sizes: NDArray[np.int64],
    weights: NDArray[np.float32],
    opponent: NDArray[np.float32],
    game: NDArray[np.float32],
    state: NDArray[np.float32],
    work: NDArray[np.float32],
    scores: NDArray[np.float32],
) -> None:
    """Take a step with both stacks, and write (OUTPUTS,) the scores.

    Args:
        opponent: inputs of the opponent stack.
        game: inputs of the game stack.
        state: of both stacks, the opponent's first, changed.
        work: scratch.
        scores: gets the result, before the softmax.
    """
    first, second = sizes[OPPONENT:GAME], sizes[GAME:HEAD]
    seen = first[BLOCKS] * first[CELLS]
    given = second[BLOCKS] * second[CELLS]
    kept = 2 * first[LAYERS] * seen
    x = work[: seen + given]
    rest = work[seen + given :]
    at = step_stack(first, weights, 0, opponent, state[:kept], rest)
    at = step_stack(second, weights, at, game, state[kept:], rest)
    x[:seen] = state[kept - 2 * seen : kept - seen]
    end = kept + 2 * second[LAYERS] * given
    x[seen:] = state[end - 2 * given : end - given]
    run_dense(sizes[HEAD:], weights, at, x, rest, scores)
