"""What the opponent's hands win by the blueprint where a search begins, and how sure that is.

    value    of each hand where both go on by the blueprint (the Estimate form)
    spread   what a best response of the hand wins beyond that: how wrong the estimate may be

Both are walked over the blueprint's own tree with all cards to come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.cfr.solver import StrategyKind
from engine.search.gadgets import normal_alternatives
from engine.search.profile_values import profile_solver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from agents.blueprint_model.policy import BlueprintPolicy
    from engine.rules.state import HandState


def blueprint_alternatives(
    blueprint: BlueprintPolicy,
    state: HandState,
    board: Sequence[int],
    ranges: NDArray[np.float64],
    opponent: int,
) -> NDArray[np.float64] | None:
    """Return (K, 1326) alternatives of the opponent, for `engine.search.gadgets.ResolveGadget`.

    Args:
        state: a decision on the flop or later.
        ranges: (2, 1326) weights; the opponent's does not matter but must not be empty.

    Returns:
        None where the model's tree does not hold the state to the chip.
    """
    node = blueprint.node_of(state, board)
    if node is None:
        return None
    tree = blueprint.model.tree
    nodes = tree.nodes_below(node).tolist()
    profile = profile_solver(
        tree.below(node), board, ranges, lambda number, cards: blueprint.at(nodes[number], cards)
    )
    value = np.nan_to_num(profile.values(StrategyKind.AVERAGE)[opponent])
    best = np.nan_to_num(profile.best_response_values(StrategyKind.AVERAGE)[opponent])
    return normal_alternatives(value, np.maximum(best - value, 0.0))
