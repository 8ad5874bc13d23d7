"""What sampled values and regrets are on average, and how tables are kept."""

import numpy as np
import pytest

from engine.betting.bet_menu import menu_of
from engine.betting.info_sets import build_info_sets
from engine.compiled.jit import kernel
from engine.compiled.splitmix import random_word
from engine.mccfr import kernels, opponent_kernels
from engine.mccfr.records import DealBatch
from engine.mccfr.sample_deals import DealSource
from tests.helpers.small_mccfr import (
    exact_changes,
    make_rules,
    make_tables,
    random_deals,
    shallow_holdem,
)

SAMPLES = 5000


@pytest.fixture(scope="module")
def start(kuhn):
    """A table of random regrets."""
    cells = np.zeros(kuhn.info_sets.cells, np.float32)
    generator = np.random.default_rng(11)
    for node in map(int, kuhn.betting.decisions):
        kuhn.info_sets.rows_of(cells, node)[:, :2] = generator.normal(1, 2, (3, 2))
    return cells


def matched_by(kuhn, cells):
    """Return the strategy that matches the regrets of a table, by decision."""

    def strategy(node):
        above = np.maximum(kuhn.info_sets.rows_of(cells, node)[:, :2], 0)
        total = above.sum(axis=1, keepdims=True)
        return np.where(total > 0, above / np.where(total > 0, total, 1), 0.5).astype(np.float32)

    return strategy


@pytest.mark.parametrize("exploration", [0.0, 0.4])
def test_samples_are_right_on_average(kuhn, start, exploration):
    """Regrets are those of CFR, sums the strategy times its owner's reach; within 5 deviations."""
    source = DealSource(kuhn.definition, kuhn.cards)
    deals = source.deal(np.random.default_rng(5).integers(0, 1 << 64, 2 * SAMPLES, np.uint64))
    cells = start.copy()
    table = make_tables(kuhn.info_sets, cells)
    queue, rules = kernels.make_queue(kuhn.info_sets.walk), make_rules(explores=exploration)
    found = np.empty((SAMPLES, len(cells)), np.float32)
    for sample in range(SAMPLES):
        found[sample] = 0
        for player in range(2):  # each from the start, so that both meet the same strategies
            cells[:] = start
            deal = one_of(deals, 2 * sample + player)
            kernels.traverse(table, deal, player, rules, queue)
            found[sample] += cells - start
    mean = found.mean(axis=0, dtype=np.float64)
    error = found.std(axis=0, dtype=np.float64) / np.sqrt(SAMPLES)
    for (node, card), want in exact_changes(kuhn, matched_by(kuhn, start)).items():
        bucket = kuhn.cards.bucket([kuhn.definition.deck[card]], [])
        here = kuhn.info_sets.cell(node, bucket)
        off = np.abs(mean[here : here + 4] - want)
        assert (off <= 5 * error[here : here + 4] + 1e-6).all()


@pytest.mark.parametrize(("mistakes", "learned"), [(0.0, False), (1e-3, True)])
def test_answers_to_what_is_never_done_are_learned(kuhn, mistakes, learned):
    """Where the opponent never bets, regrets against a bet change by its mistakes alone."""
    game, cells = kuhn.info_sets, np.zeros(kuhn.info_sets.cells, np.float32)
    root = int(kuhn.betting.decisions[0])
    game.rows_of(cells, root)[:, :2] = [1.0, -1.0]  # checks
    before = cells.copy()
    against_a_bet = next(
        node
        for node in map(int, kuhn.betting.decisions)
        if kuhn.betting.betting(node).startswith("r")
    )
    source = DealSource(kuhn.definition, kuhn.cards)
    deals = source.deal(np.random.default_rng(5).integers(0, 1 << 64, 500, np.uint64))
    table, queue = make_tables(game, cells), kernels.make_queue(game.walk)
    rules = make_rules(explores=0.5, errs=mistakes)
    for number in range(500):
        kernels.traverse(table, one_of(deals, number), 1, rules, queue)
    assert (game.rows_of(before, against_a_bet) == 0).all()
    assert (game.rows_of(cells, against_a_bet)[:, :2] != 0).any() == learned


@kernel
def acted(tables, word, rules):
    """Act in compiled code at a row of four actions."""
    return opponent_kernels.act_for_opponent(tables, 0, 4, word, np.float32(1), rules)


