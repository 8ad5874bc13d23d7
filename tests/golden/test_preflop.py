import numpy as np
import pytest

from engine.equity.preflop import equities_against_random
from engine.hands.starting_hands import STARTING_HAND_NAMES, starting_hand

AGAINST_RANDOM = [
    ("AA", "0.8520"),
    ("32o", "0.3230"),
    ("44", "0.570"),
    ("66", "0.633"),
    ("KQs", "0.634"),
    ("JTs", "0.575"),
]
"""The first two are common knowledge; the others are E[HS] in figure 3 of Johanson, Burch,
Valenzano, Bowling, "Evaluating state-space abstractions in extensive-form games", AAMAS 2013."""


@pytest.mark.parametrize(("name", "equity"), AGAINST_RANDOM)
def test_published_equities_against_a_random_hand(name, equity):
    """To every digit printed."""
    digits = len(equity) - 2
    assert f"{equities_against_random()[starting_hand(name)]:.{digits}f}" == equity


def test_best_and_worst_hands_heads_up():
    """Pairs from aces down lead, and the worst are low offsuit cards."""
    order = [STARTING_HAND_NAMES[hand] for hand in np.argsort(-equities_against_random())]
    assert order[:7] == ["AA", "KK", "QQ", "JJ", "TT", "99", "88"]
    assert order[-2:] == ["42o", "32o"]
