"""The betting of flop hold'em, cut where the flop comes.

Before the flop players know 169 starting hands, and the tree is small.  Behind it lie the parts
that are valued on every flop, all with the same nodes: those after each way to see the flop, and
the showdowns of players who are all-in before.  These are the roots.

    preflop decisions have rows 0 .. P-1, those on the flop rows 0 .. T-1: one for each action
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import DEAL, FOLDED, SHOWDOWN, BettingTree
from engine.errors import InvalidGame
from engine.flop_holdem.flops import FlopTables, flop_tables
from engine.flop_holdem.walk_kernels import FlopNodes


class FlopGame:
    """One betting tree of flop hold'em; all attributes are read-only."""

    def __init__(self, tree: BettingTree, flops: FlopTables | None = None) -> None:
        """Lay the tree out.

        Args:
            flops: those that may come; None: all.

        Raises:
            InvalidGame: it is not of two-player hold'em, or does not begin on the street before
                that with these boards, its last.
        """
        self.tree: Final = tree
        self.flops: Final = flop_tables() if flops is None else flops
        game, before = tree.game, int(tree.street[0])
        if game.players != 2 or not game.begins_as_holdem:
            raise InvalidGame("want hold'em for two")
        if before != game.streets - 2 or sum(game.board_cards) != self.flops.boards.shape[1]:
            raise InvalidGame(
                "want the last two streets of the betting, and the boards of the last"
            )
        self.preflop_rows: Final = _rows(tree, (tree.kind < DEAL) & (tree.street == before))
        """By node of the tree the row of its first action; -1 elsewhere."""
        all_in = (tree.kind == SHOWDOWN) & (tree.street == before)
        kept = np.flatnonzero((tree.street > before) | all_in)
        self.kept: Final[NDArray[np.intp]] = kept
        """(N,) the tree's nodes that are valued on flops."""
        number = np.full(tree.nodes + 1, -1, np.int32)  # ends have no first child
        number[kept] = np.arange(len(kept))
        rows = _rows(tree, (tree.kind < DEAL) & (tree.street > before))
        self.nodes: Final = FlopNodes(
            kind=tree.kind[kept],
            first_child=number[tree.first_child[kept]],
            child_count=tree.child_count[kept],
            row=rows[kept].astype(np.int32),
            stake=np.array([stake_of(tree, node) for node in kept.tolist()]),
        )
        self.showdowns: Final = np.flatnonzero(self.nodes.kind == SHOWDOWN)
        """Among `kept`."""
        ways = [node for node in range(tree.nodes) if tree.kind[node] == DEAL]
        self.ways: Final = (*ways, *np.flatnonzero(all_in).tolist())
        """The tree's nodes where the flop comes, R of them: deals, then showdowns."""
        begins = [*(int(tree.first_child[node]) for node in ways), *self.ways[len(ways) :]]
        self.roots: Final[NDArray[np.intp]] = number[begins].astype(np.intp)
        """(R,) among `kept` what lies below each way."""
        self.row_count: Final = _count(tree, rows)
        self.preflop_row_count: Final = _count(tree, self.preflop_rows)
        payoffs = np.concatenate([self.nodes.stake, -self.nodes.stake])
        self.spread: Final = float(payoffs.max() - payoffs.min())
        """Largest payoff less the smallest, chips."""

    def mean(self, values: NDArray[np.float64]) -> float:
        """Return chips per hand from (1326,) sums over the other player's hands."""
        return float(values[self.flops.known].sum()) / self.flops.pairs

    def groups(self, rows: NDArray[np.int32]) -> list[tuple[int, int, int]]:
        """Return player, first row and end of the rows of each decision that has some."""
        tree = self.tree
        return [
            (int(tree.kind[node]), int(rows[node]), int(rows[node] + tree.child_count[node]))
            for node in np.flatnonzero(rows >= 0)
        ]

    def flop_groups(self) -> list[tuple[int, int, int]]:
        """Return the same of the decisions on the flop."""
        rows = np.full(self.tree.nodes, -1, np.int32)
        decides = self.nodes.child_count > 0
        rows[self.kept[decides]] = self.nodes.row[decides]
        return self.groups(rows)


def stake_of(tree: BettingTree, node: int) -> float:
    """Return what player 0 wins at an end if it wins there; of a fold with its sign."""
    spent = tree.spent[node]
    if tree.kind[node] == SHOWDOWN:
        return float(spent.min())
    if tree.kind[node] != FOLDED:
        return 0.0
    folder = int(tree.kind[tree.parent[node]])
    return float(spent[1]) if folder else -float(spent[0])


def _rows(tree: BettingTree, chosen: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return by node the row of its first action, -1 for those that are not chosen."""
    counts = np.where(chosen, tree.child_count, 0)
    return np.where(chosen, np.cumsum(counts) - counts, -1).astype(np.int32)


def _count(tree: BettingTree, rows: NDArray[np.int32]) -> int:
    return int(tree.child_count[rows >= 0].sum())
