"""All flops, and the hands on each."""

import numpy as np

from engine.hands.cards import COMBO_CARDS
from engine.showdown.evaluator import strength
from tests.studies.flop_holdem.game import FLOPS, flop_tables, turn_tables


def test_each_class_counts_its_flops():
    """1755 classes, 22100 flops, of 4, 12 or 24 ways."""
    tables = flop_tables()
    assert tables.boards.shape == (FLOPS, 3)
    assert tables.ways.sum() == 22100
    assert set(tables.ways.tolist()) == {4, 12, 24}


def test_hands_ascend_in_strength_and_know_how_many_they_do_not_lose_to():
    """Against the plain evaluator, on a few flops."""
    flops, turns = flop_tables(), turn_tables((0, 21, 42))
    assert (flops.live, turns.live, len(turns.known)) == (1176, 1128, 1176)
    assert (flops.ways_for_two, turns.ways_for_two) == (17296 / 22100 * 22100, 45)
    assert (flops.pairs, turns.pairs) == (1326 * 1225, 1176 * 1081)
    for tables, flop in (*((flops, one) for one in (0, 700, FLOPS - 1)), (turns, 0), (turns, 48)):
        board = tables.boards[flop].tolist()
        combos = tables.combo[flop].tolist()
        assert len(set(combos)) == tables.live
        cards = [COMBO_CARDS[combo].tolist() for combo in combos]
        assert not any(set(held) & set(board) for held in cards)
        ranks = np.array([strength((*held, *board)) for held in cards])
        assert (np.diff(ranks) >= 0).all()
        assert tables.group_end[flop].tolist() == [(ranks <= rank).sum() for rank in ranks]
