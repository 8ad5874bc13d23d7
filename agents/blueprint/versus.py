"""What one blueprint wins from another of the same betting: by the board, exactly, and fast.

Only the five board cards are sampled.  On each board all hands of both players are played against
each other along all of the betting at once, in both seatings.  So neither the cards in the hands
nor the actions add any noise.  Some hundred boards do where duplicate matches between two
states of one training run need millions of hands.  `engine.evaluation.exact_match` does the same
for any two policies.  Here both players are at the same place of one tree throughout: nothing has
to be interpreted, and all terminal nodes are valued together.

    reach   (rows, 1326) float32  probability that a player acts so that a node is reached, by
            combo; nodes between which it does not act share a row
    value   chips per hand, over all pairs of combos that share no card with each other or the board
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.blueprint_model.interpretation import Interpreter
from agents.blueprint_model.model import BlueprintModel
from agents.blueprint_model.policy import BlueprintPolicy
from agents.blueprint_model.reach import fill_reach, reach_rows
from agents.errors import GameNotPlayed
from engine.abstraction.buckets import CardAbstraction
from engine.betting.betting_tree import FOLDED, SHOWDOWN, BettingTree
from engine.evaluation.board_matches import HOLDING_PAIRS
from engine.hands.cards import COMBOS
from engine.range_solver.terminal import fold_values, showdown_values

_ENDS_AT_ONCE: Final = 1024
"""So many rows stay in the cache."""


class _Ends(NamedTuple):
    """The E terminal nodes of the betting."""

    rows: tuple[NDArray[np.int64], NDArray[np.int64]]
    """For each player (E,): which row of its reach."""
    stakes: NDArray[np.float32]
    """(E,) chips that player 0 wins there; at a showdown, with the better hand."""


class Versus:
    """Two players by blueprint whose abstract games have the same betting."""

    def __init__(self, first: Interpreter, second: Interpreter) -> None:
        """Set up the tree; results are those of `first`.

        Raises:
            GameNotPlayed: the models are not of the same betting, or not of heads-up hold'em.
        """
        for interpreter in (first, second):
            if not isinstance(interpreter.model.cards, CardAbstraction):
                raise GameNotPlayed("only blueprints of hold'em with two cards can be compared")
        if not _same_betting(first.model, second.model):
            raise GameNotPlayed(
                f"{first.model.config.name} and {second.model.config.name} have other bets"
            )
        self._players: Final = (first, second)
        tree = first.model.tree
        self._rows: Final = tuple(reach_rows(tree, player) for player in (0, 1))
        self._folds: Final = self._ends(tree, FOLDED)
        self._showdowns: Final = self._ends(tree, SHOWDOWN)
        sizes = [int(rows.max()) + 1 for rows in self._rows]
        self._reach: Final = [
            [np.ones((size, COMBOS), np.float32) for size in sizes] for _ in self._players
        ]

    def value(self, board: Sequence[int]) -> float:
        """Return what `one` wins from `other` on a (5,) board, chips per hand, mean of both
        seatings.
        """
        cards = list(map(int, board))
        for interpreter, reach in zip(self._players, self._reach, strict=True):
            buckets = _buckets(interpreter.model, cards)
            for player in (0, 1):
                tree, rows = interpreter.model.tree, self._rows[player]
                fill_reach(tree, player, rows, interpreter.rows, buckets, reach[player])
        mine, theirs = self._reach
        won = self._seating(mine[0], theirs[1], cards) - self._seating(theirs[0], mine[1], cards)
        return won / 2

    def _seating(
        self, first: NDArray[np.float32], second: NDArray[np.float32], board: list[int]
    ) -> float:
        """Return what player 0 wins, with the reach of either."""
        total = 0.0
        for ends, showdown in ((self._folds, False), (self._showdowns, True)):
            for begin in range(0, len(ends.stakes), _ENDS_AT_ONCE):
                part = slice(begin, begin + _ENDS_AT_ONCE)
                theirs = second[ends.rows[1][part]]
                against = showdown_values(theirs, board) if showdown else fold_values(theirs, board)
                mine = first[ends.rows[0][part]]
                won = np.einsum("eh,eh->e", mine, against, dtype=np.float64)
                total += float(won @ ends.stakes[part])
        return total / HOLDING_PAIRS

    def _ends(self, tree: BettingTree, kind: int) -> _Ends:
        nodes = np.flatnonzero(tree.kind == kind)
        spent = tree.spent[nodes]
        stakes = spent.min(axis=1).astype(np.float32)
        if kind == FOLDED:
            folder = tree.kind[tree.parent[nodes]]
            stakes = np.where(folder == 0, -spent[:, 0], spent[:, 1]).astype(np.float32)
        return _Ends((self._rows[0][nodes], self._rows[1][nodes]), stakes)


def versus_of(first: BlueprintPolicy, second: BlueprintPolicy) -> Versus | None:
    """Return the match of two blueprints; None where their bets, or the stacks played, differ."""
    tree_played = all(policy.game == policy.model.tree.game for policy in (first, second))
    if not tree_played or not _same_betting(first.model, second.model):
        return None
    return Versus(first.interpreter, second.interpreter)


def _same_betting(first: BlueprintModel, second: BlueprintModel) -> bool:
    same = first.tree.game == second.tree.game and first.tree.nodes == second.tree.nodes
    return same and all(
        np.array_equal(getattr(first.tree, name), getattr(second.tree, name))
        for name in ("kind", "first_child", "action", "raise_to")
    )


def _buckets(model: BlueprintModel, board: list[int]) -> list[NDArray[np.int32]]:
    """Return the buckets (1326,) on each street; 0 for combos that the board blocks."""
    game = model.tree.game
    return [
        np.maximum(model.cards.buckets(board[: game.board_seen(street)]), 0)
        for street in range(game.streets)
    ]
