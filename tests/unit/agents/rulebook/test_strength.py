"""Sampled hand strength."""

from itertools import combinations

import numpy as np
import pytest

from agents.rulebook.strength import hand_strength
from engine.showdown.evaluator import strength
from protocol.cards import parse_cards


def exact_on_the_river(hole, board) -> float:
    """Return the chance to beat a random hand, over all of them."""
    ours = strength((*hole, *board))
    live = [card for card in range(52) if card not in (*hole, *board)]
    halves = [
        2 * (ours > theirs) + (ours == theirs)
        for theirs in (strength((*hand, *board)) for hand in combinations(live, 2))
    ]
    return sum(halves) / len(halves) / 2


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        ("AhKd", "2c7d9sJhQh"),
        ("7h7d", "7c9s2s9dAc"),
        ("2h3d", "9cTdJsQsKc"),
        ("4c5c", "AdKdQh2s8s"),
    ],
)
def test_samples_agree_with_all_hands_on_the_river(hole, board):
    """20 000 samples come within four standard errors of the exact share."""
    hole, board = parse_cards(hole), parse_cards(board)
    sampled = hand_strength(hole, board, np.random.default_rng(1), samples=20_000)
    assert sampled == pytest.approx(exact_on_the_river(hole, board), abs=0.015)


def sampled_slowly(hole, board, samples) -> float:
    """Return the same chance by another road: numpy deals, the plain evaluator compares."""
    rng = np.random.default_rng(6)
    live = [card for card in range(52) if card not in (*hole, *board)]
    total = 0
    for _ in range(samples):
        dealt = [live[i] for i in rng.choice(len(live), 7 - len(board), replace=False)]
        full = (*board, *dealt[2:])
        ours, theirs = strength((*hole, *full)), strength((*dealt[:2], *full))
        total += 2 * (ours > theirs) + (ours == theirs)
    return total / samples / 2


@pytest.mark.parametrize(
    ("hole", "board"), [("AhAd", "2c7d9s"), ("2h3d", "AcAsAd"), ("8h7h", "9hTc2hKd")]
)
def test_cards_to_come_are_dealt_fairly(hole, board):
    """Flop and turn agree with an independent sampler within four standard errors."""
    hole, board = parse_cards(hole), parse_cards(board)
    sampled = hand_strength(hole, board, np.random.default_rng(2), samples=20_000)
    assert sampled == pytest.approx(sampled_slowly(hole, board, 4000), abs=0.035)


def test_wrong_numbers_of_cards_are_refused():
    """Two hole cards and three to five board cards, nothing else; the generator decides all."""
    hole, board = parse_cards("AhKd"), parse_cards("2c7d9s")
    first, second = (hand_strength(hole, board, np.random.default_rng(3)) for _ in range(2))
    assert first == second
    for hole, board in (("Ah", "2c7d9s"), ("AhKd", "2c7d"), ("AhKd", "")):
        with pytest.raises(ValueError, match="hole and"):
            hand_strength(parse_cards(hole), parse_cards(board), np.random.default_rng(0))
