"""Random numbers from a key and a number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compiled.splitmix import plain_word, random_word

PUBLISHED = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC)
"""The first outputs of the generator seeded 0, as its authors' program prints them."""


@pytest.mark.parametrize(("number", "word"), list(enumerate(PUBLISHED, 1)))
def test_outputs_are_the_published_ones(number, word):
    """Bit for bit."""
    assert plain_word(0, number) == word


@given(st.integers(0, (1 << 64) - 1), st.integers(-3, 1 << 30))
def test_kernels_draw_the_same_numbers(key, number):
    """The compiled twin gives the same bits, as a uint64."""
    word = random_word(np.uint64(key), number)
    assert int(word) == plain_word(key, number)
