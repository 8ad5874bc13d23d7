"""What win rates say about players."""

import math

import numpy as np
import pytest

from engine.estimates.betting import samples_wanted
from engine.estimates.estimators import HandValues, rate_of
from engine.estimates.significance import FEWEST_SAMPLES, compare_players, holm, t_p_value
from engine.estimates.winrate import WinRate

STACK = 100_000.0


def rate(mean, sd, samples, hands_per_sample=2, p=1.0):
    """Return a win rate of that many sets; the interval plays no part here."""
    return WinRate(mean, 0.0, sd, samples, samples * hands_per_sample, STACK, p)


def between(mean, sd=1000.0, samples=1000, p=1.0):
    players = ("a", rate(mean, sd, samples, p=p)), ("b", rate(-mean, sd, samples, p=p))
    return compare_players(players)


def test_between_two_it_is_one_test():
    """t = 2 with 999 degrees of freedom is p = 0.0458, t = 1.9 is 0.0577; nothing is adjusted."""
    for factor, p in ((2.0, 0.04577), (1.9, 0.05772)):
        found = between(factor * 1000 / math.sqrt(1000), p=0.2)
        assert [one.t_p_value for one in found.standings] == pytest.approx([p, p], rel=1e-3)
        assert [one.p_value for one in found.standings] == [0.2, 0.2]
        assert found.leads == ("a" if p < 0.05 else None)
        assert not found.decided
    assert between(10.0, p=0.04).decided


def test_hands_that_would_decide():
    """By the betting test, less what was played; in hands."""
    wanted = samples_wanted(20.0, 1000.0, STACK, 0.05, 0.8)
    assert between(20.0).more_hands == 2 * (wanted - 1000)
    assert between(200.0, p=0.01).more_hands is None
    assert between(0.0).more_hands is None
    unbounded = [("a", WinRate(20.0, 0.0, 1000.0, 1000, 2000)), ("b", rate(-20, 1000, 1000))]
    assert compare_players(unbounded).more_hands is None


@pytest.mark.parametrize("samples", [0, 1, 2, FEWEST_SAMPLES - 1])
def test_by_few_samples_nobody_leads(samples):
    """However alike they are: two hands that both won the blinds prove nothing."""
    found = between(100.0, 0.0 if samples > 1 else math.inf, samples)
    assert not found.enough_samples
    assert found.leads is None
    assert found.more_hands is None
    assert between(100.0, 0.0, FEWEST_SAMPLES).leads == "a"


def test_among_more_each_is_tested_against_nothing_won():
    """Whoever is open is neither ahead nor behind; three tests at 5 % in all."""
    players = [
        ("a", rate(120, 1000, 1000, p=0.001)),
        ("b", rate(-10, 1000, 1000)),
        ("c", rate(-110, 1000, 1000, p=0.02)),
    ]
    found = compare_players(players)
    assert [one.p_value for one in found.standings] == pytest.approx([0.003, 1.0, 0.04])
    assert [one.decided for one in found.standings] == [True, False, True]
    assert [one.leads for one in found.standings] == [True, False, True]
    assert found.more_hands is None
    won = {"a": 20, "b": -5, "c": -15}
    players = [(name, rate(mean, 1000, 1000)) for name, mean in won.items()]
    wanted = samples_wanted(20.0, 1000.0, STACK, 0.05 / 3, 0.8)
    assert compare_players(players).more_hands == 2 * (wanted - 1000)


def test_holm_adjusts_step_by_step():
    """The smallest counts for all, the next for all but one, none less than one before it."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, None, 0.9]) == pytest.approx([1.0, None, 1.0])
    assert holm([]) == []


def test_t_p_value_without_spread_or_samples():
    """Nothing is known of one sample."""
    assert t_p_value(rate(5, math.inf, 1)) is None
    assert t_p_value(rate(0, 0, 100)) == 1.0
    assert t_p_value(rate(5, 0, 100)) == 0.0


def test_one_player_is_no_match():
    """There is nobody to be better than."""
    with pytest.raises(ValueError, match="two or more"):
        compare_players([("a", rate(1, 1, 100))])


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("samples", [FEWEST_SAMPLES, 300])
def test_among_equals_somebody_leads_in_at_most_one_match_of_twenty(players, samples):
    """Whoever leads by chance: any statement about any of them is an error."""
    rng = np.random.default_rng(5)
    matches = 400
    wrong = 0
    for _ in range(matches):
        # Mostly small pots and now and then a stack, as in no-limit; what is won is lost.
        sizes = np.where(rng.random((samples, players)) < 0.1, 40.0, 2.0)
        chips = sizes * rng.standard_normal((samples, players))
        chips -= chips.mean(axis=1, keepdims=True)
        rates = [
            rate_of(HandValues("raw", chips[:, i]), 2, (1000.0, 1000.0)) for i in range(players)
        ]
        found = compare_players([(str(i), one) for i, one in enumerate(rates)])
        wrong += any(one.leads for one in found.standings)
        assert not found.decided
    assert wrong / matches < 0.05 + 3 * math.sqrt(0.05 * 0.95 / matches)
    assert wrong > 0
