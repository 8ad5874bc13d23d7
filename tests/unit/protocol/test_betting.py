"""Betting text."""

import pytest

from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.betting import format_betting, parse_betting
from protocol.errors import MalformedBetting

# (text, streets): both directions are checked from one table.
EXAMPLES = [
    ("", ((),)),
    ("cc/", ((CALL, CALL), ())),
    ("rrf", ((RAISE, RAISE, FOLD),)),
    ("cr300c/cc", ((CALL, raise_to(300), CALL), (CALL, CALL))),
    ("r20000c///", ((raise_to(20000), CALL), (), (), ())),
    ("r2147483647f", ((raise_to(2147483647), FOLD),)),
]


@pytest.mark.parametrize(("text", "streets"), EXAMPLES)
def test_parses_and_formats(text, streets):
    """Text and actions are two views of the same betting."""
    assert parse_betting(text) == streets
    assert format_betting(streets) == text


@pytest.mark.parametrize(
    "text", ["C", "cc ", "k", "c300", "r-5", "r+5", "r 5", "300", "cc\n", "r12345678901", "r\u0663"]
)
def test_refuses_everything_outside_the_grammar(text):
    """Lenient spellings are for replies, not for what a dealer writes."""
    with pytest.raises(MalformedBetting):
        parse_betting(text)


def test_a_huge_size_is_refused_without_reading_it():
    """Turning a million digits into a number would take seconds."""
    with pytest.raises(MalformedBetting) as caught:
        parse_betting("c" * 1000 + "r" + "9" * 1_000_000)
    assert len(str(caught.value)) < 200
