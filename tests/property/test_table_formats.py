"""PHH, PokerStars text, Open Hand History, slumbot's records: what goes there comes back."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.histories.hand import HandHistory
from protocol.gamedefs import load_builtin
from tests.helpers.histories import hands_in, written
from tests.helpers.random_logs import random_log

GAMES = ("hunl", "hulhe", "limit3", "nolimit3", "nolimit6")
NAMES = st.text(
    st.characters(exclude_characters="|\n\r", exclude_categories=("Cs",)), min_size=1, max_size=8
)


def random_hands(name, seed, names=None, *, short=False, end="\n"):
    """A log and its hands."""
    random = np.random.default_rng(seed)
    game = load_builtin(name)
    if short:
        stacks = tuple(int(one) for one in random.integers(game.big_blind, 3000, game.players))
        game = replace(game, stacks=stacks)
    text = "".join(f"{line}{end}" for line in random_log(game, seed, 4, random, names=names))
    text += "# the end"
    hands = hands_in(text, "log", game)
    assert all(isinstance(hand, HandHistory) for hand in hands)
    return text, hands


@given(
    st.sampled_from(["phhs", "pokerstars", "ohh"]),
    st.sampled_from(GAMES),
    st.integers(0, 2**31),
    st.lists(NAMES, min_size=6, max_size=6),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
)
def test_a_log_is_the_same_to_the_byte(to, name, seed, names, short, end):
    """Header, SCORE, line ends, stacks of any depth, names of any letters."""
    text, hands = random_hands(name, seed, names, short=short, end=end)
    again = hands_in(written(hands, to), to)
    assert written(again, "log") == text
    assert [(one.game, one.state) for one in again] == [(one.game, one.state) for one in hands]


@given(st.integers(0, 2**31), st.lists(NAMES, min_size=2, max_size=2))
def test_slumbots_game_is_the_same_to_the_byte(seed, names):
    """As records of its interface."""
    text, hands = random_hands("hunl", seed, names)
    assert written(hands_in(written(hands, "slumbot"), "slumbot"), "log") == text


@pytest.mark.parametrize("to", ["pokerstars", "ohh", "slumbot"])
@given(data=st.data())
def test_nothing_else_escapes(to, data):
    """Whatever is put into a file, hands are read or left out."""
    _, hands = random_hands("hunl", 5, ("Ann", "Bob"))
    text = written(hands[:2], to)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        gone = data.draw(st.integers(0, 40))
        put = data.draw(st.text("[]{}\"'$#,.:-_0123456789aAcfkb \t\n\\\x7f\xff\udc80", max_size=6))
        text = text[:at] + put + text[at + gone :]
    for hand in hands_in(text, to):
        assert hand.line >= 1
