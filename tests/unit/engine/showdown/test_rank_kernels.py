import numpy as np
import pytest

from engine.compiled.jit import kernel
from engine.showdown import rank_kernels as kernels
from engine.showdown import tables
from engine.showdown.ranks import ranks
from engine.showdown.strength_kernels import card_mask
from protocol.cards import parse_cards

HANDS = ["9hQd8dAs8s4h6d", "AsKsQsJsTs9s8s", "2c2d2h2s3c3d3h", "4h6h8hThQh2c2d", "Ac2d3h4s5c5d5h"]


@kernel
def grow(cards, out):
    """Write the ranks of the first 5, 6 and 7 cards, then those of the last 6 and 5."""
    key = 0
    mask = 0
    for card in cards[:5]:
        key += kernels.card_key(card)
        mask |= card_mask(int(card))
    out[0] = kernels.rank5(key, mask)
    key += kernels.card_key(cards[5])
    mask |= card_mask(int(cards[5]))
    out[1] = kernels.rank6(key, mask)
    key += kernels.card_key(cards[6])
    mask |= card_mask(int(cards[6]))
    out[2] = kernels.rank7(key, mask)
    key -= kernels.card_key(cards[0])
    mask ^= card_mask(int(cards[0]))
    out[3] = kernels.rank6(key, mask)
    key -= kernels.card_key(cards[1])
    mask ^= card_mask(int(cards[1]))
    out[4] = kernels.rank5(key, mask)


@pytest.mark.parametrize("text", HANDS)
def test_cards_are_added_and_taken_away(text):
    """One running key and mask gives the ranks of all sizes a hand passes through."""
    cards = np.array(parse_cards(text), np.uint8)
    parts = [cards[:5], cards[:6], cards, cards[1:], cards[2:]]
    out = np.zeros(5, np.uint16)
    grow(cards, out)
    assert out.tolist() == [int(ranks(part[np.newaxis])[0]) for part in parts]


@pytest.mark.parametrize("text", HANDS)
def test_tables_may_be_handed_in(text):
    """`rank_of` with the tables for seven cards is `rank7`."""
    cards = list(parse_cards(text))
    key = int(tables.card_keys()[cards].sum())
    mask = int(tables.card_masks()[cards].sum())
    got = kernels.rank_of(tables.flush_ranks(), *tables.plain_ranks(7), key, mask)
    assert got == kernels.rank7(key, mask) == ranks(np.array([cards], np.uint8))[0]


def test_masks_are_those_of_the_strength_kernels():
    """Both evaluators understand the same masks."""
    assert tables.card_masks().tolist() == [card_mask(card) for card in range(52)]


@pytest.mark.parametrize(
    ("held", "wanted", "suits"), [("2s5s9s", 3, [3]), ("2s5s9s", 4, []), ("2c3c4d5d", 2, [0, 1])]
)
def test_suits_are_counted_in_the_key(held, wanted, suits):
    """One bit per suit that has enough cards, and the suit it stands for."""
    bits = kernels.at_least(int(tables.card_keys()[list(parse_cards(held))].sum()), wanted)
    found = [1 << bit for bit in range(64) if bits >> bit & 1]
    assert [kernels.suit_of(bit) for bit in found] == suits


@pytest.mark.parametrize("card", parse_cards("2c8sAs"))
def test_repeated_cards_do_no_harm(card):
    """Seven times the same card is no hand, but its look-up stays inside the tables."""
    key = 7 * int(tables.card_keys()[card])
    mask = 7 * int(tables.card_masks()[card])
    for evaluate in (kernels.rank5, kernels.rank6, kernels.rank7):
        assert 0 <= evaluate(key, mask) <= tables.RANKS
