"""The grammar of answers; whether the rules allow them is tested with the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.actions import CALL, FOLD, Action, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from protocol.replies import (
    AnswerHead,
    action_kind,
    parse_answer_cards,
    parse_answer_head,
    raise_size,
)

HUNL = load_builtin("hunl")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b"f\r\n", "f"), (b"Fold", "f"), (b"c", "c"), (b"k", "c"), (b"Kxyz", "c"), (b"r300", "r"),
        (b"BET", "r"), (b"", None), (b" c", None), (b"x", None), (b":c", None),
    ],
)  # fmt: skip
def test_the_first_letter_says_which_action(text, kind):
    """Check and bet have letters of their own, in either case."""
    assert action_kind(text) == kind


@pytest.mark.parametrize(
    ("text", "chips"),
    [
        (b"r300\r\n", 300), (b"r 300", 300), (b"b+0300junk", 300), (b"r-5", -5), (b"r300.7", 300),
        (b"r" + b"9" * 4000, 10**18), (b"r" + b"0" * 4000 + b"7", 7),
        (b"r\r\n", None), (b"raise", None), (b"r-", None),
    ],
)  # fmt: skip
def test_the_size_of_a_raise(text, chips):
    """Blanks, a sign, leading zeros; endless numbers are cut, no number is none."""
    assert raise_size(text) == chips


@pytest.mark.parametrize(
    ("betting", "actions"),
    [
        (b"", []),
        (b"cr300c/", [CALL, raise_to(300), CALL]),
        (b"//K/b 300f", [CALL, raise_to(300), FOLD]),
        (b"r0r-5", [Action("r", 0), Action("r", -5)]),
    ],
)
def test_the_head_of_an_answer(betting, actions):
    """Numbers before the betting, actions in it, and where the cards begin."""
    text = b"MATCHSTATE: 01: +7:" + betting + b":|2hAc:c"
    head = parse_answer_head(text, no_limit=True)
    assert head == AnswerHead(1, 7, actions, text.index(b"|"))


@pytest.mark.parametrize(
    "text",
    [b"", b"MATCHSTATE:0:7", b"MATCHSTATE:0:7:cc", b"MATCHSTATE:0:7:zz:", b"MATCHSTATE:0:7:r:",
     b"MATCHSTATE:x:7:c:", b"matchstate:0:7:c:"],
)  # fmt: skip
def test_what_is_no_match_state(text):
    """Another word, a missing colon, letters that are no actions, a raise without its size."""
    assert parse_answer_head(text, no_limit=True) is None


def test_limit_raises_have_no_size():
    """Digits behind one are no action."""
    assert parse_answer_head(b"MATCHSTATE:0:7:rb:", no_limit=False).betting == [Action("r")] * 2
    assert parse_answer_head(b"MATCHSTATE:0:7:r300:", no_limit=False) is None


@pytest.mark.parametrize("text", [b"7d3d|/5sKs7s:c", b"7D3d|/5SkS7s:c", b"7d3d/5sKs7s:c"])
def test_cards_in_other_spellings(text):
    """Either case; a bar may be left out."""
    cards = parse_answer_cards(text, 0, HUNL, 1)
    assert cards.holes == (parse_cards("7d3d"), ())
    assert cards.board == parse_cards("5sKs7s")
    assert text[cards.end :] == b":c"


@pytest.mark.parametrize("text", [b"7d|/5sKs7s", b"7d3d|/5sKs", b"7d3d|", b"7d3d|/5sKsxx"])
def test_cards_that_are_not_those_of_the_street(text):
    """Half a hand, a card too few, none at all, no card."""
    assert parse_answer_cards(text, 0, HUNL, 1) is None


@given(st.binary(max_size=200), st.integers(0, 3))
def test_no_bytes_raise_an_exception(data, street):
    """Whatever an agent sends."""
    parse_answer_head(b"MATCHSTATE:0:7:" + data, no_limit=True)
    parse_answer_cards(data, 0, HUNL, street)
    action_kind(data)
    raise_size(data)