@pytest.mark.parametrize("explores", [0.0, 0.3])
def test_an_action_that_only_rounding_draws_counts_nothing(kuhn, explores):
    """Running sums may end below the total: the last action is drawn though it has no share."""
    cells = np.zeros(16, np.float32)
    cells[:3] = 0.0025476492010056973, 0.0002925712033174932, 1.254177823284408e-05
    tables = make_tables(kuhn.info_sets, cells)
    action, worth = acted(tables, np.uint64(2**64 - 1), make_rules(explores=explores))
    assert (action, worth) == (3, 0.0)
    assert np.isfinite(cells).all()


def one_of(deals, number):
    """Return one deal of many."""
    return DealBatch(*(part[number : number + 1] for part in deals))


def test_whole_regrets_stay_near_the_float_ones():
    """In small units rounding hardly matters."""
    info_sets = build_info_sets(shallow_holdem(menu_of((1.0,), max_raises=2)), (3, 3, 3, 3))
    deals = random_deals(np.random.default_rng(2), 20, (3, 3, 3, 3))
    plain, cells = np.zeros((2, info_sets.cells), np.float32)
    queue = kernels.make_queue(info_sets.walk)
    kernels.traverse(make_tables(info_sets, plain), deals, 0, make_rules(), queue)
    rules = make_rules(scale=100.0, floor=-3e8, ceiling=2147483520.0)
    kernels.traverse(make_tables(info_sets, cells, whole=True), deals, 0, rules, queue)
    for node in map(int, np.flatnonzero(info_sets.offset >= 0)):
        count = int(info_sets.tree.child_count[node])
        found = info_sets.rows_of(cells.view(np.int32), node)[:, :count] / 100
        assert np.allclose(found, info_sets.rows_of(plain, node)[:, :count], atol=0.5)


@kernel
def add_many(word, times, so_far):
    """Add to a sum of a total as large as itself, by counting; return it."""
    total = np.float32(so_far)
    for _ in range(times):
        total += opponent_kernels._unit(total, random_word(word, 0))
        word = random_word(word, 1)
    return total


@pytest.mark.parametrize("so_far", [2.0**16, 2.0**22 + 1, 2.0**24, 2.0**27])
def test_large_sums_go_on_growing(so_far):
    """What is counted adds up to the number of times on average, where +1 would be lost."""
    times = 1_000_000
    grown = float(add_many(np.uint64(7), times, so_far)) - so_far
    unit = max(1.0, 2.0 ** np.ceil(np.log2(so_far / opponent_kernels.LARGEST_COUNT)))
    assert abs(grown - times) <= 5 * np.sqrt(times * unit)


def test_large_sums_count_sampled_actions():
    """A row whose sum is large gains whole numbers, in proportion to the strategy."""
    info_sets = build_info_sets(shallow_holdem(menu_of((1.0,), max_raises=1)), (1, 1, 1, 1))
    cells = np.zeros(info_sets.cells, np.float32)
    first = info_sets.rows_of(cells, 0)
    count = int(info_sets.tree.child_count[0])
    first[:, :count] = [1, 2, 1]
    first[:, count:] = opponent_kernels.EXACT_SUM
    regret = cells.copy()
    deals = random_deals(np.random.default_rng(2), 6000, (1, 1, 1, 1))
    queue = kernels.make_queue(info_sets.walk)
    tables = make_tables(info_sets, regret)._replace(strategy_sum=cells)
    rules = make_rules(floor=0.0, ceiling=np.inf, scale=0.0)  # regrets do not change
    kernels.traverse(tables, deals, 0, rules, queue)
    gained = info_sets.rows_of(cells, 0)[0, count:] - opponent_kernels.EXACT_SUM
    assert gained.sum() == 3000
    assert np.allclose(gained / 3000, [0.25, 0.5, 0.25], atol=5 * np.sqrt(0.25 / 3000))


def test_nothing_is_averaged_at_weight_zero(kuhn):
    """Regrets are learned all the same."""
    deals = DealSource(kuhn.definition, kuhn.cards).deal(np.arange(40, dtype=np.uint64))
    cells = np.zeros(kuhn.info_sets.cells, np.float32)
    queue = kernels.make_queue(kuhn.info_sets.walk)
    kernels.traverse(make_tables(kuhn.info_sets, cells), deals, 0, make_rules(weight=0.0), queue)
    assert cells.any()
    for node in map(int, kuhn.betting.decisions):
        assert not kuhn.info_sets.rows_of(cells, node)[:, 2:].any()
