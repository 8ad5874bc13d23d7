"""Goofspiel."""

import numpy as np
import pytest

from engine.errors import InvalidGame
from engine.small_games.game_tree import TERMINAL
from engine.small_games.goofspiel import goofspiel


def test_sizes():
    """All orders of four cards for both; 162 information sets are open_spiel's count too."""
    tree = goofspiel()
    assert (tree.player == TERMINAL).sum() == 24 * 24
    assert tree.info_sets == 162


def test_more_points_win():
    """With two cards, the prize of 2 goes to the higher first bid; equal bids win nothing."""
    tree = goofspiel(2)
    found = {
        history: tree.payoff[node]
        for node, history in enumerate(tree.histories)
        if tree.player[node] == TERMINAL
    }
    assert found == {(1, 1): 0, (2, 2): 0, (2, 1): 1, (1, 2): -1}


def test_bids_are_hidden_and_results_told():
    """In the first turn player 1 does not see the bid; later sets know results, not bids."""
    tree = goofspiel(3)
    assert (1, (), ()) in tree.info_set_names
    second_turn = {name for name in tree.info_set_names if name[0] == 0 and len(name[1]) == 1}
    assert second_turn == {
        (0, (1,), (0,)),
        (0, (1,), (-1,)),
        (0, (2,), (1,)),
        (0, (2,), (0,)),
        (0, (2,), (-1,)),
        (0, (3,), (1,)),
        (0, (3,), (0,)),
    }


def test_game_is_symmetric():
    """Exchanging the players turns every payoff round."""
    tree = goofspiel(3)
    found = {tree.histories[n]: tree.payoff[n] for n in np.flatnonzero(tree.player == TERMINAL)}
    for history, payoff in found.items():
        exchanged = tuple(history[at ^ 1] for at in range(len(history)))
        assert found[exchanged] == -payoff


def test_one_card_is_refused():
    """There would be nothing to bid."""
    with pytest.raises(InvalidGame, match="1 cards"):
        goofspiel(1)
