"""How good two hole cards are before the flop."""

from itertools import combinations

import pytest

from agents.rulebook.preflop_chart import OPEN_SHARE, top_fraction
from protocol.cards import parse_cards


def test_the_order_of_the_cards_does_not_matter():
    """Hole cards come in deal order."""
    for first, second in combinations(range(52), 2):
        assert top_fraction((first, second)) == top_fraction((second, first))


def test_fractions_are_shares_of_all_hands():
    """Six of 1326 hands are aces; everything is at least as good as the worst hand."""
    assert top_fraction(parse_cards("AcAd")) == 6 / 1326
    assert top_fraction(parse_cards("7h2d")) == 1.0
    hands = list(combinations(range(52), 2))
    best_tenth = sum(top_fraction(hand) <= 0.11 for hand in hands)
    assert best_tenth / len(hands) == pytest.approx(0.107, abs=0.005)


def test_half_points_break_ties():
    """Seven-five suited has 5.5 points, more than ace-seven offsuit with 5: none are rounded."""
    assert top_fraction(parse_cards("7d5d")) < top_fraction(parse_cards("Ah7d"))
    assert top_fraction(parse_cards("7d5d")) > top_fraction(parse_cards("Ah8h"))


def test_better_positions_open_more_hands():
    """The fewer players behind, the wider the first raise; the big blind raises least freely."""
    assert list(OPEN_SHARE[1:]) == sorted(OPEN_SHARE[1:], reverse=True)
