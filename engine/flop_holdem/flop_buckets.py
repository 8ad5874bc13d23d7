"""Buckets of the hands on the flop, by their chances against eight kinds of opposing hands.

The features are those of `engine.abstraction.ochs`, with five cards shown down: what a hand wins
from each cluster of starting hands on this flop, a tie counting half.  The buckets are k-means of
these, over all flops at once, each class of flops with its number of ways.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.clustering import KMeans, assign, k_means, vector_points
from engine.abstraction.ochs import cluster_of_combos
from engine.abstraction.ochs_kernels import CLUSTERS
from engine.flop_holdem.flops import FlopTables
from engine.flop_holdem.walk_kernels import FlopHands, value_fold, value_showdown
from engine.hands.cards import COMBO_CARDS
from engine.parallel.threads import Progress, run_blocks

_FLOPS_AT_ONCE: Final = 64
_SAMPLE: Final = 8
"""Points to a bucket that take part in the clustering, of which some are alike."""
_LEAST_SAMPLE: Final = 60_000


def flop_features(tables: FlopTables, *, threads: int | None = None) -> NDArray[np.float32]:
    """Return (F, 1176, 8) what each hand wins from each cluster, 0 to 1.

    A hand that meets nobody of a cluster has 0.5 there.
    """
    clusters = cluster_of_combos()
    found = np.empty((*tables.combo.shape, CLUSTERS), np.float32)

    def work(first: int, end: int) -> None:
        won, met = np.empty(tables.live), np.empty(tables.live)
        for flop in range(first, end):
            combo = tables.combo[flop]
            hands = FlopHands(COMBO_CARDS[combo], tables.group_end[flop])
            for cluster in range(CLUSTERS):
                reach = (clusters[combo] == cluster).astype(np.float64)
                value_showdown(hands, reach, 1.0, won)
                value_fold(hands, reach, 1.0, met)
                share = np.divide(won, met, out=np.zeros(tables.live), where=met > 0)
                found[flop, :, cluster] = 0.5 + share / 2

    run_blocks(work, len(tables.ways), _FLOPS_AT_ONCE, threads=threads)
    return found


def flop_buckets(
    tables: FlopTables,
    features: NDArray[np.float32],
    count: int,
    seed: int,
    *,
    settings: KMeans | None = None,
    progress: Progress | None = None,
) -> NDArray[np.uint16]:
    """Return (F, 1176) uint16 the bucket of each hand.

    Many buckets are clustered from a part of the hands, drawn by the ways to see them.

    Args:
        features: of `flop_features`.
        count: buckets, 1 to 65536.

    Raises:
        ValueError: so many buckets cannot be.
    """
    if not 1 <= count <= 1 << 16:
        raise ValueError(f"{count} buckets: want 1 to {1 << 16}")
    points = vector_points(features.reshape(-1, CLUSTERS))
    weights = np.repeat(tables.ways, tables.live).astype(np.float64)
    rng = np.random.default_rng(seed)
    size = min(max(_SAMPLE * count, _LEAST_SAMPLE), len(points))
    drawn = rng.choice(len(points), size, replace=False, p=weights / weights.sum())
    settings = settings or KMeans()
    clustering = k_means(
        points[drawn], count, squared=True, rng=rng, settings=settings, progress=progress
    )
    found, _ = assign(points, clustering.centres, threads=settings.threads)
    return found.astype(np.uint16).reshape(tables.combo.shape)
