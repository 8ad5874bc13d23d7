"""One strategy against another, pair of hands by pair of hands."""

import numpy as np

from engine.betting.betting_tree import DEAL, FOLDED, SHOWDOWN
from engine.hands.cards import COMBO_CARDS
from engine.rules.state import HandState
from tests.oracles.evaluator import strength


def pairs_on(board):
    """Return (1326, 1326) which pairs of combos can be held, as probabilities, and who is better.

    Better is 1 where the first wins the showdown, -1 where the second does, 0 where they share.
    """
    cards = [int(card) for card in board]
    holes = np.asarray(COMBO_CARDS, np.int64)
    free = ~np.isin(holes, cards).any(axis=1)
    apart = (holes[:, None, :, None] != holes[None, :, None, :]).all(axis=(2, 3))
    apart &= free[:, None] & free[None, :]
    strengths = {i: strength([*hole, *cards]) for i, hole in enumerate(holes.tolist()) if free[i]}
    order = sorted(set(strengths.values()))
    ranks = np.array([order.index(strengths[i]) if free[i] else 0 for i in range(len(holes))])
    return apart / apart.sum(), np.sign(np.subtract.outer(ranks, ranks))


def held_on(board):
    """Return the combos that a board leaves, and of these what `pairs_on` returns."""
    start, better = pairs_on(board)
    free = np.flatnonzero(start.any(axis=1))
    both = np.ix_(free, free)
    return free, start[both], better[both]


def value_of_pairs(one, other, board):
    """Return what `one` wins from `other` on a board, chips per hand, mean of both seatings.

    Both are models of one tree.  Goes through the betting with the joint probability of all pairs.
    """
    tree, cards = one.tree, [int(card) for card in board]
    free, start, better = held_on(board)

    def won(node, joint, seats):
        kind = int(tree.kind[node])
        if kind == FOLDED:
            loser = int(tree.kind[tree.parent[node]])
            return joint.sum() * tree.spent[node][loser] * (1 if loser == 1 else -1)
        if kind == SHOWDOWN:
            return (joint * better).sum() * tree.spent[node].min()
        children = tree.children(node)
        if kind == DEAL:
            return won(children[0], joint, seats)
        model, street = seats[kind], int(tree.street[node])
        seen = cards[: tree.game.board_seen(street)]
        buckets = model.cards.buckets(seen)[free]
        rows = model.strategy(node)[buckets].astype(float)
        total = 0.0
        for column, child in enumerate(children):
            share = rows[:, column]
            total += won(child, joint * (share[:, None] if kind == 0 else share[None, :]), seats)
        return total

    return (won(0, start, (one, other)) - won(0, start, (other, one))) / 2


def value_of_policies(game, one, other, board):
    """Return the same for any two policies, by the rules: every action, every pair."""
    cards = [int(card) for card in board]
    free, start, better = held_on(board)

    def won(state, joint, seats):
        if state.over and state.showdown:
            return (joint * better).sum() * min(state.spent)
        if state.over:
            loser = state.folded.index(True)
            return joint.sum() * state.spent[loser] * (1 if loser == 1 else -1)
        strategy = seats[state.actor].strategy(state, cards[: game.board_seen(state.street)])
        rows = strategy.probabilities[free].astype(float)
        total = 0.0
        for column, action in enumerate(strategy.actions):
            share = rows[:, column]
            after = joint * (share[:, None] if state.actor == 0 else share[None, :])
            if after.any():
                total += won(state.apply(action), after, seats)
        return total

    state = HandState.start(game)
    return (won(state, start, (one, other)) - won(state, start, (other, one))) / 2
