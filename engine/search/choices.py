"""Leaves at which one player chooses how the hand is played on: multi-valued states.

    tree, leaves = with_choices(tree, nodes, chooser, count)

Each of some nodes where a street ends becomes a decision of the chooser, with `count` leaves below
it, one for each way to play on.  Nothing behind is kept.  The other player does not see the choice:
the hand ends here for the solver, so nobody acts after it.  Leaves come last in the tree, as deals
that lead nowhere.

Source: Brown, Sandholm, Amos, "Depth-limited solving for imperfect-information games", NeurIPS
2018.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from engine.betting.betting_tree import CALL, DEAL, BettingTree


def with_choices(
    tree: BettingTree, nodes: Collection[int], chooser: int, count: int
) -> tuple[BettingTree, dict[int, range]]:
    """Return a tree that ends with choices, and each one's leaves, by its node in the first tree.

    Args:
        nodes: where a street ends and the next card is dealt.
        chooser: player 0 or 1.
        count: ways to play on.

    Raises:
        ValueError: a node is no deal, the chooser no player, or there is nothing to choose from.
    """
    if chooser not in (0, 1) or count < 1:
        raise ValueError(f"player {chooser} chooses among {count}")
    ends = sorted(nodes)
    if any(tree.kind[node] != DEAL for node in ends):
        raise ValueError("a choice comes where a street ends and a card is dealt")
    inner_nodes = _before(tree, frozenset(ends))
    number = {int(node): index for index, node in enumerate(inner_nodes)}
    places = [number[node] for node in ends if node in number]
    leaves = len(inner_nodes) + count * np.arange(len(places))
    parent = np.array([number.get(int(above), -1) for above in tree.parent[inner_nodes]], np.int32)
    first = np.array(
        [number.get(int(below), 0) for below in tree.first_child[inner_nodes]], np.int32
    )
    kind, children = tree.kind[inner_nodes].copy(), tree.child_count[inner_nodes].copy()
    kind[places], first[places], children[places] = chooser, leaves, count
    below = np.repeat(np.array(places, np.int32), count)
    ones = np.ones(len(below), np.int32)
    cut = replace(
        tree,
        kind=np.concatenate((kind, (DEAL * ones).astype(np.int8))),
        street=np.concatenate((tree.street[inner_nodes], tree.street[inner_nodes][below])),
        parent=np.concatenate((parent, below)),
        first_child=np.concatenate((first, 0 * ones)),
        child_count=np.concatenate((children, 0 * ones)),
        action=np.concatenate((tree.action[inner_nodes], (CALL * ones).astype(np.int8))),
        raise_to=np.concatenate((tree.raise_to[inner_nodes], 0 * ones)),
        spent=np.concatenate((tree.spent[inner_nodes], tree.spent[inner_nodes][below])),
    )
    starts = leaves.tolist()
    reached_ends = [node for node in ends if node in number]
    return cut, {node: range(at, at + count) for node, at in zip(reached_ends, starts, strict=True)}


def _before(tree: BettingTree, ends: frozenset[int]) -> np.ndarray:
    """Return the nodes that do not lie behind an end, ascending."""
    inner_nodes = [0]
    for node in inner_nodes:  # grows while it is walked
        if node not in ends:
            inner_nodes.extend(tree.children(node))
    return np.array(sorted(inner_nodes), np.intp)
