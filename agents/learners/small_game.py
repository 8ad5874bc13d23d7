"""A small game as learners play it: its tree, what they see of it, and how far they are.

I information sets, E' actions in flat profiles as in `engine.small_games.game_tree`, F numbers that
a learner sees of each information set, A = 3 actions that its networks score:

    features  (I, F) float32   rows of `encoder.Encoder`
    legal     (I, A) bool      actions that an information set has
    columns   (E',)  int64     which of the A an action of a flat profile is
    rows      (E',)  int64     its information set
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.learners.betting_counts import betting_counts
from agents.learners.encoder import ACTIONS, Encoder
from agents.learners.self_play_kernels import (
    PlayedDecisions,
    PlayedTree,
    Traversal,
    play_hands,
    traverse_often,
)
from engine.errors import InvalidGame
from engine.rules.state import HandState
from engine.small_games.many_player_form import many_player_form
from engine.small_games.many_player_values import mean_gain, plan_for_all
from engine.small_games.poker_tree import poker_tree
from protocol.actions import CALL, FOLD, RAISE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.learners.model import LearnedNetworks
    from engine.small_games.game_tree import GameTree
    from protocol.gamedef import GameDef

_TAKEN: Final = {"f": FOLD, "c": CALL, "r": RAISE}


class SampledAdvantages(NamedTuple):
    """What traversals of a game met of one player."""

    info_sets: NDArray[np.int32]
    """(R,)"""
    advantages: NDArray[np.float64]
    """(R, A) chips by which an action is worth more than the policy; 0 where it is not legal."""
    decisions: int
    """PlayedDecisions that were met, those of all players."""


class LearnedGame:
    """A game that is small enough to be written out.

    Attributes:
        scale: chips that count as 1 in what networks learn: the most that anybody can win or lose.
    """

    def __init__(self, game: GameDef) -> None:
        """Write the game out.

        Raises:
            InvalidGame: it is too large for that, no limit game, has no decisions, or a learner
                could not tell its information sets apart.
        """
        self.encoder: Final = Encoder(game)
        self.game: Final = game
        tree: GameTree = poker_tree(game)
        self.tree: Final = tree
        if not tree.info_sets:
            raise InvalidGame("a game without decisions: nothing to learn")
        self.features: Final = _features(tree, self.encoder)
        self.rows: Final = np.repeat(np.arange(tree.info_sets), tree.action_count)
        names = [str(action) for actions in tree.action_names for action in actions]
        self.columns: Final = np.array([ACTIONS.index(name) for name in names])
        self.legal: Final = np.zeros((tree.info_sets, len(ACTIONS)), np.bool_)
        self.legal[self.rows, self.columns] = True
        self.scale: Final = float(np.abs(tree.payoffs).max()) or 1.0
        self._form: Final = many_player_form(tree)
        self._arrays: Final = PlayedTree(
            tree.player,
            tree.first_child,
            tree.child_count,
            tree.info_set,
            tree.chance,
            tree.payoffs,
            tree.first_action,
        )
        self._counts: Final = betting_counts(game)

    def profile(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (..., E') flat profiles of (..., I, A) probabilities."""
        return np.ascontiguousarray(probabilities[..., self.rows, self.columns])

    def exploitability(self, profile: NDArray[np.float64]) -> float:
        """Return what best responses gain on the average over the players, exactly, in chips."""
        return mean_gain(self._form, profile)

    def reaches(self, profile: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (E',) how likely a player, by its actions alone, comes to and takes each one."""
        return plan_for_all(self._form, profile)[: self.tree.flat_actions]

    def average(self, networks: LearnedNetworks) -> NDArray[np.float64]:
        """Return (E',) the flat profile by which networks play, their policies drawn by hand."""
        tree, position = self.tree, self.tree.owner
        sums = np.zeros(tree.flat_actions)
        for policy, share in enumerate(networks.shares):
            acts = np.zeros(self.legal.shape)
            for player in range(tree.players):
                mine = position == player
                acts[mine] = networks.probabilities(
                    policy, player, self.features[mine], self.legal[mine]
                )
            sums += share * self.reaches(self.profile(acts))
        return self.normalized(sums)

    def normalized(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (E',) a flat profile in the proportions of sums, uniform where they are 0."""
        tree = self.tree
        totals = np.repeat(np.add.reduceat(sums, tree.first_action), tree.action_count)
        played = totals > 0
        return np.where(played, sums / np.where(played, totals, 1.0), tree.uniform())

    def play(
        self,
        policies: NDArray[np.float64],
        chosen: NDArray[np.int8],
        rng: np.random.Generator,
    ) -> PlayedDecisions:
        """Play hands.

        Args:
            policies: (K, E') profiles.
            chosen: (H, P) which of them each player plays by in each hand.
        """
        most = len(chosen) * self._counts.most_of_hand
        decisions = PlayedDecisions(
            np.empty(most, np.int32),
            np.empty(most, np.int8),
            np.empty(most, np.int32),
            np.empty(most, np.int32),
            np.empty(most, np.int32),
            np.empty(most),
        )
        latest = np.empty(self.tree.players, np.int32)
        count = play_hands(self._arrays, policies, chosen, rng, latest, decisions)
        return PlayedDecisions._make(array[:count] for array in decisions)

    def traverse(
        self,
        policy: NDArray[np.float64],
        traverser: int,
        traversals: int,
        rng: np.random.Generator,
    ) -> SampledAdvantages:
        """Sample what one player's actions are worth against the (E',) policy, externally."""
        tree = self.tree
        most = traversals * self._counts.most_own[traverser]
        work = Traversal(
            np.empty(tree.nodes, np.int32), np.empty(tree.nodes, np.int32), np.empty(tree.nodes)
        )
        info_sets = np.empty(most, np.int32)
        steps = np.empty((most, len(ACTIONS)))
        rows, decisions = traverse_often(
            self._arrays, policy, traverser, traversals, rng, work, info_sets, steps
        )
        return SampledAdvantages(
            info_sets[:rows], self._by_column(info_sets[:rows], steps[:rows]), decisions
        )

    def _by_column(
        self, info_sets: NDArray[np.int32], steps: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return rows by the actions of networks that are given by the actions of sets."""
        placed = np.cumsum(self.legal, axis=1) - 1
        shown = np.take_along_axis(steps, np.maximum(placed[info_sets], 0), axis=1)
        columns: NDArray[np.float64] = np.where(self.legal[info_sets], shown, 0.0)
        return columns


def _features(tree: GameTree, encoder: Encoder) -> NDArray[np.float32]:
    """Return (I, F) rows.  Raises InvalidGame: two are the same."""
    nodes = np.flatnonzero(tree.player >= 0)
    _, first = np.unique(tree.info_set[nodes], return_index=True)
    rows = np.stack([_row(tree, encoder, int(node)) for node in nodes[first]])
    if len(np.unique(rows, axis=0)) < len(rows):
        raise InvalidGame("the order of cards matters in this game, which a learner does not see")
    return rows


def _row(tree: GameTree, encoder: Encoder, node: int) -> NDArray[np.float32]:
    state = HandState.start(encoder.game)
    drawn: list[tuple[int, ...]] = []
    for step in tree.histories[node]:
        if isinstance(step, tuple):
            drawn.append(step)
        else:
            state = state.apply(_TAKEN[str(step)])
    board = [card for cards in drawn[encoder.game.players :] for card in cards]
    return encoder.encode(state, drawn[state.actor], board)
