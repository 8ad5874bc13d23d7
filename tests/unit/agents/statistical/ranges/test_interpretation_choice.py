"""Shown hands, and how they choose among interpretations."""

import numpy as np
import pytest

from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.situations import RAISE
from agents.statistical.ranges.interpretation_choice import (
    INTERPRETATION_KEYS,
    best_key,
    shown_ramp,
)


def test_shown_strengths_give_a_ramp():
    """From the weakest tenth of the hands shown to their middle; other streets help out."""
    counters = OpponentCounters()
    assert shown_ramp(counters, 3, RAISE) is None
    for strength in np.linspace(0.8, 0.99, 20):
        counters.add_shown(3, RAISE, float(strength))
    mean, error = shown_ramp(counters, 3, RAISE)
    assert mean - error == pytest.approx(0.8, abs=0.05)
    assert mean + error == pytest.approx(0.9, abs=0.06)
    assert shown_ramp(counters, 6, RAISE) == shown_ramp(counters, 3, RAISE)
    assert shown_ramp(counters, 0, RAISE) is None


def test_another_way_must_be_clearly_better():
    """By the prior, as the logarithm of a probability."""
    counters = OpponentCounters()
    assert best_key(counters) == INTERPRETATION_KEYS[0]
    counters.add_scores([-5.0, -4.0, -3.0, -6.0, -4.0])
    assert best_key(counters) == INTERPRETATION_KEYS[0]
    counters.add_scores([-5.0, -4.0, -3.0, -6.0, -4.0])
    assert best_key(counters) == INTERPRETATION_KEYS[2]
    assert OpponentCounters.of_plain(counters.plain()).plain() == counters.plain()
