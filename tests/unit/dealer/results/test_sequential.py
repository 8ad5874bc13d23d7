"""`arena match --sprt`: what is tested, and where it stands."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dealer.errors import MatchUsageError
from dealer.results.match_result import expected_chips
from dealer.results.sequential import (
    MatchTest,
    check_hypotheses,
    decision_document,
    decision_text,
    most_mbb,
    parse_test,
    predicted_hands,
    sequential_text,
)
from dealer.series.leg_settings import LegSettings
from dealer.series.logs import MatchLogs
from dealer.series.manifest import differences, from_json, to_json, write_manifest
from dealer.series.outcome import LegOutcome
from dealer.series.series import Series
from dealer.server.endings import Ending
from engine.estimates.estimators import ALLIN, RAW
from engine.estimates.sprt import (
    SequentialDecision,
    SequentialState,
    SequentialTest,
    SequentialWalk,
)
from protocol.gamedef import parse_gamedef
from tests.helpers.said import refused, says

TEST = SequentialTest(0, 10)


def test_words_ask_for_a_test():
    """Only what is to be shown must be said."""
    assert parse_test(["mbb1=10", "estimator=raw"]) == parse_test(["mbb1=10"], RAW) == TEST
    assert parse_test(["mbb1=10"]) == replace(TEST, estimator=ALLIN)
    words = ["mbb0=-5", "mbb1=2.5", "alpha=0.01", "beta=0.2"]
    assert parse_test(words) == SequentialTest(-5, 2.5, 0.01, 0.2, ALLIN)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["mbb0=3"], "at least mbb1="),
        (["10"], "want numbers as"),
        (["mbb1=ten"], "want numbers as"),
        (["mbb1=-1"], "want mbb0 below mbb1"),
        (["mbb1=1", "alpha=0.7"], "alpha=0.7"),
        (["mbb1=1", "estimator=aivat"], "want raw or allin"),
    ],
)
def test_words_that_ask_for_none_are_refused(words, told):
    """In one line."""
    with pytest.raises(MatchUsageError, match=told):
        parse_test(words)


def write_legs(folder, manifest, hands):
    """Write `hands[leg]` hands of each leg, in which the first bot wins or loses a few chips."""
    for number, (leg, count) in enumerate(zip(manifest.legs(), hands, strict=True)):
        chips = np.random.default_rng(number).integers(-20, 30, 100)[:count]
        lines = [
            f"STATE:{hand}:cc/cc/cc/cc:2c3c|4c5c/6c7c8c/9c/Tc:{won}|{-won}:"
            + "|".join(manifest.labels)
            for hand, won in enumerate(chips)
        ]
        (folder / f"{leg.name}.log").write_text("".join(f"{line}\n" for line in lines))


def test_sets_are_tested_in_the_order_of_deals(make_manifest, tmp_path):
    """However runs were played side by side, and up to the first that is missing."""
    manifest = make_manifest(runs=3, hands=30, sprt=TEST)
    game = parse_gamedef(manifest.game_text)
    write_legs(tmp_path, manifest, [30, 30, 30, 20, 30, 30])
    logs = MatchLogs(manifest, game, tmp_path)
    logs.read_new()
    first, second = (logs.sets_in_order(0, leave_out) for leave_out in (0, 40))
    assert len(first) == 50
    np.testing.assert_array_equal(second, first[40:])
    wanted = [(logs.logs[0].chips[hand, 0] + logs.logs[1].chips[hand, 0]) / 2 for hand in range(30)]
    np.testing.assert_array_equal(first[:30], wanted)
    found = MatchTest(TEST, logs)
    walk = SequentialWalk(TEST, most_mbb(game))
    walk.add((first * 1000 / game.big_blind).tolist())
    assert found.state == walk.state
    # The run that was not complete goes on.
    write_legs(tmp_path, manifest, [30, 30, 30, 30, 30, 30])
    logs.read_new()
    found.update()
    assert found.state.samples == 90 or found.decided
    assert found.state == MatchTest(TEST, logs).state


def test_samples_have_all_in_expectation(make_manifest, tmp_path):
    """In the sets that are new, as in the report; as played where a folder says nothing."""
    manifest = make_manifest(runs=1, hands=30, sprt=replace(TEST, estimator=ALLIN))
    game = parse_gamedef(manifest.game_text)
    write_legs(tmp_path, manifest, [30, 30])
    leg = tmp_path / f"{manifest.legs()[0].name}.log"
    lines = leg.read_text().splitlines()
    for hand in (4, 25):
        lines[hand] = f"STATE:{hand}:r20000c///:AcAd|KcKd/2c7d9h/Js/3s:20000|-20000:" + "|".join(
            manifest.labels
        )
    leg.write_text("".join(f"{line}\n" for line in lines))
    logs = MatchLogs(manifest, game, tmp_path)
    logs.read_new()

    def expected(legs, hands):
        return expected_chips(game, legs, lambda done: None, hands)

    raw, found = (logs.sets_in_order(0, 0, chips) for chips in (None, expected))
    values = [chips[:, 0] for chips in expected_chips(game, logs.logs, lambda done: None)]
    np.testing.assert_array_equal(found, np.mean(values, axis=0))
    assert list(np.flatnonzero(found != raw)) == [4, 25]
    assert list(np.flatnonzero(logs.sets_in_order(0, 20, expected) != raw[20:])) == [5]
    test = MatchTest(manifest.sprt, logs)
    walk = SequentialWalk(TEST, most_mbb(game))
    walk.add((found * 1000 / game.big_blind).tolist())
    assert test.state == walk.state != MatchTest(TEST, logs).state
    assert walk.sd == pytest.approx(found.std(ddof=1) * 1000 / game.big_blind)
    says(decision_text(test.test, test.state, "A"), "all-in expectation")
    document = json.loads(to_json(manifest))
    assert from_json(json.dumps(document)).sprt == manifest.sprt
    del document["sprt"]["estimator"]
    assert from_json(json.dumps(document)).sprt == TEST


def test_nobody_wins_more_than_a_stack(make_manifest):
    """200 big blinds."""
    game = parse_gamedef(make_manifest().game_text)
    check_hypotheses(SequentialTest(0, 200_000), game)
    with refused(MatchUsageError, "--sprt", "200001 mbb/h"):
        check_hypotheses(SequentialTest(0, 200_001), game)


def test_hands_are_predicted_from_a_guess_and_then_from_sets(make_manifest, tmp_path):
    """Once each; a guess says that it is one."""
    manifest = make_manifest(runs=10, hands=30, sprt=TEST)
    game = parse_gamedef(manifest.game_text)
    logs = MatchLogs(manifest, game, tmp_path)
    found = MatchTest(SequentialTest(0, 0.001), logs)
    says(found.prediction(), "13,333 mbb/h", "a guess")
    write_legs(tmp_path, manifest, [30] * 20)
    logs.read_new()
    found.update()
    told = found.prediction()
    says(told, "300 duplicate sets", f"{logs.running_sets(0).sd:,.0f} mbb/h")
    assert found.prediction() == ""


def test_predicted_hands_are_those_of_the_test():
    """Two for each set; a test of a fixed size beside them."""
    hands = predicted_hands(TEST, 5000.0, 200_000.0)
    assert hands["fixed"] == 2 * TEST.fixed_samples(5000.0)
    assert hands["mbb0"] == hands["mbb1"] == 2 * round(TEST.expected_samples(0, 5000.0, 200_000.0))
    assert hands["mbb1"] < hands["middle"] < hands["fixed"]
    assert predicted_hands(TEST, 5000.0, 200_000.0, 1)["fixed"] == TEST.fixed_samples(5000.0)


@pytest.mark.parametrize("decision", list(SequentialDecision))
def test_a_decision_is_told(decision):
    """In words, and as numbers that JSON knows."""
    state = SequentialState(3.5, -2.5, decision, 120, None)
    text = decision_text(TEST, state, "A")
    assert ("not decided" in text) is (decision is SequentialDecision.OPEN)
    assert "against H0 +3.50 of 3.00, against H1 -2.50 of 3.00" in text
    document = json.loads(json.dumps(decision_document(TEST, state), allow_nan=False))
    assert document["decision"] == decision.value
    assert (document["sets"], document["llr_h1"], document["mbb1"]) == (120, 3.5, 10)


def test_progress_tells_how_many_hands_are_left():
    """Two for each set; and for how long, once there is a pace."""
    state = SequentialState(0.7, -0.71, SequentialDecision.OPEN, 500, 30)
    text = "H1 +0.70 of 3.00, H0 -0.71 of 3.00, about 60 hands left"
    assert sequential_text(TEST, state, 0.0) == text
    assert sequential_text(TEST, state, 2.0) == f"{text} (0:30)"


def test_a_manifest_keeps_its_test(make_manifest):
    """And another test is another match."""
    manifest = make_manifest(sprt=TEST)
    assert from_json(to_json(manifest)) == manifest
    assert "sprt" not in to_json(make_manifest())
    (told,) = differences(manifest, make_manifest(sprt=SequentialTest(0, 20)))
    assert told.startswith(
        "sequential test: mbb0=0 mbb1=10 alpha=0.05 beta=0.05 estimator=raw in the folder"
    )
    damaged = to_json(manifest).replace('"mbb1": 10', '"mbb1": -10')
    with pytest.raises(Exception, match="want mbb0 below mbb1"):
        from_json(damaged)


def test_legs_go_on_until_one_fails_or_there_are_no_more(make_manifest, tmp_path):
    """A bot that always fails does not keep the match going."""
    manifest = make_manifest(runs=1)
    legs = replace(manifest, runs=3).legs()
    write_manifest(tmp_path, manifest)
    queue = Series(manifest, tmp_path, -1, lambda *_: LegSettings(manifest, tmp_path, print))
    more = [2, 3]
    queue.longer = lambda series: {series.pairings()[0]: more.pop(0)} if more else {}
    taken = [queue.take()[1] for _ in range(3)]
    assert taken == list(legs[:3])
    queue.put(LegOutcome(legs[0], Ending.FINISHED))
    assert queue.take()[1] == legs[3]
    queue.put(LegOutcome(legs[1], Ending.CRASH, bot="A"))
    assert queue.take() is None
    assert more == [3]
