"""What the queue is asked with: knowledge of pairs, and when a pair is decided."""

import numpy as np
import pytest

from dealer.hub.matchmaking import MatchEvidence, PairEvidence
from engine.estimates.betting import WEALTH_SHARES, betting_wealths

STACK = 200.0
"""Big blinds: what a sample can win or lose."""
RARE = 1 / 1000


def evidence(samples):
    """That of a match with these samples, big blinds of the version with the lower number."""
    ci95 = 1.96 * samples.std(ddof=1) / np.sqrt(len(samples))
    wealths = betting_wealths(samples, STACK, STACK)
    return MatchEvidence(
        1000 * samples.mean(), max(1000 * ci95, 2.0), wealths.ahead, wealths.behind
    )


def normal(generator, mean):
    """A match of 200 samples with the deviation of duplicate sets of no-limit hold'em."""
    return np.clip(generator.normal(mean, 9.0, 200), -STACK, STACK)


def stack_lost(generator, _mean):
    """A fair one in which a little is won in most samples and a stack lost in few."""
    lost = generator.random(200) < RARE
    return np.where(lost, -STACK, STACK * RARE / (1 - RARE) + generator.normal(0, 0.1, 200))


def none(won, ci95):
    """Evidence of a match that shows nothing of who wins."""
    return MatchEvidence(won, ci95, (), ())


def test_matches_of_a_pair_count_by_their_precision():
    """One with half the interval weighs four times as much; its newest result counts."""
    pair = PairEvidence()
    pair.learn(1, none(10.0, 9.0))
    pair.learn(2, none(0.0, 1.0))
    pair.learn(1, none(10.0, 2.0))
    assert np.isclose(pair.mbb_per_hand, 2.0)
    assert np.isclose(pair.ci95, (1 / (0.25 + 1.0)) ** 0.5)
    assert not pair.decided


def test_another_result_of_a_match_takes_its_place():
    """As when AIVAT is added: the same match is no second one."""
    pair = PairEvidence()
    samples = normal(np.random.default_rng(3), 3.0)
    for _ in range(50):
        pair.learn(7, evidence(samples))
    alone = PairEvidence()
    alone.learn(7, evidence(samples))
    assert np.allclose(pair._wealths, alone._wealths)
    assert pair.decided == alone.decided


def test_nothing_is_kept_of_a_match_that_is_settled():
    """Evidence of it counts as much; a server plays many."""
    samples = normal(np.random.default_rng(3), 3.0)
    pair, settled = PairEvidence(), PairEvidence()
    for match in (1, 2):
        pair.learn(match, evidence(samples))
        settled.learn(match, none(1.0, 1.0))  # without AIVAT yet
        settled.learn(match, evidence(samples), final=True)
    assert np.allclose(pair._wealths, settled._wealths)
    assert np.isclose(pair.ci95, settled.ci95)
    assert (len(pair._open), len(settled._open)) == (2, 0)


@pytest.mark.parametrize("match", [normal, stack_lost])
def test_equal_bots_are_hardly_ever_decided(match):
    """However often one looks, and however seldom much is lost: at most one pair in twenty."""
    generator = np.random.default_rng(7)
    called = 0
    for _ in range(100):
        pair = PairEvidence()
        for number in range(40):
            pair.learn(number, evidence(match(generator, 0.0)))
            if pair.decided:
                called += 1
                break
    assert called <= 100 * 0.05


@pytest.mark.parametrize("sign", [1, -1])
def test_a_clear_winner_is_decided(sign):
    """Half a big blind a sample is clear after some thousand, and not after the first match."""
    generator = np.random.default_rng(5)
    pair, matches = PairEvidence(), 0
    while not pair.decided:
        pair.learn(matches, evidence(normal(generator, 0.5 * sign)))
        matches += 1
    assert 5 < matches < 100
    assert np.sign(pair.mbb_per_hand) == sign


@pytest.mark.parametrize("swapped", [False, True])
def test_evidence_is_of_the_lower_version(swapped):
    """Whoever was first in the match."""
    ahead, behind = [0.5] * len(WEALTH_SHARES), [-0.5] * len(WEALTH_SHARES)
    estimate = {"mbb_per_hand": 7.0, "ci95_mbb_per_hand": 9.0, "samples": 3, "hands": 6}
    result = {
        "hands": 6,
        "estimates": {"raw": estimate},
        "betting": {"estimator": "raw", "ahead": ahead, "behind": behind},
    }
    shown = MatchEvidence.of(result, swapped=swapped)
    assert shown.won == (-7.0 if swapped else 7.0)
    assert (shown.ahead, shown.behind) == ((behind, ahead) if swapped else (ahead, behind))
    del result["betting"]
    assert MatchEvidence.of(result, swapped=swapped).ahead == ()
    assert MatchEvidence.of({"hands": 0, "estimates": {}}, swapped=swapped) is None
