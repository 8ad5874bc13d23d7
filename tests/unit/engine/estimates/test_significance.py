"""What win rates say about players."""

import math

import numpy as np
import pytest

from engine.estimates.significance import FEWEST_SAMPLES, compare_players, holm, p_value
from engine.estimates.winrate import WinRate, win_rate


def rate(mean, sd, samples, hands_per_sample=2):
    """Return a win rate of that many sets; the interval plays no part here."""
    return WinRate(mean, 0.0, sd, samples, samples * hands_per_sample)


def between(mean, sd=1000.0, samples=1000):
    return compare_players([("a", rate(mean, sd, samples)), ("b", rate(-mean, sd, samples))])


def test_between_two_it_is_one_test():
    """t = 2 with 999 degrees of freedom is p = 0.0458, t = 1.9 is 0.0577; nothing is adjusted."""
    for factor, p in ((2.0, 0.04577), (1.9, 0.05772)):
        found = between(factor * 1000 / math.sqrt(1000))
        assert [standing.p_value for standing in found.standings] == pytest.approx([p, p], rel=1e-3)
        assert found.decided is (p < 0.05)
        assert [standing.decided for standing in found.standings] == [p < 0.05] * 2


def test_hands_that_would_decide():
    """By the textbook: (1.96 + 0.84)^2 sd^2 / mean^2 samples, less what was played; in hands."""
    found = between(20.0)
    wanted = (1.959964 + 0.841621) ** 2 * (1000 / 20) ** 2
    assert found.more_hands == 2 * (math.ceil(wanted) - 1000)
    assert between(200.0).more_hands is None
    assert between(0.0).more_hands is None


@pytest.mark.parametrize("samples", [0, 1, 2, FEWEST_SAMPLES - 1])
def test_few_samples_decide_nothing(samples):
    """However alike they are: two hands that both won the blinds prove nothing."""
    found = between(100.0, 0.0 if samples > 1 else math.inf, samples)
    assert not found.enough_samples
    assert not found.decided
    assert found.more_hands is None
    assert between(100.0, 0.0, FEWEST_SAMPLES).decided


def test_among_more_each_is_tested_against_nothing_won():
    """Whoever is open is neither ahead nor behind."""
    players = [
        ("a", rate(120, 1000, 1000)),
        ("b", rate(-10, 1000, 1000)),
        ("c", rate(-110, 1000, 1000)),
    ]
    found = compare_players(players)
    assert [standing.decided for standing in found.standings] == [True, False, True]
    assert found.more_hands is None
    players = [
        ("a", rate(20, 1000, 1000)),
        ("b", rate(-5, 1000, 1000)),
        ("c", rate(-15, 1000, 1000)),
    ]
    wanted = (2.393980 + 0.841621) ** 2 * (1000 / 20) ** 2  # one of three tests at 5 % in all
    assert compare_players(players).more_hands == 2 * (math.ceil(wanted) - 1000)


def test_holm_adjusts_step_by_step():
    """The smallest counts for all, the next for all but one, none less than one before it."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, None, 0.9]) == pytest.approx([1.0, None, 1.0])
    assert holm([]) == []


def test_p_value_without_spread_or_samples():
    """Nothing is known of one sample."""
    assert p_value(rate(5, math.inf, 1)) is None
    assert p_value(rate(0, 0, 100)) == 1.0
    assert p_value(rate(5, 0, 100)) == 0.0


def test_one_player_is_no_match():
    """There is nobody to be better than."""
    with pytest.raises(ValueError, match="two or more"):
        compare_players([("a", rate(1, 1, 100))])


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("samples", [FEWEST_SAMPLES, 300])
def test_equals_are_told_apart_in_at_most_one_match_of_twenty(players, samples):
    """Whoever leads by chance: any statement about any of them is an error."""
    rng = np.random.default_rng(5)
    matches = 400
    wrong = 0
    for _ in range(matches):
        # Mostly small pots and now and then a stack, as in no-limit; what is won is lost.
        sizes = np.where(rng.random((samples, players)) < 0.1, 40.0, 2.0)
        chips = sizes * rng.standard_normal((samples, players))
        chips -= chips.mean(axis=1, keepdims=True)
        wrong += compare_players(
            [(str(i), win_rate(chips[:, i], 2)) for i in range(players)]
        ).decided
    assert wrong / matches < 0.05 + 3 * math.sqrt(0.05 * 0.95 / matches)
    assert wrong > 0


def test_the_match_recommended_decides_as_often_as_said():
    """Four times in five, if the difference is what it looked like."""
    rng = np.random.default_rng(6)
    seen = between(10.0, 100.0, 300)
    samples = 300 + seen.more_hands // 2
    decided = 0
    for _ in range(1000):
        chips = rng.normal(10.0, 100.0, samples)
        a = win_rate(chips, 1000, hands_per_sample=2)
        decided += compare_players(
            [("a", a), ("b", win_rate(-chips, 1000, hands_per_sample=2))]
        ).decided
    assert decided / 1000 == pytest.approx(0.8, abs=0.04)
