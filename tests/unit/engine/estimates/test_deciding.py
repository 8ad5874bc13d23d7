"""Which pairs play on so that the first places are decided."""

from itertools import combinations

import numpy as np
import pytest

from engine.estimates.deciding import decide_top, share_rounds
from engine.estimates.ranking_certainty import BlockResults


def results(won, spread, seed=1):
    """Return 40 blocks of what bots won, with the noise that each pair has."""
    pairs = np.array([*combinations(range(len(won)), 2)])
    noise = np.random.default_rng(seed).normal(0, 1, (len(pairs), 40))
    noise -= noise.mean(axis=1, keepdims=True)
    rows, columns = pairs.T
    sums = won[rows, columns][:, None] + spread[rows, columns][:, None] * noise
    return BlockResults(len(won), pairs, sums, np.ones(sums.shape, np.int64))


STRONG = np.array(
    [[0.0, 20.0, 900, 900], [-20, 0, 900, 900], [-900, -900, 0, 0], [-900] * 2 + [0] * 2]
)
SPREAD = np.full((4, 4), 300.0)


def test_the_pair_that_makes_the_doubt_plays_on():
    """Not the noisiest one, which is between bots that are out of it."""
    noisy = SPREAD.copy()
    noisy[2, 3] = 9000.0
    found = decide_top(results(STRONG, noisy), 1)
    assert found.open == (0, 1)
    more = share_rounds(found.influence, np.ones(6, np.int64), 5)
    assert more.tolist() == [5, 0, 0, 0, 0, 0]


def test_what_is_sure_is_decided():
    """The first two are, though not which of them is first; then nobody plays on."""
    found = decide_top(results(STRONG, SPREAD), 2)
    assert (found.first, found.open) == ((0, 1), ())
    assert not found.influence.any()
    assert not share_rounds(found.influence, np.ones(6, np.int64), 5).any()


def test_bots_of_a_sure_mixture_share_the_first_place():
    """No number of deals tells which of a cycle is the best, so none is played."""
    cycle = np.zeros((4, 4))
    cycle[0, 1] = cycle[1, 2] = cycle[2, 0] = 900.0
    cycle[:3, 3] = 900.0
    found = decide_top(results(cycle - cycle.T, SPREAD), 1)
    assert (found.first, found.open) == ((0, 1, 2), ())


def test_where_not_all_meet_the_total_bankroll_counts():
    """As in a gauntlet, whose opponents are behind all challengers."""
    whole = results(STRONG, SPREAD)
    met = [at for at, pair in enumerate(whole.pairs.tolist()) if pair not in ([0, 1], [2, 3])]
    behind = np.array([0, 0, 1, 1])
    part = BlockResults(4, whole.pairs[met], whole.sums[met], whole.counts[met], behind)
    found = decide_top(part, 1)
    assert found.open == (0, 1)
    assert decide_top(part, 2).first == (0, 1)
    assert found.influence.min() > 0.02


def test_one_block_decides_nothing():
    """All places are possible."""
    alone = results(STRONG, SPREAD)
    found = decide_top(BlockResults(4, alone.pairs, alone.sums[:, :1], alone.counts[:, :1]), 1)
    assert (found.first, found.open) == ((), (0, 1, 2, 3))


def test_rounds_go_where_they_take_most_away():
    """A pair with four times the doubt, and as many rounds, gets twice the rounds in the end."""
    more = share_rounds(np.array([4.0, 1.0, 0.0]), np.array([10, 10, 10]), 280)
    assert more[2] == 0
    assert (10 + more[0]) / (10 + more[1]) == pytest.approx(2, rel=0.02)
