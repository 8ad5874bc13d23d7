"""Games whose equilibrium is the new strategy inside a subgame: unsafe, resolve, max-margin.

Each function returns a `GameTree` to be solved with any solver; `merged` puts the solver's part of
the solution back into the blueprint.  With pi the reach of both players and chance, pi_-1 the one
without the opponent, and A(I1) the alternative: chips, per unit of pi_-1, that the opponent is
granted at its information set I1.

    unsafe          chance deals a root with pi; nothing is granted, nothing is safe
    resolve         chance deals a root with pi_-1, the opponent enters or takes A(I1)
    max_margin      the opponent picks an I1, chance a root of it with pi_-1; everything below pays
                    the opponent A(I1) less
    distributional  resolve, with A(I1) drawn from a normal distribution and seen by the opponent

The alternatives make the technique: `best_values` is Resolve and Maxmargin as published, `raised`
by `gifts` the Reach forms, `blueprint_values` the Estimate forms.

Sources: Burch, Johanson, Bowling, "Solving imperfect information games using decomposition", AAAI
2014 (resolve); Moravcik, Schmid, Ha, Hladik, Gaukrodger, "Refining subgames in large imperfect
information games", AAAI 2016 (max-margin); Brown, Sandholm, "Safe and nested subgame solving for
imperfect-information games", NIPS 2017 (reach, estimate, distributional).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from statistics import NormalDist
from typing import cast

import numpy as np
from numpy.typing import NDArray

from engine.small_games.game_tree import (
    CHANCE,
    TERMINAL,
    Chance,
    Decision,
    GameTree,
    History,
    Node,
    Terminal,
    build_tree,
)
from engine.small_games.tree_values import reaches
from tests.oracles.subgame import RootValues, Subgame, others_reach

ENTER = "enter"
TAKE = "take"


def unsafe(subgame: Subgame, blueprint: NDArray[np.float64]) -> GameTree:
    """Return the subgame as if the opponent came to it just as the blueprint says."""
    weights = reaches(subgame.tree, blueprint).prod(axis=0)
    roots, shares = _reached(subgame, weights, subgame.roots)
    describe = _describer(subgame)

    def node(history: History) -> Node:
        return describe(history[0], history[1:]) if history else Chance(roots, shares)

    return build_tree(node)


def resolve(subgame: Subgame, blueprint: NDArray[np.float64], alternatives: RootValues) -> GameTree:
    """Return the game in which the opponent, once dealt a root, enters or takes its alternative."""
    roots, shares = _reached(subgame, others_reach(subgame, blueprint), subgame.roots)
    knows: dict[Hashable, Hashable] = dict(zip(subgame.roots, subgame.knowledge, strict=True))
    describe = _describer(subgame)

    def node(history: History) -> Node:
        if not history:
            return Chance(roots, shares)
        root, *rest = history
        if not rest:
            return Decision(subgame.opponent, (ENTER, knows[root]), (ENTER, TAKE))
        if rest[0] == TAKE:
            return Terminal(subgame.sign * alternatives[knows[root]])
        return describe(root, rest[1:])

    return build_tree(node)


def max_margin(
    subgame: Subgame, blueprint: NDArray[np.float64], alternatives: RootValues
) -> GameTree:
    """Return the game in which the opponent picks the I1 where it gains most over its alternative.

    Its value to the opponent is minus the smallest margin that the solver can guarantee.
    """
    weights = others_reach(subgame, blueprint)
    groups: dict[Hashable, list[int]] = {}
    for root, knows in zip(subgame.roots, subgame.knowledge, strict=True):
        if weights[root] > 0:
            groups.setdefault(knows, []).append(root)
    deals = {knows: Chance(*_reached(subgame, weights, roots)) for knows, roots in groups.items()}
    describe = _describer(subgame)

    def node(history: History) -> Node:
        if not history:
            return Decision(subgame.opponent, "pick", tuple(groups))
        knows, *rest = history
        if not rest:
            return deals[knows]
        found = describe(rest[0], rest[1:])
        if isinstance(found, Terminal):
            return Terminal(found.payoff - subgame.sign * alternatives[knows])
        return found

    return build_tree(node)


def distributional(
    subgame: Subgame,
    blueprint: NDArray[np.float64],
    alternatives: RootValues,
    spreads: RootValues,
    points: int = 8,
) -> GameTree:
    """Return `resolve` with alternatives that are only known with an error.

    Args:
        subgame: what to solve.
        blueprint: the profile that leads to it.
        alternatives: mean of each I1's alternative in chips.
        spreads: its standard deviation in chips, 0 for none.
        points: equally likely values that stand for the normal distribution, the middles of its
            quantiles; the opponent sees which one it was granted.
    """
    normal = NormalDist()
    offsets = [normal.inv_cdf((point + 0.5) / points) for point in range(points)]
    draw = Chance(tuple(range(points)), (1.0 / points,) * points)
    roots, shares = _reached(subgame, others_reach(subgame, blueprint), subgame.roots)
    knows: dict[Hashable, Hashable] = dict(zip(subgame.roots, subgame.knowledge, strict=True))
    describe = _describer(subgame)

    def node(history: History) -> Node:
        if not history:
            return Chance(roots, shares)
        root, *rest = history
        if not rest:
            return draw
        point, *rest = rest
        granted = knows[root]
        if not rest:
            return Decision(subgame.opponent, (ENTER, granted, point), (ENTER, TAKE))
        if rest[0] == TAKE:
            payoff = alternatives[granted] + spreads[granted] * offsets[cast(int, point)]
            return Terminal(subgame.sign * payoff)
        found = describe(root, rest[1:])
        if isinstance(found, Decision) and found.player == subgame.opponent:
            return found._replace(info_set=(point, found.info_set))
        return found

    return build_tree(node)


def merged(
    subgame: Subgame,
    blueprint: NDArray[np.float64],
    gadget: GameTree,
    solution: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the blueprint with the solver's part of a gadget's solution in its place.

    Information sets that the gadget never comes to keep the blueprint's probabilities.
    """
    tree = subgame.tree
    places = {name: number for number, name in enumerate(tree.info_set_names)}
    profile = blueprint.copy()
    for number, name in enumerate(gadget.info_set_names):
        if gadget.owner[number] == subgame.solver:
            profile[tree.actions_of(places[name])] = solution[gadget.actions_of(number)]
    return profile


def _reached(
    subgame: Subgame, weights: NDArray[np.float64], roots: Sequence[int]
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the roots with positive weight, and their shares of it."""
    live = tuple(root for root in roots if weights[root] > 0)
    total = float(sum(weights[root] for root in live))
    return live, tuple(float(weights[root]) / total for root in live)


def _describer(subgame: Subgame) -> Callable[[Hashable, Sequence[Hashable]], Node]:
    """Return a function that tells what happens in the tree some steps after a root."""
    tree = subgame.tree
    places = {history: node for node, history in enumerate(tree.histories)}

    def describe(root: Hashable, steps: Sequence[Hashable]) -> Node:
        above = tree.histories[cast(int, root)]
        node = places[(*above, *steps)]
        player = int(tree.player[node])
        if player == TERMINAL:
            return Terminal(float(tree.payoff[node]))
        first = int(tree.first_child[node])
        below = slice(first, first + int(tree.child_count[node]))
        if player == CHANCE:
            outcomes = tuple(history[-1] for history in tree.histories[below])
            return Chance(outcomes, tuple(map(float, tree.chance[below])))
        info_set = int(tree.info_set[node])
        return Decision(player, tree.info_set_names[info_set], tree.action_names[info_set])

    return describe
