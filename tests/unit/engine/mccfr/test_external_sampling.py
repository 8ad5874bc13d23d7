import os
import subprocess
import sys

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import DEAL, build_betting_tree
from engine.betting.info_sets import build_info_sets
from engine.cfr.variants import VARIANTS
from engine.errors import InvalidGame, OutOfMemory
from engine.mccfr.external_sampling import ITERATIONS_PER_BATCH, Mccfr
from engine.mccfr.settings import MccfrSettings, Pruning
from engine.rules.state import HandState
from protocol.gamedefs import load_builtin
from tests.helpers.small_mccfr import learner, shallow_holdem

RUN_UNCOMPILED = """
import sys
import numpy as np
from tests.unit.engine.mccfr.test_external_sampling import VARIED, tiny_holdem
from tests.helpers.small_mccfr import SmallGame, learner

kuhn = SmallGame("kuhn")
runs = [learner(kuhn, **settings) for settings in VARIED]
for run in runs:
    run.run(150)
holdem = tiny_holdem()
holdem.run(3)
np.savez(sys.argv[1], *(run.cells for run in (*runs, holdem)))
"""
VARIED = (
    {"period": 50},
    {"period": 50, "whole_regrets": True, "unit": 0.01},
    {"period": 50, "pruning": Pruning(-2.0, 1.0, on_last_street=True)},
)


def test_nothing_changes_where_nothing_is_compiled(kuhn, tmp_path):
    """NUMBA_DISABLE_JIT: the same choices, sums but for the last bit, and no warning."""
    path = tmp_path / "cells.npz"
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", RUN_UNCOMPILED, str(path)]
    subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, check=True)
    uncompiled = list(np.load(path).values())
    runs = [learner(kuhn, **settings) for settings in VARIED]
    for run in runs:
        run.run(150)
    holdem = tiny_holdem()
    holdem.run(3)
    for run, cells in zip((*runs, holdem), uncompiled, strict=True):
        assert run.cells.any()
        if run.settings.whole_regrets:
            found, want = run.cells.view(np.int32), cells.view(np.int32)
            assert (found == want).all()
        else:
            assert np.allclose(run.cells, cells, rtol=1e-5, atol=1e-5)


class HighCards:
    """Hold'em hands by the rank of the higher hole card, and whether the board pairs one."""

    counts = (13, 26, 26, 26)

    def buckets_of_deals(self, deals, players=2):
        """Return the buckets of a batch of deals."""
        ranks = deals >> 2
        buckets = np.empty((len(deals), players, 4), np.int32)
        for player in range(players):
            own = ranks[:, 2 * player : 2 * player + 2]
            high = own.max(axis=1).astype(np.int32)
            buckets[:, player, 0] = high
            for street, seen in enumerate((3, 4, 5), start=1):
                board = ranks[:, 2 * players : 2 * players + seen]
                paired = (own[:, :, None] == board[:, None, :]).any(axis=(1, 2))
                buckets[:, player, street] = high + 13 * paired
        return buckets


def tiny_holdem():
    """Return a run of no-limit hold'em that has not begun."""
    info_sets = build_info_sets(shallow_holdem(menu_of((1.0,), max_raises=1)), HighCards.counts)
    return Mccfr(info_sets, HighCards(), np.random.default_rng(4))


@pytest.mark.parametrize(
    ("settings", "bound"),
    [
        ({}, 0.05),
        ({"whole_regrets": True, "unit": 0.01}, 0.05),
        ({"pruning": Pruning(-200.0, 200.0, after=5000, on_last_street=True)}, 0.06),
        ({"variant": VARIANTS["cfr+"]}, 0.08),
        ({"workers": 2}, 0.1),  # what they lose to each other differs from run to run
        ({"workers": 2, "merge_every": 500}, 0.05),
    ],
)
def test_leduc_is_learned_in_every_way(leduc, settings, bound):
    """Exploitability in chips after 100 000 iterations; uniform play has 2.37."""
    run = learner(leduc, seed=2, **settings)
    assert leduc.exploitability(run.average) > 2.3
    run.run(100_000)
    assert leduc.exploitability(run.average) < bound


