"""A solved subgame: what both players do with every hand at every decision, to keep and to play.

    strategy = RangeStrategy.of(solver)
    strategy.save(path);  RangeStrategy.load(path)

Probabilities are kept as 16-bit fractions, 65535 for 1, in the layout of the solver's own tables;
boards that differ by an exchange of suits share theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import BettingTree
from engine.betting.policy import Strategy
from engine.cfr.solver import StrategyKind
from engine.errors import ArtifactMismatch
from engine.hands.suits import ALL_SWAPS
from engine.range_solver.game import RangeGame
from engine.range_solver.solver import RangeSolver
from engine.rules.state import HandState
from engine.storage.artifacts import Kind, load_artifact, save_artifact
from protocol.errors import GameDefError
from protocol.gamedef import format_gamedef, parse_gamedef

KIND: Final = Kind("solved subgame", 1, "solve it again with arena solve")

_ONE: Final = 65535
_TREE: Final = (
    "kind", "street", "parent", "first_child", "child_count", "action", "raise_to", "spent",
)  # fmt: skip

_Shares = list[tuple[NDArray[np.uint16], NDArray[np.uint16]]]


class RangeStrategy:
    """The average strategies of a solve: an `engine.betting.policy.Policy` for its tree."""

    def __init__(
        self, game: RangeGame, shares: _Shares, values: NDArray[np.float64], exploitability: float
    ) -> None:
        """Use `of` or `load`.

        Args:
            shares: per street and player, (B, T, H) uint16 fractions of 65535.
            values: (2, 1326) float64 chips.
            exploitability: chips; see `RangeSolver.exploitability`.
        """
        self.game = game
        self.values = values
        """(2, 1326) chips that each combo wins at the root; nan for combos nobody can hold."""
        self.exploitability = exploitability
        """Mean of both best-response values in chips, in the gadget's game where there is one.
        """
        self.asked: Mapping[str, str] = {}
        """Betting as it was asked for, by the names of options of `arena solve`; kept in its file.
        """
        self._shares = shares

    @classmethod
    def of(cls, solver: RangeSolver) -> RangeStrategy:
        """Return the average strategy of a solve as it stands."""
        game = solver.game
        shares: _Shares = []
        for level in range(game.levels):
            first, second = (_fractions(solver, level, player) for player in (0, 1))
            shares.append((first, second))
        exploitability = solver.exploitability(StrategyKind.AVERAGE)
        return cls(game, shares, solver.values(StrategyKind.AVERAGE), exploitability)

    @property
    def tree(self) -> BettingTree:
        """The betting tree."""
        return self.game.tree

    @property
    def board(self) -> tuple[int, ...]:
        """The cards seen at the root."""
        return self.game.board

    @property
    def ranges(self) -> NDArray[np.float64]:
        """(2, 1326) what both players hold at the root; each sums to 1."""
        return self.game.beliefs

    def at(self, node: int, dealt: Sequence[int] = ()) -> NDArray[np.float32]:
        """Return how the combos act at a decision.

        Args:
            node: of the betting tree.
            dealt: the cards that came after the root's board, in order.

        Returns:
            (1326, A) float32 probabilities in the order of the node's children; uniform for combos
            that the player cannot have there.

        Raises:
            ValueError: the node is not a decision, or the cards do not fit it.
        """
        decision = self.game.places.get(node)
        if decision is None:
            raise ValueError(f"node {node} is no decision")
        if len(dealt) != decision.level:
            raise ValueError(f"node {node} has seen {decision.level} cards dealt, not {len(dealt)}")
        board, combos = self.game.find_board(dealt)
        hands = self.game.boards[decision.level].hands[decision.player]
        count = int(hands.held[board])
        rows = slice(decision.first, decision.first + decision.actions)
        shares = self._shares[decision.level][decision.player][board, rows, :count].T.astype(
            np.float32
        )
        probabilities = np.full(
            (self.game.hands.count, decision.actions), 1 / decision.actions, np.float32
        )
        probabilities[hands.combo[board, :count]] = shares / shares.sum(axis=1, keepdims=True)
        return probabilities[combos]

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return how `state.actor` plays each combo; see `engine.betting.policy.Policy`.

        Args:
            state: one that came from the root of the tree by its actions.
            board: the cards seen there, in order, the root's first.

        Raises:
            ValueError: the betting is not in the tree, or the board is another one.
        """
        node = self._node_of(state)
        if tuple(board[: len(self.board)]) != self.board:
            raise ValueError(f"this is a strategy for another board than {list(board)}")
        tree = self.tree
        actions = tuple(tree.taken(child) for child in tree.children(node))
        return Strategy(actions, self.at(node, tuple(board[len(self.board) :])))

    def save(self, path: Path) -> None:
        """Write a file that `load` reads.

        Raises:
            OSError: the file cannot be written.
        """
        arrays: dict[str, NDArray[Any]] = {name: getattr(self.tree, name) for name in _TREE}
        arrays |= {"ranges": self.ranges, "values": self.values}
        for level, both in enumerate(self._shares):
            for player, shares in enumerate(both):
                arrays[f"shares_{level}_{player}"] = shares
        facts = {
            "game": format_gamedef(self.tree.game),
            "board": list(self.board),
            "isomorphism": self.game.isomorphism,
            "swaps": list(self.game.swaps),
            "exploitability": self.exploitability,
        }
        if self.asked:
            facts["asked"] = dict(self.asked)
        if self.game.leaves:
            facts["leaf_nodes"] = sorted(self.game.leaf_nodes)
        save_artifact(path, KIND, facts, arrays)

    @classmethod
    def load(cls, path: Path) -> RangeStrategy:
        """Read a file that `save` wrote.

        Raises:
            ArtifactMismatch: it is missing, damaged, or something else.
        """
        facts, arrays = load_artifact(path, KIND)
        try:
            tree = BettingTree(
                parse_gamedef(facts["game"]), *(np.array(arrays[name]) for name in _TREE)
            )
            game = RangeGame(
                tree,
                facts["board"],
                arrays["ranges"],
                isomorphism=facts["isomorphism"],
                swaps=facts.get("swaps", ALL_SWAPS),
                leaf_nodes=facts.get("leaf_nodes", ()),
            )
            shares: _Shares = [
                (arrays[f"shares_{level}_0"], arrays[f"shares_{level}_1"])
                for level in range(game.levels)
            ]
            _check_shares(game, shares)
            strategy = cls(game, shares, arrays["values"], float(facts["exploitability"]))
            strategy.asked = {str(name): str(text) for name, text in facts.get("asked", {}).items()}
            return strategy
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, GameDefError) as error:
            raise ArtifactMismatch(f"{path}: damaged: {error}; {KIND.remedy}") from error

    def _node_of(self, state: HandState) -> int:
        node = self.tree.path(state.betting)[-1]
        if node not in self.game.places:
            raise ValueError(f"nobody acts after {state.betting!r}")
        return node


