"""The end of a flop search: the opponent chooses how the blueprint is played on from the turn.

Each way a flop can end is looked up in the blueprint's own tree, at the nearest size of the pot,
and valued over some runouts; see `engine.search.continuations`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.errors import GameNotPlayed
from engine.betting.betting_tree import DEAL, SHOWDOWN
from engine.equity.allin_matrix import allin_matrix
from engine.range_solver.leaves import DepthLimit
from engine.search.choices import with_choices
from engine.search.continuations import (
    BIASES,
    MatrixLeaves,
    draw_runouts,
    sampled_payoffs,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.blueprint_model.policy import BlueprintPolicy
    from engine.betting.betting_tree import BettingTree
    from engine.rules.state import HandState
    from engine.search.subgame_search import SearchRoot

_SECONDS: Final = 30
_SECONDS_A_RUNOUT: Final = 20


class FlopEnding:
    """An `engine.search.session.LimitedEnding`."""

    def __init__(self, blueprint: BlueprintPolicy, runouts: int) -> None:
        """Value each leaf over some runouts.

        Raises:
            GameNotPlayed: the game's positions are not those of the blueprint's.
        """
        if blueprint.game.first_positions[0] != blueprint.model.tree.game.first_positions[0]:
            raise GameNotPlayed("flops are searched only where the blueprint's positions hold")
        self._blueprint: Final = blueprint
        self._runouts: Final = runouts
        self._values: MatrixLeaves | None = None

    @property
    def least_seconds(self) -> float:
        """A flop search is begun with so much time: its values keep no clock."""
        return _SECONDS + self._runouts * _SECONDS_A_RUNOUT

    def __call__(self, origin: SearchRoot, tree: BettingTree) -> tuple[BettingTree, DepthLimit]:
        """Return the tree up to the turn, and the values there."""
        ends = np.flatnonzero((tree.kind == DEAL) & (tree.street == origin.state.street))
        cut, leaves = with_choices(tree, ends.tolist(), 1 - origin.searcher, len(BIASES))
        rng = np.random.default_rng(list(origin.board))
        runouts = draw_runouts(origin.board, self._runouts, rng)
        showdowns = allin_matrix(origin.board)
        matrices: dict[int, NDArray[np.float32]] = {
            node: showdowns * np.float32(cut.spent[node].min())
            for node in np.flatnonzero(cut.kind == SHOWDOWN).tolist()
        }
        for end, chosen in leaves.items():
            won = self._played_on(_state(origin.state, tree, end), origin, runouts)
            matrices |= dict(zip(chosen, won, strict=True))
        self._values = MatrixLeaves(matrices)
        return cut, DepthLimit(tuple(matrices), self._values)

    def forget(self) -> None:
        """Free the values of the last search."""
        if self._values is not None:
            self._values.forget()

    def _played_on(
        self, state: HandState, origin: SearchRoot, runouts: list[tuple[int, ...]]
    ) -> NDArray[np.float32]:
        """Return (K, 1326, 1326) what the blueprint makes of a turn, no more than the stacks."""
        tree = self._blueprint.model.tree
        node = self._blueprint.nearest(state, origin.board)
        nodes = tree.nodes_below(node).tolist()
        won = sampled_payoffs(
            tree.below(node),
            origin.board,
            1 - origin.searcher,
            lambda below, cards: self._blueprint.at(nodes[below], cards),
            runouts,
        )
        won *= np.float32(min(state.spent) / int(tree.spent[node].min()))
        most = min(state.game.stacks)
        return np.clip(won, -most, most, out=won)


def _state(root: HandState, tree: BettingTree, node: int) -> HandState:
    """Return the state that a node of the betting from `root` on is."""
    path = []
    while node > 0:
        path.append(node)
        node = int(tree.parent[node])
    for step in reversed(path):
        root = root.apply(tree.taken(step))
    return root
