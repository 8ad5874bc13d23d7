from dataclasses import replace

import numpy as np
import pytest

from engine.abstraction.lossless import LosslessAbstraction
from engine.errors import InvalidGame
from engine.mccfr.sample_deals import (
    DealSource,
    compare_hands,
    compare_sevens,
    pick_deals,
    shuffle_deals,
)
from engine.showdown.evaluator import strength
from protocol.gamedefs import load_builtin
from tests.oracles.mccfr import random_word

HUNL = load_builtin("hunl")


class FewBuckets:
    """Hold'em with buckets that tell the cards, for tests."""

    counts = (52, 52, 52, 52)

    def buckets_of_deals(self, deals, players=2):
        """The bucket is the player's first card before the flop, then a board card."""
        buckets = np.empty((len(deals), players, 4), np.int32)
        buckets[:, :, 0] = deals[:, [0, 2]]
        buckets[:, :, 1:] = deals[:, None, 6:9]
        return buckets


def keys(count, seed=1):
    """Return random keys."""
    return np.random.default_rng(seed).integers(0, 1 << 64, count, np.uint64)


def shuffled(count, seed=1):
    """Return hold'em deals."""
    cards = np.empty((count, 9), np.uint8)
    shuffle_deals(keys(count, seed), np.array(HUNL.deck, np.uint8), cards)
    return cards


