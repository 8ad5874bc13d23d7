"""One blueprint against another, pair of hands by pair of hands."""

import numpy as np

from engine.betting.betting_tree import DEAL, FOLDED, SHOWDOWN
from engine.hands.cards import COMBO_CARDS
from tests.oracles.evaluator import strength


def value_of_pairs(one, other, board):
    """Return what `one` wins from `other` on a board, chips per hand, mean of both seatings.

    Goes through the betting with the joint probability of all pairs of combos, (1326, 1326).
    """
    tree, cards = one.tree, [int(card) for card in board]
    holes = np.asarray(COMBO_CARDS, np.int64)
    free = ~np.isin(holes, cards).any(axis=1)
    apart = (holes[:, None, :, None] != holes[None, :, None, :]).all(axis=(2, 3))
    apart &= free[:, None] & free[None, :]
    strengths = {i: strength([*hole, *cards]) for i, hole in enumerate(holes.tolist()) if free[i]}
    order = sorted(set(strengths.values()))
    ranks = np.array([order.index(strengths[i]) if free[i] else 0 for i in range(len(holes))])
    better = np.sign(np.subtract.outer(ranks, ranks))

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
        buckets = np.maximum(model.cards.buckets(seen), 0)
        rows = model.strategy(node)[buckets].astype(float)
        total = 0.0
        for column, child in enumerate(children):
            share = rows[:, column]
            total += won(child, joint * (share[:, None] if kind == 0 else share[None, :]), seats)
        return total

    start = apart / apart.sum()
    return (won(0, start, (one, other)) - won(0, start, (other, one))) / 2
