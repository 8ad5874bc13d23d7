"""Equity from random deals."""

import math

import numpy as np
import pytest

from engine.equity.equity import exact_hand_equity, exact_range_equity
from engine.equity.sampling import sampled_equity
from engine.hands.range_text import parse_range
from protocol.cards import parse_cards

FLOP = parse_cards("Ts9s2d")


def rng():
    """A generator that always deals the same."""
    return np.random.default_rng(7)


def test_samples_come_close_and_say_how_close():
    """The exact value lies within twice the interval; the same seed gives the same result."""
    ranges = [parse_range("QQ+,AKs"), parse_range("TT+,AQ+,KQs:0.5")]
    exact = exact_range_equity(*ranges, FLOP)
    found = sampled_equity(ranges, FLOP, 40000, rng())
    for sampled, true in zip(found, exact, strict=True):
        assert 0.001 < sampled.ci95 < 0.01
        assert abs(sampled.equity - true.equity) < 2 * sampled.ci95
        assert abs(sampled.win - true.win) < 0.01
        assert abs(sampled.tie - true.tie) < 0.01
        assert sampled.win + sampled.tie + sampled.lose == pytest.approx(1)
        assert (sampled.boards, sampled.exact) == (40000, False)
    assert sampled_equity(ranges, FLOP, 40000, rng()) == found


def test_samples_of_many_players():
    """Three hands before the flop, against all boards."""
    texts = ("AhKd", "JsTc", "9h9c")
    true = exact_hand_equity([parse_cards(text) for text in texts])
    found = sampled_equity([parse_range(text) for text in texts], (), 40000, rng())
    for sampled, exact in zip(found, true, strict=True):
        assert abs(sampled.equity - exact.equity) < 2 * sampled.ci95
    assert sum(one.equity for one in found) == pytest.approx(1)


def test_one_sample_has_no_interval():
    """It is infinite."""
    found = sampled_equity([parse_range("AA"), parse_range("KK")], (), 1, rng())
    assert math.isinf(found[0].ci95)


def test_sampling_reports_progress():
    """Up to one."""
    seen = []
    sampled_equity([parse_range("AA"), parse_range("KK")], (), 40000, rng(), seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


@pytest.mark.parametrize(
    ("texts", "samples", "why"),
    [
        (["AA"], 100, "2 to 10 ranges"),
        (["AA"] * 11, 100, "2 to 10 ranges"),
        (["AA", "KK"], 0, "0 samples"),
        (["AA", ""], 10, "no hand of a range"),
        (["AA"] * 3, 10, "hardly one"),
        (["AsAh", "AsAh"], 10, "hardly one"),
    ],
)
def test_samples_that_cannot_be_dealt_are_refused(texts, samples, why):
    """Three players cannot all hold aces: no endless loop."""
    with pytest.raises(ValueError, match=why):
        sampled_equity([parse_range(text) for text in texts], (), samples, rng())


def test_combos_come_as_often_as_their_weights_say():
    """Against a hand that only one of three beats, on a whole board; also of many combos."""
    board = parse_cards("2c7d9hJsQc")
    lucky = parse_range("JhJd:0.5,3c4d,3d4c")
    found = sampled_equity([lucky, parse_range("AhAs")], board, 40000, rng())[0]
    assert abs(found.win - 0.2) < 2 * found.ci95
    weights = np.where(parse_range("random") > 0, 1e-3, 0)
    weights += 10 * parse_range("JJ")
    exact = exact_range_equity(weights, parse_range("AhAs"), board)[0]
    found = sampled_equity([weights, parse_range("AhAs")], board, 40000, rng())[0]
    assert abs(found.win - exact.win) < 2 * found.ci95


def test_the_interval_of_two_deals_is_that_of_their_sample_deviation():
    """One deal won and one lost: 0.5 with a deviation of sqrt(1 / 2), not of 1 / 2."""
    board, hand = parse_cards("AsKs9d5h2c"), parse_range("QhQc")
    either = parse_range("AhAd,JhTh")
    found = [
        sampled_equity([hand, either], board, 2, np.random.default_rng(seed))[0]
        for seed in range(20)
    ]
    split = [one for one in found if one.equity == 0.5]
    assert 0 < len(split) < 20
    for one in split:
        assert one.ci95 == pytest.approx(12.7062 * math.sqrt(0.5 / 2), rel=1e-3)
