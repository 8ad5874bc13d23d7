from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hands.isomorphism import CanonicalIndex
from tests.oracles.isomorphism import canonical

GROUPINGS = (
    st.lists(st.integers(1, 7), min_size=1, max_size=4)
    .map(tuple)
    .filter(lambda groups: sum(groups) <= 7)
)
SUITS = st.permutations(range(4))


index_of = cache(CanonicalIndex)


@st.composite
def similar_deals(draw):
    """Draw a grouping and two deals of few ranks that are often the same but for suits."""
    groups = draw(GROUPINGS)
    total = sum(groups)
    deck = draw(st.sampled_from([range(12), range(20), range(52)]))
    cards = st.lists(st.sampled_from(deck), min_size=total, max_size=total, unique=True)
    first = draw(cards)
    suits = draw(SUITS)
    second = [4 * (card // 4) + suits[card % 4] for card in first]
    changed = draw(st.integers(0, 2))
    for place in draw(st.lists(st.integers(0, total - 1), min_size=changed, max_size=changed)):
        card = draw(st.sampled_from(deck))
        if card not in second:
            second[place] = card
    return groups, first, second


@given(similar_deals())
def test_classes_are_equal_where_canonical_deals_are(deals):
    """Two deals share a class exactly if some renaming turns one into the other."""
    groups, first, second = deals
    one, other = index_of(groups).index(np.array([first, second], np.uint8))
    assert (one == other) == (canonical(groups, first) == canonical(groups, second))


@given(GROUPINGS, st.permutations(range(52)), SUITS, st.randoms(use_true_random=False))
def test_suits_and_order_do_not_matter(groups, deck, suits, random):
    """Renaming suits and shuffling within groups changes no index."""
    cards = deck[: sum(groups)]
    other = []
    for size in groups:
        start = len(other)
        group = [4 * (card // 4) + suits[card % 4] for card in cards[start : start + size]]
        random.shuffle(group)
        other += group
    one, same = index_of(groups).index(np.array([cards, other], np.uint8))
    assert one == same


@given(GROUPINGS, st.data())
def test_a_class_has_a_deal_that_leads_back(groups, data):
    """Of any grouping, and for any class, the first and the last included."""
    index = index_of(groups)
    number = data.draw(
        st.integers(0, index.size - 1) | st.sampled_from([0, index.size - 1]), label="class"
    )
    cards = index.cards(np.array([number]))
    assert len(set(cards[0].tolist())) == sum(groups)
    assert index.index(cards).tolist() == [number]


@pytest.mark.parametrize("groups", [(1,) * 7, (2, 1, 1, 1, 1, 1), (2, 2, 3)])
def test_groupings_with_many_kinds_of_suits(groups):
    """The largest tables there are still tell all their classes apart."""
    index = index_of(groups)
    classes = np.random.default_rng(9).integers(0, index.size, 20_000)
    assert (index.index(index.cards(classes)) == classes).all()
