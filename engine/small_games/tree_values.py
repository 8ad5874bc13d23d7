"""What a strategy profile reaches and earns at every node of a game tree.

N nodes, profiles and player numbers as in `engine.small_games.game_tree`.  Everything here goes
level by level through whole arrays, plain numpy: for analysis, not for the inside of a solver.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.small_games.game_tree import CHANCE

if TYPE_CHECKING:
    from engine.small_games.game_tree import GameTree, InformationSets


def edge_probabilities(tree: GameTree, profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (N,) float64, the probability of the edge into each node; 1 at the root.

    Raises:
        ValueError: the profile does not fit the tree or is not a set of probabilities.
    """
    check_profile(tree, profile)
    into = tree.edge_actions
    taken = tree.chance.copy()
    taken[into >= 0] = profile[into[into >= 0]]
    return taken


def reaches(tree: GameTree, profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (P + 1, N) float64: the contributions of each player and, last, of chance.

    Their product is the probability that play reaches the node.

    Raises:
        ValueError: the profile does not fit the tree.
    """
    taken = edge_probabilities(tree, profile)
    deciders = np.where(tree.parent < 0, CHANCE, tree.player[tree.parent])
    factors = np.ones((tree.players + 1, tree.nodes))
    for first, stop in pairwise(levels(tree)[1:]):
        level = slice(first, stop)
        factors[:, level] = factors[:, tree.parent[level]]
        for row, player in enumerate((*range(tree.players), CHANCE)):
            factors[row, level] *= np.where(deciders[level] == player, taken[level], 1.0)
    return factors


def node_values(
    tree: GameTree, profile: NDArray[np.float64], player: int = 0
) -> NDArray[np.float64]:
    """Return (N,) float64, what `player` wins from each node on when all play `profile`; chips.

    Raises:
        ValueError: the profile does not fit the tree.
    """
    taken = edge_probabilities(tree, profile)
    values = tree.payoffs[:, player].copy()
    for first, stop in reversed(list(pairwise(levels(tree)[1:]))):
        np.add.at(values, tree.parent[first:stop], taken[first:stop] * values[first:stop])
    return values


def levels(tree: GameTree) -> list[int]:
    """Return where each depth of the tree starts, and the number of nodes at the end."""
    starts = [0, 1]
    while starts[-1] < tree.nodes:
        above = tree.child_count[starts[-2] : starts[-1]]
        starts.append(starts[-1] + int(above.sum()))
    return starts


def check_profile(game: InformationSets, profile: NDArray[np.float64]) -> None:
    """Check that `profile` gives probabilities for every action of every information set.

    Raises:
        ValueError: it does not.
    """
    if profile.shape != (game.flat_actions,) or profile.dtype != np.float64:
        raise ValueError(
            f"profile: want ({game.flat_actions},) float64, got {profile.shape} {profile.dtype}"
        )
    if not game.info_sets:
        return
    totals = np.add.reduceat(profile, game.first_action)
    if not ((profile >= 0).all() and (np.abs(totals - 1) <= 1e-6).all()):  # nan is neither
        raise ValueError(
            "profile: the actions of an information set must have shares that add to 1"
        )
