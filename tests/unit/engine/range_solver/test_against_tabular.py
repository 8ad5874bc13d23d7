"""The vector solver and the tabular one play the same game, if it is small enough for both."""

import numpy as np
import pytest

from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.small_games.tabular import TabularSolver
from protocol.cards import parse_cards
from tests.helpers.subgames import ranges_of, tree_of, written_out

BOARD = parse_cards("KsJs7d2s3h")
RANGES = ranges_of(
    "AsQd:0.9,KhQh:0.37,7h7c:0.61,9s8s:0.13", "KdTd:0.83,As9c:0.29,JhJc:0.47,6s5s"
).astype(float)


@pytest.mark.parametrize("name", ["cfr", "dcfr", "pcfr+", "hedge", "hedge-var", "beta-rm(1.5)"])
def test_both_solvers_play_the_same(name):
    """Current and average strategy of every information set, and what they can be exploited for."""
    betting = tree_of("KsJs7d2s3h")
    vector = RangeSolver(betting, BOARD, RANGES, RangeSettings())
    tabular = TabularSolver(written_out(betting, BOARD, RANGES))
    assert vector.spread == tabular.spread
    for t in range(1, 9):
        step = VARIANTS[name].step(t, tabular.spread)
        vector.iterate(step)
        tabular.iterate(step)
        for which in StrategyKind:
            ours, theirs = vector.exploitability(which), tabular.exploitability(which)
            assert ours == pytest.approx(theirs, rel=2e-4)
    tree = tabular.form.tree
    profiles = {StrategyKind.CURRENT: tabular.current(), StrategyKind.AVERAGE: tabular.average()}
    for info_set, (node, combo) in enumerate(tree.info_set_names):
        for which, profile in profiles.items():
            ours = vector.strategy(which, node)[combo]
            np.testing.assert_allclose(ours, profile[tree.actions_of(info_set)], atol=5e-4)
