"""The original evaluator's ranking of recorded hands of 1 to 10 cards."""

from itertools import pairwise

import numpy as np
import pytest

from engine.showdown.evaluator import strength, strengths
from protocol.cards import parse_cards


@pytest.mark.parametrize("count", range(1, 11))
def test_order_is_the_originals(shared_data, count):
    """The same hands tie, and the others rank the same way round."""
    path = shared_data / f"golden/golden/eval/rank_{count}_cards.txt"
    recorded = [line.split() for line in path.read_text().splitlines() if line[0] != "#"]
    hands = [parse_cards(text) for text, _ in recorded]
    ours = [strength(hand) for hand in hands]
    assert strengths(np.array(hands, np.uint8)).tolist() == ours
    pairs = sorted({(mine, int(rank)) for mine, (_, rank) in zip(ours, recorded, strict=True)})
    for (worse, low), (better, high) in pairwise(pairs):
        assert worse < better
        assert low < high


# How often each category occurs among all hands: combinatorics, found in any book on poker odds.
FIVE_CARDS = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40)
SEVEN_CARDS = (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584)


@pytest.mark.slow
@pytest.mark.parametrize(("count", "published"), [(5, FIVE_CARDS), (7, SEVEN_CARDS)])
def test_all_hands_fall_into_the_known_categories(count, published):
    """Every hand of 5 and of 7 cards, counted by category."""
    from tests.helpers.all_hands import count_categories

    assert count_categories(count) == list(published)


@pytest.mark.slow
def test_there_are_7462_classes_of_five_cards():
    """All 2 598 960 hands of five cards take 7462 different strengths."""
    from tests.helpers.all_hands import all_hands

    assert len(np.unique(strengths(all_hands(5)))) == 7462
