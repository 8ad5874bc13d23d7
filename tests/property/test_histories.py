"""PHH: entries come back the same, and nothing else escapes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import UnusableHistory
from engine.histories.toml_text import format_toml, read_any_toml, read_entries
from tests.helpers.histories import hands_in

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
