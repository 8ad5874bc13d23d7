"""Nash averaging against linear programs, and what copies and weak bots do not change."""

import numpy as np
import pytest
from scipy.optimize import linprog

from engine.estimates.nash_average import nash_averages
from engine.estimates.nash_ranking import MOST_NASH_BOTS, nash_ranking
from engine.estimates.ranking_certainty import BlockResults

CYCLE = np.array([[0.0, 600.0, -300.0], [-600.0, 0.0, 200.0], [300.0, -200.0, 0.0]])


def antisymmetric(rng, bots):
    """Return a table of N bots that win some hundreds of mbb/h."""
    won = rng.normal(0, 500, (bots, bots))
    return won - won.T


def best_ratings(won):
    """Return the most that each bot wins from any equilibrium mixture, by linear programs."""
    bots = len(won)
    rules = np.vstack([won, -np.eye(bots)])
    bounds = np.zeros(2 * bots)
    kept = {"A_eq": np.ones((1, bots)), "b_eq": [1.0], "bounds": (None, None)}
    return np.array([linprog(-row, rules, bounds, **kept).fun * -1 for row in won])


@pytest.mark.parametrize("bots", [2, 3, 5, 12])
def test_nobody_wins_from_the_mixture(bots):
    """Ratings are those of linear programs over all mixtures that nobody beats."""
    rng = np.random.default_rng(bots)
    tables = np.stack([antisymmetric(rng, bots) for _ in range(10)])
    found = nash_averages(tables)
    assert found.shares.sum(axis=1) == pytest.approx(np.ones(10))
    for won, shares, ratings in zip(tables, *found, strict=True):
        assert (won @ shares).max() < 0.05
        assert ratings == pytest.approx(best_ratings(won), abs=0.5)  # equilibria are unique here


@pytest.mark.parametrize("copied", [0, 1, 2])
def test_copies_share_and_change_no_rating(copied):
    """Of equilibria, that of maximum entropy: copies have equal shares."""
    order = [0, 1, 2, copied, copied]
    found = nash_averages(CYCLE[np.ix_(order, order)][None])
    alone = nash_averages(CYCLE[None])
    assert found.ratings[0] == pytest.approx(alone.ratings[0][order], abs=0.01)
    copies = found.shares[0][[copied, 3, 4]]
    assert copies == pytest.approx(np.full(3, alone.shares[0][copied] / 3), abs=1e-4)


def test_equals_share_and_extreme_tables_end():
    """All even; and one chip beside a stack."""
    assert nash_averages(np.zeros((1, 4, 4))).shares[0] == pytest.approx(np.full(4, 0.25))
    won = np.array([[0, 1e7, -1e-3], [-1e7, 0, 1.0], [1e-3, -1.0, 0]])
    found = nash_averages(won[None])
    assert (won @ found.shares[0]).max() < 15
    assert np.isfinite(found.ratings).all()


@pytest.mark.parametrize(
    "bad", [[[0, 1], [1, 0]], [[0, np.nan], [0, 0]], [[0, np.inf], [-np.inf, 0]]]
)
def test_what_is_no_zero_sum_table_is_refused(bad):
    """Both win; and numbers that are none."""
    with pytest.raises(ValueError, match="loses"):
        nash_averages(np.array([bad], float))


def played(rng, won, blocks=50):
    """Return blocks of 40 samples of a round-robin in which bots win what the table says."""
    pairs = np.argwhere(np.triu(np.ones(won.shape), 1))
    means = won[pairs[:, 0], pairs[:, 1]][:, None]
    sums = 40 * rng.normal(means, 8000 / np.sqrt(40), (len(pairs), blocks))
    return BlockResults(len(won), pairs, sums, np.full(sums.shape, 40))


@pytest.mark.slow
def test_intervals_hold_the_rating_of_who_is_behind():
    """In most of 40 tournaments; a bot in the mixture is never rated above 0."""
    rng = np.random.default_rng(3)
    won = np.array([[0.0, 400.0, 900.0], [-400.0, 0.0, 3000.0], [-900.0, -3000.0, 0.0]])
    held = 0
    for _ in range(40):
        found = nash_ranking(played(rng, won))
        assert found.high.max() <= 0
        held += bool(found.low[1] <= -400 <= found.high[1])
    assert held >= 34


def test_the_same_seed_gives_the_same_intervals():
    """Bit by bit; the estimate is within them."""
    one, other = (nash_ranking(played(np.random.default_rng(5), CYCLE)) for _ in range(2))
    assert np.array_equal(one.low, other.low)
    assert (one.low <= one.ratings).all()


def test_what_is_not_known_is_not_told():
    """A pair that has not met, too many bots; one block leaves out the intervals."""
    whole = played(np.random.default_rng(5), CYCLE, blocks=1)
    assert np.isnan(nash_ranking(whole).low).all()
    assert nash_ranking(BlockResults(3, whole.pairs[:2], whole.sums[:2], whole.counts[:2])) is None
    many = np.zeros((MOST_NASH_BOTS + 1, MOST_NASH_BOTS + 1))
    assert nash_ranking(played(np.random.default_rng(5), many, blocks=2)) is None
