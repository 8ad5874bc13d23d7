"""The largest possible counterfactual reach of each information set: the scale of Hedge's rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.small_games.game_tree import GameTree
from engine.small_games.sequence_form import chance_reach, last_sequences, parent_sequences

_Weights = dict[tuple[int, ...], float]
"""Reach by the latest sequence of each of the others."""


def largest_cf_reach(tree: GameTree) -> NDArray[np.float64]:
    """Return (I,) float64, the largest reach of each information set by the others and chance.

    The others are taken to do all they can to get there, so no instantaneous counterfactual regret
    is larger than this times the spread of payoffs.  With several of them it is an upper bound,
    because each may choose by what the others did as if it always saw that.
    """
    last, reach = last_sequences(tree), chance_reach(tree)
    parent = parent_sequences(tree, last).tolist()
    set_of = np.repeat(np.arange(tree.info_sets), tree.action_count).tolist()
    largest = np.empty(tree.info_sets)
    for info_set, weights in enumerate(_others_sequences(tree, last, reach)):
        merged = weights
        for _ in range(tree.players - 1):
            rivals: dict[tuple[int, ...], dict[int, float]] = {}
            for (*rest, sequence), weight in merged.items():
                rivals.setdefault(tuple(rest), {})[sequence] = weight
            merged = {rest: _most(tree, weight, parent, set_of) for rest, weight in rivals.items()}
        largest[info_set] = sum(merged.values())
    return largest


def _most(
    tree: GameTree, weight: dict[int, float], parent: Sequence[int], set_of: Sequence[int]
) -> float:
    """Return the largest sum of reaches that one player can attain behind its sequences."""
    while (latest := max(sequence if sequence < len(set_of) else -1 for sequence in weight)) >= 0:
        actions = tree.actions_of(set_of[latest])
        most = max(weight.pop(action, 0.0) for action in range(actions.start, actions.stop))
        above = parent[set_of[latest]]
        weight[above] = weight.get(above, 0.0) + most
    return sum(weight.values())


def _others_sequences(
    tree: GameTree, last: NDArray[np.int64], reach: NDArray[np.float64]
) -> list[_Weights]:
    """Return chance's reach of each information set, per sequences of the others."""
    sequences: list[_Weights] = [{} for _ in range(tree.info_sets)]
    for node in np.flatnonzero(tree.player >= 0).tolist():
        weights = sequences[tree.info_set[node]]
        others = tuple(np.delete(last[:, node], tree.player[node]).tolist())
        weights[others] = weights.get(others, 0.0) + float(reach[node])
    return sequences
