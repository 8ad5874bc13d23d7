"""Decisions as short rows, against the rules' own states; what a decision weighs by its gain."""

from math import log1p

import numpy as np
import pytest

from agents.errors import TrainingError
from agents.poker_cnn.features_kernels import FEATURES, STREETS
from agents.poker_cnn.planes import DEEPEST
from engine.equity.equity_tables import TOP_LEVEL, equity_level
from protocol.gamedefs import load_builtin
from tests.helpers.cnn_records import decisions_of, records_of
from tests.helpers.torch_threads import one_torch_thread

HUNL = load_builtin("hunl")
PLAIN = FEATURES - 2
"""All but the size of the last raise and the estimate, which planes have as well."""


@pytest.fixture
def states(tmp_path):
    """The decisions of a log of random play."""
    with one_torch_thread():
        from agents.poker_cnn.train.states import States

        yield States(records_of(tmp_path, HUNL))


def slow_row(state, p):
    """The row of a decision, number by number."""
    row, pot, call = np.zeros(PLAIN), state.pot, state.to_call
    stack, spent = state.game.stacks[state.actor], state.spent[state.actor]
    row[state.street : 4 * STREETS : STREETS] = 1, p, p * p, call > 0
    whole = log1p(2 * min(stack / 100, DEEPEST))
    row[16:19] = state.actor == 1, call / (call + pot), log1p(pot / 100) / whole
    row[19:21] = log1p(call / 100) / whole, (stack - spent) / (stack - spent + pot)
    for before, action, _ in state.steps():
        if action.kind == "r":
            row[21 + (before.actor != state.actor) + 2 * (before.street != state.street)] += 0.5
    return row


def test_features_are_as_the_rules_say(states, tmp_path):
    """On all streets; the last two numbers are those of planes."""
    rows = states.features(np.arange(len(states))).inputs.numpy()
    decisions = list(decisions_of(tmp_path / "one.log", HUNL))
    for row, (_, state, hole, board, _) in zip(rows, decisions, strict=True):
        wanted = slow_row(state, equity_level(hole, board) / TOP_LEVEL)
        np.testing.assert_allclose(row[:PLAIN], wanted, atol=1e-5)
    assert ((rows[:, PLAIN:] >= 0) & (rows[:, PLAIN:] < 4)).all()


def test_a_decision_weighs_by_what_it_gained_beyond_expectation(states):
    """One pot more counts e squared times as much, and more than that no more."""
    from agents.poker_cnn.train.advantages import chip_weights

    rows = states.features(np.arange(len(states))).inputs.numpy()
    states.gains = (rows @ np.linspace(-1, 1, FEATURES)).astype(np.float32)
    assert chip_weights(states) == pytest.approx(np.ones(len(states)), abs=1e-3)
    states.gains[7] += 9
    weights = chip_weights(states)
    assert weights.argmax() == 7
    assert weights.mean() == pytest.approx(1)
    assert weights[7] / np.median(weights) == pytest.approx(np.e**2, rel=0.2)


def test_a_device_that_there_is_not_is_refused():
    """In a line, before anything is trained."""
    with one_torch_thread():
        from agents.poker_cnn.train.devices import prepare

        assert prepare(1, "cpu").type == "cpu"
        with pytest.raises(TrainingError, match=r"^device abacus: [^\n]+$"):
            prepare(1, "abacus")
