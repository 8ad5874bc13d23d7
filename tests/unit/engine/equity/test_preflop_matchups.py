from itertools import combinations

import numpy as np
import pytest

from engine.equity.preflop import (
    KEYS,
    MATCHUPS,
    matchup_deals,
    matchup_hands,
    matchup_keys,
)
from engine.hands.cards import COMBO_CARDS, COMBO_MASKS, parse_combo
from engine.hands.isomorphism import CanonicalIndex
from engine.hands.starting_hands import (
    COMBO_STARTING_HAND,
    STARTING_HAND_NAMES,
    starting_hand,
)


@pytest.fixture(scope="module")
def pairs():
    """Every ordered pair of combos that share no card."""
    return np.nonzero((COMBO_MASKS[:, None] & COMBO_MASKS) == 0)


@pytest.fixture(scope="module")
def keyed(pairs):
    """Their keys, and whether they are swapped."""
    return matchup_keys(*pairs)


def key_of(first, second):
    """Return key and swap of two combos in text."""
    keys, swapped = matchup_keys(np.array([parse_combo(first)]), np.array([parse_combo(second)]))
    return int(keys[0]), bool(swapped[0])


def test_number_of_matchups(keyed):
    """The published number of ways in which two hands can meet, suits aside."""
    assert len(np.unique(keyed[0])) == MATCHUPS == 47_008
    assert keyed[0].dtype == np.int32
    assert 0 <= keyed[0].min() <= keyed[0].max() < KEYS


def test_keys_are_those_of_the_canonical_index(pairs, keyed):
    """A key stands for a class of (first, second) and for the class of (second, first)."""
    index = CanonicalIndex((2, 2))
    cards = COMBO_CARDS[np.stack(pairs, axis=1)]
    ordered = index.index(cards.reshape(-1, 4))
    reversed_order = index.index(cards[:, ::-1].reshape(-1, 4))
    keys, swapped = keyed
    either = np.minimum(ordered, reversed_order)
    assert len(np.unique(keys.astype(np.int64) * index.size + either)) == MATCHUPS
    assert len(np.unique(either)) == MATCHUPS
    as_keyed = np.where(swapped, reversed_order, ordered)
    assert len(np.unique(keys.astype(np.int64) * index.size + as_keyed)) == MATCHUPS


def test_the_hands_of_a_matchup(pairs, keyed):
    """The lower number first, and second first where swapped."""
    first, second = COMBO_STARTING_HAND[np.stack(pairs)]
    keys, swapped = keyed
    hand, other_hand = matchup_hands(keys)
    assert (hand <= other_hand).all()
    assert (hand == np.where(swapped, second, first)).all()
    assert (other_hand == np.where(swapped, first, second)).all()


def test_number_of_deals(keyed):
    """Both orders of two different hands are in the list of pairs, one of them in the number."""
    keys, times = np.unique(keyed[0], return_counts=True)
    hand, other_hand = matchup_hands(keys)
    deals = matchup_deals(keys)
    assert (times == np.where(hand == other_hand, deals, 2 * deals)).all()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("AsAh", "KsKh"), ("AdAc", "KcKd")),
        (("AsKs", "QhJh"), ("AdKd", "QcJc")),
        (("AsKh", "AhKd"), ("AcKs", "AsKh")),
        (("7c7d", "7h7s"), ("7c7h", "7d7s")),
    ],
)
def test_renamed_suits_give_the_same_key(one, other):
    """These are the same matchups."""
    assert key_of(*one) == key_of(*other)


@pytest.mark.parametrize(
    "matchups",
    [
        [("AsAh", "KsKh"), ("AsAh", "KsKd"), ("AsAh", "KdKc")],
        [("AsKs", "QsJs"), ("AsKs", "QhJh"), ("AsKs", "QsJh"), ("AsKs", "QhJs"), ("AsKs", "QhJd")],
        [("AsKh", "AhKd"), ("AsKh", "AhKs"), ("AsKh", "AdKc"), ("AsKh", "AdKs")],
    ],
)
def test_shared_suits_make_a_difference(matchups):
    """The fourth of the last group is the first the other way round."""
    keys = [key_of(*matchup)[0] for matchup in matchups]
    for one, other in combinations(range(len(keys)), 2):
        same = (one, other) == (0, 3) and matchups[0][0] == "AsKh"
        assert (keys[one] == keys[other]) == same
    for first, second in matchups:
        assert key_of(first, second)[0] == key_of(second, first)[0]


def test_order_shows_in_the_swap():
    """Aces have a lower number than kings, and come first."""
    assert not key_of("AsAh", "KsKh")[1]
    assert key_of("KsKh", "AsAh")[1]
    assert key_of("AsKh", "AhKd")[1] != key_of("AsKh", "AdKs")[1]


def test_keys_name_their_hands():
    """The key of a matchup tells the starting hands."""
    key, _ = key_of("JsTs", "QdQc")
    hands = np.concatenate(matchup_hands(np.array([key], np.int32))).tolist()
    assert hands == sorted([starting_hand("JTs"), starting_hand("QQ")])
    assert {STARTING_HAND_NAMES[hand] for hand in hands} == {"JTs", "QQ"}
