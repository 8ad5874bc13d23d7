"""Cards as numbers and as text."""

import pytest

from protocol.cards import CARD_TEXT, format_cards, parse_card, parse_cards
from protocol.errors import MalformedCard


def test_the_number_is_rank_times_four_plus_suit():
    """The numbering that the original dealer and all tables use."""
    assert [CARD_TEXT[card] for card in (0, 3, 4, 33, 51)] == ["2c", "2s", "3c", "Td", "As"]
    assert len(set(CARD_TEXT)) == 52


@pytest.mark.parametrize("card", range(52))
def test_every_card_reads_back(card):
    """Text and number are two views of one card."""
    assert parse_card(CARD_TEXT[card]) == card


@pytest.mark.parametrize("text", ["", "T", "1c", "td", "TD", "10c", "Tx", "Td ", "TdTd", "\u0662c"])
def test_refuses_what_is_not_one_card(text):
    """Other spellings, and more or less than one card, are malformed."""
    with pytest.raises(MalformedCard) as caught:
        parse_card(text)
    assert caught.value.text == text


def test_lists_keep_their_order():
    """Cards stand one after the other without separators."""
    assert parse_cards("As2cTd") == (51, 0, 33)
    assert parse_cards("") == ()
    assert format_cards([51, 0, 33]) == "As2cTd"


@pytest.mark.parametrize("text", ["A", "As2", "As2cT", "As 2c", "As|2c", "sA"])
def test_refuses_lists_with_anything_else_in_them(text):
    """A stray character or half a card spoils the list."""
    with pytest.raises(MalformedCard):
        parse_cards(text)
