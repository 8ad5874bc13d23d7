"""Obvious version of a best response in flop hold'em: every flop in all suits, dense matrices."""

from functools import cache, lru_cache

import numpy as np

from engine.betting.betting_tree import DEAL, FOLDED, SHOWDOWN
from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.hands.starting_hands import COMBO_STARTING_HAND
from engine.hands.suits import CARD_SWAPS, COMBO_SWAPS
from engine.showdown.board_ranks import board_ranks
from tests.studies.flop_holdem.game import stake_of

FREE = np.array([~np.isin(COMBO_CARDS, cards).any(axis=1) for cards in COMBO_CARDS], np.float32)
"""(1326, 1326) whether two combos share no card."""
SUITS = 24


def best_response(game, preflop, shares, player):
    """Return what a best response of a player wins, chips per hand.

    `preflop` and `shares` are a `tests.studies.flop_holdem.solver.Profile`.
    """
    value = best_values(game, preflop, shares, player)
    return float(value(0, np.ones(COMBOS)).sum()) / FREE.sum()


def gifts(game, preflop, shares, player):
    """Return by way to the flop (1326,) what a player gave away, where it could have folded.

    Chips per hand of the other one that comes along, over all that the gift led to.
    """
    tree, value = game.tree, best_values(game, preflop, shares, player)
    found = {way: np.zeros(COMBOS) for way in game.ways}

    def ways_below(node, reach):
        """Yield ways and with what reach the other one comes there."""
        if node in game.ways:
            yield node, reach
            return
        for k, child in enumerate(tree.children(node)):
            share = preflop[COMBO_STARTING_HAND, game.preflop_rows[node] + k]
            yield from ways_below(child, reach if tree.kind[node] == player else reach * share)

    def look(node, reach):
        if game.preflop_rows[node] < 0:
            return
        for k, child in enumerate(tree.children(node)):
            share = preflop[COMBO_STARTING_HAND, game.preflop_rows[node] + k]
            if tree.kind[node] != player:
                look(child, reach * share)
                continue
            look(child, reach)
            fold = next((one for one in tree.children(node) if tree.kind[one] == FOLDED), None)
            below = list(ways_below(child, reach))
            if fold is not None and below:
                given = np.maximum(value(fold, reach) - value(child, reach), 0)
                met = FREE @ sum(come for _, come in below)
                for way, _ in below:
                    found[way] += given / met

    look(0, np.ones(COMBOS))
    return found


def best_values(game, preflop, shares, player):
    """Return a function: node of the tree, the other's reach -> (1326,) sums of best values."""
    tree, flops = game.tree, game.flops
    of_node = {int(node): number for number, node in enumerate(game.kept)}

    def value(node, reach, suits=None):
        """(1326,) summed over the other's reach; on one flop, or before."""
        kind = int(tree.kind[node])
        if kind == DEAL:
            return dealt(int(tree.first_child[node]), reach)
        if kind == SHOWDOWN and suits is None:
            return dealt(node, reach)
        stake = stake_of(tree, node) * (1 if player == 0 or kind == SHOWDOWN else -1)
        if kind == FOLDED:
            return stake * (FREE @ reach.astype(np.float32))
        if kind == SHOWDOWN:
            return stake * (suits.beats @ reach.astype(np.float32))
        below = []
        for k, child in enumerate(tree.children(node)):
            if kind == player:
                below.append(value(child, reach, suits))
                continue
            if suits is None:
                share = preflop[COMBO_STARTING_HAND, game.preflop_rows[node] + k]
            else:
                share = suits.shares[game.nodes.row[of_node[node]] + k]
            below.append(value(child, reach * share, suits))
        return np.max(below, axis=0) if kind == player else np.sum(below, axis=0)

    def dealt(node, reach):
        total = np.zeros(COMBOS)
        for flop in range(len(flops.ways)):
            for suits in renamed(flop):
                total += suits.live * value(node, reach * suits.live, suits) / flops.ways_for_two
        return total

    @cache
    def renamed(flop):
        swaps = {frozenset(CARD_SWAPS[swap][flops.boards[flop]]): swap for swap in range(SUITS)}
        assert len(swaps) == flops.ways[flop]
        return [Renamed(flops, flop, swap, shares(flop)) for swap in swaps.values()]

    return value


@lru_cache(SUITS)
def beats_on(board):
    """Return (1326, 1326) who wins: 1, 0 or -1, and 0 for combos that cannot be."""
    ranks = board_ranks(board).astype(np.int16)
    live = (ranks > 0).astype(np.float32)
    return np.sign(ranks[:, None] - ranks[None]) * FREE * live


class Renamed:
    """A flop in other suits."""

    def __init__(self, flops, flop, swap, shares):
        """Rename the suits of board and hands."""
        board = tuple(int(CARD_SWAPS[swap][card]) for card in flops.boards[flop])
        self.live = (board_ranks(board) > 0).astype(float)
        self.beats = beats_on(board)
        if flops.edges is not None:
            combos = COMBO_SWAPS[swap][flops.combo[flop]]
            self.beats = self.beats.copy()
            self.beats[np.ix_(combos, combos)] = flops.edges[flop]
        self.shares = np.zeros((len(shares), COMBOS))
        self.shares[:, COMBO_SWAPS[swap][flops.combo[flop]]] = shares
