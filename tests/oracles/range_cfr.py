"""Obvious version of engine.range_solver: recursion over betting and cards, matrices, float64."""

import math

import numpy as np
import pytest

from engine.betting.betting_tree import DEAL, FOLDED
from engine.cfr.solver import StrategyKind
from engine.hands.cards import COMBO_CARDS
from engine.showdown.evaluator import strength


class RangeOracle:
    """CFR for a subgame; every table is a dict from (node, board) to (actions, hands)."""

    def __init__(self, tree, board, ranges, *, alternating=True, fixed=lambda node, board: None):
        """Start from uniform strategies.

        `fixed` returns the strategy (actions, hands) of decisions that are not to be learnt, or
        None.
        """
        self.fixed = fixed
        self.tree, self.board, self.alternating = tree, tuple(board), alternating
        blocked = np.isin(COMBO_CARDS, board).any(axis=1)
        self.hands = [np.flatnonzero((np.asarray(side) > 0) & ~blocked) for side in ranges]
        self.cards = [COMBO_CARDS[hands] for hands in self.hands]
        self.holds = [[(cards == card).any(axis=1) for card in range(52)] for cards in self.cards]
        beliefs = [
            np.asarray(side, float)[hands] for side, hands in zip(ranges, self.hands, strict=True)
        ]
        self.beliefs = [belief / belief.sum() for belief in beliefs]
        self.free = np.array(
            [[not set(a) & set(b) for b in self.cards[1].tolist()] for a in self.cards[0].tolist()],
            float,
        )
        self.joint = self.beliefs[0] @ self.free @ self.beliefs[1]
        self.regret, self.strategy_sum, self.matched, self.signs = {}, {}, {}, {}
        self.seen = {}  # every value that a decision had
        self.matching = [None, None]

    def iterate(self, step):
        """Run one iteration for both players."""
        if self.alternating:
            for player in (0, 1):
                self._update([player], step)
        else:
            self._update([0, 1], step)

    def _update(self, players, step):
        found = {}
        for player in players:
            self._values(player, self.current, seen=found)
        for key, (instant, played, value) in found.items():
            self.seen.setdefault(key, []).append(value)
            old = self.regret.get(key, 0 * instant)
            new = old * np.where(old > 0, step.positive, step.negative) + instant
            self.regret[key] = self.matched[key] = np.maximum(new, 0) if step.floor else new
            if step.prediction:
                guess = self.regret[key] * step.carry + step.prediction * instant
                self.matched[key] = np.maximum(guess, 0)
            kept = self.strategy_sum.get(key, 0 * played)
            self.strategy_sum[key] = kept * step.keep + step.weight * played
        for player in players:
            self.matching[player] = step

    def current(self, node, board):
        """Return the strategy that is played next, (actions, hands)."""
        return self._match(self.matched, node, board, self.matching[self.tree.kind[node]])

    def average(self, node, board):
        """Return the normalised strategy sum, (actions, hands)."""
        return self._match(self.strategy_sum, node, board, None)

    def exploitability(self, profile):
        """Return the mean of both players' best-response values, in chips."""
        best = [self._values(player, profile, best=True) for player in (0, 1)]
        return sum(b @ v for b, v in zip(self.beliefs, best, strict=True)) / 2 / self.joint

    def value(self, profile):
        """Return what player 0 wins, in chips."""
        return self.beliefs[0] @ self._values(0, profile) / self.joint

    def _match(self, table, node, board, step):
        fixed = self.fixed(node, board)
        if fixed is not None:
            return fixed
        actor = self.tree.kind[node]
        actions = self.tree.child_count[node]
        rows = table.get((node, board), np.zeros((actions, len(self.hands[actor]))))
        if step is not None and step.rate > 0:
            unit = self._rivals(actor, board, self.beliefs, self.free) * self._chance(board)
            speed = np.divide(step.rate, unit, out=0 * unit, where=unit > 0)
            if step.variance_rate > 0 and (node, board) in self.seen:
                deviation = np.std(self.seen[node, board], axis=0)
                speed = np.divide(step.variance_rate, deviation, out=speed, where=deviation > 0)
            speed = speed * np.sqrt(np.log2(actions))
            if step.plain:
                speed = step.rate
            weights = np.exp(speed * (rows - rows.max(axis=0)))
        else:
            weights = np.maximum(rows, 0) ** (step.exponent if step is not None else 1.0)
        total = weights.sum(axis=0)
        return np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / actions)

    def values_at(self, leaf, weights, player, profile, *, best=False):
        """Return the counterfactual value of each of the player's hands at a leaf.

        Reach is given as `weights`, with beliefs in it; the probability of the leaf's board is left
        out.
        """
        reach = [weight / belief for weight, belief in zip(weights, self.beliefs, strict=True)]
        values = self._values(player, profile, best=best, start=(leaf.node, leaf.board, reach))
        return values / self._chance(leaf.board)

    def _values(self, player, profile, *, best=False, seen=None, start=None):
        """Return the counterfactual value of each of the player's hands at the root.

        `seen`, a dict, receives instantaneous regrets and what was played at all its decisions that
        are learnt.
        """
        tree = self.tree

        def values(node, board, reach):
            kind = tree.kind[node]
            if kind == FOLDED:
                folder = tree.kind[tree.parent[node]]
                amount = tree.spent[node, folder] * (-1.0 if folder == player else 1.0)
                return amount * self._chance(board) * self._rivals(player, board, reach, self.free)
            if kind >= DEAL and len(board) < self.tree.game.board_total:
                below = tree.first_child[node] if kind == DEAL else node
                return sum(
                    values(
                        below, (*board, card), [self._without(card, p, reach[p]) for p in (0, 1)]
                    )
                    for card in range(52)
                    if card not in board
                )
            if kind >= DEAL:
                amount = tree.spent[node].min() * self._chance(board) * (-1.0 if player else 1.0)
                return amount * self._rivals(player, board, reach, self._signs(board))
            strategy = profile(node, board)
            found = []
            for action, chosen in enumerate(strategy):
                moved = list(reach)
                moved[kind] = reach[kind] * chosen
                found.append(values(tree.first_child[node] + action, board, moved))
            if kind != player:
                return sum(found)
            if best:
                return np.max(found, axis=0)
            total = sum(chosen * value for chosen, value in zip(strategy, found, strict=True))
            if seen is not None and self.fixed(node, board) is None:
                seen[node, board] = np.array(found) - total, reach[player] * strategy, total
            return total

        if start is None:
            start = 0, self.board, [np.ones(len(hands)) for hands in self.hands]
        return values(*start)

    def _rivals(self, player, board, reach, matrix):
        """Return, per hand of the player, the sum of matrix * belief * reach over the other's."""
        other = 1 - player
        rivals = self.beliefs[other] * (reach[other] if reach is not self.beliefs else 1)
        for card in board[len(self.board) :]:
            rivals = self._without(card, other, rivals)
        found = (matrix if player == 0 else matrix.T) @ rivals
        for card in board[len(self.board) :]:
            found = self._without(card, player, found)
        return found

    def _without(self, card, player, numbers):
        return np.where(self.holds[player][card], 0, numbers)

    def _chance(self, board):
        """Return the probability of the cards dealt since the root, given two hands."""
        return math.prod(1 / (48 - seen) for seen in range(len(self.board), len(board)))

    def _signs(self, board):
        """Return 1, 0, -1 for pairs of hands that player 0 wins, ties, loses; 0 if blocked."""
        if board not in self.signs:
            held = [
                np.array([strength(tuple(map(int, (*hole, *board)))) for hole in cards])
                for cards in self.cards
            ]
            self.signs[board] = np.sign(held[0][:, None] - held[1][None]) * self.free
        return self.signs[board]


def profiles_of(oracle):
    """The oracle's profile of each kind."""
    return {StrategyKind.CURRENT: oracle.current, StrategyKind.AVERAGE: oracle.average}


def assert_played_alike(solver, oracle, *, atol, dealt=()):
    """Both play the same at all decisions of a street, now and on average."""
    board = (*solver.game.board, *dealt)
    for which, profile in profiles_of(oracle).items():
        for node, place in solver.game.places.items():
            if place.level == len(dealt):
                hands = oracle.hands[place.player]
                live = ~np.isin(COMBO_CARDS[hands], dealt).any(axis=1)
                ours = solver.strategy(which, node, dealt)[hands]
                np.testing.assert_allclose(ours[live], profile(node, board).T[live], atol=atol)


def assert_valued_alike(solver, oracle, *, rel, kinds=tuple(StrategyKind)):
    """Both have the same exploitability and value, of one profile or of both."""
    for which in kinds:
        profile = profiles_of(oracle)[which]
        wanted = {
            "exploitability": oracle.exploitability(profile),
            "game_value": oracle.value(profile),
        }
        for measure, value in wanted.items():
            assert getattr(solver, measure)(which) == pytest.approx(value, rel=rel, abs=1e-3)
