"""Counts of hand strengths in self-play."""

import numpy as np
import pytest

from agents.bot import Bot
from agents.studies.statistical.strength_study import (
    BINS,
    StrengthCounts,
    Study,
    WinChances,
    Witness,
    count_strengths,
    merged_bins,
)
from engine.equity.strength import StrengthReader, combo_strengths
from engine.hands.cards import combo_of
from engine.play.learners import play_learning_match
from engine.rules.dealing import DealStream
from engine.showdown.evaluator import strength
from protocol.gamedefs import load_builtin

HULHE = load_builtin("hulhe")
DEALS = 12


class Caller(Bot):
    """Checks and calls."""

    def act(self, view):
        """Return a call."""
        return view.call()


def counts_of_callers():
    """Counts of two players who see every showdown."""
    counts, reader = StrengthCounts(DEALS), StrengthReader()
    play_learning_match(HULHE, 5, DEALS, [Witness(Caller(), reader, counts) for _ in range(2)])
    return counts


def test_every_hand_counts_once_on_each_street_it_reached():
    """Two hands a deal on all four streets; each decides once on each."""
    counts = counts_of_callers()
    np.testing.assert_array_equal(counts.hands.sum(axis=1), [2 * DEALS] * 4)
    np.testing.assert_array_equal(counts.decisions, counts.hands)


def test_strengths_and_wins_are_those_of_the_cards():
    """Counted again, by hand, for the river."""
    hands, wins, ties = (np.zeros(BINS, np.int64) for _ in range(3))
    for _, deal in zip(range(DEALS), DealStream(HULHE, 5), strict=False):
        found = combo_strengths(deal.board)
        ranks = [strength((*hole, *deal.board)) for hole in deal.holes]
        for hole, own, other in zip(deal.holes, ranks, ranks[::-1], strict=True):
            place = min(int(found[combo_of(*hole)] * BINS), BINS - 1)
            hands[place] += 1
            wins[place] += own > other
            ties[place] += own == other
    counts = counts_of_callers()
    np.testing.assert_array_equal(counts.hands[3], hands)
    np.testing.assert_array_equal(counts.wins[3], wins)
    np.testing.assert_array_equal(counts.ties[3], ties)


def test_self_play_counts_add_up():
    """One pot a deal: as many wins and halves of ties as deals."""
    parts = list(count_strengths(Study(HULHE, 7, match=4, seed=2)))
    total = StrengthCounts()
    for part in parts:
        total.add(part)
    assert [part.deals for part in parts] == [4, 3]
    assert total.deals == 7
    assert total.wins[0].sum() + total.ties[0].sum() / 2 == 7
    assert (total.hands[1:].sum(axis=1) <= total.hands[:-1].sum(axis=1)).all()
    assert total.decisions.sum() > 0
    assert total.plain()["hands"] == total.hands.tolist()


def test_matches_have_seeds_of_their_own():
    """And the last one is shorter."""
    parts = Study(HULHE, 10, match=4).parts()
    assert [deals for _, deals in parts] == [4, 4, 2]
    assert len({seed for seed, _ in parts}) == 3


def test_win_chances_with_wilsons_interval():
    """50 of 100: 0.4038 to 0.5962; nothing is known of an empty bin."""
    found = WinChances.of(np.array([100, 0]), np.array([50.0, 0.0]))
    assert found.chance[0] == 0.5
    assert (found.low[0], found.high[0]) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert np.isnan(found.chance[1])


def test_bins_are_put_together():
    """Sums of neighbours."""
    np.testing.assert_array_equal(merged_bins(np.arange(6), 3), [1, 5, 9])


def test_games_that_cannot_be_played():
    """A game for two, but no hold'em."""
    with pytest.raises(ValueError, match="for two"):
        next(count_strengths(Study(load_builtin("kuhn"), 4)))
