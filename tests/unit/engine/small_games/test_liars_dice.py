"""Liar's dice."""

import pytest

from engine.errors import InvalidGame
from engine.small_games.liars_dice import LIAR, liars_dice


@pytest.fixture(scope="module")
def tree():
    """Two faces: few enough bids to write down."""
    return liars_dice(2)


def test_sizes(tree):
    """Each set of bids made so far, but none, is known with each die; 8 bids with 4 faces."""
    assert tree.info_sets == 2 * 2**4
    assert liars_dice().info_sets == 4 * 2**8


@pytest.mark.parametrize(
    ("history", "payoff"),
    [
        ((1, 1, (1, 1), LIAR), 1),
        ((2, 2, (2, 2), LIAR), 1),
        ((1, 1, (1, 2), LIAR), -1),
        # Two dice show a 1 when one of them is the wild 2; a 1 is no 2
        ((1, 2, (2, 1), LIAR), 1),
        ((1, 2, (2, 2), LIAR), -1),
        # Player 0 calls
        ((1, 2, (1, 1), (1, 2), LIAR), -1),
        ((1, 1, (1, 1), (1, 2), LIAR), 1),
    ],
)
def test_true_bids_win_for_the_bidder(tree, history, payoff):
    """The highest face is wild."""
    assert tree.payoff[tree.histories.index(history)] == payoff


def test_bids_rise(tree):
    """More dice, or a higher face; there is nothing to call at first, nothing else at last."""
    actions = dict(zip(tree.info_set_names, tree.action_names, strict=True))
    assert actions[0, 1, ()] == ((1, 1), (1, 2), (2, 1), (2, 2))
    assert actions[1, 1, ((1, 2),)] == ((2, 1), (2, 2), LIAR)
    assert actions[1, 1, ((2, 2),)] == (LIAR,)


def test_one_face_is_refused():
    """Everybody would know everything."""
    with pytest.raises(InvalidGame, match="1 faces"):
        liars_dice(1)
