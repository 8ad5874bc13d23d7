"""Kuhn poker."""

import pytest

from engine.small_games.game_tree import Decision, Terminal
from engine.small_games.kuhn import kuhn, node_after


def test_tree_has_twelve_information_sets():
    """Two actions at each; 6 deals with 5 endings, 4 decisions each, and 4 chance nodes."""
    tree = kuhn()
    assert tree.info_sets == 12
    assert tree.flat_actions == 24
    assert tree.nodes == 6 * (5 + 4) + 4


@pytest.mark.parametrize(
    ("betting", "payoff"), [("cc", 1), ("rc", 2), ("crc", 2), ("rf", 1), ("crf", -1)]
)
def test_higher_card_wins_unless_folded(betting, payoff):
    """Player 0 holds the king; with the jack showdowns go the other way."""
    assert node_after((2, 0, *betting)) == Terminal(payoff)
    folded = betting.endswith("f")
    assert node_after((0, 2, *betting)) == Terminal(payoff if folded else -payoff)


@pytest.mark.parametrize(
    ("betting", "player", "actions"),
    [("", 0, ("c", "r")), ("c", 1, ("c", "r")), ("r", 1, ("f", "c")), ("cr", 0, ("f", "c"))],
)
def test_players_know_their_card_and_the_betting(betting, player, actions):
    """And nothing else."""
    assert node_after((1, 2, *betting)) == Decision(player, ((1, 2)[player], betting), actions)
