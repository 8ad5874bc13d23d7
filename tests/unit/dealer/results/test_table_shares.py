"""What bots won from each other at tables of more than two."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.results.match_result import PlayedHands
from dealer.results.standing import shares_of_pairs
from engine.estimates.ranking_certainty import BlockResults, bankroll_ci95
from engine.estimates.rankings import total_bankroll, won_matrix
from engine.estimates.winrate import told_width, win_rate


def played(won, deals, seatings):
    """Return hands of a table; `won` (deals * seatings, P)."""
    numbers = np.repeat(np.arange(deals), seatings)
    return PlayedHands({"raw": won}, numbers, deals, seatings, 2, (9.0, 18.0))


@given(
    players=st.integers(2, 4),
    more=st.integers(0, 2),
    deals=st.integers(1, 4),
    gauntlet=st.booleans(),
    seed=st.integers(0),
)
def test_the_mean_over_opponents_is_what_a_bot_won(players, more, deals, gauntlet, seed):
    """So total bankroll is that of the tables; in a gauntlet some pairs sit at more of them."""
    random = np.random.default_rng(seed)
    bots = players + more
    tables, by_deal, means = {}, [], [[] for _ in range(bots)]
    for table in combinations(range(bots), players):
        if gauntlet and table[0] != 0:
            continue
        won = random.normal(size=(deals * players, players))
        won -= won.mean(axis=1, keepdims=True)
        tables[table] = played(won, deals, players)
        by_deal.append((table, won.reshape(deals, players, players).mean(axis=1)))
        for bot, mean in zip(table, won.mean(axis=0), strict=True):
            means[bot].append(mean)
    shares = shares_of_pairs(tables, "raw")
    assert [*shares] == [*combinations(range(bots), 2)] or bots > players
    pairs = np.array([*shares])
    rates = np.array([np.mean(each) for each in shares.values()])
    counts = np.array([len(each) for each in shares.values()])
    sums = np.array([sum(each) for each in shares.values()])
    results = BlockResults(
        bots, pairs, sums, counts[:, None] * np.ones_like(sums, int), None, counts
    )
    bankroll = total_bankroll(won_matrix(bots, pairs, rates), results.weights)
    if deals > 1:
        for bot in range(bots):
            mine = [won[:, table.index(bot)] for table, won in by_deal if bot in table]
            width = win_rate(np.mean(mine, axis=0), 1000).ci95
            found = told_width(bankroll_ci95(results)[bot], deals)
            assert found == pytest.approx(width)
    assert bankroll == pytest.approx([np.mean(each) for each in means], abs=2e-6)


def test_only_complete_deals_count():
    """A table without one is left out."""
    won = np.array([[3.0, -1.0, -2.0]] * 5)
    half = PlayedHands({"raw": won}, np.array([0, 0, 0, 1, 1]), 2, 3, 2, (9.0, 18.0))
    none = PlayedHands({"raw": won[:2]}, np.array([0, 0]), 2, 3, 2, (9.0, 18.0))
    found = shares_of_pairs({(0, 1, 2): half, (0, 1, 3): none}, "raw")
    assert [*found] == [(0, 1), (0, 2), (1, 2)]
    (share,) = found[0, 2]
    assert share[0] == pytest.approx(2 / 3 * 5)
    assert np.isnan(share[1])
