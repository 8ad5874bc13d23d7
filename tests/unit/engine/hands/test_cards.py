from itertools import combinations

import numpy as np
import pytest

from engine.hands.cards import (
    CARDS,
    COMBO_CARDS,
    COMBO_MASKS,
    COMBOS,
    card_bits,
    combo_of,
    combo_text,
    combos_of,
    live_combos,
    parse_combo,
)
from protocol.cards import parse_cards


def test_combos_number_all_pairs_of_cards():
    """Each pair once, in the order of its higher card, then its lower one."""
    assert COMBOS == len(COMBO_CARDS) == CARDS * (CARDS - 1) // 2
    for combo, (high, low) in enumerate(COMBO_CARDS.tolist()):
        assert high > low
        assert combo_of(high, low) == combo_of(low, high) == combo
    assert {tuple(sorted(pair)) for pair in COMBO_CARDS.tolist()} == set(combinations(range(52), 2))


def test_combos_of_many_pairs_at_once():
    """Whatever the shape, the dtype and the order of the two cards."""
    pairs = np.stack((COMBO_CARDS, COMBO_CARDS[:, ::-1]))
    for dtype in (np.uint8, np.int64):
        found = combos_of(pairs.astype(dtype))
        assert found.dtype == np.int32
        np.testing.assert_array_equal(found, [np.arange(COMBOS)] * 2)
    assert combos_of(COMBO_CARDS[1325]) == 1325


def test_names_of_all_combos_are_read_back():
    """Text and number are a pair."""
    assert [parse_combo(combo_text(combo)) for combo in range(COMBOS)] == list(range(COMBOS))


@pytest.mark.parametrize("cards", [(3, 3), (-1, 3), (3, 52)])
def test_two_equal_or_impossible_cards_are_no_combo(cards):
    """The message repeats them."""
    with pytest.raises(ValueError, match=f"{cards[0]} and {cards[1]}"):
        combo_of(*cards)


@pytest.mark.parametrize("text", ["", "As", "AsKdQh", "AsAs", "AxKd"])
def test_other_texts_are_no_combo(text):
    """Two different cards are wanted."""
    with pytest.raises(ValueError):
        parse_combo(text)


def test_masks_have_one_bit_per_card():
    """A combo's mask is the set of its cards."""
    assert [int(mask) for mask in COMBO_MASKS] == [card_bits(pair) for pair in COMBO_CARDS.tolist()]
    assert card_bits(()) == 0
    assert card_bits(range(52)) == 2**52 - 1


@pytest.mark.parametrize("cards", [(5, 5), (52,), (-1,)])
def test_a_set_names_each_card_once(cards):
    """Twice, or beyond the deck, is a mistake of the caller."""
    with pytest.raises(ValueError, match=f"card {cards[-1]}"):
        card_bits(cards)


def test_live_combos_hold_no_dead_card():
    """1326 combos without any, 1081 with a flop and two hole cards dead."""
    assert live_combos(0).all()
    dead = parse_cards("AsKd2c7h9h")
    live = live_combos(card_bits(dead))
    assert np.count_nonzero(live) == 47 * 46 // 2
    for combo in range(COMBOS):
        assert live[combo] == (not set(COMBO_CARDS[combo].tolist()) & set(dead))


def test_tables_cannot_be_changed():
    """They are shared by everybody."""
    for table in (COMBO_CARDS, COMBO_MASKS):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0
