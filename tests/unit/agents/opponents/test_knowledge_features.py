"""What the knowledge bots see in hole cards and boards."""

import numpy as np
import pytest

from agents.opponents.knowledge_features import HandFeatures, read_cards
from engine.showdown import made_hands as classes
from protocol.cards import parse_cards
from tests.oracles import hand_reading


def read(hole, board) -> HandFeatures:
    """Return the reading of cards given as text."""
    shown = parse_cards(board)
    padded = np.full(5, -1, np.int64)
    padded[: len(shown)] = shown
    return read_cards(np.array(parse_cards(hole), np.int64), padded, len(shown))


@pytest.mark.parametrize(
    ("hole", "board", "made"),
    [
        ("AhKd", "9c5s2d", classes.NOTHING),
        ("AhKd", "9c9s9d", classes.NOTHING),
        ("5h4d", "9c5s2d", classes.LOW_PAIR),
        ("7h7d", "9c5s2d", classes.LOW_PAIR),
        ("9hAd", "9c5s2d", classes.TOP_PAIR),
        ("9hAd", "9c5s5d", classes.TOP_PAIR),
        ("TsTd", "9c5s2d", classes.OVERPAIR),
        ("9h5d", "9c5s2d", classes.TWO_PAIR),
        ("9h9d", "9c5s2d", classes.TRIPS),
        ("8h7d", "9c6s5d", classes.STRAIGHT),
        ("AhKh", "9h6h5h", classes.FLUSH),
        ("9h9d", "9c5s5d", classes.FULL_HOUSE),
        ("2h3d", "TcJsQdKhAd", classes.NOTHING),
    ],
)
def test_made_hands_are_what_the_hole_cards_add(hole, board, made):
    """The board's own pairs and straights are nobody's."""
    assert read(hole, board).made == made


@pytest.mark.parametrize(
    ("hole", "board", "flush", "straight"),
    [
        ("AhKh", "9h6h2c", 9, 0),
        ("8c7d", "9h6s2c", 0, 8),
        ("8c7d", "Th6s2c", 0, 4),
        ("8h7h", "9h6h2c", 9, 6),
        ("AcKd", "9h6h2h3h", 0, 0),
        ("8c7d", "9h6s2cKd3h", 0, 0),
        ("Ac2d", "3h4s9c", 0, 4),
    ],
)
def test_outs_of_textbook_draws(hole, board, flush, straight):
    """Nine to a flush, eight open-ended, four to a gutshot, none on the river."""
    reading = read(hole, board)
    assert (reading.flush_outs, reading.straight_outs) == (flush, straight)


def test_boards_are_read():
    """Overcards, pairs, suits and ranks that touch."""
    assert read("AhKd", "9c5s2d").overcards == 2
    assert read("Ah9d", "9c5s2d").overcards == 0
    assert read("AhKd", "9c9s2d").pairs == 1
    assert read("AhKd", "9c9s2d2c").pairs == 2
    assert read("AhKd", "9c5c2c").suited == 3
    assert read("AhKd", "9c8s7d").connected == 3
    assert read("9h8d", "AcKs2d3c").connected == 3


def test_every_field_equals_the_oracle_on_random_cards():
    """Full decks, few ranks and few suits, all streets."""
    rng = np.random.default_rng(5)
    decks = (np.arange(52), np.arange(24), np.arange(52)[np.arange(52) % 4 < 2])
    for deal in range(1500):
        cards = 3 + deal % 3
        dealt = rng.choice(decks[deal // 3 % 3], 7, replace=False).astype(np.int64)
        hole, board = dealt[:2].copy(), dealt[2:].copy()
        board[cards:] = -1
        expected = hand_reading.reading(hole.tolist(), board[:cards].tolist())
        assert tuple(read_cards(hole, board, cards)) == expected, dealt


@pytest.mark.parametrize(
    ("hole", "board", "cards", "message"),
    [
        (np.array([0, 1]), np.arange(3), 3, "int64"),
        (np.array([0, 1], np.int32), np.arange(2, 7), 3, "int64"),
        (np.array([0, 1]), np.arange(2, 7), 2, "2 board cards"),
        (np.array([0, 1]), np.arange(1, 6), 3, "twice"),
        (np.array([0, 52]), np.arange(2, 7), 5, "none"),
        (np.array([0, 1]), np.array([2, 3, -1, -1, -1]), 3, "none"),
    ],
)
def test_bad_cards_are_refused(hole, board, cards, message):
    """Shapes, dtypes, numbers of cards, and cards themselves."""
    with pytest.raises(ValueError, match=message):
        read_cards(hole, board, cards)