@pytest.mark.parametrize("settings", [{}, {"workers": 2, "merge_every": 512}])
def test_runs_repeat_exactly(leduc, settings):
    """To the last bit, with one worker or with merged ones."""
    tables = []
    for _ in range(2):
        run = learner(leduc, **settings)
        run.run(5000)
        tables.append(run.cells)
    assert (tables[0] == tables[1]).all()


def test_a_run_may_be_cut_anywhere(leduc):
    """Blocks, reports and calls leave no trace, nor do the starts of pruning and discounts."""
    settings = {"pruning": Pruning(-20.0, 50.0, after=1500, on_last_street=True)}
    whole, cut = learner(leduc, **settings), learner(leduc, **settings)
    whole.run(4000)
    for iterations in (1, ITERATIONS_PER_BATCH + 1, 0, 700):
        cut.run(iterations, every=300)
    cut.run(4000 - cut.iterations)
    assert (whole.cells == cut.cells).all()
    assert (whole.iterations, whole.nodes, whole.weight) == (cut.iterations, cut.nodes, cut.weight)


@pytest.mark.parametrize("settings", [{}, {"workers": 2}, {"workers": 2, "merge_every": 3000}])
def test_a_run_stops_when_asked(leduc, settings):
    """Between blocks; what was done counts."""
    run = learner(leduc, **settings)
    asked = []

    def stop():
        asked.append(1)
        return len(asked) > 3

    progress = run.run(1_000_000, stop=stop)
    assert progress.iterations == run.iterations
    assert 0 < run.iterations <= 4 * ITERATIONS_PER_BATCH


def test_progress_is_told(leduc):
    """About as often as asked, with rates and a falling mean regret."""
    run, told = learner(leduc), []
    last = run.run(50_000, on_progress=told.append, every=10_000)
    assert [progress.iterations for progress in told] == [10_000 * n for n in range(1, 6)]
    assert told[-1].mean_regret < 0.5 * told[0].mean_regret
    assert last.iterations == 50_000
    assert all(progress.nodes_per_s > progress.iterations_per_s > 0 for progress in told)
    assert run.nodes > 10 * 50_000


def test_mean_regret_is_per_iteration_and_information_set(kuhn):
    """Chips, whatever the unit and the weights."""
    run = learner(kuhn, period=100, unit=0.5)
    assert run.mean_regret() == 0
    run.run(350)
    regrets = 0.0
    for node in map(int, kuhn.betting.decisions):
        regrets += np.maximum(kuhn.info_sets.rows_of(run.cells, node)[:, :2], 0).sum()
    weight = 100 / 4 + 2 * 100 / 4 + 3 * 100 / 4 + 50
    assert run.mean_regret() == pytest.approx(0.5 * regrets / weight / 12, rel=1e-5)


def test_discounting_weighs_periods_linearly(kuhn):
    """Iterations count 1, 2, 3, ... for their period: a sum of strategies shows it."""
    run = learner(kuhn, period=100)
    run.run(300)
    plain = learner(kuhn, variant=VARIANTS["cfr"])
    plain.run(300)
    weights = [kuhn.info_sets.rows_of(each.cells, 0)[:, 2:].sum() for each in (run, plain)]
    assert weights == pytest.approx([100 * (1 / 4 + 2 / 4 + 3 / 4), 300])


def test_averaging_may_start_later(kuhn):
    """Periods before the delay leave nothing in the strategy sums."""
    variant = VARIANTS["cfr"].averaging(1, delay=2)
    run = learner(kuhn, period=100, variant=variant)
    run.run(200)
    assert (run.average(0) == 0.5).all()
    run.run(99)
    assert kuhn.info_sets.rows_of(run.cells, 0)[:, 2:].sum() == pytest.approx(99)


