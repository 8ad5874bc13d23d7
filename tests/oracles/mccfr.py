"""External sampling the slow way: recursion over the betting tree, numbers in dictionaries.

It draws the same random numbers as the kernels: output i of SplitMix64, numbered by places of the
walk, which are found by walking the tree and the walk side by side.
"""

from collections import defaultdict

import numpy as np

from engine.betting.betting_tree import DEAL, FOLDED

WORDS = 1 << 64
GOLDEN = 0x9E3779B97F4A7C15


def random_word(key, number):
    """Return one output of the SplitMix64 generator seeded with `key`."""
    word = (key + number * GOLDEN) % WORDS
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORDS
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORDS
    return word ^ (word >> 31)


def uniform(word):
    """Return a number within [0, 1)."""
    return (word >> 41) / 2**23


def explored(word):
    """Return another number within [0, 1), of other bits."""
    return (word >> 21) % 2**20 / 2**20


def matched(regrets):
    """Return the strategy that matches regrets."""
    above = [max(regret, 0.0) for regret in regrets]
    total = sum(above)
    return [share / total if total > 0 else 1 / len(above) for share in above]


class SlowMccfr:
    """Regrets and strategy sums by (decision, bucket)."""

    def __init__(self, info_sets, pruning=None, floor=-np.inf, exploration=0.0, mistakes=0.0):
        self.tree, self.walk = info_sets.tree, info_sets.walk.tolist()
        self.pruning, self.floor = pruning, floor
        self.exploration, self.mistakes = exploration, mistakes
        self.regret = defaultdict(lambda: [0.0] * 8)
        self.sums = defaultdict(lambda: [0.0] * 8)
        self.last_street = len(info_sets.buckets) - 1

    def traverse(self, deals):
        """Traverse once for each deal, for players 0 and 1 by turns."""
        for number in range(len(deals.key)):
            self.key = int(deals.key[number])
            self.bucket = deals.bucket[number].tolist()
            self.result = int(deals.result[number])
            self.traverser = number % 2
            self._value(self._settled(0), 0, 1.0)

    def _settled(self, node):
        """Return the first node from here on that is an end or a choice."""
        while self.tree.child_count[node] == 1:
            node = int(self.tree.first_child[node])
        return node

    def _value(self, node, place, reach):
        tree = self.tree
        count = int(tree.child_count[node])
        if count == 0:
            return self._payoff(node)
        player, street = int(tree.kind[node]), int(tree.street[node])
        first = self.walk[place] >> 7 & (1 << 28) - 1
        below = [self._settled(int(tree.first_child[node]) + i) for i in range(count)]
        here = (node, self.bucket[player][street])
        if player == self.traverser:
            return self._learn(here, below, first, street, reach)
        strategy = matched(self.regret[here][:count])
        for i in range(count):
            self.sums[here][i] += strategy[i] * reach
        word = random_word(self.key, first)
        taken = [1 / count] * count if explored(word) < self.exploration else strategy
        action, passed = 0, taken[0]
        while passed <= uniform(word):
            action += 1
            passed += taken[action]
        sampled = (1 - self.exploration) * strategy[action] + self.exploration / count
        meant = (1 - self.mistakes) * strategy[action] + self.mistakes / count
        worth = meant / sampled
        return worth * self._value(below[action], first + action, reach * worth)

    def _learn(self, here, below, first, street, reach):
        regrets = self.regret[here]
        values = {}
        for i, node in enumerate(below):
            if not self._is_skipped(regrets, i, len(below), node, first + i, street):
                values[i] = self._value(node, first + i, reach)
        above = [max(regret, 0.0) for regret in regrets[: len(below)]]
        weights = above if any(above) else [1.0] * len(below)
        worth = sum(weights[i] * value for i, value in values.items()) / sum(weights)
        for i, value in values.items():
            regrets[i] = max(regrets[i] + reach * (value - worth), self.floor)
        return worth

    def _is_skipped(self, regrets, action, count, node, place, street):
        pruning = self.pruning
        if pruning is None or self.tree.kind[node] >= DEAL:
            return False
        if street == self.last_street and not pruning.on_last_street:
            return False
        below = pruning.threshold - regrets[action]
        if max(regrets[:count]) <= 0 or below <= 0:
            return False
        tried = max(pruning.softness / (pruning.softness + below), pruning.least)
        return uniform(random_word(WORDS - 1 - self.key, place)) >= tried

    def _payoff(self, node):
        tree = self.tree
        chips = int(min(tree.spent[node]))
        if tree.kind[node] == FOLDED:
            won = chips if tree.kind[tree.parent[node]] == 1 else -chips
        else:
            won = chips * self.result
        return float(won if self.traverser == 0 else -won)


class SlowRestrained(SlowMccfr):
    """The same against an opponent with a table: (decision, bucket) -> (trust, row).

    What is learned of both is kept by (who is the opponent or not, decision, bucket).
    """

    def __init__(self, info_sets, fixed):
        super().__init__(info_sets)
        self.fixed = fixed
        self.both = [(defaultdict(lambda: [0.0] * 8), defaultdict(lambda: [0.0] * 8)) for _ in "ab"]

    def _value(self, node, place, reach):
        if not self.tree.child_count[node]:
            return self._payoff(node)
        opponent = self.key >> 63
        player = int(self.tree.kind[node])
        self.regret, self.sums = self.both[player == opponent]
        here = (node, self.bucket[player][int(self.tree.street[node])])
        trust, row = self.fixed[here]
        first = self.walk[place] >> 7 & (1 << 28) - 1
        forced = uniform(random_word(WORDS - 1 - self.key, first)) < trust
        if player == opponent != self.traverser and forced:
            action, passed = 0, row[0]
            while passed <= uniform(random_word(self.key, first)):
                action += 1
                passed += row[action]
            below = self._settled(int(self.tree.first_child[node]) + action)
            return self._value(below, first + action, reach)
        return super()._value(node, place, reach)

    def _learn(self, here, below, first, street, reach):
        values = [self._value(node, first + i, reach) for i, node in enumerate(below)]
        ours = self.traverser != self.key >> 63
        regrets = self.both[not ours][0][here]
        strategy = matched(regrets[: len(below)])
        worth = sum(share * value for share, value in zip(strategy, values, strict=True))
        for i, value in enumerate(values):
            regrets[i] += reach * (value - worth)
        trust, row = (0.0, strategy) if ours else self.fixed[here]
        follows = sum(share * value for share, value in zip(row, values, strict=True))
        return trust * follows + (1 - trust) * worth
