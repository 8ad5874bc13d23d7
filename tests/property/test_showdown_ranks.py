import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.showdown.evaluator import strength
from engine.showdown.ranks import category_of_rank, rank_of_strength, ranks, strength_of_rank
from tests.oracles import evaluator as oracle

HANDS = st.integers(5, 7).flatmap(
    lambda count: st.lists(
        st.lists(st.integers(0, 51), min_size=count, max_size=count, unique=True),
        min_size=2,
        max_size=12,
    )
)


@given(HANDS)
def test_ranks_order_hands_as_looking_at_all_fives_does(hands):
    """Any two hands of equally many cards compare as their best fives do."""
    ours = ranks(np.array(hands, np.uint8))
    plain = [oracle.strength(hand) for hand in hands]
    for mine, key in zip(ours, plain, strict=True):
        assert category_of_rank(mine) == key[0]
        for other, other_key in zip(ours, plain, strict=True):
            assert (mine < other) == (key < other_key)


@given(HANDS)
def test_ranks_and_strengths_are_two_names_for_the_same(hands):
    """Conversion leads from one evaluator to the other, both ways."""
    ours = ranks(np.array(hands, np.uint8))
    strengths = [strength(hand) for hand in hands]
    assert strength_of_rank(ours).tolist() == strengths
    assert rank_of_strength(strengths).tolist() == ours.tolist()


@given(HANDS.flatmap(lambda hands: st.tuples(st.just(hands), st.permutations(range(4)))))
def test_suits_and_order_do_not_matter(case):
    """Renaming suits and reordering cards leave the rank alone."""
    hands, suits = case
    renamed = [[card & ~3 | suits[card & 3] for card in reversed(hand)] for hand in hands]
    assert ranks(np.array(renamed, np.uint8)).tolist() == ranks(np.array(hands, np.uint8)).tolist()
