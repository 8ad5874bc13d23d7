"""How often the hand wins, and how often the opponent folds to a raise, from the trees.

An estimator is a stack of the network and one output of its head.  The stack begins anew at each
decision and takes a step for each node: the last of each earlier street, then those of this street
up to where the hand stands; for folds the node behind the raise, too.  The rates of a node are
shrunk to those of the node above, see `agents.patterns.trees_kernels.settle`.

    wins     showdowns, own folds and strength shown there, the spread of that strength / 0.5,
             tanh(0.1 visits), tanh(0.2 showdowns), each 2 x - 1
    folds    the opponent's folds, tanh(0.1 visits), 1 / (1 + nodes up to the last), tanh(raises
             on the street so far), each 2 x - 1

With a = (1 + tanh(output)) / 2 and o the odds, what a call puts in by the pot after it:

    win rate   s ** (1 / a), s the strength; where a call or raise is called 0 below the root of o,
               else 1 - (1 - s) / (1 - o)
    fold rate  base ** a, base = o (1 + cards on the board / 10), from which ten decisions of the
               opponent behind the raise lead linearly to how often it folded there

The authors' weight of distance, and what they smooth the odds by, are lost: the first is ours, o is
not smoothed.  Source: Li, Miikkulainen, named in `agents.lookahead`.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.lookahead.sizes import INPUTS, WIN_INPUTS
from agents.patterns.raise_classes import FIRST_RAISE, MOVES
from agents.patterns.trees_kernels import (
    ACTIONS,
    BEGIN,
    CHILDREN,
    LENGTH,
    NODE,
    NOWHERE,
    ROOTS,
    SHOWDOWNS,
    SQUARES,
    STRENGTH,
    TRUST,
    UNKNOWN,
    VISITS,
    TreePath,
    move_to,
    settle,
)
from agents.recurrent.forward_kernels import step_stack, weights_of_stack
from agents.recurrent.shape import BLOCKS, CELLS, GAME, HEAD, LAYERS, OPPONENT
from engine.compiled.jit import inlined_kernel, kernel
from engine.networks.dense_kernels import run_dense

CERTAIN: Final = 10.0
"""Decisions of the opponent after which the share of its folds is believed altogether."""
LEAST: Final = 0.01
"""Of a, so that no power is infinite."""
MOST_FOLDS: Final = 0.95
"""Of the base: odds never say that everybody folds."""
_EVEN: Final = 1.0 / 12
"""Variance of strengths shown by somebody of whom nothing is known."""


class Estimators(NamedTuple):
    """Both of them, and where they compute."""

    sizes: NDArray[np.int64]
    """(SIZES,) of the network."""
    weights: NDArray[np.float32]
    """The genome."""
    floats: NDArray[np.float32]
    """Scratch, see `sizes`; holds the state of the stacks."""


@kernel
def advance_stacks(
    net: Estimators, nodes: NDArray[np.float64], path: TreePath, vector: NDArray[np.float64]
) -> int:
    """Let both stacks take their steps up to where the hand stands; return the raises on the way.

    Args:
        vector: (VECTOR,) gets the rates of the last node.
    """
    floats = net.floats
    floats[INPUTS : INPUTS + 2 * _state_of(net.sizes)] = 0
    begin, end = int(path.state[BEGIN]), int(path.state[LENGTH])
    earlier = 0
    for at in range(1, begin + 1):
        earlier += int(at == begin or path.nodes[at] < ROOTS)
    steps = earlier + end - begin
    taken = raises = 0
    vector[1], vector[2], vector[3] = UNKNOWN
    for at in range(end):
        node = int(path.nodes[at])
        if node < ROOTS:
            raises = 0
            vector[1], vector[2], vector[3] = UNKNOWN
        row = nodes[node]
        settle(row, vector)
        if at >= begin or at + 1 == begin or path.nodes[at + 1] < ROOTS:
            taken += 1
            _tell_wins(row, vector, floats[:WIN_INPUTS])
            _tell_folds(row, vector, steps - taken, raises, floats[WIN_INPUTS:INPUTS])
            _step(net, 0)
        if at + 1 < end and path.nodes[at + 1] >= ROOTS:
            raises += int(move_to(nodes, path, at, end) >= FIRST_RAISE)
    return raises


@kernel
def win_trust(net: Estimators) -> float:
    """Return a of the estimator of wins, LEAST to 1, after `advance_stacks`."""
    return _trust(net, 0, 0)


@kernel
def fold_rate(
    net: Estimators,
    nodes: NDArray[np.float64],
    path: TreePath,
    vector: NDArray[np.float64],
    raises: int,
    move: int,
    odds: float,
    cards: int,
) -> float:
    """Return how often the opponent folds to a raise, 0 to 1, after `advance_stacks`.

    Args:
        vector: (VECTOR,) rates of the node where the hand stands.
        raises: on the way to it.
    """
    floats, size = net.floats, _state_of(net.sizes)
    floats[INPUTS + size : INPUTS + 2 * size] = floats[INPUTS : INPUTS + size]
    settled = vector.copy()
    row = np.zeros(nodes.shape[1])
    node = int(path.state[NODE])
    if node != NOWHERE and nodes[node, CHILDREN + move] > 0:
        row[:] = nodes[int(nodes[node, CHILDREN + move])]
    settle(row, settled)
    _tell_wins(row, settled, floats[:WIN_INPUTS])
    _tell_folds(row, settled, 0, raises + 1, floats[WIN_INPUTS:INPUTS])
    _step(net, size)
    base = min(odds * (1.0 + cards / 10.0), MOST_FOLDS)
    decided = row[ACTIONS : ACTIONS + MOVES].sum()
    if decided > 0:
        base += (row[ACTIONS] / decided - base) * min(decided / CERTAIN, 1.0)
    return float(base ** _trust(net, size, 1))


@inlined_kernel
def win_chance(strength: float, trust: float, odds: float) -> float:
    """Return how often a hand wins; odds 0 where nothing is called."""
    if strength < math.sqrt(odds):
        return 0.0
    left: float = (1.0 - (1.0 - strength) / (1.0 - odds)) ** (1.0 / trust)
    return left


@inlined_kernel
def _tell_wins(
    row: NDArray[np.float64], vector: NDArray[np.float64], seen: NDArray[np.float32]
) -> None:
    """Write (WIN_INPUTS,) a node's inputs of the estimator of wins."""
    shown = row[SHOWDOWNS]
    spread = TRUST * _EVEN
    if shown > 0:
        spread += max(row[SQUARES] - row[STRENGTH] ** 2 / shown, 0.0)
    seen[0] = 2.0 * vector[2] - 1.0
    seen[1] = 2.0 * max(1.0 - vector[1] - vector[2], 0.0) - 1.0
    seen[2] = 2.0 * vector[3] - 1.0
    seen[3] = 4.0 * math.sqrt(spread / (shown + TRUST)) - 1.0
    seen[4] = 2.0 * math.tanh(0.1 * row[VISITS]) - 1.0
    seen[5] = 2.0 * math.tanh(0.2 * shown) - 1.0


