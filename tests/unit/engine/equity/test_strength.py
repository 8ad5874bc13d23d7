"""Effective hand strength of all combos at once."""

import numpy as np
import pytest

from engine.equity.equity import exact_combo_equity
from engine.equity.potential import hand_potential, hand_potentials
from engine.equity.strength import OptimisticReader, StrengthReader, combo_strengths
from engine.hands.cards import COMBOS, card_bits, live_combos, parse_combo
from engine.hands.starting_hands import COMBO_STARTING_HAND, starting_hand
from protocol.cards import parse_cards

ANY = np.ones(COMBOS)
PAPPS_FLOP = parse_cards("3h4cJh")


def test_the_patents_example():
    """AdQc on 3h4cJh, enumerated by independent programs: EHS 0.5114 with two cards to come."""
    assert round(combo_strengths(PAPPS_FLOP)[parse_combo("AdQc")], 4) == 0.5114
    assert round(combo_strengths(parse_cards("9d6c2d"))[parse_combo("8d7d")], 4) == 0.6517


@pytest.mark.parametrize("board", ["3h4cJhKs", "9d9c9h2s", "5s6s7s8s"])
def test_on_the_turn_it_is_papps_measure_for_every_combo(board):
    """One card ahead, which is all there is."""
    cards = parse_cards(board)
    expected = hand_potentials(cards, ANY, 1).ehs
    np.testing.assert_allclose(combo_strengths(cards), expected, atol=1e-12)


@pytest.mark.parametrize("board", ["3h4cJs", "3h4h9h", "QhQdQs", "KsQs2d"])
def test_on_flops_of_all_kinds_it_is_the_equity_against_a_random_hand(board):
    """Whatever suits can be exchanged; blocked combos have no strength."""
    cards = parse_cards(board)
    found = combo_strengths(cards)
    np.testing.assert_allclose(found, exact_combo_equity(ANY, cards).equity, atol=1e-12)
    assert np.array_equal(np.isnan(found), ~live_combos(card_bits(cards)))


@pytest.mark.parametrize("seen", [4, 5])
def test_on_drawn_boards_it_is_the_equity_against_a_random_hand(seen):
    """With and without flushes, pairs and straights on the board."""
    rng = np.random.default_rng(seen)
    for _ in range(25):
        board = rng.permutation(52)[:seen].tolist()
        expected = exact_combo_equity(ANY, board).equity
        np.testing.assert_allclose(combo_strengths(board), expected, atol=1e-12)


def test_before_the_flop_it_is_the_percentile_of_the_starting_hand():
    """Aces stand at the middle of the best 6 of 1326, 32o of the worst 12; the mean is one half."""
    found = combo_strengths(())
    assert found[parse_combo("AsAh")] == pytest.approx((1326 - 3) / 1326)
    assert found[parse_combo("3s2d")] == pytest.approx(6 / 1326)
    assert found.mean() == pytest.approx(0.5)
    kings = found[starting_hand("KK") == COMBO_STARTING_HAND]
    assert len(kings) == 6
    assert np.ptp(kings) == 0


@pytest.mark.parametrize("board", ["", "3h4cJh", "3s4dJs", "2c2d2h", "8c7c6c", "3h4cJhKs9c"])
def test_a_reader_finds_the_same_and_again(board):
    """Also where another order or other suits were asked for first."""
    cards = parse_cards(board)
    reader = StrengthReader()
    reader.read(tuple(card ^ 3 for card in cards))
    for order in (cards, cards[::-1]):
        np.testing.assert_array_equal(reader.read(order), combo_strengths(cards))


@pytest.mark.parametrize("board", [(1,), (1, 2), (1, 1, 2), (1, 2, 52), range(6)])
def test_other_boards_are_refused(board):
    """Wrong numbers of cards, cards twice, numbers that are no cards."""
    with pytest.raises(ValueError, match=r"card|board"):
        combo_strengths(tuple(board))
    with pytest.raises(ValueError, match=r"card|board"):
        StrengthReader().read(tuple(board))


def test_an_optimistic_reader_counts_only_what_may_get_better():
    """EHS' of the patent's example, 0.6715, also where suits are exchanged; HS on the river."""
    reader = OptimisticReader()
    found = reader.read(PAPPS_FLOP)
    assert round(found[parse_combo("AdQc")], 4) == 0.6715
    exchanged = reader.read(parse_cards("3s4cJs"))
    assert exchanged[parse_combo("AdQc")] == pytest.approx(found[parse_combo("AdQc")])
    assert np.isnan(found).sum() == COMBOS - 49 * 48 // 2
    both_ways = combo_strengths(PAPPS_FLOP)
    assert np.nanmin(found - both_ways) > -1e-12
    turn = parse_cards("3h4cJhKs")
    expected = hand_potential(parse_cards("7h2h"), turn, ANY, 1).ehs_optimistic
    assert reader.read(turn)[parse_combo("7h2h")] == pytest.approx(expected)
    for board in ((), parse_cards("3h4cJhKs9c")):
        np.testing.assert_array_equal(reader.read(board), combo_strengths(board))
