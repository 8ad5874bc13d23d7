"""What hands are called at a table."""

import pytest

from engine.histories.pokerstars_write import hand_words
from engine.showdown.evaluator import strength
from protocol.cards import parse_cards


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("AcKd9h7s3c2d4h", "high card Ace"),
        ("6c6d9h7sKc2d4h", "a pair of Sixes"),
        ("AcAdKhKs3c2d4h", "two pair, Aces and Kings"),
        ("2c2d2hKs3c9d4h", "three of a kind, Deuces"),
        ("Ac2d3h4s5cKdKh", "a straight, Ace to Five"),
        ("AcKdQhJsTc2d2h", "a straight, Ten to Ace"),
        ("Ac9c7c5c2cKdKh", "a flush, Ace high"),
        ("AcAdAhKsKc2d4h", "a full house, Aces full of Kings"),
        ("6c6d6h6sKc2d4h", "four of a kind, Sixes"),
        ("5c6c7c8c9cKdKh", "a straight flush, Five to Nine"),
        ("TcJcQcKcAcKdKh", "a Royal Flush"),
    ],
)
def test_every_kind_of_hand_has_words(cards, words):
    """As PokerStars prints them."""
    assert hand_words(strength(parse_cards(cards))) == words
