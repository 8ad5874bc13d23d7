"""Compiled external sampling equals a recursion over dictionaries on the same random numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.info_sets import build_info_sets
from engine.mccfr import kernels, opponent_kernels
from engine.mccfr.sample_deals import DealSource
from engine.mccfr.settings import Pruning
from tests.helpers.small_mccfr import (
    SmallGame,
    make_rules,
    make_tables,
    random_deals,
    shallow_holdem,
)
from tests.oracles.mccfr import SlowMccfr, uniform

BUCKETS = (4, 3, 2, 3)


@pytest.fixture(scope="module")
def holdem():
    """Up to five actions at a decision."""
    menu = menu_of((0.5, 1.0, ALL_IN), (1.0, ALL_IN), max_raises=2)
    return build_info_sets(shallow_holdem(menu), BUCKETS)


def assert_equal(info_sets, cells, slow):
    """Compare all rows of a table with the oracle's dictionaries."""
    for node in map(int, np.flatnonzero(info_sets.offset >= 0)):
        count = int(info_sets.tree.child_count[node])
        rows = info_sets.rows_of(cells, node)
        for bucket, row in enumerate(rows):
            here = (node, bucket)
            assert np.allclose(row[:count], slow.regret[here][:count], rtol=1e-4, atol=0.02)
            assert np.allclose(row[count:], slow.sums[here][:count], rtol=1e-4, atol=1e-3)


@given(st.integers(0, (1 << 64) - 1))
def test_uniform_numbers_are_the_upper_bits(word):
    """As the slow twin has them."""
    assert float(opponent_kernels.uniform(np.uint64(word))) == uniform(word)


@pytest.mark.parametrize(
    ("floor", "exploration", "mistakes"),
    [
        (-np.inf, 0.0, 0.0),
        (0.0, 0.0, 0.0),
        (-np.inf, 0.2, 0.0),
        (-np.inf, 0.2, 0.01),
        (0.0, 0.5, 0.5),
    ],
)
def test_traversals_equal_the_recursion(holdem, floor, exploration, mistakes):
    """Regrets and strategy sums; the same actions are explored and count as much."""
    deals = random_deals(np.random.default_rng(4), 400, BUCKETS)
    cells = np.zeros(holdem.cells, np.float32)
    slow = SlowMccfr(holdem, floor=floor, exploration=exploration, mistakes=mistakes)
    rules = make_rules(floor=floor, explores=exploration, errs=mistakes)
    kernels.traverse(make_tables(holdem, cells), deals, 0, rules, kernels.make_queue(holdem.walk))
    slow.traverse(deals)
    assert_equal(holdem, cells, slow)


@pytest.mark.parametrize("on_last_street", [False, True])
def test_pruned_traversals_equal_the_recursion(holdem, on_last_street):
    """The same actions are left out."""
    pruning = Pruning(-300.0, 500.0, 0.1, on_last_street=on_last_street)
    deals = random_deals(np.random.default_rng(8), 600, BUCKETS)
    cells, slow = np.zeros(holdem.cells, np.float32), SlowMccfr(holdem, pruning)
    rules = make_rules(
        prunes=True,
        threshold=pruning.threshold,
        softness=pruning.softness,
        least=pruning.least,
        streets=4 if on_last_street else 3,
    )
    queue = kernels.make_queue(holdem.walk)
    pruned = kernels.traverse(make_tables(holdem, cells), deals, 0, rules, queue)
    slow.traverse(deals)
    assert_equal(holdem, cells, slow)
    plain = np.zeros(holdem.cells, np.float32)
    assert pruned < kernels.traverse(make_tables(holdem, plain), deals, 0, make_rules(), queue)


def test_leduc_from_real_deals_equals_the_recursion():
    """Bets and cards of a whole small game."""
    game = SmallGame("leduc")
    source = DealSource(game.definition, game.cards)
    deals = source.deal(np.random.default_rng(6).integers(0, 1 << 64, 600, np.uint64))
    cells, slow = np.zeros(game.info_sets.cells, np.float32), SlowMccfr(game.info_sets)
    queue = kernels.make_queue(game.info_sets.walk)
    kernels.traverse(make_tables(game.info_sets, cells), deals, 0, make_rules(), queue)
    slow.traverse(deals)
    assert_equal(game.info_sets, cells, slow)
