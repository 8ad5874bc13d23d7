import dataclasses

import pytest

from engine.equity import allin
from engine.equity.allin import (
    allin_expectation,
    closing_street,
    is_allin_before_last_street,
    logged_expectation,
)
from engine.rules.view import replay_betting, state_of_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

HUNL = load_builtin("holdem.nolimit.2p.reverse_blinds")


def duel(first, second, board="", chips=20000):
    """Expectation of the first of two hands that are all-in."""
    holes = [parse_cards(first), parse_cards(second)]
    mean = allin_expectation(HUNL, (chips, chips), (False, False), holes, parse_cards(board))
    assert mean[0] == -mean[1]
    return mean[0]


@pytest.mark.parametrize(
    ("first", "second"), [("AsAh", "KsKh"), ("KsKh", "AsAh"), ("7c2d", "Td7h"), ("QdJd", "QcJh")]
)
def test_preflop_table_and_boards_agree(monkeypatch, first, second):
    """What is looked up for two hands is what going through the boards gives."""
    holes = [parse_cards(first), parse_cards(second)]
    deck = set(HUNL.deck).difference(*holes)
    arguments = (allin._sorted_lanes(deck, (), holes), (2,), 5)
    assert allin._preflop_counts(arguments[0], 5) is not None
    looked_up = allin._count.__wrapped__(*arguments)
    monkeypatch.setattr(allin, "_preflop_counts", lambda lanes, to_come: None)
    assert allin._count.__wrapped__(*arguments) == looked_up


@pytest.mark.parametrize(
    ("holes", "board", "dead"),
    [
        (("AsAh", "KsKh"), "", "Qc"),
        (("AsAh", "KsKh"), "2c3c4c", ""),
        (("AsAh", "KsKh", "QsQh"), "", ""),
        (("As", "Ks"), "", ""),
    ],
)
def test_preflop_table_is_for_two_hands_and_a_full_deck(holes, board, dead):
    """With folded cards gone, a board, a third hand or other hands the boards are counted."""
    cards = [parse_cards(hole) for hole in holes]
    deck = set(HUNL.deck).difference(*cards, parse_cards(board), parse_cards(dead))
    lanes = allin._sorted_lanes(deck, parse_cards(board), cards)
    assert allin._preflop_counts(lanes, 5 - len(parse_cards(board))) is None


def test_drawing_dead_and_one_out():
    """On the turn the 44 rivers can be counted by hand."""
    assert duel("AsAh", "KsKh", "AcAdKd2s") == 20000.0
    assert duel("2c7d", "KsKh", "2d2h2sKd") == 20000.0 * (43 - 1) / 44


@pytest.mark.parametrize(
    ("betting", "street", "early"),
    [
        ("r20000c///", 0, True), ("cc/r300c/r20000c/", 2, True), ("cc/cc/cc/r20000c", 3, False),
        ("cc/cc/cc/cc", 3, False), ("r20000f", 0, False), ("cc/", 0, False),
    ],
)  # fmt: skip
def test_which_hands_are_all_in_early(betting, street, early):
    """Betting closed before the last street, and a showdown."""
    state = replay_betting(HUNL, betting)
    assert is_allin_before_last_street(state) == early
    assert not state.over or closing_street(state) == street


def test_all_in_by_blinds_counts_from_the_first_street():
    """Nobody ever acted: all board cards are still to come."""
    game = dataclasses.replace(HUNL, stacks=(100, 50))
    state = replay_betting(game, "///")
    assert is_allin_before_last_street(state)
    assert closing_street(state) == 0


@pytest.mark.parametrize("betting", ["cc/cc/r20000c/", "cc//cc/r20000c"])
def test_the_expectation_of_a_logged_hand(betting):
    """The last board card is unknown to it, and slashes in odd places do not matter."""
    state = state_of_betting(HUNL, betting)
    worth = 20000 * (35 - 9) / 44
    assert logged_expectation(state, "AdAh|KcQc/2c7c8d/9h/3s") == (worth, -worth)
    with pytest.raises(ValueError, match="missing"):
        logged_expectation(state, "AdAh|KcQc/2c7c8d")


@pytest.mark.parametrize("betting", ["cc/cc/cc/r20000c", "r20000f", "cc/"])
def test_most_logged_hands_have_no_expectation(betting):
    """Betting up to the last street, a fold, a hand that is not over."""
    assert logged_expectation(state_of_betting(HUNL, betting), "AdAh|KcQc") is None


@pytest.mark.parametrize(
    ("spent", "folded", "holes", "board", "message"),
    [
        ((1, 1, 1), (False, False), ("AsAh", "KsKh"), "", "positions"),
        ((1, 1), (False, True), ("AsAh", "KsKh"), "", "showdown"),
        ((1, 1), (False, False), ("AsAh", "AsKh"), "", "twice"),
        ((1, 1), (False, False), ("AsAh", "KsKh"), "As", "twice"),
        ((1, 1), (False, False), ("AsAh", "Ks"), "", "do not fit"),
        ((1, 1), (False, False), ("AsAh", "KsKh"), "2c3c4c5c6c7c", "do not fit"),
    ],
)
def test_refuses_impossible_hands(spent, folded, holes, board, message):
    """A bulk reader must hear of broken logs instead of counting nonsense."""
    with pytest.raises(ValueError, match=message):
        allin_expectation(HUNL, spent, folded, [parse_cards(h) for h in holes], parse_cards(board))