def test_pruning_begins_when_it_should(leduc):
    """Not an iteration earlier; from then on fewer nodes are visited."""
    plain, pruned = (
        learner(leduc, pruning=pruning)
        for pruning in (None, Pruning(-30.0, 20.0, after=8000, on_last_street=True))
    )
    for run in (plain, pruned):
        run.run(8000)
    assert (plain.cells == pruned.cells).all()
    before = plain.nodes
    for run in (plain, pruned):
        run.run(8000)
    assert pruned.nodes - before < 0.9 * (plain.nodes - before)


def test_strategies_are_uniform_at_first(leduc):
    """Current and average, at every decision."""
    run = learner(leduc)
    for node in map(int, leduc.betting.decisions):
        count = int(leduc.betting.child_count[node])
        for strategy in (run.current(node), run.average(node)):
            assert strategy.dtype == np.float32
            assert np.allclose(strategy, 1 / count)
            assert strategy.shape == (leduc.cards.counts[leduc.betting.street[node]], count)


def test_a_node_that_is_no_decision_has_no_strategy(leduc):
    """Ends, deals and numbers out of range."""
    run = learner(leduc)
    ends = np.flatnonzero(leduc.betting.kind >= DEAL)
    for node in (int(ends[0]), -1, leduc.betting.nodes):
        with pytest.raises(ValueError, match="no decision"):
            run.average(node)
        with pytest.raises(ValueError, match="no decision"):
            run.current(node)


@pytest.mark.parametrize("limit", [False, True])
def test_tiny_holdem_is_learned(limit):
    """No-limit and limit: the average is finite and adds to 1 everywhere; hands differ."""
    if limit:
        tree = build_betting_tree(HandState.start(load_builtin("hulhe")), menu_of((1.0,)))
    else:
        tree = shallow_holdem(menu_of((1.0, ALL_IN), max_raises=2), 1000)
    info_sets = build_info_sets(tree, HighCards.counts)
    pruning = Pruning(-5000.0, 5000.0, after=1000)
    settings = MccfrSettings(period=500, pruning=pruning)
    run = Mccfr(info_sets, HighCards(), np.random.default_rng(4), settings)
    run.run(3000)
    assert np.isfinite(run.cells).all()
    for node in map(int, tree.decisions):
        for strategy in (run.average(node), run.current(node)):
            assert (strategy >= 0).all()
            assert np.allclose(strategy.sum(axis=1), 1, atol=1e-5)
            assert strategy.shape[1] == tree.child_count[node]
    root = run.average(0)
    assert root[12, 0] < root[0, 0]  # an ace folds less than a deuce


def test_single_actions_need_no_learning():
    """A decision with one action is played with certainty."""
    tree = shallow_holdem(menu_of((1.0,), max_raises=0), 1000)
    info_sets = build_info_sets(tree, (2, 3, 4, 5))

    class Alike:
        counts = (2, 3, 4, 5)

        def buckets_of_deals(self, deals, players=2):
            return np.zeros((len(deals), players, 4), np.int32)

    run = Mccfr(info_sets, Alike(), np.random.default_rng(0))
    run.run(10)
    forced = [int(n) for n in tree.decisions if tree.child_count[n] == 1]
    assert forced
    for node in forced:
        want = np.ones((info_sets.buckets[tree.street[node]], 1))
        assert (run.average(node) == want).all()
        assert (run.current(node) == want).all()


def test_what_does_not_fit_is_refused(kuhn, leduc):
    """Other abstractions, too much memory, iterations that cannot be run."""
    generator = np.random.default_rng(0)
    with pytest.raises(InvalidGame, match="information sets of"):
        Mccfr(leduc.info_sets, kuhn.cards, generator)
    with pytest.raises(OutOfMemory, match="more than the limit"):
        Mccfr(leduc.info_sets, leduc.cards, generator, MccfrSettings(memory_limit=100))
    with pytest.raises(ValueError, match="-1 iterations"):
        learner(kuhn).run(-1)
    for every in (0, -5):
        with pytest.raises(ValueError, match=f"a report every {every}"):
            learner(kuhn).run(10, every=every)
