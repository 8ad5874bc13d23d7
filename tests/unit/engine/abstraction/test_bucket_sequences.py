"""Hands that remember their groups of buckets."""

import numpy as np
import pytest

from engine.abstraction.bucket_file import load_abstraction, save_abstraction
from engine.abstraction.bucket_sequences import (
    GROUPS,
    BucketSequences,
    card_abstraction,
    joined_buckets,
)
from engine.abstraction.buckets import CardAbstraction
from engine.abstraction.histograms import hand_index
from protocol.cards import parse_cards
from tests.helpers.blueprints import tiny_cards

WIDTHS = (4, 3, 2, 2)


def with_turns():
    """Tiny cards with a made-up table of the turn."""
    rng = np.random.default_rng(2)
    table = rng.integers(0, 3, hand_index(4).size, np.uint16)
    return CardAbstraction(**tiny_cards().parts, turn_table=table)


@pytest.fixture(scope="module")
def sequences():
    """Tiny cards in a few groups, all buckets alike."""
    cards = with_turns()
    return BucketSequences.joined(cards, WIDTHS, [np.ones(count) for count in cards.counts])


def test_a_number_says_the_groups_of_all_streets(sequences):
    """For one hand and for all combos, street by street; what the board blocks is -1."""
    cards, hole, deal = with_turns(), parse_cards("AhKd"), parse_cards("QsJc2d7h7c")
    groups = [sequences.parts[name] for name in GROUPS]
    number = 0
    for street, dealt in enumerate((0, 3, 4, 5)):
        board = deal[:dealt]
        number = number * WIDTHS[street] + int(groups[street][cards.bucket(hole, board)])
        assert sequences.bucket(hole, board) == number < sequences.counts[street]
        combos, plain = sequences.buckets(board), cards.buckets(board)
        np.testing.assert_array_equal(combos < 0, plain < 0)
        assert combos.max() < sequences.counts[street]
    assert sequences.counts == (4, 12, 24, 48)


def test_deals_get_the_numbers_of_their_hands(sequences):
    """Of both players, on all streets."""
    rng = np.random.default_rng(3)
    deals = np.array([rng.permutation(52)[:9] for _ in range(20)], np.uint8)
    numbers = sequences.buckets_of_deals(deals)
    for deal, of_players in zip(deals.tolist(), numbers, strict=True):
        for player, row in enumerate(of_players):
            hole, board = deal[2 * player : 2 * player + 2], deal[4:]
            expected = [sequences.bucket(hole, board[:dealt]) for dealt in (0, 3, 4, 5)]
            assert row.tolist() == expected


def test_groups_are_about_equally_likely_and_of_neighbours():
    """One bucket may fill a group, or several; then there are fewer."""
    assert joined_buckets(np.ones(6), 3).tolist() == [0, 0, 1, 1, 2, 2]
    assert joined_buckets(np.array([1.0, 1, 1, 1, 4, 0, 4]), 3).tolist() == [0, 0, 0, 0, 1, 2, 2]
    assert joined_buckets(np.array([0.1, 9.8, 0.1]), 3).tolist() == [0, 1, 2]
    assert joined_buckets(np.array([1.0, 20, 1, 1]), 3).tolist() == [0, 1, 2, 2]
    assert joined_buckets(np.array([5.0, 0, 0]), 2).tolist() == [0, 0, 0]
    for mass, width in ((np.ones(3), 4), (np.ones(3), 0), (np.zeros(3), 2)):
        with pytest.raises(ValueError, match="groups: want 1 to 3"):
            joined_buckets(mass, width)


def test_files_keep_the_groups(sequences, tmp_path):
    """And yield the same numbers."""
    save_abstraction(sequences, tmp_path / "cards.buckets")
    loaded = load_abstraction(tmp_path / "cards.buckets")
    board = parse_cards("QsJc2d7h")
    np.testing.assert_array_equal(loaded.buckets(board), sequences.buckets(board))


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("flop_groups", np.zeros(2, np.uint16)),
        ("turn_groups", np.array([0, 2, 2], np.uint16)),
        ("turn_groups", np.zeros(3, np.int64)),
        ("river_groups", None),
    ],
)
def test_groups_that_do_not_fit_are_refused(name, groups, sequences):
    """Too few, with gaps, of another type, left out."""
    parts = {**sequences.parts, name: groups}
    if groups is None:
        del parts[name]
    with pytest.raises(ValueError, match="groups"):
        card_abstraction(parts)
