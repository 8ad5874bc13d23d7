"""A small game as learners play it: written out, and what they see of it by the encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.learners.betting_counts import betting_counts
from agents.learners.encoder import ACTIONS, Encoder
from agents.learners.learned_game import LearnedGame, LearnedSets
from agents.learners.self_play_kernels import PlayedDeals, PlayedTree
from engine.errors import InvalidGame
from engine.small_games.many_player_form import many_player_form
from engine.small_games.many_player_values import mean_gain, plan_for_all
from engine.small_games.poker_tree import place_of, poker_tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.small_games.game_tree import GameTree
    from protocol.gamedef import GameDef


class SmallLearnedGame(LearnedGame):
    """A limit game that is small enough to be written out."""

    def __init__(self, game: GameDef) -> None:
        """Write the game out.

        Raises:
            InvalidGame: it is too large for that, no limit game, has no decisions, or a learner
                could not tell its information sets apart.
        """
        self.encoder: Final = Encoder(game)
        self.game: Final = game
        tree: GameTree = poker_tree(game)
        if not tree.info_sets:
            raise InvalidGame("a game without decisions: nothing to learn")
        names = [str(action) for actions in tree.action_names for action in actions]
        self.tree: Final = tree
        self._form: Final = many_player_form(tree)
        super().__init__(
            tree.players,
            LearnedSets(
                tree.owner.astype(np.int64),
                tree.action_count.astype(np.int64),
                np.array([ACTIONS.index(name) for name in names]),
                _features(tree, self.encoder),
            ),
            PlayedTree(
                tree.player,
                tree.first_child,
                tree.child_count,
                tree.info_set,
                tree.chance,
                tree.payoffs,
                tree.first_action,
                np.zeros(tree.nodes, np.int8),
                np.zeros(tree.nodes, np.bool_),
            ),
            PlayedDeals(np.zeros((1, tree.players), np.int32), np.ones(1), np.ones(1, np.int32)),
            betting_counts(game),
        )

    def exploitability(self, profile: NDArray[np.float64]) -> float:
        """Return what best responses gain on the average over the players, exactly, in chips."""
        return mean_gain(self._form, profile)

    def reaches(self, profile: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (E',) how likely a player, by its actions alone, comes to and takes each one."""
        return plan_for_all(self._form, profile)[: self.flat_actions]


def _features(tree: GameTree, encoder: Encoder) -> NDArray[np.float32]:
    """Return (I, F) rows.  Raises InvalidGame: two are the same."""
    nodes = np.flatnonzero(tree.player >= 0)
    _, first = np.unique(tree.info_set[nodes], return_index=True)
    places = [place_of(encoder.game, tree.histories[node]) for node in nodes[first].tolist()]
    rows = np.stack([encoder.encode(*place) for place in places])
    if len(np.unique(rows, axis=0)) < len(rows):
        raise InvalidGame("the order of cards matters in this game, which a learner does not see")
    return rows
