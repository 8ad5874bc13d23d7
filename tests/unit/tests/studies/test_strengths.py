"""Counts of hand strengths in self-play."""

from argparse import Namespace

import numpy as np
import pytest

from agents.baselines.always_call import AlwaysCall
from engine.equity.strength import StrengthReader, combo_strengths
from engine.hands.cards import combo_of
from engine.play.learners import play_learning_match
from engine.rules.dealing import DealStream
from engine.showdown.evaluator import strength
from protocol.gamedefs import load_builtin
from tests.studies import strengths
from tests.studies.strengths import (
    BINS,
    COUNTS,
    StrengthCounts,
    Study,
    Witness,
    count_strengths,
)

HULHE = load_builtin("hulhe")
DEALS = 12


def counts_of_callers():
    """Counts of two players who see every showdown."""
    counts, reader = StrengthCounts(DEALS), StrengthReader()
    play_learning_match(HULHE, 5, DEALS, [Witness(AlwaysCall(), reader, counts) for _ in range(2)])
    return counts


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
    np.testing.assert_array_equal(counts.hands.sum(axis=1), [2 * DEALS] * 4)
    np.testing.assert_array_equal(counts.decisions, counts.hands)
    np.testing.assert_array_equal(counts.hands[3], hands)
    np.testing.assert_array_equal(counts.wins[3], wins)
    np.testing.assert_array_equal(counts.ties[3], ties)


def counted(study, folder):
    """What a study counts in one process."""
    return count_strengths(study, Namespace(jobs=1, work=folder))


def test_self_play_counts_add_up(tmp_path, monkeypatch):
    """One pot a deal: as many wins and halves of ties as deals; nothing is played twice."""
    study = Study(HULHE, 7, match=4, seed=2)
    assert [deals for _, deals in study.parts()] == [4, 3]
    assert len({seed for seed, _ in study.parts()}) == 2
    found = counted(study, tmp_path)
    decisions, hands, wins, ties = (found[COUNTS.index(name)] for name in COUNTS)
    assert wins[0].sum() + ties[0].sum() / 2 == 7
    assert (hands[1:].sum(axis=1) <= hands[:-1].sum(axis=1)).all()
    assert decisions.sum() > 0
    monkeypatch.setattr(strengths, "in_order", lambda *_: iter(()))
    np.testing.assert_array_equal(counted(study, tmp_path), found)


def test_games_that_cannot_be_played(tmp_path):
    """A game for two that is no hold'em, and hold'em for three."""
    for game, message in (("kuhn", "hold'em only"), ("nolimit3", "for two")):
        with pytest.raises(ValueError, match=message):
            counted(Study(load_builtin(game), 4), tmp_path)
