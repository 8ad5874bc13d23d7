"""Tests for engine.estimates.least_squares."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.estimates.least_squares import components, least_squares_ratings


def drawn(bots, count, spread, seed):
    """Return pairs of a linked table, their rates with noise, the errors, and the true ratings."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 300, bots)
    every = np.array([(i, j) for i in range(bots) for j in range(i + 1, bots)])
    chain = {(i, i + 1) for i in range(bots - 1)}
    rest = [pair for pair in rng.permutation(every).tolist() if tuple(pair) not in chain]
    pairs = np.array([*sorted(chain), *rest[: count - bots + 1]])
    errors = rng.uniform(20, 200, len(pairs))
    peculiar = rng.normal(0, spread, len(pairs)) if spread else 0.0
    rates = truth[pairs[:, 0]] - truth[pairs[:, 1]] + peculiar
    return pairs, rates + errors * rng.standard_normal(len(pairs)), errors, truth - truth.mean()


@given(st.integers(2, 8), st.integers(0, 20), st.integers(0, 99))
def test_it_is_the_weighted_least_squares_solution(bots, more, seed):
    """Of numpy, with weights that hold the spread; ratings and covariance."""
    pairs, rates, errors, _ = drawn(bots, bots - 1 + more, 200.0, seed)
    fit = least_squares_ratings(bots, pairs, rates, errors)
    sd = np.sqrt(errors**2 + fit.spread**2)
    design = np.zeros((len(pairs), bots))
    design[np.arange(len(pairs)), pairs[:, 0]] = 1 / sd
    design[np.arange(len(pairs)), pairs[:, 1]] = -1 / sd
    ratings = np.linalg.lstsq(design, rates / sd, rcond=None)[0]
    np.testing.assert_allclose(fit.ratings, ratings, atol=1e-6)
    np.testing.assert_allclose(fit.covariance, np.linalg.pinv(design.T @ design), atol=1e-6)
    other = np.stack([rates, 2 * rates])
    np.testing.assert_allclose(
        fit.response(pairs, errors, other), [ratings, 2 * ratings], atol=1e-6
    )


def test_ratings_and_spread_are_found_again():
    """Within the intervals as often as they say, over 200 tables."""
    inside, spreads = [], []
    for seed in range(200):
        pairs, rates, errors, truth = drawn(12, 40, 150.0, seed)
        fit = least_squares_ratings(12, pairs, rates, errors)
        inside.append(np.abs(fit.ratings - truth) < 1.96 * np.sqrt(np.diag(fit.covariance)))
        spreads.append(fit.spread)
    assert 0.92 < np.mean(inside) < 0.96
    assert 120 < np.mean(spreads) < 160


def test_without_peculiar_pairs_the_spread_is_small():
    """It is 0 in about half of the tables."""
    spreads = []
    for seed in range(40):
        pairs, rates, errors, _ = drawn(12, 40, 0.0, seed)
        spreads.append(least_squares_ratings(12, pairs, rates, errors).spread)
    assert 0.3 < np.mean(np.equal(spreads, 0)) < 0.8
    assert np.mean(spreads) < 30


def test_who_met_one_bot_alone_says_nothing_of_it():
    """However much it lost to it."""
    pairs = np.array([(0, 1), (1, 2), (0, 2)])
    rates, errors = np.array([10.0, 20.0, 30.0]), np.full(3, 5.0)
    before = least_squares_ratings(3, pairs, rates, errors).ratings
    pairs, rates = np.append(pairs, [(0, 3)], axis=0), np.append(rates, 9000.0)
    after = least_squares_ratings(4, pairs, rates, np.full(4, 5.0)).ratings
    np.testing.assert_allclose(np.diff(after[:3]), np.diff(before), atol=1e-9)


def test_groups_of_linked_bots():
    """By the lowest number in each; bots of two groups cannot be compared."""
    pairs = np.array([(4, 2), (0, 3), (2, 1)])
    assert components(6, pairs).tolist() == [0, 1, 1, 0, 1, 5]
    with pytest.raises(ValueError, match="linked"):
        least_squares_ratings(6, pairs, np.zeros(3), np.ones(3))


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=30))
def test_groups_are_those_of_a_walk(pairs):
    """From each bot along all pairs."""
    groups = components(31, np.array(pairs, np.int64).reshape(-1, 2)).tolist()
    for bot in range(31):
        reached, border = {bot}, {bot}
        while border:
            border = {b if a in border else a for a, b in pairs if {a, b} & border} - reached
            reached |= border
        assert groups[bot] == min(reached)


def test_a_bot_alone_is_average():
    """There is nothing to say of it, and of nobody."""
    for bots in (0, 1):
        fit = least_squares_ratings(bots, np.zeros((0, 2), np.int64), np.zeros(0), np.zeros(0))
        assert fit.ratings.tolist() == [0.0] * bots
        assert fit.spread == 0
