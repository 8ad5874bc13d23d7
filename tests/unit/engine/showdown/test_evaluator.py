import numpy as np
import pytest

from engine.showdown import evaluator
from engine.showdown.evaluator import category, strength
from engine.showdown.strength_kernels import strengths
from protocol.cards import parse_cards

# Weakest first within each number of cards.
LADDERS = [
    ["2c", "3s", "Ts", "Ah"],
    ["2c3d", "KsQs", "Ac2d", "AdKs", "2c2d", "AcAd"],
    ["2c3d4s", "QcKcAc", "2c2d3h", "AcAdKs", "2c2d2h", "AcAdAh"],
    [
        "2c3d4s5h",
        "TsJsQsKs",
        "2c2dKhAh",
        "3c3d2h4h",
        "2c2d3h3c",
        "3c3dAhAc",
        "2c2d2h3c",
        "2c2d2h2s",
    ],
    [
        "2c3d4h5s7c",
        "AcKdQhJs9c",
        "2c2d3h4h5h",
        "AcAdKhQhJh",
        "2c2d3h3c4h",
        "AcAdKhKcQh",
        "2c2d2h3c4h",
        "AcAdAhKcQh",
        "Ac2d3h4s5c",
        "2c3d4h5s6c",
        "TcJdQhKsAc",
        "2c3c4c5c7c",
        "AcKcQcJc9c",
        "2c2d2h3c3d",
        "AcAdAhKcKd",
        "2c2d2h2s3c",
        "AcAdAhAsKc",
        "Ac2c3c4c5c",
        "2c3c4c5c6c",
        "TcJcQcKcAc",
    ],
    [
        "2c4d6h8sTcQdAh",
        "2c2d6h8sTcQdAh",
        "2c2d8h8sTcQdAh",
        "2c2dAhAsKcKdQh",
        "2c2d2h8sTcQdAh",
        "Ac2d3h4s5cKdKh",
        "8c9dThJsQcQdQh",
        "2c4c6c8cTcTdTh",
        "2c2d2h3c3d3hAs",
        "3c3d3hAsAcKdKh",
        "2c2d2h2s3c3d3h",
        "9c9d9h9sTcTdTh",
        "5h6h7h8h9h9c9d",
    ],
]


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: f"{len(ladder[0]) // 2} cards")
def test_ladder_rises(ladder):
    """Each hand beats the one before it."""
    ranked = [strength(parse_cards(text)) for text in ladder]
    assert ranked == sorted(set(ranked))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AcKdQhJs9c", "AdKcQsJh9d"),
        ("AcAdKhKc2s3s4s", "AhAsKdKs4c3c2d"),
        ("2c3d4h5s6cAhAd", "2d3c4s5h6dKhQd"),
        ("8c8d8h8sKcKdQh", "8c8d8h8sKhQcQd"),
        ("2c3c4c5c7cAdAh", "2s3s4s5s7sKdKh"),
    ],
)
def test_suits_and_unused_cards_do_not_break_ties(one, other):
    """Only the best five cards count, and no suit is better than another."""
    assert strength(parse_cards(one)) == strength(parse_cards(other))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2c", 0x010000),
        ("AcAdKhKcQs", 0x2DCB00),
        ("Ac2d3h4s5c", 0x440000),
        ("TsJsQsKsAs", 0x8D0000),
        ("AcJc9c5c2c", 0x5DA841),
        ("7c7d7h7s", 0x760000),
    ],
)
def test_strength_can_be_read(text, value):
    """The category and the deciding ranks stand in the hexadecimal digits."""
    assert strength(parse_cards(text)) == value
    assert category(value) == value >> 20


def test_two_flushes_in_ten_cards():
    """The better of two flushes counts, and four of a kind beats neither a straight flush."""
    worse = parse_cards("2c4c6c8cTc")
    better = parse_cards("3h5h7h9hJh")
    assert strength(worse + better) == strength(better)
    quads = parse_cards("AcAdAhAs")
    assert category(strength(quads + parse_cards("2d3d4d5d9h8h"))) == evaluator.STRAIGHT_FLUSH


def test_order_of_cards_does_not_matter():
    """A hand is a set."""
    cards = parse_cards("9hQd8dAs8s4h6d")
    assert strength(cards) == strength(cards[::-1])


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
