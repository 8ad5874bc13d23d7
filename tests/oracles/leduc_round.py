"""The second round of Leduc, hand against hand, by the plainest CFR+ there is.

Arrays of the betting are those of `BettingTree`.  There are H = 5 hands that a board leaves, in its
order: the card that pairs it, then the others by rank, both suits of each.  In that order all
boards are the same game, so N rounds of one betting are solved together, whatever their boards.
Compiled, because millions of rounds are solved; it shares no code with the range solver.
"""

from typing import NamedTuple

import numpy as np

from engine.betting.betting_tree import FOLDED, build_betting_tree, subgame_root
from engine.compiled.jit import inlined_kernel, kernel
from engine.showdown.evaluator import strength

BATCH = 32
"""Rounds that are solved together: what they need fits into the cache."""


class Round(NamedTuple):
    """A round's betting, for `solve_rounds`."""

    kind: np.ndarray
    first_child: np.ndarray
    child_count: np.ndarray
    parent: np.ndarray
    spent: np.ndarray
    wins: np.ndarray
    """(H, H) 1 where the first hand wins, -1 where it loses."""
    meets: np.ndarray
    """(H, H) 1 where both can be held, 0 where they are the same card."""


def round_of(game, menu, bet):
    """The second round of a game after both have put in `bet` chips."""
    stack = game.stacks[0] - bet
    tree = build_betting_tree(subgame_root(game, 1, 2 * bet, (stack, stack)), menu)
    columns = (tree.kind, tree.first_child, tree.child_count, tree.parent)
    card = min(game.deck)
    ranks = [strength((hand, card)) for hand in order_on(card, game.deck)]
    return Round(
        *(column.astype(np.int64) for column in columns),
        tree.spent.astype(np.float64),
        np.sign(np.subtract.outer(ranks, ranks)).astype(np.float64),
        1 - np.eye(len(ranks)),
    )


def order_on(card, deck):
    """The cards that a board leaves: the one that pairs it, then the others by rank."""
    return sorted(set(deck) - {card}, key=lambda hand: (hand >> 2 != card >> 2, hand))


@inlined_kernel
def match(round_, player, table, played, total):
    """Write the shares of the positive numbers below each decision of a player."""
    for node in range(len(round_.kind)):
        first, actions = round_.first_child[node], round_.child_count[node]
        if not actions or round_.kind[node] != player:
            continue
        total[:] = 0.0
        for child in range(first, first + actions):
            for cell in range(table.shape[1]):
                total[cell] += max(table[child, cell], 0.0)
        for child in range(first, first + actions):
            for cell in range(table.shape[1]):
                share = max(table[child, cell], 0.0) / max(total[cell], 1e-300)
                played[child, cell] = share if total[cell] > 0 else 1.0 / actions


@inlined_kernel
def go_down(round_, player, played, reach):
    """Multiply the first node's reach by a player's actions, down to all nodes."""
    for node in range(1, len(round_.kind)):
        above = round_.parent[node]
        for cell in range(reach.shape[1]):
            factor = played[node, cell] if round_.kind[above] == player else 1.0
            reach[node, cell] = reach[above, cell] * factor


@inlined_kernel
def value_end(round_, node, player, met, worth):
    """Write what a player's hands win at an end, times the reach that they meet."""
    least = min(round_.spent[node, 0], round_.spent[node, 1])
    folded = round_.kind[node] == FOLDED
    sign = -1.0 if round_.kind[round_.parent[node]] == player else 1.0
    hands = len(round_.wins)
    count = len(worth) // hands
    worth[:] = 0.0
    for hand in range(hands):
        for other in range(hands):
            each = sign * round_.meets[hand, other] if folded else round_.wins[hand, other]
            for n in range(count if each != 0 else 0):
                worth[hand * count + n] += each * least * met[other * count + n]


@inlined_kernel
def go_up(round_, player, played, met, worth):
    """Write what a player's hands win at all nodes, against what they meet there."""
    for node in range(len(round_.kind) - 1, -1, -1):
        first, actions = round_.first_child[node], round_.child_count[node]
        if not actions:
            value_end(round_, node, player, met[node], worth[node])
            continue
        worth[node] = 0.0
        for child in range(first, first + actions):
            for cell in range(worth.shape[1]):
                share = played[child, cell] if round_.kind[node] == player else 1.0
                worth[node, cell] += share * worth[child, cell]


@inlined_kernel
def learn(round_, player, t, tables, played, own, worth):
    """Add regrets, never below 0, and what was played to its sums, with the weight of t squared."""
    regret, sums = tables
    for child in range(1, len(round_.kind)):
        above = round_.parent[child]
        if round_.kind[above] != player:
            continue
        for cell in range(worth.shape[1]):
            more = regret[child, cell] + worth[child, cell] - worth[above, cell]
            regret[child, cell] = max(more, 0.0)
            sums[child, cell] += t * t * own[above, cell] * played[child, cell]


@kernel
def solve_batch(round_, ranges, iterations, values):
    """Write (2, H N) what `solve_rounds` returns, of (2, H N) ranges, rounds innermost.

    Alternating updates, quadratic weights, the average profile's values.  A player's own reach is
    1 at the beginning: so hands that never come here learn, too.
    """
    nodes, cells = len(round_.kind), ranges.shape[1]
    regret, sums = np.zeros((nodes, cells)), np.zeros((nodes, cells))
    played, worth, total = np.zeros((nodes, cells)), np.zeros((nodes, cells)), np.zeros(cells)
    own, met = np.ones((2, nodes, cells)), np.ones((2, nodes, cells))
    met[:, 0] = ranges
    for side in range(2):
        match(round_, side, regret, played, total)
        go_down(round_, side, played, own[side])
        go_down(round_, side, played, met[side])
    for t in range(1, iterations + 1):
        for player in range(2):
            go_up(round_, player, played, met[1 - player], worth)
            learn(round_, player, t, (regret, sums), played, own[player], worth)
            match(round_, player, regret, played, total)
            go_down(round_, player, played, own[player])
            go_down(round_, player, played, met[player])
    for side in range(2):
        match(round_, side, sums, played, total)
        go_down(round_, side, played, met[side])
    hands = len(round_.wins)
    count = cells // hands
    for player in range(2):
        go_up(round_, player, played, met[1 - player], worth)
        for cell in range(cells):
            total[cell] = 0.0
            for other in range(hands):
                reach = ranges[1 - player, other * count + cell % count]
                total[cell] += round_.meets[cell // count, other] * reach
            values[player, cell] = worth[0, cell] / total[cell] if total[cell] > 0 else 0.0


def solve_rounds(round_, ranges, iterations):
    """(N, 2, H) chips that hands win per unit of what they meet, 0 where that is nothing.

    Ranges are (N, 2, H), in the order of the board.
    """
    values = np.zeros(ranges.shape)
    for first in range(0, len(ranges), BATCH):
        part = np.ascontiguousarray(ranges[first : first + BATCH].transpose(1, 2, 0), float)
        won = np.zeros(part.shape)
        rows = (2, part[0].size)
        solve_batch(round_, part.reshape(rows), iterations, won.reshape(rows))
        values[first : first + BATCH] = won.transpose(2, 0, 1)
    return values
