"""Sampled values of actions before a fixed strategy."""

import numpy as np

from engine.betting.info_sets import build_info_sets
from engine.mccfr.playouts import BATCH, play_out
from engine.mccfr.weighted_deals import WeightedDeals
from tests.helpers.small_mccfr import SmallGame
from tests.oracles.branches import Followed
from tests.unit.engine.mccfr.test_weighted_deals import WEIGHTS, every_deal


def test_values_are_right_on_average():
    """Of each action and rank, within 5 of the deviations that are told; every deal is counted."""
    leduc = SmallGame("leduc")
    rng = np.random.default_rng(2)
    strategies = {
        int(node): rng.dirichlet(
            np.ones(leduc.betting.child_count[node]),
            leduc.cards.counts[int(leduc.betting.street[node])],
        ).astype(np.float32)
        for node in leduc.betting.decisions
    }
    root = leduc.betting.path("c")[-1]  # player 1 acts
    tree, nodes = leduc.betting.below(root), leduc.betting.nodes_below(root)
    source = WeightedDeals(leduc.definition, leduc.cards, WEIGHTS)
    seen = list(
        play_out(
            build_info_sets(tree, leduc.cards.counts),
            lambda node: strategies[int(nodes[node])],
            source,
            20 * BATCH + 7,
            np.random.default_rng(3),
        )
    )
    found = seen[-1]
    assert len(seen) == 21
    assert found.deals.sum() == 20 * BATCH + 7
    bucket, result, weight, elsewhere = every_deal(leduc, WEIGHTS, np.zeros(3))
    followed = Followed(tree, bucket, result, weight, elsewhere)
    for place, child in enumerate(tree.children(0)):
        won = -followed.value(lambda node: strategies[int(nodes[node])], child)
        for rank in range(3):
            held = bucket[:, 1, 0] == rank
            want = (won * weight)[held].sum() / weight[held].sum()
            assert abs(found.mean[rank, place] - want) <= 5 * found.error[rank, place] + 1e-6
