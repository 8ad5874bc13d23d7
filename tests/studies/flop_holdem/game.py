"""The boards of the last street, the hands on each, and the betting cut where the board comes.

Flops that turn into each other by renaming suits are one of 1755 classes; who plays all suits alike
plays one flop of each.  Of F classes, all or some, with L = 1176 combos on each, weakest first:

    boards     (F, 3)    uint8   one flop of each class
    ways       (F,)      int64   flops of the class; 22100 of all
    combo      (F, L)    int16   combos by strength
    group_end  (F, L)    int16   how many hands are at most as strong as each
    edges      (F, L, L) float32 run-outs on which a hand beats another, less those on which it
                                 loses, of all: 0 for hands that share a card

    known      (K,)      int16   combos that can be held before: all 1326 of them
    hand       (1326,)   int16   how players tell these apart before: 169 starting hands

Where there are some, the others are not dealt: these come up as often as all would together.

The turn game has the turns of one flop in place of the flops: F = 49 boards of four cards, L =
1128, and before the turn each of K = 1176 combos is a hand of its own.  The rest of this room
speaks of flops and starting hands alone, and does the same there.

Before the flop the betting tree is small.  Behind it lie the parts that are valued on every flop,
all with the same nodes: those after each way to see the flop, and the showdowns of players who are
all-in before.  These are the roots.  Decisions before the flop have rows 0 .. P-1, those on it rows
0 .. T-1: one for each action.
"""

from dataclasses import replace
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import DEAL, FOLDED, SHOWDOWN
from engine.equity.equity_kernels import count_showdowns
from engine.equity.runouts import list_runouts
from engine.errors import InvalidGame
from engine.hands.cards import CARDS, COMBO_MASKS, COMBOS
from engine.hands.isomorphism import CanonicalIndex
from engine.hands.starting_hands import COMBO_STARTING_HAND
from engine.parallel.threads import run_blocks
from engine.showdown.board_ranks import board_ranks
from protocol.gamedefs import load_builtin
from tests.studies.flop_holdem.kernels import FlopNodes

FLOPS = 1755
RUNOUTS_FOR_TWO = (CARDS - 7) * (CARDS - 8) // 2
"""Turns with rivers that two given hands leave."""


def flop_holdem(streets=2, stack=200):
    """Return hold'em for two with so many big blinds that is over after the flop's betting.

    Args:
        streets: 3: after the turn's.
    """
    game = load_builtin("hunl")
    return replace(
        game,
        stacks=(stack * game.big_blind,) * game.players,
        streets=streets,
        board_cards=game.board_cards[:streets],
        first_positions=game.first_positions[:streets],
        max_raises=game.max_raises[:streets],
    )


class FlopTables(NamedTuple):
    """See the module's table."""

    boards: NDArray[np.uint8]
    ways: NDArray[np.int64]
    combo: NDArray[np.int16]
    group_end: NDArray[np.int16]
    known: NDArray[np.int16]
    hand: NDArray[np.int16]
    dealt: int
    """Cards that come with the last street: 3, or 1."""
    edges: NDArray[np.float32] | None = None
    """Of `run_out`; None: hands are shown as they are on the flop."""

    @property
    def live(self):
        """Combos that a board leaves."""
        return len(self.combo[0])

    @property
    def combos(self):
        """(H,) how many combos each hand has."""
        return np.bincount(self.hand[self.known])

    @property
    def ways_for_two(self):
        """Boards that two given hands leave, on the mean over hands."""
        left = CARDS - self.boards.shape[1] + self.dealt
        return float(self.ways.sum()) * comb(left - 4, self.dealt) / comb(left, self.dealt)

    @property
    def pairs(self):
        """Pairs of hands that two players can hold before."""
        left = CARDS - self.boards.shape[1] + self.dealt
        return len(self.known) * comb(left - 2, 2)

    def by_hand(self, values):
        """Return (H,) the sums over the combos of each hand, of (1326,) by combo."""
        sums = np.zeros(len(self.combos))
        np.add.at(sums, self.hand[self.known], values[self.known])
        return sums


