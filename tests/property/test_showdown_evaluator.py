from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.showdown.evaluator import RANK_SETS, strength
from engine.showdown.strength_kernels import strengths
from tests.oracles import evaluator as oracle

HANDS = st.integers(1, 10).flatmap(
    lambda count: st.lists(
        st.lists(st.integers(0, 51), min_size=count, max_size=count, unique=True),
        min_size=2,
        max_size=12,
    )
)


@given(HANDS)
def test_orders_hands_as_looking_at_all_fives_does(hands):
    """Any two hands of equally many cards compare as their best fives do."""
    ours = [strength(hand) for hand in hands]
    plain = [oracle.strength(hand) for hand in hands]
    for mine, key in zip(ours, plain, strict=True):
        for other, other_key in zip(ours, plain, strict=True):
            assert (mine < other) == (key < other_key)
        assert mine >> 20 == key[0]


@given(
    st.integers(1, 10).flatmap(
        lambda count: st.lists(
            st.lists(st.integers(0, 15), min_size=count, max_size=count, unique=True),
            min_size=2,
            max_size=8,
        )
    )
)
def test_small_decks_make_strong_hands(hands):
    """Sixteen cards of four ranks: quads, full houses and several of them at once."""
    ours = [strength(hand) for hand in hands]
    plain = [oracle.strength(hand) for hand in hands]
    assert np.argsort(ours, stable=True).tolist() == sorted(
        range(len(hands)), key=plain.__getitem__
    )


@given(HANDS)
def test_compiled_twin_agrees(hands):
    """Same numbers, not only the same order."""
    assert strengths(np.array(hands, np.uint8)).tolist() == [strength(hand) for hand in hands]


@given(st.integers(0, 8191))
def test_rank_sets_describe_their_ranks(mask):
    """The table's entry for a set of ranks, derived the long way."""
    held = [rank for rank in range(12, -1, -1) if mask >> rank & 1]
    want = sum((rank + 1) << 4 * (4 - i) for i, rank in enumerate(held[:5]))
    runs = [top for top in held if set(range(top - 4, top + 1)) <= set(held)]
    wheel = [3] if {12, 0, 1, 2, 3} <= set(held) else []
    straight = max(runs + wheel, default=-1) + 1
    assert RANK_SETS[mask] == want | straight << 20


@pytest.mark.parametrize("count", [5, 6, 7])
def test_order_of_an_independent_evaluator(count):
    """5000 random hands rank as a published table-driven evaluator ranks them."""
    other = pytest.importorskip("phevaluator")
    generator = np.random.default_rng(count)
    hands = np.array([generator.choice(52, count, False) for _ in range(5000)], np.uint8)
    ours = strengths(hands).tolist()
    theirs = [-other.evaluate_cards(*hand) for hand in hands.tolist()]
    pairs = sorted(set(zip(ours, theirs, strict=True)))
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
