"""All flops, and the hands on each."""

import numpy as np

from engine.flop_holdem.flops import FLOPS, LIVE, WAYS, flop_tables
from engine.hands.cards import COMBO_CARDS
from engine.showdown.evaluator import strength


def test_each_class_counts_its_flops():
    """1755 classes, 22100 flops, of 4, 12 or 24 ways."""
    tables = flop_tables()
    assert tables.boards.shape == (FLOPS, 3)
    assert tables.ways.sum() == WAYS
    assert set(tables.ways.tolist()) == {4, 12, 24}


def test_hands_ascend_in_strength_and_know_how_many_they_do_not_lose_to():
    """Against the plain evaluator, on a few flops."""
    tables = flop_tables()
    for flop in (0, 700, FLOPS - 1):
        board = tables.boards[flop].tolist()
        combos = tables.combo[flop].tolist()
        assert len(set(combos)) == LIVE
        cards = [COMBO_CARDS[combo].tolist() for combo in combos]
        assert not any(set(held) & set(board) for held in cards)
        ranks = np.array([strength((*held, *board)) for held in cards])
        assert (np.diff(ranks) >= 0).all()
        assert tables.group_end[flop].tolist() == [(ranks <= rank).sum() for rank in ranks]
