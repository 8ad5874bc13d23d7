"""Pattern trees: against a plain account of whole matches, and by hand."""

import pytest

from agents.opponents.policy import pool_policy
from agents.patterns import trees_kernels as trees
from agents.patterns.memory_kernels import nodes_of
from agents.patterns.raise_classes import MOVES
from engine.equity.equity_tables import equity
from engine.play.compiled_match import play_matches
from engine.rules.dealing import DealStream
from protocol.gamedefs import load_builtin
from tests.oracles.pattern_trees import trees_of
from tests.unit.agents.astar.grown import HUNL, grown, some_player

HULHE = load_builtin("hulhe")
HANDS = 400


@pytest.mark.parametrize("game", [HUNL, HULHE], ids=["no-limit", "limit"])
@pytest.mark.parametrize(("opponent", "seating"), [("O4", 0), ("O6", 1)])
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
    found = grown(nodes_of(result.memories[seating][0]))
    assert found.keys() == expected.keys()
    assert len(found) > 40
    for place, node in expected.items():
        row = found[place]
        told = row[[trees.VISITS, trees.FOLDS, trees.SHOWDOWNS]]
        assert told.tolist() == [node.visits, node.folds, node.showdowns]
        assert row[trees.STRENGTH] == pytest.approx(node.strength)
        assert row[trees.SQUARES] == pytest.approx(node.squares)
        actions = row[trees.ACTIONS : trees.ACTIONS + MOVES]
        assert actions.tolist() == [node.actions[move] for move in range(MOVES)]
