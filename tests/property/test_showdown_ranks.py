import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.showdown.evaluator import strength
from engine.showdown.ranks import ranks, strength_of_rank
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
    assert strength_of_rank(ours).tolist() == [strength(hand) for hand in hands]
    plain = [oracle.strength(hand) for hand in hands]
    for mine, key in zip(ours, plain, strict=True):
        for other, other_key in zip(ours, plain, strict=True):
            assert (mine < other) == (key < other_key)
