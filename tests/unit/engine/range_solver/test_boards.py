"""Boards of a subgame and the hands on them."""

import numpy as np
import pytest

from engine.hands.cards import COMBO_CARDS, COMBOS, card_bits, live_combos
from engine.hands.ranges import normalised, without_blocked
from engine.hands.suits import board_symmetries
from engine.range_solver.boards import boards_of
from engine.showdown.evaluator import strength
from protocol.cards import parse_cards
from tests.helpers.subgames import ranges_of, scattered_ranges


def beliefs_of(ranges, board):
    return np.stack([normalised(without_blocked(side, board)) for side in ranges])


@pytest.fixture(scope="module")
def turn():
    """Boards from a turn on, all kept apart."""
    board = parse_cards("KsJs7d2h")
    return boards_of(board, beliefs_of(ranges_of(), board))


def test_hands_are_the_combos_of_the_range_that_the_board_allows(turn):
    """On each of 48 rivers, padded with at least one place of no weight."""
    above, river = turn
    assert len(river.boards) == 48
    for player, hands in enumerate(river.hands):
        belief = beliefs_of(ranges_of(), above.boards[0])[player]
        for board, cards in enumerate(river.boards):
            count = hands.held[board]
            held = hands.combo[board, :count]
            expected = np.flatnonzero(live_combos(card_bits(cards)) & (belief > 0))
            np.testing.assert_array_equal(np.sort(held), expected)
            np.testing.assert_array_equal(hands.cards[board, :count], COMBO_CARDS[held])
            np.testing.assert_allclose(hands.weight[board, :count], belief[held])
            assert not hands.weight[board, count:].any()
        assert hands.width % 16 == 0
        assert hands.held.max() < hands.width


def test_rivers_are_in_order_of_strength(turn):
    """Groups of equal strength end together in both lists."""
    river = turn[1]
    for board in (0, 17, 47):
        ranked = []
        for hands in river.hands:
            held = hands.combo[board, : hands.held[board]]
            values = [strength((*map(int, COMBO_CARDS[c]), *river.boards[board])) for c in held]
            assert values == sorted(values)
            ranked.append(np.split(values, hands.group_end[board])[: hands.group_end.shape[1]])
        for first, second in zip(*ranked, strict=True):
            assert len({*first.tolist(), *second.tolist()}) <= 1


def test_places_lead_to_the_same_combo(turn):
    """To the other player's list, to the street before, and back from there."""
    above, river = turn
    for player, hands in enumerate(river.hands):
        other = river.hands[1 - player]
        for board in (3, 40):
            for place in range(hands.held[board]):
                combo = hands.combo[board, place]
                twin = hands.twin[board, place]
                if combo in other.combo[board, : other.held[board]]:
                    assert other.combo[board, twin] == combo
                else:
                    assert twin == other.width - 1
                assert above.hands[player].combo[0, hands.above[board, place]] == combo
        way = 7
        back = above.deals.place[player][way]
        for place in range(above.hands[player].held[0]):
            combo = above.hands[player].combo[0, place]
            blocked = above.deals.card[way] in COMBO_CARDS[combo]
            assert (back[place] == hands.width - 1) == blocked
            if not blocked:
                assert hands.combo[above.deals.board[way], back[place]] == combo


def test_cards_that_look_alike_are_dealt_once():
    """Each of 48 cards has a board and an exchange of suits that makes it this card."""
    board = parse_cards("Kd7d5d2d")
    beliefs = beliefs_of(scattered_ranges(1), board)
    above, river = boards_of(board, beliefs, swaps=board_symmetries(board))
    assert len(river.boards) == 9 + 13
    assert sorted(above.deals.card) == sorted(set(range(52)) - set(board))
    assert above.deals.chance == 1 / 44
    for player in (0, 1):
        hands = river.hands[player]
        for way, card in enumerate(above.deals.card):
            stands = above.deals.board[way]
            for place in range(above.hands[player].held[0]):
                at = above.deals.place[player][way, place]
                combo = above.hands[player].combo[0, place]
                if at < hands.held[stands]:
                    there = hands.combo[stands, at]
                    assert beliefs[player][there] == beliefs[player][combo]
                else:
                    assert card in COMBO_CARDS[combo]


def test_flops_have_two_streets_below():
    """49 turns with 48 rivers each; fewer boards where suits are alike."""
    board = parse_cards("Ks9d4h")
    everything = beliefs_of(np.ones((2, COMBOS)), board)
    whole = boards_of(board, everything)
    assert [len(street.boards) for street in whole] == [1, 49, 49 * 48]
    paired = parse_cards("9s9d9h")
    everything = beliefs_of(np.ones((2, COMBOS)), paired)
    alike = boards_of(paired, everything, swaps=board_symmetries(paired))
    assert len(alike[1].boards) == 12 + 13  # a suit of the flop, or the fourth one
    assert len(alike[2].boards) < 49 * 48 / 3
