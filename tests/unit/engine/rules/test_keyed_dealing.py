"""Deals of a key: known ones, their evenness, and what is no key."""

from dataclasses import replace
from hashlib import sha256, sha512
from struct import pack, unpack

import numpy as np
import pytest

from engine.rules.dealing_blocks import DealBlocks
from engine.rules.keyed_dealing import KeyedDealStream, KeyedOutputs, deal_stream, dealing_outputs
from protocol.cards import format_cards, parse_cards
from protocol.gamedefs import load_builtin
from tests.oracles.dealing import keyed_deal

HUNL = load_builtin("hunl")
KEY = sha256(b"a golden secret").digest()
GOLDEN = {
    0: "5sQs4d8h9d7cQh3cAh",
    1: "6dAdAc9h9sAsJc3sJs",
    1_000_000_007: "5s6d6c9d2h2c4d8c5h",
}
"""Hole cards of both positions and the board, from `tests.oracles.dealing`."""
PASSED_OVER = 23_069_688
"""Hand of the key in which a word is passed over, found by looking at millions."""
HANDS = 20_000


def text_of(deal):
    """All cards of a deal, in the order they were drawn."""
    return format_cards([card for hole in deal.holes for card in hole] + list(deal.board))


def hand_of(number):
    """A hand of the key."""
    stream = KeyedDealStream(HUNL, KEY)
    stream.skip(number)
    return next(stream)


@pytest.mark.parametrize("number", GOLDEN)
def test_known_hands(number):
    """They never change: logs of matches that are over are checked with them."""
    assert text_of(hand_of(number)) == GOLDEN[number]


def test_a_word_that_would_favour_some_cards_is_passed_over():
    """Those from the largest multiple of the cards left on; streams, blocks and words agree."""
    holes, board = keyed_deal(HUNL, KEY, PASSED_OVER)
    cards = [*holes[0], *holes[1], *board]
    assert text_of(hand_of(PASSED_OVER)) == format_cards(cards)
    outputs = KeyedOutputs(HUNL, KEY)
    outputs.skip(PASSED_OVER)
    words = np.frombuffer(outputs.take(1), "<u4").tolist()
    first_words = unpack(">9I", sha512(KEY + pack(">QI", PASSED_OVER, 0)).digest()[:36])
    at = next(at for at, size in enumerate(range(52, 43, -1)) if words[at] != first_words[at])
    assert first_words[at] >= 2**32 - 2**32 % (52 - at)
    assert tuple(words[at:-1]) == first_words[at + 1 :]
    blocks, row = DealBlocks(HUNL, KEY), np.empty((1, 9), np.uint8)
    blocks.skip(PASSED_OVER)
    blocks.deal(row)
    assert row[0].tolist() == cards


@pytest.fixture(scope="module")
def dealt():
    """(H, 9) uint8, the first hands of the key."""
    cards = np.empty((HANDS, HUNL.cards_per_hand), np.uint8)
    DealBlocks(HUNL, KEY).deal(cards)
    return cards


def test_no_card_is_dealt_twice_in_a_hand(dealt):
    """All cards of each hand differ."""
    ordered = np.sort(dealt, axis=1)
    assert (ordered[:, 1:] > ordered[:, :-1]).all()
    assert ordered[:, -1].max() == 51


@pytest.mark.parametrize("place", range(9))
def test_each_place_gets_each_card_equally_often(dealt, place):
    """Chi-square with 51 degrees of freedom: 94 is exceeded in one of 4000 fair samples."""
    counts = np.bincount(dealt[:, place], minlength=52)
    assert chi_square(counts) < 94


def test_neighbours_say_nothing_of_each_other(dealt):
    """Pairs of places of a hand, and the same place of successive hands: all pairs equally often.

    2651 and 2703 degrees of freedom; the mean and four standard deviations.
    """
    for place in range(8):
        pairs = np.bincount(52 * dealt[:, place].astype(int) + dealt[:, place + 1], minlength=52**2)
        same = np.arange(52) * 53
        assert not pairs[same].any()
        assert chi_square(np.delete(pairs, same)) < 2651 + 4 * 73
    for place in range(9):
        pairs = np.bincount(52 * dealt[:-1, place].astype(int) + dealt[1:, place], minlength=52**2)
        assert chi_square(pairs) < 2703 + 4 * 74


def chi_square(counts):
    """Of counts that should be alike."""
    expected = counts.mean()
    return float(((counts - expected) ** 2).sum() / expected)


def test_positions_with_cards_of_their_own_get_no_others():
    """Kings against queens in Leduc hold'em, and the board from what they leave."""
    game = replace(load_builtin("leduc"), dealt_cards=(parse_cards("KhKs"), parse_cards("QhQs")))
    stream, other = KeyedDealStream(game, KEY), KeyedDealStream(game, KEY)
    texts = [text_of(next(stream)) for _ in range(400)]
    assert {text[:2] for text in texts} == {"Kh", "Ks"}
    assert {text[2:4] for text in texts} == {"Qh", "Qs"}
    assert {text[4:] for text in texts} == {"Kh", "Ks", "Qh", "Qs", "Ah", "As"}
    assert all(len(set(map("".join, zip(t[::2], t[1::2], strict=True)))) == 3 for t in texts)
    other.skip(250)
    assert text_of(next(other)) == texts[250]


@pytest.mark.parametrize("make", [deal_stream, dealing_outputs, DealBlocks])
def test_a_key_has_32_bytes(make):
    """Whatever deals from it; and nobody goes back in a match."""
    for key in (b"", KEY[:31], KEY + b"x"):
        with pytest.raises(ValueError, match="a key has 32 bytes"):
            make(HUNL, key)
    with pytest.raises(ValueError, match="cannot go back 1 hands"):
        make(HUNL, KEY).skip(-1)


def test_secrets_and_hands_have_deals_of_their_own():
    """One bit of the key, or the next hand, changes all cards."""
    changed = bytes([KEY[0] ^ 1]) + KEY[1:]
    mine, theirs = KeyedDealStream(HUNL, KEY), KeyedDealStream(HUNL, changed)
    texts = [text_of(next(stream)) for stream in (mine, theirs) for _ in range(50)]
    assert len(set(texts)) == 100
