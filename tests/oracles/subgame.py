"""A part of a game tree that one player solves anew, and what the opponent could have had there.

Words (Brown, Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017): a blueprint is a profile for the whole game; the solver is the player whose strategy changes
inside the subgame, the opponent is everybody's worst case.

    roots      nodes that start the subgame; what both players see is the same at all of them
    knowledge  what the opponent knows at a root, its information set I1; roots that share it cannot
               be told apart by the opponent
    value      chips the opponent expects from an I1 on, per unit of the reach of solver and chance:
               the mean over its roots h, weighted by pi_-1(h), the reach without the opponent's own

`best_values` lets the opponent respond to the blueprint as well as it can (CBV).  `gifts` is what
the opponent gave away on its way.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.small_games.best_response import best_response
from engine.small_games.game_tree import TERMINAL, GameTree, History
from engine.small_games.sequence_form import sequence_form
from engine.small_games.tree_values import node_values, reaches

RootValues = Mapping[Hashable, float]


@dataclass(frozen=True, slots=True)
class Subgame:
    """Where the solver, player 0 or 1, solves anew."""

    tree: GameTree
    solver: int
    roots: tuple[int, ...]
    knowledge: tuple[Hashable, ...]
    """The opponent's, for each root."""

    @property
    def opponent(self) -> int:
        """The other player."""
        return 1 - self.solver

    @property
    def sign(self) -> int:
        """1 where the opponent is player 0, whose chips a tree counts; else -1."""
        return 1 if self.opponent == 0 else -1


def subgame_at(
    tree: GameTree,
    solver: int,
    roots: Sequence[int],
    knows: Callable[[History], Hashable] | None = None,
) -> Subgame:
    """Return the subgame that starts at some nodes.

    `knows` tells what the opponent knows after a history.  By default it is its information set
    where it is to act, else its latest one and what it did there: right where everything else that
    it saw since is the same at all roots.
    """
    knows = knows or (lambda history: _latest(tree, 1 - solver, tree.histories.index(history)))
    knowledge = tuple(knows(tree.histories[root]) for root in roots)
    return Subgame(tree, solver, tuple(roots), knowledge)


def best_values(subgame: Subgame, blueprint: NDArray[np.float64]) -> dict[Hashable, float]:
    """Return the value of each I1 if the opponent plays its best against the blueprint (CBV)."""
    best = best_response(sequence_form(subgame.tree), blueprint, subgame.opponent)
    return _mean_values(subgame, blueprint, best.profile)


def gifts(subgame: Subgame, blueprint: NDArray[np.float64]) -> dict[Hashable, float]:
    """Return what the opponent gave away at least, in all, before it came to each I1.

    At each of its earlier decisions it could have had the better of: what it took, and what ends
    the game at once.  Both count with their CBV, so this lower bound holds however other subgames
    are solved anew.  Chips per unit of the reach of solver and chance.
    """
    tree = subgame.tree
    best = best_response(sequence_form(tree), blueprint, subgame.opponent)
    values = subgame.sign * node_values(tree, best.profile)
    weights = others_reach(subgame, blueprint)
    found: dict[Hashable, float] = {}
    for root, knows in zip(subgame.roots, subgame.knowledge, strict=True):
        total, node = 0.0, root
        while node:
            above = int(tree.parent[node])
            if tree.player[above] == subgame.opponent:
                edge = node - int(tree.first_child[above])
                total += _gift(tree, int(tree.info_set[above]), edge, values, weights)
            node = above
        found[knows] = total
    return found


def others_reach(subgame: Subgame, profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (N,) float64 the reach of every node without the opponent's own part, pi_-1."""
    reached = reaches(subgame.tree, profile)
    others: NDArray[np.float64] = reached[subgame.solver] * reached[2]
    return others


def raised(values: RootValues, by: RootValues, scale: float = 1.0) -> dict[Hashable, float]:
    """Return `values` with `scale` times the gifts added: the alternatives of reach solving.

    With several subgames behind one chance node, only scales that divide the gift among them are
    provably safe.
    """
    return {knows: value + scale * by[knows] for knows, value in values.items()}


def _mean_values(
    subgame: Subgame, blueprint: NDArray[np.float64], played: NDArray[np.float64]
) -> dict[Hashable, float]:
    """Average the opponent's values under `played` over the roots of each I1 that is reached."""
    values = subgame.sign * node_values(subgame.tree, played)
    weights = others_reach(subgame, blueprint)
    sums: dict[Hashable, tuple[float, float]] = {}
    for root, knows in zip(subgame.roots, subgame.knowledge, strict=True):
        value, weight = sums.get(knows, (0.0, 0.0))
        sums[knows] = (value + weights[root] * values[root], weight + weights[root])
    return {knows: value / weight for knows, (value, weight) in sums.items() if weight > 0}


def _gift(
    tree: GameTree,
    info_set: int,
    edge: int,
    values: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> float:
    """Return how much better than `edge` the best of it and the ways to end the game is."""
    nodes = np.flatnonzero(tree.info_set == info_set)
    weight = weights[nodes]
    if not weight.sum():
        return 0.0
    gains, ends = [], []
    for action in range(int(tree.action_count[info_set])):
        below = tree.first_child[nodes] + action
        gains.append(float(weight @ values[below]) / float(weight.sum()))
        ends.append(bool((tree.player[below] == TERMINAL).all()))
    return max(w for a, w in enumerate(gains) if ends[a] or a == edge) - gains[edge]


def _latest(tree: GameTree, player: int, root: int) -> Hashable:
    if tree.player[root] == player:
        return ("at", tree.info_set_names[tree.info_set[root]])
    node = root
    while node:
        above = int(tree.parent[node])
        if tree.player[above] == player:
            info_set = int(tree.info_set[above])
            action = tree.action_names[info_set][node - int(tree.first_child[above])]
            return ("after", tree.info_set_names[info_set], action)
        node = above
    return ("start",)
