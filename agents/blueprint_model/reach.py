"""How often play by a blueprint comes to a decision, and with which hands.

reach     (R, H) float32   probability that a player acts so that a node is reached, with each
          of H hands; nodes between which it does not act share a row
buckets   (H,) int32 on each street
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.blueprint_model.model import BlueprintModel
from agents.blueprint_model.strategy_rows import StrategyRows
from engine.betting.betting_tree import BettingTree

_AT_ONCE: Final = 1024


class Visits(NamedTuple):
    """What deals that were sampled say, by decision with at least two actions, as they come."""

    nodes: list[int]
    """The decisions."""
    reach_sums: list[NDArray[np.float32]]
    """(B,) probability that the player holds a hand of each bucket and acts so that it comes
    there; what the opponent does is left out."""
    deals: int
    """How many there were."""


def reach_rows(tree: BettingTree, player: int) -> NDArray[np.int64]:
    """Return (N,) which row of its reach belongs to a node: its own actions open new ones."""
    rows = np.zeros(tree.nodes, np.int64)
    opened = 1
    for node in range(tree.nodes):
        children = tree.children(node)
        if tree.kind[node] == player and len(children) > 1:
            rows[children.start : children.stop] = range(opened, opened + len(children))
            opened += len(children)
        else:
            rows[children.start : children.stop] = rows[node]
    return rows


def fill_reach(
    tree: BettingTree,
    player: int,
    rows: NDArray[np.int64],
    strategy: Callable[[int, Any], NDArray[np.float32]],
    buckets: Sequence[NDArray[np.int32]],
    reach: NDArray[np.float32],
) -> None:
    """Fill in the reach of a player; the first row of `reach` is given.

    Args:
        rows: of `reach_rows`.
        strategy: that of some buckets at a node.
    """
    for node in np.flatnonzero((tree.kind == player) & (tree.child_count > 1)).tolist():
        taken = strategy(node, buckets[int(tree.street[node])])
        into = rows[int(tree.first_child[node])]
        np.multiply(taken.T, reach[rows[node]], out=reach[into : into + taken.shape[1]])


def sampled_visits(
    model: BlueprintModel, deals: int, seed: int, on_progress: Callable[[int], None]
) -> Visits:
    """Let a hold'em model play itself on random deals, along all of its betting at once.

    Args:
        deals: hands of one player and boards, at least so many.
    """
    tree, counts = model.tree, model.cards.counts
    nodes = [node for node in tree.decisions.tolist() if model.own_actions(node) > 1]
    sums_by_node = [np.zeros(counts[int(tree.street[node])], np.float32) for node in nodes]
    rows = [reach_rows(tree, player) for player in (0, 1)]
    reach = [np.ones((int(node_rows.max()) + 1, _AT_ONCE), np.float32) for node_rows in rows]
    strategy, rng = StrategyRows(model, 0.0), np.random.default_rng(seed)
    batches = -(-deals // _AT_ONCE)
    for batch in range(1, batches + 1):
        buckets = _sampled_buckets(model, rng)
        for player in (0, 1):
            fill_reach(tree, player, rows[player], strategy, buckets, reach[player])
        for index, node in enumerate(nodes):
            player, street = int(tree.kind[node]), int(tree.street[node])
            here = reach[player][rows[player][node]]
            sums_by_node[index] += np.bincount(buckets[street], here, len(sums_by_node[index]))
        on_progress(batch * _AT_ONCE)
    for sums in sums_by_node:
        sums /= batches * _AT_ONCE
    return Visits(nodes, sums_by_node, batches * _AT_ONCE)


def _sampled_buckets(model: BlueprintModel, rng: np.random.Generator) -> list[NDArray[np.int32]]:
    """Return the buckets of `_AT_ONCE` random hands on each street of random boards."""
    game = model.tree.game
    deck = np.tile(np.array(game.deck), (_AT_ONCE, 1))
    deals = rng.permuted(deck, axis=1)[:, : game.hole_cards + game.board_total].tolist()
    return [
        np.array(
            [
                model.cards.bucket(cards[: game.hole_cards], cards[game.hole_cards :][:board_cards])
                for cards in deals
            ],
            np.int32,
        )
        for board_cards in map(game.board_seen, range(game.streets))
    ]
