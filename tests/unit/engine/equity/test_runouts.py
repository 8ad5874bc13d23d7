"""The boards that can still come."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from engine.equity.runouts import list_runouts
from engine.hands.cards import card_bits
from engine.hands.suits import CARD_SWAPS, board_symmetries
from protocol.cards import parse_cards


def sets_of(runouts):
    """The boards as sets of cards."""
    return [frozenset(row) for row in runouts.boards.tolist()]


def test_all_sets_of_cards_are_listed_once():
    """Known cards first, then those to come in ascending order; dead ones never come."""
    board = parse_cards("AsKd7h")
    dead = parse_cards("2c3c")
    runouts = list_runouts(board, 2, card_bits(dead))
    deck = sorted(set(range(52)) - set(board) - set(dead))
    assert runouts.boards.tolist() == [[*board, *rest] for rest in combinations(deck, 2)]
    assert runouts.boards.dtype == np.uint8
    assert (runouts.deals == 1).all()


@pytest.mark.parametrize("text", ["", "AsKd7h2c3c"])
def test_nothing_to_come_leaves_the_board(text):
    """One run-out, of no cards."""
    board = parse_cards(text)
    runouts = list_runouts(board, 0)
    assert runouts.boards.tolist() == [list(board)]
    assert runouts.deals.tolist() == [1]


@pytest.mark.parametrize(("cards", "classes"), [(3, 1755), (4, 16432), (5, 134459)])
def test_with_all_suits_alike_the_canonical_boards_are_left(cards, classes):
    """As many as there are up to the names of suits; together they stand for all."""
    runouts = list_runouts((), cards, 0, range(24))
    assert len(runouts.boards) == classes
    assert runouts.deals.sum() == comb(52, cards)


@pytest.mark.parametrize("text", ["2c2d7h", "AsKsQs", "AsAhAd", "2c3d4h", "AsKsQd2d"])
def test_a_runout_stands_for_its_images(text):
    """The images of those that are listed are all there are, as many as are said."""
    board = parse_cards(text)
    swaps = board_symmetries(board)
    runouts = list_runouts(board, 5 - len(board), 0, swaps)
    seen = set()
    for cards, deals in zip(sets_of(runouts), runouts.deals.tolist(), strict=True):
        images = {frozenset(CARD_SWAPS[swap, sorted(cards)].tolist()) for swap in swaps}
        assert len(images) == deals
        assert not images & seen
        seen |= images
    assert seen == set(sets_of(list_runouts(board, 5 - len(board))))


@pytest.mark.parametrize(("text", "to_come"), [("AsKd7h", 3), ("AsKd7h", -1), ("AsAs7h", 1)])
def test_impossible_boards_are_refused(text, to_come):
    """Six cards, fewer than none, one card twice."""
    with pytest.raises(ValueError):
        list_runouts(parse_cards(text), to_come)
