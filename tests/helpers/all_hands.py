"""Every hand of the full deck, for exhaustive checks of the evaluator."""

from itertools import combinations

import numpy as np

from engine.showdown.evaluator import strengths


def all_hands(count):
    """Return all hands of `count` cards as (N, count) uint8."""
    flat = np.fromiter((card for hand in combinations(range(52), count) for card in hand), np.uint8)
    return flat.reshape(-1, count)


def count_categories(count):
    """Return how many of all hands of `count` cards fall into each of the nine categories."""
    totals = np.zeros(9, np.int64)
    tails = all_hands(3)
    for head in combinations(range(52), count - 3):
        rest = tails[tails[:, 0] > head[-1]]
        hands = np.empty((len(rest), count), np.uint8)
        hands[:, : count - 3] = head
        hands[:, count - 3 :] = rest
        totals += np.bincount(strengths(hands) >> 20, minlength=9)
    return totals.tolist()
