"""What hole cards make of a board."""

import pytest

from agents.rulebook.hand_classes import Draw, Made, best_draw, made_hand
from protocol.cards import parse_cards


@pytest.mark.parametrize(
    ("hole", "board", "made"),
    [
        ("AhKd", "2c7d9s", Made.NOTHING),
        ("AhKd", "2c2d9s", Made.NOTHING),
        ("AhKd", "AcQd9s", Made.TOP_PAIR),
        ("QhKd", "AcQs9s", Made.WEAK_PAIR),
        ("QhQd", "Jc7s2s", Made.TOP_PAIR),
        ("7h7d", "Jc9s2s", Made.WEAK_PAIR),
        ("AhKd", "AcKs9s", Made.STRONG),
        ("AhKd", "Ac9c9s", Made.TOP_PAIR),
        ("7h7d", "7c9s2s", Made.STRONG),
        ("AhKd", "9c9d9s", Made.NOTHING),
        ("9hKd", "9c9d2s", Made.STRONG),
        ("8h7d", "9cTdJs", Made.STRONG),
        ("AhKd", "9cTdJsQsKc", Made.STRONG),
        ("2h3d", "9cTdJsQsKc", Made.NOTHING),
        ("AhKh", "2h5h9h", Made.STRONG),
        ("2c3d", "4h5h9hJhKh", Made.NOTHING),
    ],
)
def test_made_hands(hole, board, made):
    """Only what the hole cards add to the board's own hand counts."""
    assert made_hand(parse_cards(hole), parse_cards(board)) is made


@pytest.mark.parametrize(
    ("hole", "board", "draw"),
    [
        ("AhKh", "2h5h9s", Draw.FLUSH),
        ("AhKd", "2h5h9h", Draw.FLUSH),
        ("AcKd", "2h5h9hJh", Draw.NONE),
        ("8h7d", "9cTd2s", Draw.OPEN_ENDED),
        ("8h7d", "9cJd2s", Draw.GUTSHOT),
        ("Ah5d", "4c3d9s", Draw.GUTSHOT),
        ("5h4d", "3c2dKs", Draw.OPEN_ENDED),
        ("Th6d", "8c7s4s", Draw.OPEN_ENDED),
        ("AhKd", "QcJd2s", Draw.GUTSHOT),
        ("AhKd", "2c7d9s", Draw.NONE),
        ("2h2d", "9cTdJsQs", Draw.NONE),
        ("8h7d", "9cTdJs", Draw.NONE),
        ("AhKh", "2h5h9s7cJd", Draw.NONE),
    ],
)
def test_draws(hole, board, draw):
    """Eight or nine outs, four outs or none; a made hand or a full board has no draw."""
    assert best_draw(parse_cards(hole), parse_cards(board)) is draw
