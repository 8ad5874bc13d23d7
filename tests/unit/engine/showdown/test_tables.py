from itertools import chain, combinations_with_replacement

import numpy as np
import pytest

from engine.showdown import tables
from protocol.cards import parse_cards


def sums_of(weights, cards):
    """Sums of all choices of so many cards, at most four of a rank."""
    held = combinations_with_replacement(range(len(weights)), cards)
    return [
        sum(weights[rank] for rank in hand)
        for hand in held
        if max(map(hand.count, hand), default=0) <= 4
    ]


def all_differ(weights, *, also_between):
    """Whether sums of equally many cards, and those of differently many, are all different."""
    groups = [sums_of(weights, cards) for cards in range(8)]
    if also_between:
        groups = [list(chain.from_iterable(groups))]
    return all(len(set(group)) == len(group) for group in groups)


@pytest.mark.parametrize(
    ("weights", "also_between"), [(tables.LOW_WEIGHTS, True), (tables.HIGH_WEIGHTS, False)]
)
def test_sums_tell_the_cards_and_the_first_weights_are_the_least_that_do(weights, also_between):
    """What the look-up rests on."""
    assert all_differ(weights, also_between=also_between)
    for at in range(1, 4):
        for smaller in range(weights[at - 1] + 1, weights[at]):
            assert not all_differ([*weights[:at], smaller], also_between=also_between)


def test_a_key_counts_suits_above_the_two_sums():
    """Four bits per suit, and no carry from the sums of the largest hands."""
    keys = tables.card_keys()
    aces_and_eights = keys[list(parse_cards("AsAhAdAc8s8h8d"))].sum()
    assert aces_and_eights & 0xFFFF == 3 * tables.LOW_WEIGHTS[-1]
    assert aces_and_eights >> 16 & 0xFFFF == 4 * tables.HIGH_WEIGHTS[-1]
    assert aces_and_eights >> 32 == 0x2221
    assert 7 * keys[parse_cards("8s")[0]] & 0xFFFF == 7 * tables.LOW_WEIGHTS[-1]


def test_every_rank_has_a_strength_and_they_rise():
    """7462 classes and nothing at 0."""
    strengths = tables.strengths_by_rank()
    assert strengths.shape == (tables.RANKS + 1,)
    assert strengths.dtype == np.int32
    assert strengths[0] == 0
    assert (np.diff(strengths) > 0).all()


def test_flushes_start_at_five_cards():
    """Five or more ranks of a suit have a rank, fewer have none; the best is the royal flush."""
    ranks = tables.flush_ranks()
    counts = np.array([bits.bit_count() for bits in range(1 << 13)])
    assert ((ranks > 0) == (counts >= 5)).all()
    assert ranks[0x1F00] == ranks.max() == tables.RANKS


@pytest.mark.parametrize(("cards", "plain"), [(5, 6175), (6, 4788), (7, 3537)])
def test_tables_hold_each_plain_class_and_are_small(cards, plain):
    """The ranks that so many cards can have without a flush; what one look-up may touch."""
    rows, ranks = tables.plain_ranks(cards)
    assert len(np.unique(ranks[ranks > 0])) == plain
    assert rows.nbytes + ranks.nbytes <= 256_000
    assert rows.dtype == ranks.dtype == np.uint16


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_no_seven_cards_lead_outside(cards):
    """Not even seven aces or eights after the longest row."""
    rows, ranks = tables.plain_ranks(cards)
    assert 7 * tables.LOW_WEIGHTS[-1] < len(rows)
    assert int(rows.max()) + 7 * tables.HIGH_WEIGHTS[-1] < len(ranks)


def test_tables_are_shared_and_read_only():
    """They are built once, and nobody can spoil them for the others."""
    assert tables.plain_ranks(7) is tables.plain_ranks(7)
    with pytest.raises(ValueError, match="read-only"):
        tables.card_keys()[0] = 1


@pytest.mark.parametrize("cards", [4, 8])
def test_other_numbers_of_cards_have_no_table(cards):
    """Hands of four have no ranks, hands of eight may hold two trips and a flush."""
    with pytest.raises(ValueError, match="5, 6 or 7"):
        tables.plain_ranks(cards)
