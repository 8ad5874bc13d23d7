"""Exact stand-ins for what a value network says at the leaves of a depth-limited solve."""

from dataclasses import replace
from functools import cache

import numpy as np

from engine.betting.betting_tree import DEAL, DEALT
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


def subtree(tree, root):
    """The betting from a decision on, as a tree of its own."""
    nodes = [root]
    for node in nodes:
        nodes.extend(tree.children(node))
    number = {node: place for place, node in enumerate(nodes)}
    fields = {name: getattr(tree, name)[nodes] for name in tree.__slots__ if name != "game"}
    fields["parent"] = np.array(
        [number.get(int(above), -1) for above in fields["parent"]], np.int32
    )
    fields["first_child"] = np.array(
        [number.get(int(below), 0) for below in fields["first_child"]], np.int32
    )
    fields["action"][0] = DEALT
    return replace(tree, **fields)


class SolvedOn:
    """Both go on from the leaves as solvers of their own say, one for each leaf and next card.

    By default each solver makes one iteration a pass, so that all together are one CFR over the
    whole subgame.  With `afresh` it forgets, and solves anew for the ranges that it is asked about.
    """

    def __init__(self, tree, ranges, variant, afresh=0):
        """Learn by a variant; `afresh` is the number of iterations for each answer."""
        self.tree, self.ranges, self.variant, self.afresh = tree, ranges, variant, afresh
        self.learns = True
        self.which = StrategyKind.AVERAGE
        self.solvers = {}

    def values(self, request):
        """Return the values of all leaves."""
        found = np.zeros((len(request.leaves), 2, COMBOS), np.float32)
        for answer, leaf, reach in zip(found, request.leaves, request.reach, strict=True):
            for card, solver, entered in self._behind(leaf):
                beliefs = solver.game.beliefs
                entered.factors = np.divide(
                    reach, beliefs, out=np.zeros_like(reach), where=beliefs > 0
                ).astype(np.float32)
                share = 1 / (48 - len(leaf.board)) if card is not None else 1.0
                answer += share * self._won(solver, entered, request.best)
        return found

    def _won(self, solver, entered, best):
        """Return (2, 1326) counterfactual values of one solver."""
        if self.afresh:
            blank = RangeSolver(solver.game.tree, solver.game.board, self.ranges)
            solver.resume(blank.learnt)
            solve(solver, self.variant, self.afresh)
        elif self.learns:
            solver.iterate(self.variant.step(solver.iterations + 1, solver.spread))
            return entered.won * solver.game.rivals
        values = solver.best_response_values if best else solver.values
        rivals = [compatible_reach(side) for side in (solver.game.beliefs * entered.factors)[::-1]]
        return np.nan_to_num(values(self.which)) * rivals

    def _behind(self, leaf):
        """Return the solvers of a leaf, each with its card, if one is dealt, and its root."""
        if leaf not in self.solvers:
            deals = self.tree.kind[leaf.node] == DEAL
            node = int(self.tree.first_child[leaf.node]) if deals else leaf.node
            below = subtree(self.tree, node)
            cards = [c for c in range(52) if c not in leaf.board] if deals else [None]
            self.solvers[leaf] = [self._solver(below, leaf.board, card) for card in cards]
        return self.solvers[leaf]

    def _solver(self, tree, board, card):
        entered = Entered()
        cards = board if card is None else (*board, card)
        settings = RangeSettings(alternating=False)
        return card, RangeSolver(tree, cards, self.ranges, settings, root=entered), entered
