"""Leduc hold'em."""

import pytest

from engine.errors import InvalidGame
from engine.small_games.game_tree import TERMINAL
from engine.small_games.leduc import leduc


@pytest.fixture(scope="module")
def tree():
    """The usual game."""
    return leduc()


def test_sizes(tree):
    """The counts known for the game, with suits and without."""
    assert (tree.nodes, tree.info_sets) == (9457, 936)
    assert (tree.player == TERMINAL).sum() == 5520
    ranks = leduc(isomorphic=True)
    assert (ranks.nodes, ranks.info_sets) == (1939, 288)


@pytest.mark.parametrize("ranks", [2, 5])
def test_other_decks(ranks):
    """6 information sets for each card before the board, 30 for each pair of cards after it."""
    cards = 2 * ranks
    assert leduc(ranks).info_sets == cards * 6 + cards * (cards - 1) * 30
    assert leduc(ranks, isomorphic=True).info_sets == ranks * 6 + ranks * ranks * 30


def test_too_small_a_deck_is_refused():
    """One rank is no game."""
    with pytest.raises(InvalidGame, match="1 ranks"):
        leduc(1)
