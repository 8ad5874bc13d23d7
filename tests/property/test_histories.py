"""Hand histories: what goes to another format comes back the same, and nothing else escapes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import UnusableHistory
from engine.histories.hand import HandHistory
from engine.histories.toml_text import format_toml, read_any_toml, read_entries
from protocol.gamedefs import load_builtin
from tests.helpers.histories import hands_in, written
from tests.helpers.random_logs import random_log

GAMES = ("hunl", "hulhe", "limit3", "nolimit3", "nolimit6")
NAMES = st.text(
    st.characters(exclude_characters="|\n\r", exclude_categories=("Cs",)), min_size=1, max_size=8
)


@given(
    st.sampled_from(GAMES),
    st.integers(0, 2**31),
    st.lists(NAMES, min_size=6, max_size=6),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
)
def test_a_log_is_the_same_to_the_byte_after_phh(name, seed, names, short, end):
    """Header, SCORE, line ends, stacks of any depth, names of any letters."""
    random = np.random.default_rng(seed)
    game = load_builtin(name)
    if short:
        stacks = tuple(int(one) for one in random.integers(game.big_blind, 3000, game.players))
        game = replace(game, stacks=stacks)
    text = "".join(f"{line}{end}" for line in random_log(game, seed, 4, random, names=names))
    text += "# the end"
    hands = hands_in(text, "log", game)
    assert all(isinstance(hand, HandHistory) for hand in hands)
    again = hands_in(written(hands, "phhs"), "phhs")
    assert written(again, "log") == text
    assert [(one.game, one.state) for one in again] == [(one.game, one.state) for one in hands]


ENTRIES = st.dictionaries(
    st.from_regex(r"\A[a-z_]{1,5}\Z"),
    st.one_of(
        st.integers(-(10**20), 10**20),
        st.booleans(),
        st.text(st.characters(exclude_categories=("Cs",))),
        st.decimals(-1000, 1000, places=3),
        st.times(),
        st.lists(st.text(st.characters(exclude_categories=("Cs",)))),
        st.lists(st.integers(-10, 10**20)),
    ),
)


@given(ENTRIES)
def test_entries_are_read_as_they_were_written(entries):
    """By the fast way and by tomllib."""
    text = format_toml(entries)
    assert read_entries(text) == entries
    assert read_any_toml(text) == entries


PLAIN = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [20000, 20000]
actions = ["d dh p1 AcAs", "d dh p2 7h6h", "p2 cbr 300", "p1 cbr 900", "p2 f"]
time = 12:30:00
players = ['a', 'b']
finishing_stacks = [20300, 19700.0]
"""


@given(
    st.integers(0, len(PLAIN) - 1),
    st.integers(0, 12),
    st.text("[]'\"=#,.:-_0123456789aInfNT \t\r\n\\\x7f\xff?", max_size=6),
)
def test_whatever_a_file_has_it_is_read_as_tomllib_reads_it(at, gone, put):
    """Or refused, and no other error escapes."""
    text = PLAIN[:at] + put + PLAIN[at + gone :]
    try:
        right = read_any_toml(text)
    except UnusableHistory:
        with pytest.raises(UnusableHistory):
            read_entries(text)
    else:
        assert repr(read_entries(text)) == repr(right)
    for hand in hands_in(text, "phhs"):
        assert hand.line >= 1
