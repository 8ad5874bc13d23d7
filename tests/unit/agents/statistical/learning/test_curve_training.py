"""Curves of actions from logs."""

import numpy as np
import pytest

from agents.errors import TrainingError
from agents.statistical.counting.situations import FOLD, RAISE, cell_of
from agents.statistical.learning.curve_training import count_places, train_curves
from protocol.gamedefs import load_builtin
from tests.helpers.decisions import hand_record

HUNL = load_builtin("hunl")
SHOWN = "r300c/cr600c/cc/cr1800c:AdQc|KhKd/3h4cJh/Ks/9c"
FOLDED = "r300f:7c2d|AhAd"


def quietly(stage, done):
    """Tell nobody."""


def test_a_decision_is_counted_in_the_tenth_of_its_hand():
    """In its cell, with its action; ranges are those narrowed by the actions before."""
    counts = count_places(HUNL, [hand_record(FOLDED)], quietly)
    assert counts.sum() == 2
    assert counts[cell_of(0, 0), RAISE, 9] == 1
    assert counts[cell_of(0, 1), FOLD, 0] == 1
    counts = count_places(HUNL, [hand_record(SHOWN)], quietly)
    assert counts.sum() == 10
    cells = counts.sum(axis=2)
    assert cells[cell_of(1, 0)].tolist() == [0, 1, 1]
    assert cells[cell_of(1, 1)].tolist() == [0, 1, 0]
    assert counts[cell_of(3, 0), RAISE, 9] == 1  # a set of kings
    limit = hand_record("rrc/cc/rc/cc:AdQc|KhKd/3h4cJh/Ks/9c")
    assert count_places(load_builtin("hulhe"), [limit], quietly).sum() == 9


def test_counters_of_the_hands_before_place_the_next_ones():
    """Whoever always raised does not narrow its range by raising."""
    shown = "r300c/cr900c/cc/cc:7c2d|{}/3h4cJh/Ks/9c"
    pairs = [hand_record(shown.format("KhKd"), number) for number in range(40)]
    last = hand_record(shown.format("Qh9d"), 40)
    alone = count_places(HUNL, [last], quietly)
    after = count_places(HUNL, [*pairs, last], quietly) - count_places(HUNL, pairs, quietly)
    cell = cell_of(1, 0)
    assert after[cell, RAISE].argmax() > alone[cell, RAISE].argmax()


def test_the_last_hands_are_held_out():
    """They change nothing in the curves, and are what is measured."""
    hands = [hand_record(SHOWN, number) for number in range(12)]
    trained = train_curves(HUNL, hands, 0.17, quietly)
    np.testing.assert_array_equal(trained.model.counts, count_places(HUNL, hands[:10], quietly))
    assert trained.facts["showdowns"] == 2
    assert trained.facts["decisions"] == 100
    value, half_width = trained.facts["nats_above_uniform"]["curves"]
    assert f"{value:+.4f} ± {half_width:.4f}" in trained.report
    assert "river, no raise: 20 decisions, too few to say much\n  folds" in trained.report
    assert "river, more raises: 0 decisions, too few to say much" in trained.report
    assert " 333" not in trained.report


def test_a_few_decisions_make_no_curves():
    """How few is said; both sides need a hand."""
    hands = [hand_record(SHOWN, number) for number in range(11)]
    with pytest.raises(TrainingError, match="90 decisions in 9 hands"):
        train_curves(HUNL, hands, 0.17, quietly)
    for held_out in (0.001, 0.999):
        with pytest.raises(TrainingError, match="too few to hold out"):
            train_curves(HUNL, hands, held_out, quietly)


def test_without_showdowns_nothing_is_measured():
    """And it is said."""
    trained = train_curves(HUNL, [hand_record(FOLDED)] * 60, 0.1, quietly)
    assert trained.facts["showdowns"] == 0
    assert "too few showdowns" in trained.report
    assert "nats_above_uniform" not in trained.facts
