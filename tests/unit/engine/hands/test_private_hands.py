"""The hands of a game by number."""

from dataclasses import replace

import numpy as np
import pytest

from engine.errors import InvalidGame
from engine.hands.cards import COMBOS
from engine.hands.private_hands import HOLDEM_HANDS, private_hands
from engine.hands.ranges import compatible_reach, without_blocked
from protocol.gamedefs import load_builtin


def test_hands_of_holdem_are_the_combos():
    """In all its forms, short ones too."""
    game = load_builtin("hunl")
    short = replace(
        game,
        streets=2,
        board_cards=(0, 3),
        first_positions=game.first_positions[:2],
        max_raises=game.max_raises[:2],
    )
    assert private_hands(game) is private_hands(short) is HOLDEM_HANDS
    assert HOLDEM_HANDS.count == COMBOS


def test_single_cards_block_themselves():
    """What is possible beside a card is all but it."""
    hands = private_hands(load_builtin("leduc"))
    assert hands.count == 6
    assert hands.deck == tuple(sorted(load_builtin("leduc").deck))
    weights = np.arange(1.0, 7.0)
    np.testing.assert_allclose(compatible_reach(weights, hands), 21 - weights)
    assert without_blocked(weights, hands.deck[:1], hands).tolist() == [0, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("name", ["fixed-queen"])
def test_games_with_lists_of_cards_are_refused(name):
    """Positions have other hands there."""
    with pytest.raises(InvalidGame, match="single cards"):
        private_hands(load_builtin(name))


def test_one_card_of_52_is_refused():
    """There are no 52 cards besides to go with them."""
    with pytest.raises(InvalidGame, match="at most 26"):
        private_hands(replace(load_builtin("hunl"), hole_cards=1))


def test_a_range_of_another_length_is_refused():
    """By how many there should be."""
    with pytest.raises(ValueError, match="6 weights"):
        compatible_reach(np.ones(COMBOS), private_hands(load_builtin("leduc")))
