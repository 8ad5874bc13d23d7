"""What the queue is asked with: knowledge of pairs, and when a pair is decided."""

import numpy as np

from dealer.hub.matchmaking import MatchEvidence, PairSum


def test_matches_of_a_pair_count_by_their_precision():
    """One with half the interval weighs four times as much; its newest result counts."""
    pair = PairSum()
    pair.learn(1, MatchEvidence(10.0, 9.0, 100))
    pair.learn(2, MatchEvidence(0.0, 1.0, 400))
    pair.learn(1, MatchEvidence(10.0, 2.0, 100))
    assert np.isclose(pair.weighted / pair.precision, 2.0)
    assert np.isclose(pair.ci95, (1 / (0.25 + 1.0)) ** 0.5)


def test_equal_bots_are_hardly_ever_decided():
    """However often one looks, at most one pair in twenty of equal bots is called decided."""
    generator = np.random.default_rng(7)
    called = 0
    for _ in range(400):
        pair = PairSum()
        for match in range(60):
            samples = generator.normal(0.0, 9000.0, 200)
            ci95 = 1.96 * samples.std(ddof=1) / np.sqrt(200)
            pair.learn(match, MatchEvidence(samples.mean(), ci95, 200))
            if pair.decided:
                called += 1
                break
    assert called <= 400 * 0.05


def test_a_clear_winner_is_decided():
    """A lead of many intervals is decided after some matches, and not after the first hand."""
    pair = PairSum()
    pair.learn(0, MatchEvidence(500.0, 1500.0, 2))
    assert not pair.decided
    for match in range(1, 21):
        pair.learn(match, MatchEvidence(500.0, 200.0, 1000))
    assert pair.decided
