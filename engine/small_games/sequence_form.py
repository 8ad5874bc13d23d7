"""The sequence form of a game for two: what an iteration of CFR or a best response needs of it.

A sequence is what one player has done so far, named by its latest action.  With perfect recall an
information set follows one sequence of its owner.  The rest of the tree matters to a player only by
its payoffs for each pair of sequences, its own and the opponent's.  E' actions in flat profiles,
S = E' + 2 sequences, M pairs, I_p information sets of player p:

    sequence      an action's place in a flat profile; E' + p while player p has not acted

    Side, one for each player, information sets above others first
    info_set      (I_p,)   int32    their numbers in the tree
    first_action  (I_p,)   int32    where their actions start in flat profiles
    action_count  (I_p,)   int32
    parent        (I_p,)   int32    the owner's sequence that leads to them
    root          int               the owner's empty sequence

    Pairs, each listed for both players
    start         (S + 1,) int32    where the pairs of each own sequence start
    other         (M,)     int32    the opponent's sequence
    payoff        (M,)     float64  chips for the owner, weighted by chance's probability and summed
                                    over all terminals where both sequences end

The plan of a profile is an (S,) float64 array: for each sequence the product of its owner's
probabilities, 1 for the empty ones.  A sequence's counterfactual value against the plan y of the
opponent is payoff . y summed over its pairs, plus the values of the information sets behind it.  A
few sparse products thus take the place of walks through the tree.

Source: Koller, Megiddo, von Stengel, "Fast algorithms for finding randomized strategies in game
trees", STOC 1994.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidGame
from engine.small_games.game_tree import TERMINAL, GameTree
from engine.small_games.tree_values import levels


class PlayerSequences(NamedTuple):
    """The information sets of one player; see the module's table."""

    info_set: NDArray[np.int32]
    first_action: NDArray[np.int32]
    action_count: NDArray[np.int32]
    parent: NDArray[np.int32]
    root: int


class Pairs(NamedTuple):
    """Payoffs by pairs of sequences; see the module's table."""

    start: NDArray[np.int32]
    other: NDArray[np.int32]
    payoff: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SequenceForm:
    """A game as arrays per player; see the module's table."""

    tree: GameTree
    sides: tuple[PlayerSequences, PlayerSequences]
    pairs: Pairs

    @property
    def sequences(self) -> int:
        """Number of sequences of both players, the two empty ones included."""
        return len(self.pairs.start) - 1

    def actions(self, player: int) -> NDArray[np.int64]:
        """Return where the actions of a player lie in a profile."""
        side = self.sides[player]
        skipped = side.first_action - (np.cumsum(side.action_count) - side.action_count)
        return np.repeat(skipped, side.action_count) + np.arange(side.action_count.sum())


def sequence_form(tree: GameTree) -> SequenceForm:
    """Return the sequence form of a tree.

    Raises:
        InvalidGame: it is not a game for two in which one wins what the other one loses.
    """
    if not tree.is_two_player_zero_sum:
        raise InvalidGame(
            f"a game for {tree.players} whose payoffs may have any sum has no sequence form here: "
            "want two players and zero"
        )
    last, reach = last_sequences(tree), chance_reach(tree)
    parent = parent_sequences(tree, last)
    sides = (side_of(tree, parent, 0), side_of(tree, parent, 1))
    return SequenceForm(tree, sides, _pairs(tree, last, reach))


def last_sequences(tree: GameTree) -> NDArray[np.int64]:
    """Return (P, N) int64, the sequence of each player at each node."""
    into = tree.edge_actions
    last = np.empty((tree.players, tree.nodes), np.int64)
    last[:, 0] = tree.flat_actions + np.arange(tree.players)
    for first, stop in pairwise(levels(tree)[1:]):
        above = tree.parent[first:stop]
        for player in range(tree.players):
            acted = tree.player[above] == player
            last[player, first:stop] = np.where(acted, into[first:stop], last[player, above])
    return last


def chance_reach(tree: GameTree) -> NDArray[np.float64]:
    """Return (N,) float64, chance's contribution to the probability of each node."""
    reach = np.ones(tree.nodes)
    for first, stop in pairwise(levels(tree)[1:]):
        reach[first:stop] = reach[tree.parent[first:stop]] * tree.chance[first:stop]
    return reach


def parent_sequences(tree: GameTree, last: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return (I,) int32, the sequence of its owner that leads to each information set."""
    decisions = np.flatnonzero(tree.player >= 0)
    parent = np.zeros(tree.info_sets, np.int32)
    parent[tree.info_set[decisions]] = last[tree.player[decisions], decisions]
    return parent


def side_of(tree: GameTree, parent: NDArray[np.int32], player: int) -> PlayerSequences:
    """Return the information sets of a player, given `parent_sequences`."""
    info_set = np.flatnonzero(tree.owner == player).astype(np.int32)
    return PlayerSequences(
        info_set,
        tree.first_action[info_set],
        tree.action_count[info_set],
        parent[info_set],
        tree.flat_actions + player,
    )


def _pairs(tree: GameTree, last: NDArray[np.int64], reach: NDArray[np.float64]) -> Pairs:
    ends = np.flatnonzero((tree.player == TERMINAL) & (tree.payoff != 0))
    sequences = tree.flat_actions + 2
    keys, pair = np.unique(last[0, ends] * sequences + last[1, ends], return_inverse=True)
    payoff = np.zeros(len(keys))
    np.add.at(payoff, pair, reach[ends] * tree.payoff[ends])
    first, second = np.divmod(keys, sequences)
    first, second = np.concatenate((first, second)), np.concatenate((second, first))
    order = np.argsort(first, kind="stable")
    return Pairs(
        np.searchsorted(first[order], np.arange(sequences + 1)).astype(np.int32),
        second[order].astype(np.int32),
        np.concatenate((payoff, -payoff))[order],
    )