def test_a_shuffle_follows_its_key():
    """Two draws from each output, each moving the last card left into the gap."""
    (cards,), (key,) = shuffled(1, seed=9).tolist(), keys(1, seed=9).tolist()
    left = list(HUNL.deck)
    for draw, card in enumerate(cards):
        word = random_word(key, -1 - draw // 2)
        half = word >> 32 if draw % 2 else word & 0xFFFFFFFF
        place = half * len(left) >> 32
        assert card == left[place]
        left[place] = left[-1]
        left.pop()


def test_cards_of_a_deal_are_different():
    """No card is dealt twice."""
    assert all(len(set(deal)) == 9 for deal in shuffled(2000).tolist())


def test_a_deal_depends_on_its_key_alone():
    """Dealing one by one or in a batch is the same."""
    source = DealSource(HUNL, FewBuckets())
    together = source.deal(keys(20))
    for i in range(20):
        alone = source.deal(keys(20)[i : i + 1])
        assert alone.bucket.tolist() == together.bucket[i : i + 1].tolist()
        assert alone.result.tolist() == together.result[i : i + 1].tolist()


@pytest.mark.parametrize(("own", "board"), [(2, 5), (1, 0), (1, 1), (2, 1), (3, 2)])
def test_hands_compare_as_the_evaluator_says(own, board):
    """1 where player 0 wins, -1 where player 1 does, 0 for a split; in hold'em and other games."""
    cards = shuffled(3000, seed=4)[:, : 2 * own + board].copy()
    result = np.empty(len(cards), np.int8)
    if board == 5:
        compare_sevens(cards, result)
    else:
        compare_hands(cards, own, result)
    for deal, found in zip(cards.tolist(), result.tolist(), strict=True):
        shown = deal[2 * own :]
        ours, theirs = strength(deal[:own] + shown), strength(deal[own : 2 * own] + shown)
        assert found == (ours > theirs) - (ours < theirs)


@pytest.mark.parametrize(("name", "ways"), [("kuhn", 6), ("leduc", 120)])
def test_small_games_have_all_deals_equally_often(name, ways):
    """Their buckets and results are those of the cards."""
    game = load_builtin(name)
    deals = DealSource(game, LosslessAbstraction(game)).deal(keys(1000 * ways))
    assert deals.bucket.shape == (1000 * ways, 2, game.streets)
    first = deals.bucket[:, :, 0]
    if name == "kuhn":
        assert (deals.result == np.sign(first[:, 0] - first[:, 1])).all()
    seen = np.unique(np.c_[deals.bucket.reshape(len(first), -1), deals.result], axis=0)
    assert len(seen) == {"kuhn": 6, "leduc": 24}[name]
    picked = np.empty(1000 * ways, np.int64)
    pick_deals(keys(1000 * ways), ways, picked)
    assert np.abs(np.bincount(picked, minlength=ways) - 1000).max() < 5 * np.sqrt(1000)


def test_a_larger_deck_is_shuffled():
    """Leduc poker with 52 cards has too many deals to list; pairs of equal ranks split."""
    game = replace(load_builtin("leduc"), ranks=13, suits=4)
    result = DealSource(game, OneBucket()).deal(keys(30_000)).result
    assert abs(result.mean(dtype=float)) < 5 / np.sqrt(30_000)
    assert (result == 0).mean() == pytest.approx(3 / 51, abs=0.007)


class OneBucket:
    """Two streets, one bucket each."""

    counts = (1, 1)

    def buckets_of_deals(self, deals, players=2):
        """Everything is the same."""
        return np.zeros((len(deals), players, 2), np.int32)


class Told:
    """Hold'em buckets that a test has made up."""

    counts = (2, 3, 4, 5)

    def __init__(self, *, shape=None, dtype=np.int32, street=0, bucket=0):
        self.shape, self.dtype, self.street, self.bucket = shape, dtype, street, bucket

    def buckets_of_deals(self, deals, players=2):
        """Return zeros but for one street of the last deal."""
        buckets = np.zeros(self.shape or (len(deals), players, 4), self.dtype)
        buckets[-1, -1, self.street] = self.bucket
        return buckets


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"street": 2, "bucket": 4}, r"bucket 4: street 2 has buckets 0\.\.3"),
        ({"street": 3, "bucket": 60000}, r"bucket 60000: street 3 has buckets 0\.\.4"),
        ({"bucket": -1}, r"bucket -1: street 0 has buckets 0\.\.1"),
        ({"bucket": 1 << 32, "dtype": np.int64}, "bucket 4294967296: street 0"),
        ({"shape": (9, 2, 4)}, r"want \(10, 2, 4\) integers, got \(9, 2, 4\)"),
        ({"shape": (10, 2, 5)}, r"got \(10, 2, 5\)"),
        ({"dtype": np.float64}, "got .* float64"),
    ],
)
def test_buckets_that_do_not_exist_are_refused(bad, message):
    """Kernels would write outside their tables."""
    with pytest.raises(ValueError, match=message):
        DealSource(HUNL, Told(**bad)).deal(keys(10))


def test_the_last_bucket_of_each_street_is_fine():
    """In any kind of integers; no deals at all make no buckets."""
    for street, count in enumerate(Told.counts):
        for dtype in (np.int32, np.uint16, np.int64):
            told = Told(street=street, bucket=count - 1, dtype=dtype)
            bucket = DealSource(HUNL, told).deal(keys(10)).bucket
            assert bucket.dtype == np.int32
            assert bucket[-1, -1, street] == count - 1
    assert DealSource(HUNL, FewBuckets()).deal(keys(0)).bucket.shape == (0, 2, 4)


def test_listed_deals_are_checked_when_they_are_listed():
    """Small games, before anything is dealt."""

    class Odd:
        counts = (3,)

        def buckets_of_deals(self, deals, players=2):
            return np.full((len(deals), players, 1), 3, np.int32)

    with pytest.raises(ValueError, match="bucket 3"):
        DealSource(load_builtin("kuhn"), Odd())


def test_games_and_abstractions_must_fit():
    """Other numbers of players or streets are refused."""
    with pytest.raises(InvalidGame, match=r"players.*\b3\b"):
        DealSource(load_builtin("nolimit3"), FewBuckets())
    with pytest.raises(InvalidGame, match=r"\b2\b.*\b4\b"):
        DealSource(HUNL, OneBucket())
