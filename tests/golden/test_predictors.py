"""The network that comes along, on the published hands held out when it was made."""

import json

import numpy as np
import pytest

from agents.statistical.learning.dataset import split_decisions
from agents.statistical.learning.evaluation import evaluate, frequency_chances
from agents.statistical.learning.log_decisions import read_logs
from agents.statistical.predicting.model_files import MODELS, file_name, load_shipped
from agents.training.logs import source_of
from protocol.gamedefs import load_builtin

CALIBRATED = 0.02
TOLD = json.loads((MODELS / file_name("ann")).with_suffix(".json").read_text())


def test_the_network_comes_along_with_its_provenance():
    """The file is whole, and the note beside it tells of the same run."""
    model = load_shipped("ann")
    assert TOLD["command"].startswith("arena train statistical ann --logs ")
    assert {name: TOLD[name] for name in model.provenance} == model.provenance


def test_it_measured_better_than_frequencies():
    """By the note: the interval of the gain lies above 0, and probabilities are what they say."""
    found, frequencies = (TOLD["evaluation"][name] for name in ("ann", "frequencies"))
    assert found["gain_over_frequencies"][1] > 0
    assert found["calibration_error"][2] < CALIBRATED
    assert found["log_loss"][2] < frequencies["log_loss"][1]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_figures_of_the_note_come_out_again(shared_data):
    """Log-loss and gain on the 7316 hands that seed and share of the provenance hold out."""
    log, game = shared_data / "deepstack" / "hands.log", load_builtin("hunl")
    decisions = read_logs([log], game)
    model = load_shipped("ann")
    facts = model.provenance
    assert {name: facts[name] for name in ("logs", "game")} == source_of([log], game)
    rng = np.random.default_rng(facts["seed"])
    learned, held_out = split_decisions(decisions, facts["held_out"], rng)
    chances = model.probabilities(held_out.contexts)
    baseline = frequency_chances(learned, held_out)
    found = evaluate(chances, baseline, held_out, np.random.default_rng(facts["seed"]))
    noted = TOLD["evaluation"]["ann"]
    assert found.log_loss == pytest.approx(noted["log_loss"], abs=1e-4)
    assert found.gain == pytest.approx(noted["gain_over_frequencies"], abs=1e-4)
    assert found.hands == noted["hands"] == 7316
