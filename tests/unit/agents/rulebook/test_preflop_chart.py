"""The score of two hole cards."""

from itertools import combinations

import pytest

from agents.rulebook.preflop_chart import OPEN_SHARE, chen_score, top_fraction
from protocol.cards import parse_cards


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("AhAd", 20),
        ("KhKd", 16),
        ("TsTd", 10),
        ("5s5d", 5),
        ("2s2d", 5),
        ("AsKs", 12),
        ("AsKd", 10),
        ("JsTs", 9),
        ("5d7d", 5.5),
        ("Ts8s", 7),
        ("QsJs", 9),
        ("Ah2h", 7),
        ("7h2d", -1.5),
    ],
)
def test_scores_follow_the_formula(text, score):
    """Worked examples: high card, pair, suit, gap, low connectors; halves are not rounded."""
    assert chen_score(parse_cards(text)) == score


def test_the_order_of_the_cards_does_not_matter():
    """Hole cards come in deal order."""
    for first, second in combinations(range(52), 2):
        assert chen_score((first, second)) == chen_score((second, first))


def test_fractions_are_shares_of_all_hands():
    """Six of 1326 hands are aces; everything is at least as good as the worst hand."""
    assert top_fraction(parse_cards("AcAd")) == 6 / 1326
    assert top_fraction(parse_cards("7h2d")) == 1.0
    hands = list(combinations(range(52), 2))
    best_tenth = sum(top_fraction(hand) <= 0.11 for hand in hands)
    assert best_tenth / len(hands) == pytest.approx(0.107, abs=0.005)


def test_better_positions_open_more_hands():
    """The fewer players behind, the wider the first raise; the big blind raises least freely."""
    assert list(OPEN_SHARE[1:]) == sorted(OPEN_SHARE[1:], reverse=True)
