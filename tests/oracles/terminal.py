"""Obvious version of engine.range_solver.terminal: every combo against every other, one by one."""

import numpy as np

from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.showdown.evaluator import strength


def fold_values(reach, board=()):
    """Return per combo the reach of all combos that share no card with it."""
    return _values(reach, board, lambda own, other: 1.0)


def showdown_values(reach, board):
    """Return per combo the reach that it beats less the reach that beats it."""
    held = {
        combo: strength((*map(int, COMBO_CARDS[combo]), *board))
        for combo in range(COMBOS)
        if not set(map(int, COMBO_CARDS[combo])) & set(board)
    }
    return _values(reach, board, lambda own, other: np.sign(held[own] - held[other]))


def _values(reach, board, worth):
    values = np.zeros(COMBOS)
    cards = [set(map(int, pair)) for pair in COMBO_CARDS]
    others = [c for c in range(COMBOS) if reach[c] > 0 and not cards[c] & set(board)]
    for own in range(COMBOS):
        if not cards[own] & set(board):
            values[own] = sum(
                reach[other] * worth(own, other)
                for other in others
                if not cards[own] & cards[other]
            )
    return values
