"""A model's rows made fewer and coarser where play seldom comes, so that its file is smaller.

Most rows of a decision are of hands that never come there: the player itself would have folded or
raised before.  Training leaves them as they were at first, or noisy.  So a row has a weight,

    (own + PRIOR mean / deals) pot

`own` is the sampled probability that the player holds such a hand and acts so that it comes there;
the pot is in big blinds.  `mean` is the sum of `own` over all buckets: the own reach of a bucket
hit by one deal in `deals` that plays like the others.  The opponent's actions are left out, because
one that knows the strategy goes where it wants to.  With its root as a further factor, rows of a
file of half the size lost nothing to the old ones, but local best response won more.

A row may be another as long as its weight times the probability moved is within a limit
(`compacting_kernels`).  Then neighbours are often the same, which costs next to nothing
(`row_kernels`), and shares in steps of 10 to 50 % cost little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.blueprint.compacting_kernels import compact_rows
from agents.blueprint_model.codes import grid_size, numbers_of, shares_of
from agents.blueprint_model.model import BlueprintModel
from agents.blueprint_model.packing import PackedRows
from agents.blueprint_model.reach import Visits, sampled_visits

PRIOR: Final = 0.2
_MOST_BITS: Final = 16
"""Rows of more bits are few, and stay."""


class Limits(NamedTuple):
    """How much may change."""

    loss: float
    """Most that a row's weight times the probability moved may be, millionths of a big blind."""
    deals: int
    """On which it is sampled how often a row is come to."""
    seed: int
    """Of these."""


def repacked(model: BlueprintModel) -> PackedRows:
    """Return the rows of any model as they are, in today's format."""
    nodes = [node for node in model.tree.decisions.tolist() if model.own_actions(node) > 1]
    return PackedRows.pack((model.numbers(node)[0], model.own_actions(node)) for node in nodes)


def compacted(
    model: BlueprintModel, limits: Limits, on_progress: Callable[[int], None]
) -> PackedRows:
    """Return the rows of a smaller hold'em model, changed within `limits`."""
    visits = sampled_visits(model, limits.deals, limits.seed, on_progress)

    def rows() -> Iterator[tuple[NDArray[Any], int]]:
        for index, node in enumerate(visits.nodes):
            numbers, bits = model.numbers(node)
            actions = model.own_actions(node)
            if bits <= _MOST_BITS:
                shares = shares_of(numbers, actions, bits).astype(np.uint8)
                compact = np.empty_like(shares)
                steps = _steps(grid_size(actions, bits))
                weights = _weights(model, visits, index)
                compact_rows(shares, weights, limits.loss / 1e6, steps, compact)
                numbers = numbers_of(compact.astype(np.int64), bits)
            yield numbers, actions

    return PackedRows.pack(rows())


def _weights(model: BlueprintModel, visits: Visits, index: int) -> NDArray[np.float64]:
    """Return (B,) the weights of a decision's rows."""
    tree, reach = model.tree, visits.reach_sums[index].astype(np.float64)
    pot = float(tree.spent[visits.nodes[index]].sum()) / tree.game.big_blind
    weights: NDArray[np.float64] = (reach + PRIOR * reach.sum() / visits.deals) * pot
    return weights


def _steps(whole: int) -> NDArray[np.int64]:
    """Return the divisors of a whole that are smaller, the largest first."""
    return np.array([step for step in range(whole - 1, 0, -1) if whole % step == 0])
