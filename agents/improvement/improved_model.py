"""The model that holds trained branches: its old rows as they were, and the new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.blueprint_model.codes import nearest_codes
from agents.blueprint_model.model import BlueprintModel, row_bits, tree_of
from agents.blueprint_model.packing import PackedRows
from agents.improvement.branch import extended, matching_nodes

Average = Callable[[int], NDArray[np.float32]]
"""Node of a branch, counted from its raise on -> (B, A) float32."""


def improved_model(
    model: BlueprintModel, branches: Mapping[str, Average], provenance: Mapping[str, Any]
) -> BlueprintModel:
    """Return a model with branches added; every row that it had stays to the last bit.

    Args:
        branches: by their extra raises.
    """
    config = extended(model.config, tuple(branches))
    tree = tree_of(config)
    old = matching_nodes(tree, model.tree)
    learned: dict[int, tuple[Average, int]] = {}
    for extra, average in branches.items():
        for index, node in enumerate(tree.nodes_below(tree.path(extra)[-1]).tolist()):
            learned[node] = average, index
    bits = row_bits(config, tree)

    def rows() -> Iterator[tuple[NDArray[Any], int]]:
        for node in np.flatnonzero(bits).tolist():
            if node in learned:
                average, index = learned[node]
                yield nearest_codes(average(index), int(bits[node])), int(tree.child_count[node])
            else:
                there = int(old[node])
                yield model.numbers(there)[0], model.own_actions(there)

    return BlueprintModel(config, tree, model.cards, PackedRows.pack(rows()), provenance)
