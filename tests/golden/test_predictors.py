"""The predictors that come along, on the published hands held out when they were made."""

import json

import numpy as np
import pytest

from agents.statistical.learning.dataset import split_decisions
from agents.statistical.learning.evaluation import evaluate, frequency_chances
from agents.statistical.learning.log_decisions import read_logs
from agents.statistical.learning.tree_growing import grow_tree
from agents.statistical.predicting.model_files import MODELS, file_name, load_shipped
from agents.training.logs import source_of
from protocol.gamedefs import load_builtin

CALIBRATED = 0.02
NOTES = {
    kind: json.loads((MODELS / file_name(kind)).with_suffix(".json").read_text())
    for kind in ("ann", "tree")
}


@pytest.mark.parametrize("kind", NOTES)
def test_predictors_come_along_with_their_provenance(kind):
    """The file is whole, and the note beside it tells of the same run."""
    model, note = load_shipped(kind), NOTES[kind]
    assert note["command"].startswith(f"arena train statistical {kind} --logs ")
    assert {name: note[name] for name in model.provenance} == model.provenance


@pytest.mark.parametrize("kind", NOTES)
def test_they_measured_better_than_frequencies(kind):
    """By the note: the interval of the gain lies above 0, and probabilities are what they say."""
    found, frequencies = (NOTES[kind]["evaluation"][name] for name in (kind, "frequencies"))
    assert found["gain_over_frequencies"][1] > 0
    assert found["calibration_error"][2] < CALIBRATED
    assert found["log_loss"][2] < frequencies["log_loss"][1]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_figures_of_the_note_come_out_again(shared_data):
    """Log-loss and gain on the 7316 hands that seed and share of the provenance hold out."""
    log, game = shared_data / "deepstack" / "hands.log", load_builtin("hunl")
    decisions = read_logs([log], game)
    for kind, note in NOTES.items():
        model = load_shipped(kind)
        facts = model.provenance
        assert {name: facts[name] for name in ("logs", "game")} == source_of([log], game)
        rng = np.random.default_rng(facts["seed"])
        learned, held_out = split_decisions(decisions, facts["held_out"], rng)
        chances = model.probabilities(held_out.contexts)
        baseline = frequency_chances(learned, held_out)
        found = evaluate(chances, baseline, held_out, np.random.default_rng(facts["seed"]))
        noted = note["evaluation"][kind]
        assert found.log_loss == pytest.approx(noted["log_loss"], abs=1e-4)
        assert found.gain == pytest.approx(noted["gain_over_frequencies"], abs=1e-4)
        assert found.hands == noted["hands"] == 7316
    again = grow_tree(learned)
    assert (again.counts == model.counts).all()
