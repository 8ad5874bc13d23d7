"""Hands of a game played by tables, compiled: self-play, and external-sampling traversals.

N nodes, P players, I information sets, E' actions in flat profiles as in
`engine.small_games.game_tree`; H hands.  A policy is a flat profile, so whoever plays by a network
evaluates it once at all information sets, and any number of hands is then played by looking up.

Cards may be in the tree, as steps of chance.  Or the tree is the betting alone, and each hand has a
deal: a decision then has an information set for each number of the hand held.

Source of the traversal: Lanctot, Waugh, Zinkevich, Bowling, "Monte Carlo sampling for regret
minimization in extensive games", NIPS 2009.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel


class PlayedTree(NamedTuple):
    """The arrays of a game tree that playing takes."""

    player: NDArray[np.int8]
    first_child: NDArray[np.int32]
    child_count: NDArray[np.int32]
    info_set: NDArray[np.int32]
    chance: NDArray[np.float64]
    payoffs: NDArray[np.float64]
    first_action: NDArray[np.int32]
    street: NDArray[np.int8]
    """(N,); all 0 where cards are in the tree."""
    shown: NDArray[np.bool_]
    """(N,) whether the payoffs there are those of a deal that position 0 wins."""


class PlayedDeals(NamedTuple):
    """K deals, of which each hand's is drawn, and who gets which of the two hands.

    A single one is taken as it is: where cards are in the tree, it says nothing.
    """

    held: NDArray[np.int32]
    """(K, P) number of each hand on the last street."""
    result: NDArray[np.float64]
    """(K,) 1 where the first hand is the better one, -1 the worse, 0 they tie."""
    behind: NDArray[np.int32]
    """(S,) how many numbers of the last street a number of each street stands for."""


class PlayedDecisions(NamedTuple):
    """D decisions of whole hands, hand by hand, each hand's in order."""

    hand: NDArray[np.int32]
    player: NDArray[np.int8]
    info_set: NDArray[np.int32]
    action: NDArray[np.int32]
    """Place in a flat profile of what was taken."""
    following: NDArray[np.int32]
    """Number of the player's next decision in the hand, -1 where that was the last."""
    won: NDArray[np.float64]
    """Chips that the player won with the hand, at its last decision; 0 at others."""


class Traversal(NamedTuple):
    """Working memory of a traversal; each as long as the tree has nodes."""

    node: NDArray[np.int32]
    first: NDArray[np.int32]
    """Where the children of an entry wait in the queue."""
    value: NDArray[np.float64]


# Kernels: arguments are trusted, nothing is allocated, results go to the arrays named last.


@inlined_kernel
def _drawn(weights: NDArray[np.float64], first: int, count: int, rng: np.random.Generator) -> int:
    """Return a number below `count`, drawn by weights that add to 1."""
    share = rng.random()
    for step in range(count - 1):
        share -= weights[first + step]
        if share < 0:
            return step
    return count - 1


@inlined_kernel
def _dealt(deals: PlayedDeals, rng: np.random.Generator) -> tuple[int, int]:
    """Return the number of a deal, and 1 where the two change hands."""
    count = len(deals.held)
    if count == 1:
        return 0, 0
    return int(rng.random() * count), int(rng.random() < 0.5)


