"""Which inputs matter to the network."""

import math

import numpy as np
import pytest

from agents.statistical.counting.situations import CALL, FOLD, RAISE
from agents.statistical.learning.evaluation import losses
from agents.statistical.predicting.ann import Network
from agents.statistical.predicting.contexts import FEATURE_COUNT, FEATURES, MAY_FOLD, MAY_RAISE
from engine.estimates.winrate import half_interval
from tests.helpers.decisions import contexts_of, decisions_of
from tests.studies.importance import TOGETHER, features, importances

POT = FEATURES.index("pot")


def network_of(**weights):
    """A network of one unit that raises for what its inputs say."""
    hidden = np.zeros((FEATURE_COUNT + 1, 1), np.float32)
    for name, weight in weights.items():
        hidden[FEATURES.index(name.replace("_", " "))] = weight
    output = np.zeros((2, 3), np.float32)
    output[0, RAISE] = 3.0
    return Network(hidden, output)


@pytest.fixture(scope="module")
def decisions():
    """Raises with a large pot; all actions are legal."""
    random = np.random.default_rng(4)
    contexts = contexts_of(random, 400)
    actions = np.where(contexts[:, POT] > 0.5, RAISE, CALL)
    return decisions_of(contexts, actions.astype(np.int8))


def test_every_input_is_in_one_feature():
    """And none is forgotten."""
    found = features()
    assert sorted(one for inputs in found.values() for one in inputs) == sorted(FEATURES)
    assert all(found[name] == inputs for name, inputs in TOGETHER.items())
    assert found["stack"] == ("stack",)


def test_only_what_the_network_uses_matters(decisions):
    """The pot, which tells the action, most; inputs of weight 0 not at all."""
    found = importances(network_of(pot=4.0, stack=0.2), decisions, 5, np.random.default_rng(1))
    by_name = {one.feature: one for one in found.features}
    assert found.features[0].feature == "pot"
    assert by_name["pot"].increase > 10 * abs(by_name["stack"].increase) > 0
    others = [one for one in found.features if one.feature not in ("pot", "stack")]
    assert all(one.increase == one.half_width == one.over_hands == 0 for one in others)
    assert (found.decisions, found.hands, found.repeats) == (400, 200, 5)


def test_numbers_are_those_of_a_slow_recount(decisions):
    """The same shuffles, decision by decision, in the order of the features."""
    network = network_of(pot=4.0, ace=1.0, king=-1.0)
    found = importances(network, decisions, 3, np.random.default_rng(7))
    rng = np.random.default_rng(7)
    usual = losses(network.probabilities(decisions.contexts), decisions.actions)
    assert found.loss == pytest.approx(usual.mean())
    for name, inputs in features().items():
        means, worse = [], np.zeros(400)
        for _ in range(3):
            order = rng.permutation(400)
            shuffled = decisions.contexts.copy()
            for row in range(400):
                for one in inputs:
                    column = FEATURES.index(one)
                    shuffled[row, column] = decisions.contexts[order[row], column]
            shuffled[:, [MAY_FOLD, MAY_RAISE]] = 1.0
            loss = losses(network.probabilities(shuffled), decisions.actions) - usual
            means.append(loss.mean())
            worse += loss / 3
        (one,) = (one for one in found.features if one.feature == name)
        assert one.increase == pytest.approx(np.mean(means), abs=1e-6)
        assert one.half_width == pytest.approx(half_interval(np.std(means, ddof=1), 3), abs=1e-6)
        by_hand = [sum((worse - np.mean(means))[[two, two + 1]]) for two in range(0, 400, 2)]
        assert one.over_hands == pytest.approx(math.sqrt(np.square(by_hand).sum()) / 400, abs=1e-6)


def test_what_is_legal_stays(decisions):
    """A fold that happened is never denied because another decision's input forbids it."""
    contexts = decisions.contexts.copy()
    contexts[::2, MAY_FOLD] = 0.0
    actions = np.where(contexts[:, MAY_FOLD] > 0, FOLD, CALL).astype(np.int8)
    found = importances(
        network_of(pot=1.0), decisions_of(contexts, actions), 1, np.random.default_rng(1)
    )
    (one,) = (one for one in found.features if one.feature == "may fold")
    assert (one.increase, one.half_width) == (0, math.inf)  # of one shuffle
