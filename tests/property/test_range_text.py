"""Ranges survive being written and read."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.hands.cards import COMBOS
from engine.hands.range_text import format_range, parse_range

RANKS = st.sampled_from("23456789TJQKA")


@st.composite
def classes(draw):
    """One of the 169 classes, or both kinds of one."""
    first, second = draw(RANKS), draw(RANKS)
    return first + second + ("" if first == second else draw(st.sampled_from(["", "s", "o"])))


@st.composite
def pieces(draw):
    """A piece with or without a plus and a weight."""
    weight = draw(st.sampled_from(["", ":0.5", ":0", ":0.30000001"]))
    return draw(classes()) + draw(st.sampled_from(["", "+"])) + weight


@given(st.lists(pieces(), max_size=12))
def test_text_of_a_parsed_range_means_the_same(texts):
    """However the range was written."""
    weights = parse_range(",".join(texts))
    np.testing.assert_array_equal(parse_range(format_range(weights)), weights)


@given(
    arrays(np.float32, COMBOS, elements=st.floats(0, 1, width=32), fill=st.sampled_from([0.0, 1.0]))
)
def test_any_weights_survive_the_round_trip(weights):
    """To the last bit, the smallest numbers too."""
    np.testing.assert_array_equal(parse_range(format_range(weights)), weights)


@given(st.text(max_size=30))
def test_any_text_is_a_range_or_a_value_error(text):
    """Nothing else escapes."""
    error = ""
    try:
        assert parse_range(text).shape == (COMBOS,)
    except ValueError as caught:
        error = str(caught)
    assert "\n" not in error