def _check_shares(game: RangeGame, shares: _Shares) -> None:
    """Check the shapes of a file's arrays.  Raises ValueError where they do not fit the game."""
    for level, both in enumerate(shares):
        for player, part in enumerate(both):
            hands = game.boards[level].hands[player]
            actions = sum(
                decision.actions
                for decision in game.places.values()
                if (decision.level, decision.player) == (level, player)
            )
            wanted = len(hands.combo), actions, hands.width
            if part.shape != wanted or part.dtype != np.uint16:
                raise ValueError(f"shares of {part.shape} {part.dtype} where {wanted} are due")


def _fractions(solver: RangeSolver, level: int, player: int) -> NDArray[np.uint16]:
    """Return the average strategy of a player on all boards of a street, (B, T, H)."""
    places = sorted(
        (decision.first, decision.actions)
        for decision in solver.game.places.values()
        if (decision.level, decision.player) == (level, player)
    )
    first = np.array([span[0] for span in places], np.intp)
    counts = np.array([span[1] for span in places], np.intp)
    hands = solver.game.boards[level].hands[player]
    fractions = np.zeros((len(hands.combo), int(counts.sum()), hands.width), np.uint16)
    if not len(places):
        return fractions
    even = np.repeat(1 / counts, counts)[:, None]
    for board, sums in enumerate(solver.average_rows(level, player)):
        totals = np.repeat(np.add.reduceat(sums, first, axis=0), counts, axis=0)
        shares = np.where(totals > 0, sums / np.where(totals > 0, totals, 1), even)
        fractions[board] = np.rint(shares * _ONE)
    return fractions
