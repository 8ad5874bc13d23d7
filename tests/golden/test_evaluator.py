"""Known rankings: recorded by the original evaluator, counted in books, or other evaluators'."""

from itertools import pairwise

import numba
import numpy as np
import pytest

from engine.showdown import tables
from engine.showdown.evaluator import strength
from engine.showdown.ranks import classical_rank, ranks
from engine.showdown.strength_kernels import strengths
from protocol.cards import parse_cards
from tests.oracles import prime_products


def recorded(shared_data, count):
    """Hands of `count` cards as the original ranked them, and its ranks."""
    path = shared_data / f"golden/golden/eval/rank_{count}_cards.txt"
    lines = [line.split() for line in path.read_text().splitlines() if line[0] != "#"]
    return [parse_cards(text) for text, _ in lines], [int(rank) for _, rank in lines]


def assert_same_order(ours, theirs):
    """The same hands tie, and the others rank the same way round."""
    pairs = sorted(set(zip(ours, theirs, strict=True)))
    for (worse, low), (better, high) in pairwise(pairs):
        assert worse < better
        assert low < high


@pytest.mark.parametrize("count", range(1, 11))
def test_order_is_the_originals(shared_data, count):
    """Recorded hands of 1 to 10 cards."""
    hands, theirs = recorded(shared_data, count)
    ours = [strength(hand) for hand in hands]
    assert strengths(np.array(hands, np.uint8)).tolist() == ours
    assert_same_order(ours, theirs)


@pytest.mark.parametrize("count", [5, 6, 7])
def test_order_of_ranks_is_the_originals(shared_data, count):
    """Recorded hands of 5 to 7 cards."""
    hands, theirs = recorded(shared_data, count)
    assert_same_order(ranks(np.array(hands, np.uint8)).tolist(), theirs)


# How often each category occurs among all hands: combinatorics, found in any book on poker odds.
CATEGORIES = {
    5: (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40),
    6: (6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1844),
    7: (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584),
}
needs_compiler = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="156 million hands want compiled code"
)


@needs_compiler
@pytest.mark.parametrize(("count", "published"), CATEGORIES.items())
def test_all_hands_fall_into_the_known_categories(count, published):
    """Every hand of 5, 6 and 7 cards (133 784 560), counted by category."""
    from tests.helpers.all_hands import count_categories

    assert count_categories(count) == list(published)


@needs_compiler
@pytest.mark.parametrize("count", CATEGORIES)
def test_both_evaluators_agree_on_all_hands(count):
    """Look-up and comparison of masks, written independently, on every hand of 5 to 7 cards."""
    from tests.helpers.all_hands import count_disagreements

    assert count_disagreements(count, tables.strengths_by_rank()) == 0


@needs_compiler
def test_all_hands_of_five_have_the_numbers_of_an_independent_evaluator():
    """All 2 598 960, on the classical scale; they take 7462 different values."""
    other = pytest.importorskip("phevaluator._pheval")
    from tests.helpers.all_hands import all_hands

    hands = all_hands(5)
    ours = classical_rank(ranks(hands))
    theirs = map(other.evaluate_5cards, *hands.T.tolist())
    assert ours.tolist() == list(theirs)
    assert len(np.unique(ours)) == 7462


def test_hands_with_a_pair_make_4888_classes():
    """The other 2574 are the 1287 sets of five ranks, suited and not."""
    plain = np.unique(tables.plain_ranks(5)[1])[1:]
    distinct = 1287
    assert len(plain) - distinct == 4888
    assert 4888 + 2 * distinct == tables.RANKS


def test_primes_and_products_find_the_same():
    """The patent's five-card evaluator: its tables have its sizes, and its values are ours."""
    flushes, unique5, products, values = made = prime_products.tables()
    assert (len(flushes), len(unique5), len(products), len(values)) == (7937, 7937, 4888, 4888)
    assert (products[0], products[-1]) == (48, 104_553_157)
    words = prime_products.words()
    assert words[parse_cards("Kd")[0]] == 0b00001000_00000000_01001011_00100101
    assert flushes[7808] == 323
    named = {"AsKsQsJsTs": 1, "6d5d4d3d2d": 9, "5h4h3h2hAh": 10, "2c2d2h2s3c": 166}
    named |= {"7c5d4h3s2c": 7462, "AsAhKsKhQs": 2468, "Ts9h8d7c6s": 1604}
    rng = np.random.default_rng(3)
    for count, hands, fives in (
        (5, [list(parse_cards(text)) for text in named], np.arange(5)[None]),
        (5, [rng.permutation(52)[:5] for _ in range(2000)], np.arange(5)[None]),
        (7, [rng.permutation(52)[:7] for _ in range(100)], prime_products.FIVES),
    ):
        cards = np.array(hands, np.uint8)
        out = np.empty(len(cards), np.int64)
        five = prime_products.value_of_five
        prime_products.fill_values(five, cards, words, fives, *made, out)
        assert cards.shape[1] == count
        assert out.tolist() == classical_rank(ranks(cards)).tolist()
        if len(named) == len(out):
            assert out.tolist() == list(named.values())
