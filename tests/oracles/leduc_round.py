"""The second round of Leduc, hand against hand, by the plainest CFR+ there is.

Arrays of the betting are those of `BettingTree`; H hands, N nodes.  Compiled, because thousands of
rounds are solved; it shares no code with the range solver.
"""

from typing import NamedTuple

import numpy as np

from engine.betting.betting_tree import FOLDED, build_betting_tree, subgame_root
from engine.compiled.jit import inlined_kernel, kernel
from engine.showdown.evaluator import strength


class Round(NamedTuple):
    """A round's betting and the board, for `solve_round`."""

    kind: np.ndarray
    first_child: np.ndarray
    child_count: np.ndarray
    parent: np.ndarray
    spent: np.ndarray
    wins: np.ndarray
    """(H, H) 1 where the first hand wins, -1 where it loses, nan where they block each other."""


def round_of(game, menu, bet, card):
    """The second round of a game on a board, after both have put in `bet` chips."""
    stack = game.stacks[0] - bet
    tree = build_betting_tree(subgame_root(game, 1, 2 * bet, (stack, stack)), menu)
    columns = (tree.kind, tree.first_child, tree.child_count, tree.parent)
    return Round(
        *(column.astype(np.int64) for column in columns),
        tree.spent.astype(np.float64),
        wins_on(card, tuple(sorted(game.deck))),
    )


def wins_on(card, deck):
    """(H, H) who wins on a board."""
    ranks = np.array([strength((hand, card)) for hand in deck], float)
    wins = np.sign(np.subtract.outer(ranks, ranks))
    place = deck.index(card)
    wins[np.eye(len(deck), dtype=bool)] = np.nan
    wins[place], wins[:, place] = np.nan, np.nan
    return wins


@inlined_kernel
def match(round_, table, played):
    """Write the shares of the positive numbers below each decision."""
    for node in range(len(round_.kind)):
        first, count = round_.first_child[node], round_.child_count[node]
        for hand in range(table.shape[1]) if count else range(0):
            total = 0.0
            for child in range(first, first + count):
                total += max(table[child, hand], 0.0)
            for child in range(first, first + count):
                share = max(table[child, hand], 0.0) / total if total > 0 else 1.0 / count
                played[child, hand] = share


@inlined_kernel
def go_down(round_, player, played, ranges, reach):
    """Write the reach of all nodes: a player's of its own play alone, the other's with its range.

    So hands that never come here learn, too.
    """
    for side in range(2):
        for hand in range(ranges.shape[1]):
            reach[side, 0, hand] = 1.0 if side == player else ranges[side, hand]
        for node in range(1, len(round_.kind)):
            above = round_.parent[node]
            reach[side, node] = reach[side, above]
            if round_.kind[above] == side:
                reach[side, node] *= played[node]


@inlined_kernel
def value_end(round_, node, player, reach, worth):
    """Write what a player's hands win at an end, times the reach that they meet."""
    least = min(round_.spent[node, 0], round_.spent[node, 1])
    for hand in range(len(worth)):
        worth[hand] = 0.0
        for other in range(len(worth)):
            sign = round_.wins[hand, other]
            if np.isnan(sign):
                continue
            if round_.kind[node] == FOLDED:
                sign = -1.0 if round_.kind[round_.parent[node]] == player else 1.0
            worth[hand] += sign * least * reach[other]


@inlined_kernel
def go_up(round_, player, played, reach, worth):
    """Write what a player's hands win at all nodes."""
    for node in range(len(round_.kind) - 1, -1, -1):
        first, count = round_.first_child[node], round_.child_count[node]
        if not count:
            value_end(round_, node, player, reach[1 - player, node], worth[node])
            continue
        worth[node] = 0.0
        for child in range(first, first + count):
            if round_.kind[node] == player:
                worth[node] += played[child] * worth[child]
            else:
                worth[node] += worth[child]


@kernel
def solve_round(round_, ranges, iterations, values):
    """Write (2, H) chips that hands win per unit of what they meet; 0 where that is nothing.

    Alternating updates, quadratic weights, the average profile's values.
    """
    nodes, hands = len(round_.kind), ranges.shape[1]
    regret, sums = np.zeros((nodes, hands)), np.zeros((nodes, hands))
    played, worth = np.zeros((nodes, hands)), np.zeros((nodes, hands))
    reach = np.zeros((2, nodes, hands))
    for t in range(1, iterations + 1):
        for player in range(2):
            match(round_, regret, played)
            go_down(round_, player, played, ranges, reach)
            go_up(round_, player, played, reach, worth)
            for child in range(1, nodes):
                above = round_.parent[child]
                if round_.kind[above] == player:
                    for hand in range(hands):
                        more = regret[child, hand] + worth[child, hand] - worth[above, hand]
                        regret[child, hand] = max(more, 0.0)
                        weight = t * t * reach[player, above, hand]
                        sums[child, hand] += weight * played[child, hand]
    match(round_, sums, played)
    for player in range(2):
        go_down(round_, player, played, ranges, reach)
        go_up(round_, player, played, reach, worth)
        for hand in range(hands):
            met = 0.0
            for other in range(hands):
                if not np.isnan(round_.wins[hand, other]):
                    met += ranges[1 - player, other]
            values[player, hand] = worth[0, hand] / met if met > 0 else 0.0
