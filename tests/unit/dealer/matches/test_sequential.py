"""`arena match --sprt`: what is tested, and where it stands."""

import json
import math

import numpy as np
import pytest

from dealer.matches.errors import MatchUsageError
from dealer.matches.leg import LegSettings
from dealer.matches.manifest import differences, from_json, to_json
from dealer.matches.outcome import LegOutcome
from dealer.matches.runner import LegsInTurn
from dealer.matches.sequential import (
    decided_before,
    decision_document,
    decision_text,
    parse_test,
    standing_text,
    state_of,
)
from dealer.server.endings import Ending
from engine.estimates.sprt import SequentialDecision, SequentialState, SequentialTest
from engine.estimates.winrate import win_rate

TEST = SequentialTest(0, 10)


def test_words_ask_for_a_test():
    """Only what is to be shown must be said."""
    assert parse_test(["mbb1=10"]) == TEST
    words = ["mbb0=-5", "mbb1=2.5", "alpha=0.01", "beta=0.2"]
    assert parse_test(words) == SequentialTest(-5, 2.5, 0.01, 0.2)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["mbb0=3"], "at least mbb1="),
        (["10"], "want numbers as"),
        (["elo1=10"], "want numbers as"),
        (["mbb1=ten"], "want numbers as"),
        (["mbb1=nan"], "want numbers as"),
        (["mbb1=-1"], "want mbb0 below mbb1"),
        (["mbb1=1", "alpha=0.7"], "alpha=0.7"),
    ],
)
def test_words_that_ask_for_none_are_refused(words, told):
    """In one line."""
    with pytest.raises(MatchUsageError, match=told):
        parse_test(words)


def test_a_state_is_that_of_the_sets():
    """With their mean, and their variance with divisor N."""
    chips = np.random.default_rng(1).normal(3.0, 40.0, 500)
    mbb = 10 * chips
    wanted = TEST.state(500, float(mbb.mean()), float(mbb.var()))
    found = state_of(TEST, win_rate(chips, 100, hands_per_sample=2))
    assert found.llr == pytest.approx(wanted.llr)
    assert found.decision is wanted.decision
    assert state_of(TEST, win_rate(chips[:1], 100)).decision is SequentialDecision.OPEN
    assert state_of(TEST, win_rate(chips[:0], 100)).llr == 0


@pytest.mark.parametrize("decision", list(SequentialDecision))
def test_a_decision_is_told_and_kept(tmp_path, decision):
    """In words, and in the result, where an infinite ratio is null."""
    state = SequentialState(math.inf, decision, 120, None)
    text = decision_text(TEST, state, "A")
    assert ("not decided" in text) is (decision is SequentialDecision.OPEN)
    path = tmp_path / "result.json"
    document = decision_document(TEST, state)
    path.write_text(json.dumps({"sequential_test": document}, allow_nan=False), encoding="utf-8")
    kept = None if decision is SequentialDecision.OPEN else state
    assert decided_before(path, TEST) == kept
    assert decided_before(path, None) is None


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"sequential_test": {"decision": "H7"}}'])
def test_a_result_without_a_decision_decides_nothing(tmp_path, text):
    """Nor does one that is damaged."""
    path = tmp_path / "result.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert decided_before(path, TEST) is None


def test_progress_tells_how_many_hands_are_left():
    """Two for each set."""
    text = standing_text(TEST, TEST.state(10_000, 12.0, 1e6))
    assert text.startswith("LLR +0.70 of -2.94 to 2.94, about 64,")


def test_a_manifest_keeps_its_test(make_manifest):
    """And another test is another match."""
    manifest = make_manifest(sprt=TEST)
    assert from_json(to_json(manifest)) == manifest
    assert "sprt" not in to_json(make_manifest())
    (told,) = differences(manifest, make_manifest(sprt=SequentialTest(0, 20)))
    assert told.startswith("sequential test: mbb0=0 mbb1=10 alpha=0.05 beta=0.05 in the folder")
    damaged = to_json(manifest).replace('"mbb1": 10', '"mbb1": -10')
    with pytest.raises(Exception, match="want mbb0 below mbb1"):
        from_json(damaged)


def test_legs_go_on_until_one_fails_or_there_are_no_more(make_manifest, tmp_path):
    """A bot that always fails does not keep the match going."""
    manifest = make_manifest(runs=3)
    settings = LegSettings(manifest, tmp_path, print)
    legs = manifest.legs()
    more = [legs[2:4], legs[4:]]
    queue = LegsInTurn(settings, legs[:2], lambda: more.pop(0) if more else ())
    taken = [queue.take()[1] for _ in range(3)]
    assert taken == list(legs[:3])
    queue.put(LegOutcome(legs[0], Ending.FINISHED))
    assert queue.take()[1] == legs[3]
    queue.put(LegOutcome(legs[1], Ending.CRASH, bot="A"))
    assert queue.take() is None
    assert more == [legs[4:]]
