"""Deals weighted by what both players hold, and what is learned from them behind a choice."""

from itertools import permutations

import numpy as np
import pytest

from engine.betting.info_sets import build_info_sets
from engine.errors import InvalidGame
from engine.hands.cards import COMBO_CARDS, parse_combo
from engine.mccfr.external_sampling import Mccfr
from engine.mccfr.sample_deals import DealSource
from engine.mccfr.settings import MccfrSettings
from engine.mccfr.weighted_deals import Elsewhere, WeightedDeals, draw_weighted
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import tiny_cards
from tests.helpers.small_mccfr import SmallGame
from tests.oracles.branches import Followed

WEIGHTS = np.array([[0.5, 1.0, 0.2], [1.0, 0.1, 0.7]])
"""By rank, which is the bucket of Leduc's first street."""
KEYS = np.arange(60_000, dtype=np.uint64)


def every_deal(leduc, weights, elsewhere):
    """Return buckets, results, weights and what is won elsewhere of all deals of Leduc."""
    deals = np.array(list(permutations(leduc.definition.deck, 3)), np.uint8)
    source = DealSource(leduc.definition, leduc.cards)
    bucket, result = source._buckets(deals), source._results(deals)
    held = bucket[:, 0, 0], bucket[:, 1, 0]
    return bucket, result, weights[0][held[0]] * weights[1][held[1]], elsewhere[held[0]]


def test_deals_are_as_likely_as_their_weights(leduc):
    """Of Leduc: each pair of ranks as often as it should be, within 5 deviations."""
    source = WeightedDeals(leduc.definition, leduc.cards, WEIGHTS)
    found = source.deal(KEYS)
    bucket, _, weight, _ = every_deal(leduc, WEIGHTS, np.zeros(3))
    assert not found.elsewhere.any()
    for first in range(3):
        for second in range(3):
            pair = (bucket[:, :, 0] == [first, second]).all(axis=1)
            want = weight[pair].sum() / weight.sum()
            share = (found.bucket[:, :, 0] == [first, second]).all(axis=1).mean()
            assert abs(share - want) <= 5 * np.sqrt(want * (1 - want) / len(KEYS))


def test_equal_weights_make_the_deals_of_the_game():
    """Of hold'em: all cards differ, and each is as often in each place; within 5 deviations."""
    cards = drawn(np.ones((2, 1326)), 40_000)
    assert (np.sort(cards, axis=1)[:, 1:] != np.sort(cards, axis=1)[:, :-1]).all()
    counts = np.array([np.bincount(column, minlength=52) for column in cards[:, 4:].T])
    assert (np.abs(counts - 40_000 / 52) < 5 * np.sqrt(40_000 / 52)).all()


def test_hands_of_no_weight_are_not_dealt():
    """Of hold'em: two aces against two aces or kings leave one pair of aces, or any of kings."""
    weights = np.zeros((2, 1326))
    aces, others = [parse_combo("AsAh")], [parse_combo(t) for t in ("AsAh", "AdAc", "KsKh")]
    weights[0, aces] = weights[1, others] = 1
    cards = drawn(weights, 2000)
    assert {tuple(sorted(row[:2])) for row in cards.tolist()} == {(50, 51)}
    theirs = {tuple(sorted(row[2:4])) for row in cards.tolist()}
    assert theirs == {(48, 49), (46, 47)}


def drawn(weights, count):
    """Return deals of hold'em by weights of combos."""
    game = load_builtin("hunl")
    source = WeightedDeals(game, tiny_cards(), np.ones((2, 169)))
    cards = np.empty((count, 9), np.uint8)
    keys = np.arange(count, dtype=np.uint64)
    running = np.cumsum(weights, axis=1)
    draw_weighted(keys, source._deck, COMBO_CARDS, running, cards)
    return cards


@pytest.mark.parametrize(
    "weights",
    [np.ones((2, 4)), np.ones((3, 3)), -np.ones((2, 3)), np.zeros((2, 3)), np.full((2, 3), np.nan)],
)
def test_wrong_weights_are_refused(leduc, weights):
    """Of another shape, negative, or none at all."""
    with pytest.raises(ValueError, match="weight"):
        WeightedDeals(leduc.definition, leduc.cards, weights)


def test_hands_that_exclude_each_other_are_refused():
    """Both players can only hold the same two cards of hold'em."""
    weights = np.zeros((2, 169))
    weights[:, tiny_cards().bucket([51, 50], [])] = 1
    WeightedDeals(load_builtin("hunl"), tiny_cards(), weights)  # six pairs of aces

    class OnlyAces:
        counts = (2, 1, 1, 1)

        def buckets(self, board):
            return (np.arange(1326) == 1325).astype(np.int32)

    with pytest.raises(ValueError, match="no deal"):
        WeightedDeals(load_builtin("hunl"), OnlyAces(), np.array([[0, 1.0], [0, 1.0]]))
    with pytest.raises(InvalidGame):
        WeightedDeals(load_builtin("hunl"), SmallGame("kuhn").cards, np.ones((2, 3)))


@pytest.mark.parametrize("safe", [False, True])
def test_a_branch_is_solved(leduc, safe):
    """Behind a raise of Leduc nobody gains by exact best responses, whatever is had elsewhere."""
    elsewhere = np.array([-1.1, 0.1, 1.2])
    below = leduc.betting.below(leduc.betting.path("r")[-1])
    tree = below.behind_choice() if safe else below
    source = WeightedDeals(
        leduc.definition, leduc.cards, WEIGHTS, Elsewhere(0, elsewhere) if safe else None
    )
    info_sets = build_info_sets(tree, leduc.cards.counts)
    run = Mccfr(
        info_sets, leduc.cards, np.random.default_rng(1), MccfrSettings(period=2000), source
    )
    followed = Followed(tree, *every_deal(leduc, WEIGHTS, elsewhere))

    def gained():
        return followed.best(run.average, 0) + followed.best(run.average, 1)

    at_first = gained()
    run.run(600_000)
    assert at_first > 0.5
    assert gained() < 0.02
    if safe:
        entering = run.average(0)[:, 1]
        assert 0.1 < entering.max() < 0.9  # a choice that is worth as much either way
        assert entering.min() < 0.1
