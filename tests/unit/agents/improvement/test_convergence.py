"""How much a strategy has changed."""

import numpy as np
import pytest

from agents.blueprint_model.model import tree_of
from agents.improvement.convergence import GROWTH, strategy_change
from engine.abstraction.lossless import LosslessAbstraction
from engine.betting.info_sets import build_info_sets
from engine.mccfr.external_sampling import Mccfr
from tests.helpers.blueprints import tiny_config


def solver(iterations):
    """Return a solver of Leduc after some iterations; the same deals come first in all."""
    tree = tree_of(tiny_config("leduc"))
    cards = LosslessAbstraction(tree.game)
    info_sets = build_info_sets(tree, cards.counts)
    run = Mccfr(info_sets, cards, np.random.default_rng(3))
    run.run(iterations)
    return run


def test_it_falls_with_learning():
    """From nothing learned to little more to be learned."""
    changes = [strategy_change(solver(n), solver(round(GROWTH * n))) for n in (100, 2000, 20_000)]
    assert changes == sorted(changes, reverse=True)
    assert changes[0] > 0.05
    assert changes[-1] < 0.04


def test_it_is_the_probability_that_moved():
    """Counted where learning comes to: nothing for the same, all where all actions are others."""
    run, turned = solver(1000), solver(1000)
    assert strategy_change(run, run) == 0
    tree = run.info_sets.tree
    node = next(n for n in tree.decisions.tolist() if tree.child_count[n] == 2)
    for learner, column in ((run, 2), (turned, 3)):
        learner.cells[:] = 0
        learner.info_sets.rows_of(learner.cells, node)[:, column] = 1
    assert strategy_change(run, turned) == pytest.approx(1)
    assert strategy_change(run, turned, first=tree.nodes) == 1
