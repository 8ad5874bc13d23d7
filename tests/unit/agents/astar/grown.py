"""Memories of evolved players after a match, and what is in their trees."""

from functools import cache

import numpy as np

from agents.astar.family import ASTAR
from agents.astar.play.player_memory import GAME_INPUTS
from agents.opponents.policy import pool_policy
from agents.patterns import trees_kernels as trees
from agents.patterns.raise_classes import MOVES
from agents.recurrent.shape import NetShape, Stack, random_genome
from engine.play.compiled_match import play_matches
from protocol.gamedefs import load_builtin
from tests.oracles.pattern_trees import Counts

HUNL = load_builtin("hunl")
SHAPE = NetShape(Stack(1, 1, 4), Stack(1, 2, 3), (8, 8), trees.VECTOR, GAME_INPUTS, MOVES)
GAME_ANEW = 2


def some_genome(seed=1):
    """Random weights."""
    return random_genome(SHAPE, np.random.default_rng(seed))


def some_player(seed=1):
    """A network of random numbers."""
    return ASTAR.policy(SHAPE, some_genome(seed), GAME_ANEW, seed)


@cache
def memory_of(opponent, hands=600, seed=5):
    """What a player remembers of an opponent after a match."""
    other = pool_policy(opponent, HUNL, 3)
    [result] = play_matches(HUNL, [(some_player(), other)], hands, seed)
    return result.memories[0][0]


def grown(nodes):
    """All nodes that were visited, by (button, street, moves)."""
    found = {}

    def walk(node, place):
        row = nodes[node]
        if row[trees.VISITS]:
            found[place] = row
        for move in range(MOVES):
            child = int(row[trees.CHILDREN + move])
            if child:
                walk(child, (*place[:2], (*place[2], move)))

    for root in range(trees.ROOTS):
        walk(root, (*divmod(root, trees.STREETS), ()))
    return found


def counts_of(nodes):
    """The same as Counts, by ((button, street), moves); nodes that nobody visited, too."""
    found = {}

    def walk(node, root, moves):
        row = nodes[node]
        counts = Counts(
            row[trees.VISITS],
            row[trees.FOLDS],
            row[trees.SHOWDOWNS],
            row[trees.STRENGTH],
            row[trees.SQUARES],
        )
        for move in range(MOVES):
            counts.actions[move] = row[trees.ACTIONS + move]
        found[root, moves] = counts
        for move in range(MOVES):
            child = int(row[trees.CHILDREN + move])
            if child:
                walk(child, root, (*moves, move))

    for root in range(trees.ROOTS):
        walk(root, divmod(root, trees.STREETS), ())
    return found


def enter(path, nodes, root, moves, acting):
    """Have a path come through some moves on a street; return the node where it ends."""
    node = 4 * root[0] + root[1]
    for at, acts in enumerate(acting):
        path.nodes[at] = node
        if acts:
            path.moves[at] = moves[at]
        if at < len(moves):
            node = int(nodes[node, trees.CHILDREN + moves[at]])
    path.state[trees.LENGTH] = len(acting)
    path.state[trees.NODE] = node
    return node
