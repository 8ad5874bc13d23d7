"""A branch of a betting tree the slow way: every deal is followed, and best responses are exact.

A deal has buckets (2, S), a result and a weight; all D of them go down the tree side by side.
"""

import numpy as np

from engine.betting.betting_tree import DEAL, FOLDED, LEFT, SHOWDOWN


class Followed:
    """A tree with all its deals: buckets (D, 2, S), results (D,), weights (D,), elsewhere (D,)."""

    def __init__(self, tree, bucket, result, weight, elsewhere):
        self.tree, self.bucket, self.result = tree, bucket, result
        self.weight, self.elsewhere = weight / weight.sum(), elsewhere

    def value(self, strategy, node=0):
        """Return (D,) what player 0 wins from a node on when both play a strategy by node."""
        return self._down(node, np.ones(len(self.weight)), strategy, None)

    def best(self, strategy, player):
        """Return what a player wins who knows the other's strategy, chips a deal."""
        won = self._down(0, self.weight, strategy, player).sum()
        return float(won if player == 0 else -won)

    def _down(self, node, reach, strategy, responder):
        """Return (D,) what player 0 wins, times reach."""
        tree, kind = self.tree, int(self.tree.kind[node])
        if kind == DEAL:
            return self._down(int(tree.first_child[node]), reach, strategy, responder)
        if kind >= FOLDED:
            return reach * self._end(node)
        held = self.bucket[:, kind, int(tree.street[node])]
        if kind != responder:
            shares = strategy(node)[held].T
            parts = zip(tree.children(node), shares, strict=True)
            return sum(self._down(a, reach * share, strategy, responder) for a, share in parts)
        won = np.array([self._down(a, reach, strategy, responder) for a in tree.children(node)])
        gains = won if kind == 0 else -won
        by_bucket = np.array([np.bincount(held, one, held.max() + 1) for one in gains])
        return won[by_bucket.argmax(axis=0)[held], np.arange(len(held))]

    def _end(self, node):
        tree, kind = self.tree, int(self.tree.kind[node])
        if kind == LEFT:
            return self.elsewhere
        stake = int(tree.spent[node].min())
        if kind == SHOWDOWN:
            return stake * self.result
        folder = int(tree.kind[tree.parent[node]])
        return -tree.spent[node, 0] if folder == 0 else tree.spent[node, 1] * np.ones(1)
