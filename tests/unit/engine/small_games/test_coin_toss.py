"""Coin Toss."""

import numpy as np
import pytest

from engine.small_games.coin_toss import (
    FORFEIT,
    GUESS,
    HEADS,
    LEFT,
    PLAY,
    RIGHT,
    SELL,
    TAILS,
    coin_toss,
)
from engine.small_games.game_tree import TERMINAL


@pytest.mark.parametrize(
    ("history", "payoff"),
    [
        ((HEADS, SELL), 0.5), ((TAILS, SELL), -0.5), ((HEADS, PLAY, HEADS), -1),
        ((HEADS, PLAY, TAILS), 1), ((TAILS, PLAY, TAILS), -1), ((TAILS, PLAY, HEADS), 1),
        ((HEADS, PLAY, FORFEIT), 1), ((TAILS, PLAY, FORFEIT), 1),
    ],
)  # fmt: skip
def test_payoffs(history, payoff):
    """As in the figure of the paper; the same with two copies of the guess."""
    tree = coin_toss()
    assert tree.payoff[tree.histories.index(history)] == payoff
    copies = coin_toss(two_copies=True)
    for copy in (LEFT, RIGHT) if history[1] == PLAY else ((),):
        found = copies.histories.index((*history[:2], *([copy] if copy else []), *history[2:]))
        assert copies.payoff[found] == payoff


def test_only_player_0_sees_the_coin():
    """Player 1 has one information set, or one for each copy."""
    assert coin_toss().info_set_names == (HEADS, TAILS, GUESS)
    assert coin_toss(two_copies=True).info_set_names == (HEADS, TAILS, LEFT, RIGHT)


def test_copies_are_equally_likely():
    """Chance decides after the coin was played."""
    tree = coin_toss(two_copies=True)
    copies = [
        node for node, history in enumerate(tree.histories) if history[2:] in ((LEFT,), (RIGHT,))
    ]
    np.testing.assert_array_equal(tree.chance[copies], 0.5)
    assert len(copies) == 4
    assert (tree.player == TERMINAL).sum() == 2 + 2 * 2 * 3
