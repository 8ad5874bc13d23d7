import numba
import numpy as np
import pytest

from engine.showdown import evaluator, rank_kernels
from engine.showdown.ranks import classical_rank, ranks, strength_of_rank
from protocol.cards import parse_cards


def rank_of_five(cards):
    """Rank of one hand."""
    return int(ranks(np.array([cards], np.uint8))[0])


def rank(text):
    """Rank of one hand written as text."""
    return rank_of_five(parse_cards(text))


# Published numbers on the classical scale (Cactus Kev's, which other evaluators share).
CLASSICAL = [
    ("AsKsQsJsTs", 1),
    ("2h3h4h5h6h", 9),
    ("Ad2d3d4d5d", 10),
    ("2s2h2d2c3s", 166),
    ("AcKcQcJc9c", 323),
    ("7s5h4d3c2s", 7462),
]


@pytest.mark.parametrize(("text", "classical"), CLASSICAL)
def test_published_values(text, classical):
    """Single hands whose number is known, both ways."""
    assert classical_rank(rank(text)) == classical
    assert rank(text) == classical_rank(classical)


def test_class_borders():
    """The worst and the best classical rank of every category, published."""
    best = {8: 1, 7: 11, 6: 167, 5: 323, 4: 1600, 3: 1610, 2: 2468, 1: 3326, 0: 6186}
    every = np.arange(1, 7463)
    categories = strength_of_rank(every) >> 20
    for category, first in best.items():
        assert classical_rank(every[categories == category]).min() == first
    assert (np.diff(categories) >= 0).all()
    assert categories[-1] == evaluator.STRAIGHT_FLUSH


def test_results_have_the_documented_types():
    """What callers store without looking."""
    hands = np.array([parse_cards("AsKsQsJsTs2c3d")], np.uint8)
    assert ranks(hands).dtype == classical_rank(ranks(hands)).dtype == np.uint16
    assert strength_of_rank(ranks(hands)).dtype == np.int32
    assert ranks(np.empty((0, 6), np.uint8)).shape == (0,)


@pytest.mark.parametrize("wrong", [0, 7463, -1, 1.5, [5, 0]])
@pytest.mark.parametrize("convert", [classical_rank, strength_of_rank])
def test_numbers_that_are_no_ranks_are_refused(convert, wrong):
    """Zero means no hand and must not pass for one."""
    with pytest.raises(ValueError, match="1 to 7462"):
        convert(wrong)


@pytest.mark.parametrize(
    "cards",
    [
        np.zeros((1, 7)),
        np.zeros(7, np.uint8),
        np.zeros((1, 4), np.uint8),
        np.zeros((1, 8), np.uint8),
        np.full((1, 7), 52, np.uint8),
    ],
)
def test_batches_are_checked(cards):
    """Shape, dtype and range, before a kernel trusts them."""
    with pytest.raises(ValueError, match="cards"):
        ranks(cards)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_kernel_is_compiled_once_per_number_of_cards():
    """Strided and read-only inputs are copied before they reach the kernel."""
    hands = np.array([parse_cards("9hQd8dAs8s4h6d")] * 2, np.uint8)
    for count in (5, 6, 7):
        assert ranks(hands[:, :count])[0] == ranks(hands[::2, :count])[0]
    hands.flags.writeable = False
    ranks(hands)
    assert len(rank_kernels.rank_rows.signatures) == 3
