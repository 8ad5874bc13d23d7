"""Log-loss, calibration and their intervals."""

import math

import numpy as np
import pytest

from agents.statistical.learning.evaluation import (
    BINS,
    comparison,
    evaluate,
    frequency_chances,
    losses,
    reliability_table,
)
from agents.statistical.predicting.contexts import MAY_FOLD, MAY_RAISE
from tests.helpers.decisions import contexts_of, decisions_of


def fixed(*chances):
    """Return the same chances for each of 4000 decisions."""
    return np.tile(np.array(chances) / sum(chances), (4000, 1))


@pytest.fixture
def drawn():
    """Actions drawn with chances .2, .5 and .3."""
    random = np.random.default_rng(2)
    contexts = contexts_of(random, 4000)
    actions = random.choice(3, size=4000, p=(0.2, 0.5, 0.3)).astype(np.int8)
    return decisions_of(contexts, actions, per_hand=4)


def test_frequencies_are_exact_on_tiny_data():
    """Cell 0 saw a fold, two calls and no raise: 2/6, 3/6, 1/6 with one of each beforehand.

    Illegal actions leave their share to the others.
    """
    contexts = contexts_of(np.random.default_rng(1), 4)
    learned = decisions_of(contexts, np.array([0, 1, 1, 2], np.int8))
    learned.cells[:] = 0, 0, 0, 4
    contexts[1, MAY_FOLD] = 0
    contexts[2, (MAY_FOLD, MAY_RAISE)] = 0
    held_out = decisions_of(contexts, learned.actions)
    held_out.cells[:] = 0, 0, 4, 7
    expected = [[2 / 6, 3 / 6, 1 / 6], [0, 3 / 4, 1 / 4], [0, 1, 0], [1 / 3, 1 / 3, 1 / 3]]
    assert frequency_chances(learned, held_out) == pytest.approx(np.array(expected))


def test_losses_are_those_of_what_was_done():
    """Worked by hand; what was called impossible costs no more than 1e-6 would."""
    chances = np.array([[0.25, 0.5, 0.25], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]])
    found = losses(chances, np.array([0, 1, 2]))
    assert found == pytest.approx([math.log(4), 0, math.log(1e6)])


def test_a_true_predictor_is_calibrated_and_beats_a_false_one(drawn):
    """The gain's interval lies above 0; its calibration error is small, the other's is not."""
    true, false = fixed(0.2, 0.5, 0.3), fixed(0.5, 0.2, 0.3)
    found = evaluate(true, false, drawn, np.random.default_rng(1))
    assert found.gain.low > 0
    assert found.calibration_error.value < 0.02
    assert found.log_loss.low < found.log_loss.value < found.log_loss.high
    entropy = -sum(p * math.log(p) for p in (0.2, 0.5, 0.3))
    assert found.log_loss.low < entropy < found.log_loss.high
    assert (found.decisions, found.hands) == (4000, 1000)
    other = evaluate(false, true, drawn, np.random.default_rng(1))
    assert other.calibration_error.value == pytest.approx(0.2, abs=0.02)
    assert other.gain.value == pytest.approx(-found.gain.value)


def test_reliability_compares_predicted_with_happened(drawn):
    """Three bins are filled: those of .2, .5 and .3, each with every decision."""
    found = evaluate(fixed(0.2, 0.5, 0.3), fixed(0.2, 0.5, 0.3), drawn, np.random.default_rng(1))
    assert len(found.reliability) == BINS
    filled = [one for one in found.reliability if one.size]
    assert [one.predicted for one in filled] == pytest.approx([0.2, 0.3, 0.5])
    shares = [(drawn.actions == action).mean() for action in (0, 2, 1)]
    assert [one.happened for one in filled] == pytest.approx(shares)
    assert len(reliability_table(found).splitlines()) == 4
    assert str(found.log_loss) in comparison({"fixed": found}).splitlines()[1]
    off = sum(abs(one.predicted - one.happened) for one in filled) / 3
    assert found.calibration_error.value == pytest.approx(off)


def test_hands_are_drawn_whole():
    """With hands of 40 like decisions the interval is wider than with hands of one."""
    random = np.random.default_rng(3)
    contexts = contexts_of(random, 4000)
    actions = np.repeat(random.integers(3, size=100), 40).astype(np.int8)
    widths = []
    for per_hand in (1, 40):
        decisions = decisions_of(contexts, actions, per_hand=per_hand)
        found = evaluate(fixed(0.2, 0.5, 0.3), fixed(1, 1, 1), decisions, np.random.default_rng(1))
        widths.append(found.log_loss.high - found.log_loss.low)
    assert widths[1] > 4 * widths[0]