@inlined_kernel
def _tell_folds(
    row: NDArray[np.float64],
    vector: NDArray[np.float64],
    behind: int,
    raises: int,
    seen: NDArray[np.float32],
) -> None:
    """Write (FOLD_INPUTS,) a node's inputs of the estimator of folds, nodes yet to come."""
    seen[0] = 2.0 * vector[1] - 1.0
    seen[1] = 2.0 * math.tanh(0.1 * row[VISITS]) - 1.0
    seen[2] = 2.0 / (1.0 + behind) - 1.0
    seen[3] = 2.0 * math.tanh(raises) - 1.0


@inlined_kernel
def _state_of(sizes: NDArray[np.int64]) -> int:
    first, second = sizes[OPPONENT:GAME], sizes[GAME:HEAD]
    return int(
        2 * first[LAYERS] * first[BLOCKS] * first[CELLS]
        + 2 * second[LAYERS] * second[BLOCKS] * second[CELLS]
    )


@inlined_kernel
def _step(net: Estimators, copy: int) -> None:
    """Let both stacks take a step; `copy` is 0, or how far behind it the other state lies."""
    sizes, weights, floats = net
    first, second = sizes[OPPONENT:GAME], sizes[GAME:HEAD]
    kept = 2 * first[LAYERS] * first[BLOCKS] * first[CELLS]
    size = _state_of(sizes)
    state = floats[INPUTS + copy : INPUTS + copy + size]
    work = floats[INPUTS + 2 * size :]
    at = step_stack(first, weights, 0, floats[:WIN_INPUTS], state[:kept], work)
    step_stack(second, weights, at, floats[WIN_INPUTS:INPUTS], state[kept:], work)


@inlined_kernel
def _trust(net: Estimators, copy: int, output: int) -> float:
    """Return a of one estimator: the head sees the outputs of its stack, 0 for the other's."""
    sizes, weights, floats = net
    first, second = sizes[OPPONENT:GAME], sizes[GAME:HEAD]
    seen, given = first[BLOCKS] * first[CELLS], second[BLOCKS] * second[CELLS]
    size = _state_of(sizes)
    state = floats[INPUTS + copy : INPUTS + copy + size]
    work = floats[INPUTS + 2 * size :]
    x = work[: seen + given]
    x[:] = 0
    if output == 0:
        kept = 2 * first[LAYERS] * seen
        x[:seen] = state[kept - 2 * seen : kept - seen]
    else:
        x[seen:] = state[size - 2 * given : size - given]
    at = weights_of_stack(first) + weights_of_stack(second)
    scores = np.empty(2, np.float32)
    run_dense(sizes[HEAD:], weights, at, x, work[seen + given :], scores)
    return max((1.0 + math.tanh(scores[output])) / 2.0, LEAST)
