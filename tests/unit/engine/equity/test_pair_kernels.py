import numpy as np
import pytest

from engine.equity.allin_kernels import pairs_of, rank_pairs
from engine.hands.cards import COMBO_CARDS
from engine.showdown import tables
from engine.showdown.ranks import ranks
from protocol.cards import parse_cards

DECK = np.arange(52, dtype=np.uint8)


def rank_with_pairs(live, text, count=None):
    """Ranks of a hand with each pair of `live`, and those pairs as cards."""
    cards = list(parse_cards(text))
    pairs, suited = pairs_of(live)
    places = COMBO_CARDS[: pairs.shape[1]]
    count = len(places) if count is None else count
    out = np.zeros(len(places), np.uint16)
    key = int(tables.card_keys()[cards].sum())
    mask = int(tables.card_masks()[cards].sum())
    rank_pairs(*tables.plain_ranks(len(cards) + 2), pairs, suited, count, key, mask, out)
    return out, live[places]


def check(live, text, count=None):
    """Compare with the ranks of whole hands; repeated cards do not count."""
    got, pairs = rank_with_pairs(live, text, count)
    cards = parse_cards(text)
    free = ~np.isin(pairs, cards).any(axis=1)
    hands = np.hstack((np.tile(np.array(cards, np.uint8), (len(pairs), 1)), pairs))
    whole = ranks(hands)
    whole[len(pairs) if count is None else count :] = 0
    assert (got == whole)[free].all()
    assert free.sum() > 0


BOARDS = ["2s7sKs", "2c7dKs", "2s7sKsAs", "9h9d9c9s", "2s7sKsAs9s", "Th9h8h7h2c", "4c4dQhQs2s"]


@pytest.mark.parametrize("board", BOARDS)
def test_all_combos_on_a_board(board):
    """Boards of 3 to 5 cards, with three, four, five and no cards of a suit."""
    check(DECK, board)


@pytest.mark.parametrize("board", BOARDS)
def test_cards_in_any_order_and_number(board):
    """Numbers of pairs are places in `live`, whatever the cards there."""
    live = np.random.default_rng(7).permutation(DECK)[:20]
    check(live, board)
    check(live[live & 3 == 3], board)
    check(live, board, count=10 * 9 // 2)


def test_pairs_of_the_deck_are_combos():
    """The number of a pair is its combo, and suited pairs are listed in that order."""
    pairs, suited = pairs_of(DECK)
    assert pairs[0].tolist() == tables.card_keys()[COMBO_CARDS].sum(axis=1).tolist()
    assert pairs[1].tolist() == tables.card_masks()[COMBO_CARDS].sum(axis=1).tolist()
    suits = COMBO_CARDS & 3
    for suit in range(4):
        wanted = np.flatnonzero((suits == suit).all(axis=1))
        assert suited[suit].tolist() == [*wanted, 1326]


def test_nothing_is_written_beyond_the_count():
    """`out` may hold other results behind."""
    out, _ = rank_with_pairs(DECK, "9s7sKs4d9h", count=28)
    assert (out[:28] > 0).all()
    assert not out[28:].any()


@pytest.mark.parametrize("cards", [0, 1, 2])
def test_few_cards_have_few_pairs(cards):
    """No pair, or one."""
    pairs, suited = pairs_of(DECK[:cards])
    assert pairs.shape == (2, cards // 2)
    assert (suited[:, -1] == pairs.shape[1]).all()
