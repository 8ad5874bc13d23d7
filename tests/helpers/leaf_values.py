"""Exact stand-ins for what a value network says at the leaves of a depth-limited solve."""

from functools import cache

import numpy as np

from engine.cfr.solver import StrategyKind, solve
from engine.hands.cards import COMBOS
from engine.hands.ranges import compatible_reach
from engine.hands.starting_hands import COMBO_STARTING_HAND
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from tests.helpers.root_gadgets import Entered
from tests.oracles.range_cfr import RangeOracle


def nodes_behind(tree, leaf_nodes):
    """The leaves and all that lies below them."""
    behind = set(leaf_nodes)
    for node in range(tree.nodes):
        if int(tree.parent[node]) in behind:
            behind.add(node)
    return behind


def odd_play(tree, leaf_nodes, hands):
    """Strategies behind leaves: different for every node and starting hand, alike in all suits."""
    behind = nodes_behind(tree, leaf_nodes)

    @cache
    def shares_of(node):
        actions = tree.child_count[node]
        weights = np.random.default_rng(node).uniform(0.1, 1, (actions, 169))
        shares = (weights / weights.sum(axis=0))[:, COMBO_STARTING_HAND]
        return shares[:, hands[tree.kind[node]]]

    return lambda node, board: shares_of(node) if node in behind else None


class PlayedOn:
    """Both go on from the leaves in a known way, whatever their ranges: exact at any iteration."""

    def __init__(self, tree, board, ranges, profile):
        """Value `profile`, a function of node and board, as the obvious solver does."""
        self.oracle = RangeOracle(tree, board, ranges)
        self.profile = profile
        self.requests = []

    def values(self, request):
        """Return the values of all leaves; others than those asked for are nan."""
        self.requests.append((request.players, request.best))
        found = np.full((len(request.leaves), 2, COMBOS), np.nan, np.float32)
        hands = self.oracle.hands
        for answer, leaf, reach in zip(found, request.leaves, request.reach, strict=True):
            weights = [side[held] for side, held in zip(reach, hands, strict=True)]
            for player in request.players:
                answer[player, hands[player]] = self.oracle.values_at(
                    leaf, weights, player, self.profile, best=request.best
                )
        return found


class SolvedOn:
    """Both go on from the leaves as solvers say that solve anew for the ranges that arrive."""

    def __init__(self, tree, ranges, variant, iterations):
        """Learn by a variant, with so many iterations for each answer."""
        self.tree, self.ranges, self.variant, self.iterations = tree, ranges, variant, iterations

    def values(self, request):
        """Return the values of all leaves."""
        found = np.zeros((len(request.leaves), 2, COMBOS), np.float32)
        for answer, leaf, reach in zip(found, request.leaves, request.reach, strict=True):
            entered = Entered()
            solver = RangeSolver(
                self.tree.below(leaf.node),
                leaf.board,
                self.ranges,
                RangeSettings(alternating=False),
                root=entered,
            )
            beliefs = solver.game.beliefs
            entered.factors = np.divide(
                reach, beliefs, out=np.zeros_like(reach), where=beliefs > 0
            ).astype(np.float32)
            solve(solver, self.variant, self.iterations)
            values = solver.best_response_values if request.best else solver.values
            rivals = [compatible_reach(side) for side in (beliefs * entered.factors)[::-1]]
            answer += np.nan_to_num(values(StrategyKind.AVERAGE)) * rivals
        return found
