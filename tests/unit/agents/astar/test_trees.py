"""Pattern trees: against a plain reading of whole matches, and by hand."""

import numpy as np
import pytest

from agents.astar.features import trees_kernels as trees
from agents.astar.features.raise_classes import MOVES
from agents.astar.play.memory import NETS, NODES, TREES
from agents.astar.play.policy import evolved_policy
from agents.opponents.policy import pool_policy
from agents.recurrent.shape import NetShape, Stack, random_genome
from engine.equity.equity_tables import equity
from engine.play.compiled_match import play_matches
from engine.rules.dealing import DealStream
from protocol.gamedefs import load_builtin
from tests.oracles.pattern_trees import trees_of

HUNL = load_builtin("hunl")
HULHE = load_builtin("hulhe")
SHAPE = NetShape(Stack(1, 1, 4), Stack(1, 2, 3), (8, 8), 4, 6, MOVES)
HANDS = 400


def some_player(seed=1):
    """A network of random numbers."""
    return evolved_policy(SHAPE, random_genome(SHAPE, np.random.default_rng(seed)), 2, seed)


def grown(memory):
    """All nodes of a memory as plain counts, by (button, street, moves)."""
    nodes = memory[TREES:NETS].reshape(NODES, trees.WIDTH)
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


@pytest.mark.parametrize("game", [HUNL, HULHE], ids=["no-limit", "limit"])
@pytest.mark.parametrize("opponent", ["O4", "O6"])
@pytest.mark.parametrize("seating", [0, 1])
def test_trees_are_those_of_the_hands(game, opponent, seating):
    """Every count of every node, in both seatings; there are no other nodes."""
    other = pool_policy(opponent, game, 3)
    [result] = play_matches(game, [(some_player(), other)], HANDS, 5, duplicate=True, record=True)
    record = result.records[seating]
    hands = []
    for number, deal in zip(range(HANDS), DealStream(game, 5), strict=False):
        actions = record.actions_of(number)
        moved = (number + seating) % 2
        shown = None
        if chr(actions[-1][0]) != "f":
            shown = equity(deal.holes[1 - moved], deal.board)
        hands.append((moved, actions, shown))
    expected = trees_of(game, hands, watched=1)
    found = grown(result.memories[seating][0])
    assert found.keys() == expected.keys()
    assert len(found) > 40
    for place, node in expected.items():
        row = found[place]
        told = row[[trees.VISITS, trees.FOLDS, trees.SHOWDOWNS]]
        assert told.tolist() == [node.visits, node.folds, node.showdowns]
        assert row[trees.STRENGTH] == pytest.approx(node.strength)
        actions = row[trees.ACTIONS : trees.ACTIONS + MOVES]
        assert actions.tolist() == [node.actions[move] for move in range(MOVES)]
