"""A game as learners play it: what they see of each information set, and how far they are.

I information sets, E' actions in flat profiles as in `engine.small_games.game_tree`, F numbers that
a learner sees of each information set, A actions that its networks score:

    features  (I, F) float32   what is seen
    legal     (I, A) bool      actions that an information set has
    columns   (E',)  int64     which of the A an action of a flat profile is
    rows      (E',)  int64     its information set
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.learners.self_play_kernels import (
    PlayedDeals,
    PlayedDecisions,
    PlayedTree,
    Traversal,
    play_hands,
    traverse_often,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.learners.betting_counts import BettingCounts
    from agents.learners.model import LearnedNetworks


class SampledAdvantages(NamedTuple):
    """What traversals of a game met of one player."""

    info_sets: NDArray[np.int32]
    """(R,)"""
    advantages: NDArray[np.float64]
    """(R, A) chips by which an action is worth more than the policy; 0 where it is not legal."""
    decisions: int
    """PlayedDecisions that were met, those of all players."""


class LearnedSets(NamedTuple):
    """The I information sets of a game, and what a network sees of them and may do there."""

    owner: NDArray[np.int64]
    """(I,) the player who acts."""
    action_count: NDArray[np.int64]
    """(I,)"""
    columns: NDArray[np.int64]
    """(E',)"""
    features: NDArray[np.float32]
    """(I, F)"""


class LearnedGame(ABC):
    """A game whose information sets can be listed.

    Attributes:
        players: P.
        owner: (I,) int64, who acts at an information set.
        scale: chips that count as 1 in what networks learn: the most that anybody can win or lose.
    """

    def __init__(
        self,
        players: int,
        sets: LearnedSets,
        tree: PlayedTree,
        deals: PlayedDeals,
        counts: BettingCounts,
    ) -> None:
        """Take what is played.

        Args:
            counts: how many decisions hands and traversals have.
        """
        self.players: Final = players
        self.owner: Final = sets.owner
        self.features: Final = sets.features
        self.columns: Final = sets.columns
        self.rows: Final = np.repeat(np.arange(len(sets.owner)), sets.action_count)
        self.legal: Final = np.zeros((len(sets.owner), int(sets.columns.max()) + 1), np.bool_)
        self.legal[self.rows, self.columns] = True
        self.scale: Final = float(np.abs(tree.payoffs).max()) or 1.0
        self._counts: Final = counts
        self._action_count: Final = sets.action_count
        self._tree: Final = tree
        self._deals: Final = deals

    @property
    def nodes(self) -> int:
        """Nodes of what is played."""
        return len(self._tree.player)

    @property
    def flat_actions(self) -> int:
        """E', length of a flat profile."""
        return len(self.columns)

    @abstractmethod
    def exploitability(self, profile: NDArray[np.float64]) -> float:
        """Return what best responses gain on the average over the players, exactly, in chips."""

    @abstractmethod
    def reaches(self, profile: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (E',) how likely a player, by its actions alone, comes to and takes each one."""

    def profile(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (..., E') flat profiles of (..., I, A) probabilities."""
        return np.ascontiguousarray(probabilities[..., self.rows, self.columns])

    def average(self, networks: LearnedNetworks) -> NDArray[np.float64]:
        """Return (E',) the flat profile by which networks play, their policies drawn by hand."""
        sums = np.zeros(self.flat_actions)
        for policy, share in enumerate(networks.shares):
            acts = np.zeros(self.legal.shape)
            for player in range(self.players):
                mine = self.owner == player
                acts[mine] = networks.probabilities(
                    policy, player, self.features[mine], self.legal[mine]
                )
            sums += share * self.reaches(self.profile(acts))
        return self.normalized(sums)

    def normalized(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (E',) a flat profile in the proportions of sums, uniform where they are 0."""
        totals = np.bincount(self.rows, sums, len(self.owner))[self.rows]
        played = totals > 0
        uniform = 1.0 / self._action_count[self.rows]
        return np.where(played, sums / np.where(played, totals, 1.0), uniform)

    def play(
        self,
        policies: NDArray[np.float64],
        chosen: NDArray[np.int8],
        rng: np.random.Generator,
        enough: int | None = None,
    ) -> PlayedDecisions:
        """Play hands.

        Args:
            policies: (K, E') profiles.
            chosen: (H, P) which of them each player plays by in each hand.
            enough: decisions after which no further hand begins; None: all hands are played.
        """
        most = len(chosen) * self._counts.most_of_hand
        enough = most if enough is None else enough
        decisions = PlayedDecisions(
            np.empty(most, np.int32),
            np.empty(most, np.int8),
            np.empty(most, np.int32),
            np.empty(most, np.int32),
            np.empty(most, np.int32),
            np.empty(most),
        )
        latest = np.empty(self.players, np.int32)
        count = play_hands(
            self._tree, self._deals, policies, chosen, enough, rng, latest, decisions
        )
        return PlayedDecisions._make(array[:count] for array in decisions)

    def traverse(
        self,
        policy: NDArray[np.float64],
        traverser: int,
        traversals: int,
        rng: np.random.Generator,
    ) -> SampledAdvantages:
        """Sample what one player's actions are worth against the (E',) policy, externally."""
        most = traversals * self._counts.most_own[traverser]
        nodes = self.nodes
        work = Traversal(np.empty(nodes, np.int32), np.empty(nodes, np.int32), np.empty(nodes))
        info_sets = np.empty(most, np.int32)
        steps = np.empty((most, self.legal.shape[1]))
        rows, decisions = traverse_often(
            self._tree, self._deals, policy, traverser, traversals, rng, work, info_sets, steps
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
