import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.abstraction.ochs import cluster_of_combos, river_vectors
from engine.hands.cards import combo_of
from tests.helpers.combo_equities import equities
from tests.oracles import features as oracle

CLUSTERS = cluster_of_combos()
DEALS = st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True)
FLUSHES = st.lists(st.sampled_from(range(0, 52, 4)), min_size=5, max_size=7, unique=True).flatmap(
    lambda suited: st.lists(
        st.sampled_from([card for card in range(52) if card not in suited]),
        min_size=7 - len(suited),
        max_size=7 - len(suited),
        unique=True,
    ).map(lambda others: suited + others)
)


@given(DEALS | FLUSHES, st.randoms(use_true_random=False))
def test_equities_are_those_of_playing_every_hand(cards, random):
    """Against all hands and against each cluster, flushes and straight flushes included."""
    random.shuffle(cards)
    hole, board = cards[:2], cards[2:]
    combo = combo_of(*hole)
    won, met = oracle.won_and_met(hole, board, CLUSTERS, 8)
    assert sum(met) == 990
    assert equities(board)[combo] == sum(won) / 1980
    assert river_vectors(board)[combo] == pytest.approx(np.array(won) / (2 * np.array(met)))
