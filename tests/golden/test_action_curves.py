"""The curves that come along, on published hands that they were not counted on."""

import json
from itertools import islice

import pytest

from agents.statistical.learning.range_quality import counted_model, score_ranges
from agents.statistical.predicting.model_files import MODELS, load_shipped
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.interpretation_choice import FIRST_PRIOR_NATS
from agents.training.logs import logged_hands, source_of
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
LEARNT, ALL, SHOWN = 100, 550, 30


def note():
    """What is told of them beside their file."""
    return json.loads((MODELS / "curves.json").read_text())


def test_they_measured_better_than_ramps():
    """By the note: the whole interval lies above 0, at 5000 showdowns and more."""
    told = note()["evaluation"]
    assert told["showdowns"] >= 5000
    more, half_width = told["nats_above_uniform"]["curves_above_ramps"]
    assert more - half_width > 0.1
    assert load_shipped("curves").counts.sum() == told["decisions"]


def test_they_tell_more_of_hands_shown_than_ramps(shared_data):
    """On some of the hands held out."""
    learned = note()["evaluation"]["hands"]["learned"]
    log = shared_data / "deepstack" / "hands.log"
    assert load_shipped("curves").provenance["logs"] == source_of([log], HUNL)["logs"]
    lines = islice(logged_hands(log, HUNL), learned, learned + ALL)
    hands = [hand for _, hand, _ in lines]
    curves = ActionInterpretation(curves=load_shipped("curves"))
    models = [counted_model(curves), counted_model(), counted_model(ActionInterpretation(blur=0.4))]
    scores = score_ranges(HUNL, hands, models, learn=LEARNT)
    value, half_width = scores.gain(0, over=1)
    assert value > half_width
    assert scores.gain(0).value == pytest.approx(0.45, abs=0.15)
    first = scores.gains[:, :SHOWN].sum(axis=(1, 2))
    assert (first[0] > first[1:] + FIRST_PRIOR_NATS).all()  # so the modeller would choose them
