"""The predictors that come along, on the published hands that were held out when they were made."""

import json

import numpy as np
import pytest

from agents.statistical.learning.dataset import split
from agents.statistical.learning.evaluation import evaluate
from agents.statistical.learning.log_decisions import read_logs
from agents.statistical.predicting.contexts import FEATURE_COUNT
from agents.statistical.predicting.model_files import MODELS, file_name, load_shipped
from agents.statistical.predicting.predictor import FrequencyTable
from agents.training.logs import source_of
from protocol.gamedefs import load_builtin

KINDS = ("frequencies", "ann", "tree")
CALIBRATED = 0.02


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_comes_along_with_its_provenance(kind):
    """The file is whole, and the note beside it tells of the same run."""
    model = load_shipped(kind)
    told = json.loads((MODELS / file_name(kind)).with_suffix(".json").read_text())
    assert told["command"].startswith(f"arena train statistical {kind} --logs ")
    assert {name: told[name] for name in model.provenance} == model.provenance


@pytest.mark.parametrize("kind", KINDS)
def test_they_measured_better_than_frequencies(kind):
    """By the note: the interval of the gain lies above 0, and probabilities are what they say."""
    told = json.loads((MODELS / file_name(kind)).with_suffix(".json").read_text())["evaluation"]
    found = told["personal" if kind == "frequencies" else kind]
    assert found["gain_over_frequencies"][1] > 0
    assert found["calibration_error"][2] < CALIBRATED
    assert found["log_loss"][2] < told["frequencies"]["log_loss"][1]


@pytest.mark.parametrize("kind", KINDS)
def test_they_predict_actions(kind):
    """Three probabilities for any context."""
    contexts = np.zeros((3, FEATURE_COUNT), np.float32)
    chances = load_shipped(kind).probabilities(contexts)
    assert chances.sum(axis=1) == pytest.approx([1, 1, 1])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_figures_of_the_notes_come_out_again(shared_data):
    """Log-loss and gain on the 7316 hands that seed and share of the provenance hold out."""
    log, game = shared_data / "deepstack" / "hands.log", load_builtin("hunl")
    decisions = read_logs([log], game)
    for kind in KINDS:
        model = load_shipped(kind)
        told = json.loads((MODELS / file_name(kind)).with_suffix(".json").read_text())
        facts = model.provenance
        assert {name: facts[name] for name in ("logs", "game")} == source_of([log], game)
        rng = np.random.default_rng(facts["seed"])
        learned, held_out = split(decisions, facts["held_out"], rng)
        table = FrequencyTable.counting(learned.cells, learned.actions)
        found = evaluate(model, table, held_out, np.random.default_rng(facts["seed"]))
        name = "personal" if kind == "frequencies" else kind
        noted = told["evaluation"][name]
        assert found.log_loss == pytest.approx(noted["log_loss"], abs=1e-4)
        assert found.gain == pytest.approx(noted["gain_over_frequencies"], abs=1e-4)
        assert found.hands == noted["hands"] == 7316