@inlined_kernel
def _info_set(
    tree: PlayedTree, deals: PlayedDeals, dealt: tuple[int, int], node: int, player: int
) -> int:
    """Return the information set of a decision with the hand that its player holds."""
    held = deals.held[dealt[0], player ^ dealt[1]]
    return int(tree.info_set[node] + held // deals.behind[tree.street[node]])


@inlined_kernel
def _won(
    tree: PlayedTree, deals: PlayedDeals, dealt: tuple[int, int], node: int, player: int
) -> float:
    """Return what a player wins at an end."""
    won = tree.payoffs[node, player]
    if tree.shown[node]:
        result = deals.result[dealt[0]]
        won *= -result if dealt[1] else result
    return float(won)


@kernel
def play_hands(
    tree: PlayedTree,
    deals: PlayedDeals,
    policies: NDArray[np.float64],
    chosen: NDArray[np.int8],
    enough: int,
    rng: np.random.Generator,
    latest: NDArray[np.int32],
    decisions: PlayedDecisions,
) -> int:
    """Play H hands, or as many as have enough decisions, and return how many these are.

    Args:
        policies: (K, E') profiles.
        chosen: (H, P) which of them a player plays by in a hand.
        enough: decisions after which no further hand begins.
        latest: (P,) scratch.
        decisions: gets them; as long as H times the most decisions of a hand.
    """
    number = 0
    for hand in range(len(chosen)):
        if number >= enough:
            break
        latest[:] = -1
        node = 0
        dealt = _dealt(deals, rng)
        while tree.child_count[node]:
            player = tree.player[node]
            if player < 0:
                step = _drawn(tree.chance, tree.first_child[node], tree.child_count[node], rng)
            else:
                info_set = _info_set(tree, deals, dealt, node, player)
                first = tree.first_action[info_set]
                policy = policies[chosen[hand, player]]
                step = _drawn(policy, first, tree.child_count[node], rng)
                decisions.hand[number] = hand
                decisions.player[number] = player
                decisions.info_set[number] = info_set
                decisions.action[number] = first + step
                decisions.following[number] = -1
                decisions.won[number] = 0.0
                if latest[player] >= 0:
                    decisions.following[latest[player]] = number
                latest[player] = number
                number += 1
            node = tree.first_child[node] + step
        for player in range(len(latest)):
            if latest[player] >= 0:
                decisions.won[latest[player]] = _won(tree, deals, dealt, node, player)
    return number


@inlined_kernel
def _queue_nodes(
    tree: PlayedTree,
    deals: PlayedDeals,
    dealt: tuple[int, int],
    policy: NDArray[np.float64],
    traverser: int,
    rng: np.random.Generator,
    work: Traversal,
) -> tuple[int, int]:
    """Queue the nodes of a traversal, breadth first; return how many, and how many decide."""
    work.node[0] = 0
    length, met, at = 1, 0, 0
    while at < length:
        node = work.node[at]
        player = tree.player[node]
        count = tree.child_count[node]
        child = tree.first_child[node]
        work.first[at] = length
        if player >= 0:
            met += 1
        if player == traverser:
            for step in range(count):
                work.node[length + step] = child + step
            length += count
        elif count:
            if player < 0:
                step = _drawn(tree.chance, child, count, rng)
            else:
                first = tree.first_action[_info_set(tree, deals, dealt, node, player)]
                step = _drawn(policy, first, count, rng)
            work.node[length] = child + step
            length += 1
        at += 1
    return length, met


@kernel
def traverse(
    tree: PlayedTree,
    deals: PlayedDeals,
    policy: NDArray[np.float64],
    traverser: int,
    rng: np.random.Generator,
    work: Traversal,
    info_sets: NDArray[np.int32],
    advantages: NDArray[np.float64],
) -> tuple[int, int]:
    """Try all actions of one player, with a sample of what chance and the others do.

    Returns how many of the traverser's information sets were met, and how many decisions.

    Args:
        policy: (E',) profile.
        work: scratch.
        info_sets: gets the traverser's information sets that were met.
        advantages: (rows, A) gets the chips by which each action there is worth more than the
            policy; 0 behind the last action.
    """
    dealt = _dealt(deals, rng)
    length, met = _queue_nodes(tree, deals, dealt, policy, traverser, rng, work)
    rows = 0
    for at in range(length - 1, -1, -1):
        node = work.node[at]
        behind = work.first[at]
        if not tree.child_count[node]:
            work.value[at] = _won(tree, deals, dealt, node, traverser)
        elif tree.player[node] != traverser:
            work.value[at] = work.value[behind]
        else:
            info_set = _info_set(tree, deals, dealt, node, traverser)
            first = tree.first_action[info_set]
            worth = 0.0
            for step in range(tree.child_count[node]):
                worth += policy[first + step] * work.value[behind + step]
            work.value[at] = worth
            info_sets[rows] = info_set
            advantages[rows] = 0.0
            for step in range(tree.child_count[node]):
                advantages[rows, step] = work.value[behind + step] - worth
            rows += 1
    return rows, met


@kernel
def traverse_often(
    tree: PlayedTree,
    deals: PlayedDeals,
    policy: NDArray[np.float64],
    traverser: int,
    traversals: int,
    rng: np.random.Generator,
    work: Traversal,
    info_sets: NDArray[np.int32],
    advantages: NDArray[np.float64],
) -> tuple[int, int]:
    """Do so as often as is said; the rows of all traversals follow each other."""
    rows, met = 0, 0
    for _ in range(traversals):
        more, decisions = traverse(
            tree, deals, policy, traverser, rng, work, info_sets[rows:], advantages[rows:]
        )
        rows += more
        met += decisions
    return rows, met


@kernel
def gains_of(
    values: NDArray[np.float32],
    following: NDArray[np.int32],
    won: NDArray[np.float64],
    lam: float,
    gains: NDArray[np.float64],
) -> None:
    """Write (D,) how much better than expected each decision turned out, all hands being whole.

    Generalized advantage estimation, not discounted: a player's decisions of a hand follow each
    other, and the last has the result, `won`, in the unit of `values`.
    """
    for number in range(len(values) - 1, -1, -1):
        behind = following[number]
        if behind < 0:
            gains[number] = won[number] - values[number]
        else:
            gains[number] = values[behind] - values[number] + lam * gains[behind]
