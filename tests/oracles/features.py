"""Obvious versions of engine.abstraction.histograms and ochs: one hand against every other."""

from itertools import combinations

import numpy as np

from engine.showdown.strength_kernels import strengths


def won_and_met(hole, board, cluster_of=None, clusters=1):
    """Return, per cluster of opponents, wins twice plus ties once, and how many there are."""
    left = [card for card in range(52) if card not in {*hole, *board}]
    others = list(combinations(left, 2))
    rows = np.array([(*hole, *board), *((*other, *board) for other in others)], np.uint8)
    mine, *theirs = strengths(rows).tolist()
    won, met = [0] * clusters, [0] * clusters
    for (low, high), strength in zip(others, theirs, strict=True):
        cluster = 0 if cluster_of is None else cluster_of[high * (high - 1) // 2 + low]
        won[cluster] += 2 * (strength < mine) + (strength == mine)
        met[cluster] += 1
    return won, met


def halves(hole, board):
    """Return twice the opponents beaten plus those tied with."""
    return won_and_met(hole, board)[0][0]


def runouts(hole, board):
    """Return every board of five cards that can come of this one."""
    left = [card for card in range(52) if card not in {*hole, *board}]
    return [(*board, *rest) for rest in combinations(left, 5 - len(board))]


def histogram(hole, board, bins):
    """Return how many run-outs fall into each of the equal bins of equity."""
    counts = [0] * bins
    for complete in runouts(hole, board):
        counts[min(halves(hole, complete) * bins // 1980, bins - 1)] += 1
    return counts