@lru_cache(2)
def flop_tables(flops=FLOPS):
    """Return the tables of so many classes, evenly spread; made once, all in a second."""
    if not 1 <= flops <= FLOPS:
        raise ValueError(f"{flops} flops: want 1 to {FLOPS}")
    index = CanonicalIndex((3,))
    classes = ((np.arange(flops) + 0.5) * index.size // flops).astype(np.int64)
    boards = index.cards(classes).astype(np.uint8)
    ways = index.deals(classes).astype(np.int64)
    everyone = np.arange(COMBOS, dtype=np.int16)
    starting_hands = COMBO_STARTING_HAND.astype(np.int16)
    return FlopTables(boards, ways, *_by_strength(boards), everyone, starting_hands, 3)


@lru_cache(2)
def turn_tables(flop):
    """Return the tables of the turns of one flop."""
    turns = [card for card in range(CARDS) if card not in flop]
    boards = np.array([(*flop, card) for card in turns], np.uint8)
    known = np.flatnonzero(board_ranks(flop)).astype(np.int16)
    hand = np.zeros(COMBOS, np.int16)
    hand[known] = np.arange(len(known))
    return FlopTables(boards, np.ones(len(turns), np.int64), *_by_strength(boards), known, hand, 1)


def _by_strength(boards):
    """Return (F, L) the combos on each board, weakest first, and where those as strong end."""
    combo, group_end = [], []
    for board in boards.tolist():
        ranks = board_ranks(board)
        order = np.argsort(ranks, kind="stable")[np.count_nonzero(ranks == 0) :]
        combo.append(order)
        group_end.append(np.searchsorted(ranks[order], ranks[order], side="right"))
    return np.array(combo, np.int16), np.array(group_end, np.int16)


def run_out(tables, threads=None):
    """Return the same flops where two more cards come, without bets, before hands are shown.

    A flop takes a second and 5.5 MB.
    """
    edges = np.empty((len(tables.ways), tables.live, tables.live), np.float32)

    def work(first, end):
        for flop in range(first, end):
            edges[flop] = _edges(tables.boards[flop].tolist(), tables.combo[flop])

    run_blocks(work, len(edges), 1, threads=threads)
    return tables._replace(edges=edges)


def _edges(board, combos):
    lost, tied = np.zeros((2, len(combos), COMBOS), np.int32)
    count_showdowns(*list_runouts(board, 2), combos.astype(np.int32), lost, tied)
    lost = lost[:, combos]
    masks = COMBO_MASKS[combos]
    return (lost.T - lost) * ((masks[:, None] & masks) == 0) / RUNOUTS_FOR_TWO


class FlopGame:
    """One betting tree of flop hold'em; all attributes are read-only."""

    def __init__(self, tree, flops=None):
        """Lay the tree out.

        Args:
            flops: tables of those that may come; None: all.

        Raises:
            InvalidGame: it is not of two-player hold'em, or does not begin on the street before
                that with these boards, its last.
        """
        self.tree = tree
        self.flops = flop_tables() if flops is None else flops
        game, before = tree.game, int(tree.street[0])
        if game.players != 2 or not game.begins_as_holdem:
            raise InvalidGame("want hold'em for two")
        if before != game.streets - 2 or sum(game.board_cards) != self.flops.boards.shape[1]:
            raise InvalidGame("want the last two streets of betting, and the boards of the last")
        self.preflop_rows = _rows(tree, (tree.kind < DEAL) & (tree.street == before))
        """By node of the tree the row of its first action; -1 elsewhere."""
        all_in = (tree.kind == SHOWDOWN) & (tree.street == before)
        kept = np.flatnonzero((tree.street > before) | all_in)
        self.kept = kept
        """(N,) the tree's nodes that are valued on flops."""
        number = np.full(tree.nodes + 1, -1, np.int32)  # ends have no first child
        number[kept] = np.arange(len(kept))
        rows = _rows(tree, (tree.kind < DEAL) & (tree.street > before))
        self.nodes = FlopNodes(
            kind=tree.kind[kept],
            first_child=number[tree.first_child[kept]],
            child_count=tree.child_count[kept],
            row=rows[kept].astype(np.int32),
            stake=np.array([stake_of(tree, node) for node in kept.tolist()]),
        )
        self.showdowns = np.flatnonzero(self.nodes.kind == SHOWDOWN)
        """Among `kept`."""
        ways = [node for node in range(tree.nodes) if tree.kind[node] == DEAL]
        self.ways = (*ways, *np.flatnonzero(all_in).tolist())
        """The tree's nodes where the flop comes, R of them: deals, then showdowns."""
        self.solved_ways = list(range(len(ways)))
        """Numbers of the ways after which there is betting on the flop."""
        begins = [*(int(tree.first_child[node]) for node in ways), *self.ways[len(ways) :]]
        self.roots = number[begins].astype(np.intp)
        """(R,) among `kept` what lies below each way."""
        self.row_count = int(tree.child_count[rows >= 0].sum())
        self.preflop_row_count = int(tree.child_count[self.preflop_rows >= 0].sum())
        payoffs = np.concatenate([self.nodes.stake, -self.nodes.stake])
        self.spread = float(payoffs.max() - payoffs.min())
        """Largest payoff less the smallest, chips."""

    def mean(self, values):
        """Return chips per hand from (1326,) sums over the other player's hands."""
        return float(values[self.flops.known].sum()) / self.flops.pairs

    def preflop_groups(self):
        """Return player, first row and end of the rows of each decision before the flop."""
        return self._groups(self.preflop_rows)

    def flop_groups(self):
        """Return the same of the decisions on the flop."""
        rows = np.full(self.tree.nodes, -1, np.int32)
        decides = self.nodes.child_count > 0
        rows[self.kept[decides]] = self.nodes.row[decides]
        return self._groups(rows)

    def _groups(self, rows):
        tree = self.tree
        return [
            (int(tree.kind[node]), int(rows[node]), int(rows[node] + tree.child_count[node]))
            for node in np.flatnonzero(rows >= 0)
        ]


def stake_of(tree, node):
    """Return what player 0 wins at an end if it wins there; of a fold with its sign."""
    spent = tree.spent[node]
    if tree.kind[node] == SHOWDOWN:
        return float(spent.min())
    if tree.kind[node] != FOLDED:
        return 0.0
    folder = int(tree.kind[tree.parent[node]])
    return float(spent[1]) if folder else -float(spent[0])


def _rows(tree, chosen):
    """Return by node the row of its first action, -1 for those that are not chosen."""
    counts = np.where(chosen, tree.child_count, 0)
    return np.where(chosen, np.cumsum(counts) - counts, -1).astype(np.int32)
