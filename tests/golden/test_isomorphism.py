import hashlib

import numpy as np
import pytest

from engine.hands.isomorphism import CanonicalIndex
from protocol.cards import parse_cards

CLASSES = [
    ((2,), "7h2c", 15),
    ((2,), "AsAh", 90),
    ((2, 3), "AsAhKd7c2c", 526_005),
    ((2, 3, 1), "AsAhKd7c2c2d", 33_230_118),
    ((2, 3, 1, 1), "AsAhKd7c2c2dAc", 1_986_014_159),
    ((2, 4), "AsAhKd7c2c2d", 7_057_127),
    ((2, 5), "AsAhKd7c2c2dAc", 103_296_413),
    ((3,), "Kd7c2c", 596),
    ((5,), "Kd7c2c2dAc", 128_859),
]
DIGESTS = {
    (2,): "63428bdc59a314fb",
    (2, 3): "fd4b57659d59cf6a",
    (2, 3, 1): "54d57335a699cce2",
    (2, 3, 1, 1): "266c6123010581e4",
    (2, 4): "0cfd99855f1a6a77",
    (2, 5): "5a4368fe9dd6063a",
    (3,): "f9d7f3f7f6383a8e",
    (4,): "c94e4c81eb4dc447",
    (5,): "66e5bda815aedcea",
}
"""SHA-256 of the cards of a thousand classes; the numbering as it was when it was written."""


@pytest.mark.parametrize(("groups", "cards", "number"), CLASSES)
def test_some_hands_keep_their_number(groups, cards, number):
    """Files of buckets rely on the numbering."""
    deal = np.array([parse_cards(cards)], np.uint8)
    assert CanonicalIndex(groups).index(deal).tolist() == [number]


@pytest.mark.parametrize("groups", DIGESTS)
def test_numbering_is_unchanged(groups):
    """A thousand classes from first to last still have the cards they had."""
    index = CanonicalIndex(groups)
    cards = index.cards(np.arange(1000) * (index.size - 1) // 999)
    assert hashlib.sha256(cards.tobytes()).hexdigest()[:16] == DIGESTS[groups]
