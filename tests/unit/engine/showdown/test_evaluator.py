import numpy as np
import pytest

from engine.showdown.evaluator import category, strength
from engine.showdown.strength_kernels import strengths
from protocol.cards import parse_cards


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2c", 0x010000), ("AcAdKhKcQs", 0x2DCB00), ("Ac2d3h4s5c", 0x440000),
        ("TsJsQsKsAs", 0x8D0000), ("AcJc9c5c2c", 0x5DA841), ("7c7d7h7s", 0x760000),
    ],
)  # fmt: skip
def test_strength_can_be_read(text, value):
    """The category and the deciding ranks stand in the hexadecimal digits."""
    assert strength(parse_cards(text)) == value
    assert category(value) == value >> 20


def test_batches_equal_single_hands():
    """`strengths` is the compiled `strength`."""
    hands = np.array([np.random.default_rng(s).permutation(52)[:7] for s in range(200)], np.uint8)
    assert strengths(hands).tolist() == [strength(hand) for hand in hands.tolist()]
    assert strengths(hands[::2]).tolist() == strengths(hands).tolist()[::2]
    assert strengths(hands[:, :3]).dtype == np.int32
    assert strengths(np.empty((0, 5), np.uint8)).shape == (0,)


@pytest.mark.parametrize(
    "cards",
    [
        np.zeros((1, 5)),
        np.zeros(5, np.uint8),
        np.zeros((1, 11), np.uint8),
        np.full((1, 1), 52, np.uint8),
    ],
)
def test_batches_are_checked(cards):
    """Shape, dtype and range, before a kernel trusts them."""
    with pytest.raises(ValueError, match="cards"):
        strengths(cards)
