"""A player that looks ahead, as a compiled policy.

Parameters as in `agents.recurrent.shape`; memory as in `agents.patterns.tree_memory`, then scratch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.lookahead.choice_kernels import choose
from agents.lookahead.estimators_kernels import Estimators
from agents.patterns.memory_kernels import nodes_of, path_of
from agents.patterns.raise_classes import move_of
from agents.patterns.tree_memory import END
from agents.patterns.trees_kernels import arrive, learn, move_on
from agents.recurrent.shape import GENOME_AT, SIZES
from engine.compiled.jit import pointer_kernel
from engine.play.spot import Spot


@pointer_kernel
def decide(
    spot: Spot, params: NDArray[np.float64], memory: NDArray[np.float64], draws: NDArray[np.float64]
) -> tuple[int, int]:
    """Return the kind of action and, where it is a raise, the raise-to."""
    nodes, path = nodes_of(memory), path_of(memory)
    arrive(nodes, path, spot.hand, spot.street, 1 - spot.button)
    net = Estimators(
        params[:SIZES].view(np.int64),
        params[GENOME_AT:].view(np.float32),
        memory[END:].view(np.float32),
    )
    return choose(spot, net, nodes, path, draws[0])


@pointer_kernel
def observe(spot: Spot, kind: int, raise_to: int, mine: bool, memory: NDArray[np.float64]) -> None:
    """Follow an action through the trees."""
    path = path_of(memory)
    button = 1 - spot.button if mine else spot.button
    arrive(nodes_of(memory), path, spot.hand, spot.street, button)
    move_on(path, move_of(spot, kind, raise_to), mine)


@pointer_kernel
def finish(memory: NDArray[np.float64], shown_p: float, won: float) -> None:
    """Learn from a hand that is over."""
    learn(nodes_of(memory), path_of(memory), shown_p)
