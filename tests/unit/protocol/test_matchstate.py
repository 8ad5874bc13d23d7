"""Match-state lines and the cards in them."""

from dataclasses import replace

import pytest

from protocol.cards import parse_cards
from protocol.errors import MalformedCard, MalformedLine
from protocol.gamedefs import load_builtin
from protocol.matchstate import (
    CardsShown,
    MatchState,
    format_card_text,
    format_match_state,
    parse_card_text,
    parse_match_state,
)

HUNL = load_builtin("hunl")
THREE = load_builtin("nolimit3")
BOARD_FIRST = replace(load_builtin("leduc"), board_cards=(1, 1))

# (line, state): both directions are checked from one table.
EXAMPLES = [
    (b"MATCHSTATE:0:0::TdAs|", MatchState(0, 0, "", "TdAs|")),
    (b"MATCHSTATE:1:30:cc/r250:|9hQd/8dAs8s", MatchState(1, 30, "cc/r250", "|9hQd/8dAs8s")),
    (b"MATCHSTATE:9:4294967295:rf:|", MatchState(9, 4294967295, "rf", "|")),
]


@pytest.mark.parametrize(("line", "state"), EXAMPLES)
def test_parses_and_formats(line, state):
    """Text and value are two views of the same match state."""
    assert parse_match_state(line) == state
    assert format_match_state(state) == line


@pytest.mark.parametrize(
    "line",
    [
        b"", b"MATCHSTATE", b"MATCHSTATE:0:0::TdAs|\n", b"MATCHSTATE:-1:0::|",
        b"MATCHSTATE:0: 1::|", b"MATCHSTATE:0:0:x:|", b"MATCHSTATE:0:0::TdA|",
        b"MATCHSTATE:0:0::tdas|", b"MATCHSTATE:0:0::|:c", b"matchstate:0:0::|",
        b"MATCHSTATE:0:0::|\0", b"MATCHSTATE:0:\xb2::|", b"MATCHSTATE:0:12345678901::|",
        b"MATCHSTATE:0:0:r12345678901:|",
    ],
)  # fmt: skip
def test_rejects_incomplete_or_decorated_line(line):
    """Anything but exactly one match state is malformed."""
    with pytest.raises(MalformedLine):
        parse_match_state(line)


# (text, game, street, holes, board)
CARDS = [
    ("TdAs|", HUNL, 0, ("TdAs", ""), ""),
    ("|", HUNL, 0, ("", ""), ""),
    ("|2hAc/5sKs7s", HUNL, 1, ("", "2hAc"), "5sKs7s"),
    ("7d3d|2hAc/5sKs7s/2d/2c", HUNL, 3, ("7d3d", "2hAc"), "5sKs7s2d2c"),
    ("|2hAc|5sKs/7s9s6h/4h/Ts", THREE, 3, ("", "2hAc", "5sKs"), "7s9s6h4hTs"),
    ("7d|2h", BOARD_FIRST, 0, ("7d", ""), "2h"),
    ("|3d2h", BOARD_FIRST, 0, ("", "3d"), "2h"),
    ("7d|3d2h/Ac", BOARD_FIRST, 1, ("7d", "3d"), "2hAc"),
]


@pytest.mark.parametrize(("text", "game", "street", "holes", "board"), CARDS)
def test_card_text_shows_hidden_cards_as_empty(text, game, street, holes, board):
    """The game tells own cards and board apart, also where nothing stands between them."""
    shown = CardsShown(tuple(parse_cards(hole) for hole in holes), parse_cards(board))
    assert parse_card_text(text, game) == shown
    assert format_card_text(shown.holes, shown.board, game, street) == text


def test_a_street_without_new_cards_keeps_its_slash():
    """The number of slashes says which street was reached."""
    game = replace(HUNL, board_cards=(0, 3, 0, 1))
    text = format_card_text(((), parse_cards("2hAc")), parse_cards("5sKs7s"), game, 2)
    assert text == "|2hAc/5sKs7s/"
    assert parse_card_text(text, game).board == parse_cards("5sKs7s")


def test_board_cards_of_later_streets_are_left_out():
    """A caller may hand over the whole board."""
    board = parse_cards("5sKs7s2d2c")
    assert format_card_text(((), ()), board, HUNL, 1) == "|/5sKs7s"


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("", HUNL), ("TdAs", HUNL), ("TdAs||", HUNL), ("Td|", HUNL), ("TdAs2c|", HUNL),
        ("TdAs|/5sKs", HUNL), ("TdAs|/5sKs7s2d", HUNL), ("TdAs|/5sKs7s/2d/2c/", HUNL),
        ("TdAs|2c", HUNL), ("Td As|", HUNL), ("7d|", BOARD_FIRST), ("7d|2h3h4h", BOARD_FIRST),
        ("7d|/2h", BOARD_FIRST),
    ],
)  # fmt: skip
def test_card_text_of_another_game_is_malformed(text, game):
    """Every position has all its cards or none, every street all of its board cards."""
    with pytest.raises(MalformedCard):
        parse_card_text(text, game)
