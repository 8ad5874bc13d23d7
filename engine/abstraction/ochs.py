"""Opponent cluster hand strength (OCHS): equity against eight clusters of opponents' hands.

The 169 starting hands are divided into eight clusters, from the weakest to the strongest; a hand's
feature is the vector of its equities against each of them.  Hands that win against different
opponents are told apart even where they win equally often.

Source of the idea, and of the clusters: Johanson, Burch, Valenzano, Bowling, "Evaluating
state-space abstractions in extensive-form games", AAMAS 2013, Table 1 (they come from k-means under
earth mover's distance on preflop histograms).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.abstraction.clustering import scale_of
from engine.abstraction.ochs_kernels import (
    CLUSTERS,
    ClusterTables,
    OchsScratch,
    fill_ochs,
)
from engine.equity.preflop import combo_equities
from engine.equity.river_rows_kernels import board_scratch
from engine.hands.cards import CARDS, COMBO_CARDS, COMBO_MASKS, COMBOS, card_bits
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HANDS
from engine.parallel.threads import Progress

_CHART: Final = """
    4 1 1 1 1 1 2 2 2 4 4 4 6
    1 6 1 1 1 1 2 2 3 4 4 6 6
    1 1 6 1 1 2 2 2 3 4 4 6 6
    1 1 1 6 3 3 3 3 3 4 4 6 6
    1 1 1 1 7 3 3 3 3 4 5 6 6
    1 1 1 2 3 7 3 3 5 5 5 6 7
    1 1 2 2 3 3 8 3 5 5 5 6 7
    2 2 2 2 3 3 3 8 5 5 5 7 7
    2 2 2 2 3 3 3 5 8 5 7 7 7
    2 2 4 4 4 4 5 5 5 8 7 7 7
    4 4 4 4 4 4 5 5 5 5 8 7 7
    4 4 4 6 6 6 6 6 7 7 7 8 7
    6 6 6 6 6 6 6 7 7 7 7 7 8
"""
"""Rows and columns go from deuce to ace, suited hands above the diagonal."""


def cluster_of_combos() -> NDArray[np.int64]:
    """Return (1326,) int64, the cluster 0..7 of each combo; the published ones are 1..8."""
    chart = np.array(_CHART.split(), np.int64).reshape(13, 13) - 1
    high, low = (COMBO_CARDS >> 2).T
    suited = (COMBO_CARDS[:, 0] & 3) == (COMBO_CARDS[:, 1] & 3)
    clusters: NDArray[np.int64] = np.where(suited, chart[low, high], chart[high, low])
    return clusters


def cluster_tables(of_combo: NDArray[np.int64] | None = None) -> ClusterTables:
    """Return the clusters as the kernels take them, the published ones by default.

    Raises:
        ValueError: not (1326,) int64 within 0..7.
    """
    of_combo = cluster_of_combos() if of_combo is None else of_combo
    if of_combo.shape != (COMBOS,) or of_combo.dtype != np.int64:
        raise ValueError(f"clusters: want (1326,) int64, got {of_combo.shape} {of_combo.dtype}")
    if of_combo.min() < 0 or of_combo.max() >= CLUSTERS:
        raise ValueError(f"clusters: want 0..{CLUSTERS - 1}")
    holding = [np.flatnonzero(np.isin(COMBO_CARDS, card).any(axis=1)) for card in range(CARDS)]
    with_card = [np.bincount(of_combo[combos], minlength=CLUSTERS) for combos in holding]
    sizes = np.bincount(of_combo, minlength=CLUSTERS)
    return ClusterTables(
        of_combo=of_combo,
        by_cluster=np.argsort(of_combo, kind="stable"),
        ends=np.cumsum(sizes),
        with_card=np.array([*with_card, sizes], np.int16),
        holding=np.array(holding),
    )


def ochs_scratch() -> OchsScratch:
    """Return scratch for one thread."""
    return OchsScratch(
        board=board_scratch(),
        held=np.zeros((CARDS + 1, CLUSTERS), np.int16),
        sorted=np.zeros(COMBOS, np.int16),
        won=np.zeros(CLUSTERS, np.int16),
        met=np.zeros(CLUSTERS, np.int16),
        point=np.zeros(CLUSTERS, np.float32),
    )


def river_vectors(board: Sequence[int]) -> NDArray[np.float64]:
    """Return the equity of all combos against each cluster on a complete board.

    Returns:
        (1326, 8) float64, nan where the board blocks the combo.

    Raises:
        ValueError: not five different cards.
    """
    card_bits(board)
    if len(board) != 5:
        raise ValueError(f"a board of {len(board)} cards: want 5")
    won, met = np.zeros((2, COMBOS, CLUSTERS), np.int16)
    fill_ochs(np.array(board, np.uint8), cluster_tables(), ochs_scratch(), won, met)
    with np.errstate(invalid="ignore"):
        return won / (2.0 * met)


def random_points(
    boards: int, hands: int, rng: np.random.Generator, progress: Progress | None = None
) -> NDArray[np.float32]:
    """Return the features of river hands dealt at random, as points for k-means under L2.

    Args:
        boards: how many boards are dealt.
        hands: how many different hands are dealt on each of them.

    Returns:
        (boards * hands, 8) float32.
    """
    clusters, scratch = cluster_tables(), ochs_scratch()
    won, met = np.zeros((2, COMBOS, CLUSTERS), np.int16)
    scale = scale_of(CLUSTERS, squared=True)
    points = np.empty((boards, hands, CLUSTERS), np.float32)
    for n in range(boards):
        board = rng.choice(CARDS, 5, replace=False).astype(np.uint8)
        live = fill_ochs(board, clusters, scratch, won, met)
        drawn = scratch.board.order[rng.choice(live, hands, replace=False)]
        halves, others = won[drawn].astype(np.int64), met[drawn].astype(np.int64)
        points[n] = (halves * scale + others) // (2 * others)  # as `ochs_point` does
        if progress is not None:
            progress((n + 1) / boards)
    return points.reshape(-1, CLUSTERS)


def preflop_vectors() -> NDArray[np.float64]:
    """Return the features of the 169 starting hands before the flop: (169, 8) float64, exact.

    Raises:
        ArtifactMismatch: the shipped preflop counts are missing or damaged.
    """
    of_hand = (np.arange(STARTING_HANDS)[:, None] == COMBO_STARTING_HAND).astype(np.float64)
    of_cluster = (cluster_of_combos()[:, None] == np.arange(CLUSTERS)).astype(np.float64)
    met = ((COMBO_MASKS[:, None] & COMBO_MASKS) == 0).astype(np.float64)
    won = combo_equities().astype(np.float64)
    vectors: NDArray[np.float64] = (of_hand @ won @ of_cluster) / (of_hand @ met @ of_cluster)
    return vectors
